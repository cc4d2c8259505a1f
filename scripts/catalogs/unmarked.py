"""Find texts that a person reads in a template without gettext, and Chinese text in scripts."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

#: Attributes whose value is shown or read out.
_SPOKEN = {"alt", "title", "placeholder", "aria-label", "aria-description", "label"}
_WORD = re.compile(r"[A-Za-z\u3400-\u9fff]{2,}")
_HAN = re.compile(r"[\u3400-\u9fff]")
_TRANSLATED = re.compile(
    r"{%\s*blocktrans(?:late)?\b.*?{%\s*endblocktrans(?:late)?\s*%}|{%\s*comment\b.*?{%\s*endcomment\s*%}|{#.*?#}"
    # A block named …_class or …_attributes fills attributes of the page below it.
    r"|{%\s*block\s+\w+_(?:class|attributes)\s*%}.*?{%\s*endblock\b.*?%}|{%.*?%}|{{.*?}}",
    re.DOTALL,
)
_SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)


class _Texts(HTMLParser):
    """Collects what a person reads: text outside scripts and styles, and spoken attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.silent: list[str] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "style", "code"}:
            self.silent.append(tag)
        values = dict(attrs)
        self.found.extend(values[name] or "" for name in values if name in _SPOKEN)
        if tag == "input" and values.get("type") in {"submit", "button", "reset"}:
            self.found.append(values.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        if self.silent and self.silent[-1] == tag:
            self.silent.pop()

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.found.append(data)


def unmarked_in_template(text: str, *, allowed: frozenset[str] = frozenset()) -> list[str]:
    """The words of a template that no translation tag has; ``allowed`` are the same in every language."""
    parser = _Texts()
    # A tag becomes a blank, so that an attribute made of one is empty and words beside it stay apart.
    parser.feed(_TRANSLATED.sub(" ", text))
    parser.close()
    return [word for found in parser.found for word in _WORD.findall(found) if word not in allowed]


def unmarked_in_script(text: str) -> list[str]:
    """The lines of a JavaScript file, comments apart, with Chinese text that should come from the page."""
    return [line.strip() for line in _SCRIPT_COMMENT.sub("", text).splitlines() if _HAN.search(line)]


def unmarked(root: Path, *, allowed: frozenset[str] = frozenset()) -> Iterator[tuple[str, list[str]]]:
    """Each template and script below ``root`` with texts that are not translatable, and those texts."""
    for folder in ("templates", "scoring", "tournament", "referee", "static"):
        for path in sorted((root / folder).rglob("*")):
            words: list[str] = []
            if path.suffix in {".html", ".svg"}:
                words = unmarked_in_template(path.read_text(encoding="utf-8"), allowed=allowed)
            elif path.suffix == ".js":
                words = unmarked_in_script(path.read_text(encoding="utf-8"))
            if words:
                yield path.relative_to(root).as_posix(), words
