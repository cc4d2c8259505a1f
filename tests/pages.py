"""Reading pages the way a browser does."""

import re
from html import unescape

_FORM = re.compile(r'<form[^>]*method="post"[^>]*>.*?</form>', re.DOTALL)
_INPUT = re.compile(r"<input[^>]*>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


def hidden_fields(page: str, action: str = "") -> dict[str, str]:
    """The hidden fields of a form in the page's main part: the first one, or the one with this action."""
    main = page[page.index("<main") :]
    wanted = [form for form in _FORM.findall(main) if not action or f'action="{action}"' in form]
    assert wanted, f"no form {action!r} on the page"
    found = {}
    for tag in _INPUT.findall(wanted[0]):
        attributes = dict(_ATTRIBUTE.findall(tag))
        if attributes.get("type") == "hidden" and attributes.get("name") != "csrfmiddlewaretoken":
            found[attributes["name"]] = unescape(attributes.get("value", ""))
    return found
