"""Collect what the open interface says of itself: texts that are shown although no gettext call names them.

An operation's docstring is its documentation, a serializer's that of its type; ``help_text`` is a field's and
``tag`` (or ``TAG``) the heading of a group. `tournament.api.wording` shows them in the reader's language, a
paragraph at a time, and a test compares what is found here with what the schema says.
"""

import ast
import inspect
from collections.abc import Iterator

#: Where operations and serializers are.
FILES = ("tournament/api/", "referee/serializers.py")
#: Bodies and answers are named so; of the tablet's own inputs only those that lend their words to a body.
_TYPES = ("Out", "Body", "Patch", "Proposal")
_OTHER_TYPES = {"Nothing", "CommandInput", "SignInput", "VoidInput"}
#: Classes on these are single fields.
_FIELDS = ("Field", "PointsInput", "MomentInput")
_HEADINGS = ("tag", "TAG")
#: Several are written in one line where a module has operations of several groups.
_HEADING = "Organise: "


def is_documented(name: str) -> bool:
    """Whether a file, named from the project's root, describes the interface."""
    return name.startswith(FILES)


def paragraphs(text: str) -> list[str]:
    """A docstring's paragraphs, each in one line."""
    parts = inspect.cleandoc(text).split("\n\n")
    return [line for part in parts if (line := " ".join(part.split()))]


def descriptions(text: str) -> Iterator[str]:
    """The texts of a module that end up in the interface's description."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and _is_shown(node):
            yield from paragraphs(ast.get_docstring(node) or "")
        elif isinstance(node, ast.keyword) and node.arg == "help_text":
            yield from _constant(node.value)
        elif isinstance(node, ast.Assign):
            named = any(isinstance(one, ast.Name) and one.id in _HEADINGS for one in node.targets)
            for value in node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]:
                yield from (one for one in _constant(value) if named or one.startswith(_HEADING))


def _is_shown(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Whether it is an operation, or a type with words of its own."""
    if isinstance(node, ast.FunctionDef):
        return any(ast.unparse(one).startswith("operation(") for one in node.decorator_list)
    if node.name in _OTHER_TYPES:
        return True
    bases = [ast.unparse(one) for one in node.bases]
    return node.name.endswith(_TYPES) and not any(one.endswith(_FIELDS) for one in bases)


def _constant(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from paragraphs(node.value)
