"""Collect the translatable strings of Python modules, templates and the pure parts' tables of texts, and what
the open interface says of itself (`scripts.catalogs.documented`).

The pure parts know no Django and so cannot mark a string. There, every string value of a constant
whose name ends in ``_MESSAGES`` or ``_LABELS`` is collected; whoever shows it passes it to gettext.
"""

import ast
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from babel.messages import extract as babel_extract
from django.conf import settings
from django.utils.translation.template import templatize

from scripts.catalogs.documented import descriptions, is_documented

CODE_FOLDERS = ("config", "scoring", "scripts", "tournament", "referee")
TEMPLATE_FOLDERS = ("templates", *CODE_FOLDERS)
PURE_FOLDERS = ("scoring/engine", "tournament/pairing", "tournament/ranking")
TEMPLATE_SUFFIXES = {".html", ".txt", ".svg"}
NEVER = {"migrations", "static", "node_modules", "__pycache__"}

KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
COMMENT_TAG = "Translators"
_TABLE_NAME = re.compile(r"(?:^|_)(?:MESSAGES|LABELS)$")


@dataclass(frozen=True, order=True)
class Key:
    """What gettext looks a string up by: its text and, where given, its context."""

    msgid: str
    context: str = ""


@dataclass
class Entry:
    """A string to translate: key, plural ("" without one), the files it is in, notes for translators."""

    key: Key
    plural: str = ""
    sources: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


class ExtractionError(Exception):
    """A file that cannot be read as Python or as a template; the message names it."""


def extract(root: Path) -> list[Entry]:
    """All translatable strings below ``root``, ordered by first file, then by text.

    The order does not depend on line numbers, so that catalogs change only where strings do.

    Raises:
        ExtractionError: a file is no valid Python or no valid template.
    """
    if not settings.configured:
        # The template lexer asks for settings.DEBUG and nothing else.
        settings.configure()
    entries: dict[Key, Entry] = {}
    for path, kind in _files(root):
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        for key, plural, comments in _read(text, name, kind):
            entry = entries.setdefault(key, Entry(key))
            entry.plural = entry.plural or plural
            if name not in entry.sources:
                entry.sources.append(name)
            entry.comments.extend(note for note in comments if note not in entry.comments)
    return sorted(entries.values(), key=lambda entry: (entry.sources[0], entry.key))


def _files(root: Path) -> Iterator[tuple[Path, str]]:
    found = {}
    for folder in CODE_FOLDERS:
        for path in (root / folder).rglob("*.py"):
            pure = path.relative_to(root).as_posix().startswith(tuple(f"{name}/" for name in PURE_FOLDERS))
            found[path] = "pure" if pure else "python"
    for folder in TEMPLATE_FOLDERS:
        for path in (root / folder).rglob("*"):
            if path.suffix in TEMPLATE_SUFFIXES and path.is_file():
                found[path] = "template"
    for path in sorted(found):
        if not NEVER.intersection(path.relative_to(root).parts):
            yield path, found[path]


_Found = tuple[Key, str, Sequence[str]]


def _read(text: str, name: str, kind: str) -> Iterator[_Found]:
    try:
        if kind == "pure":
            yield from _tables(text)
        elif kind == "template":
            # Templates become calls between filler; without indentation the filler is valid Python tokens.
            calls = "\n".join(line.lstrip() for line in templatize(text, origin=name).splitlines())
            yield from _calls(calls)
        else:
            yield from _calls(text)
            yield from _calls("\n".join(_inside_f_strings(ast.parse(text))))
            if is_documented(name):
                yield from ((Key(one), "", ()) for one in descriptions(text))
    except SyntaxError as fault:
        raise ExtractionError(f"{name}: {fault}") from fault


def _calls(text: str) -> Iterator[_Found]:
    found = babel_extract.extract(
        "python",
        io.BytesIO(text.encode()),
        keywords=KEYWORDS,
        comment_tags=(COMMENT_TAG,),
        options={"encoding": "utf-8"},
        strip_comment_tags=False,
    )
    for _line, message, comments, context in found:
        singular, plural = (message, "") if isinstance(message, str) else (message[0], message[1])
        if singular:
            yield Key(singular, context or ""), plural, comments


def _inside_f_strings(module: ast.Module) -> Iterator[str]:
    """The calls within f-strings: before Python 3.12 an f-string is one token, and Babel looks at tokens."""
    for string in ast.walk(module):
        if isinstance(string, ast.JoinedStr):
            yield from (ast.unparse(node) for node in ast.walk(string) if isinstance(node, ast.Call))


def _tables(text: str) -> Iterator[_Found]:
    for statement in ast.parse(text).body:
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        value = getattr(statement, "value", None)
        if value is not None and any(_TABLE_NAME.search(name) for name in names):
            for string in _values(value):
                yield Key(string), "", ()


def _values(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str) and node.value:
            yield node.value
        return
    # A table's keys are codes, not texts.
    children = node.values if isinstance(node, ast.Dict) else ast.iter_child_nodes(node)
    for child in children:
        yield from _values(child)
