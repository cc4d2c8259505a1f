"""The schema's texts in the reader's language: the same schema, its summaries and descriptions translated.

Names that programs go by (operation ids, tags, types, fields) are the same in every language.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.utils.translation import gettext, override

from tournament.api.schema import whole_schema

#: What it is written in, and told in where no language is asked for.
WRITTEN_IN = "en"
#: Members of the schema that are read by people.
_TEXTS = ("summary", "description")


@lru_cache(maxsize=len(settings.LANGUAGES))
def schema_in(language: str) -> dict[str, Any]:
    """The whole schema in a language; what has no translation stays as written."""
    with override(language):
        worded: dict[str, Any] = _worded(whole_schema())
        worded["tags"] = [{"name": name, "description": gettext(name)} for name in _tags(worded)]
        return worded


def translated(text: str) -> str:
    """A text of several paragraphs in the language in use; each paragraph is a message of its own."""
    # The empty message is the catalog's own head.
    lines = (" ".join(part.split()) for part in text.split("\n\n"))
    return "\n\n".join(gettext(line) for line in lines if line)


def _worded(node: Any) -> Any:
    if isinstance(node, Mapping):
        return {
            name: translated(value) if name in _TEXTS and isinstance(value, str) else _worded(value)
            for name, value in node.items()
        }
    return [_worded(one) for one in node] if isinstance(node, list | tuple) else node


def _tags(schema: Mapping[str, Any]) -> list[str]:
    operations = [one for methods in schema["paths"].values() for one in methods.values()]
    return list(dict.fromkeys(tag for one in operations for tag in one["tags"]))
