"""No browser test reads a page right after it touched it: what a touch brings is waited for.

`SLOW_ANSWERS=400 make test-browser` finds what reading alone does not: a wait for what was true before.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent / "browser"
TOUCHES = {
    "check", "clear", "click", "dblclick", "dispatch_event", "fill", "focus", "go_back", "press",
    "select_option", "set_input_files", "tap", "type", "uncheck",
}  # fmt: skip
#: These answer with what is there at this moment.
READS = {
    "all", "all_inner_texts", "all_text_contents", "bounding_box", "content", "count", "evaluate",
    "evaluate_all", "get_attribute", "inner_html", "inner_text", "input_value", "is_checked", "is_disabled",
    "is_enabled", "is_hidden", "is_visible", "screenshot", "text_content", "title",
}  # fmt: skip


BODIES = ("body", "orelse", "finalbody")


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Each simple statement, and the head of each compound one, as they stand in the file.

    Without what `with page.expect_…` holds: it has come when the statement is left.
    """
    for one in body:
        yield one
        if not (isinstance(one, ast.With) and _waits(_calls(one))):
            for inner in BODIES:
                yield from _statements(getattr(one, inner, []))


def _waits(calls: set[str]) -> bool:
    return any(name.startswith(("expect", "wait_for")) for name in calls)


def _calls(statement: ast.stmt) -> set[str]:
    """Names of what a statement itself calls, without what lies in its body and what is only tried."""
    parts = [value for key, value in ast.iter_fields(statement) if key not in BODIES]
    nodes = [one for part in parts for one in (part if isinstance(part, list) else [part])]
    found = {
        call.func
        for node in nodes
        if isinstance(node, ast.AST)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and not any(keyword.arg == "trial" for keyword in call.keywords)
    }
    return {getattr(one, "attr", getattr(one, "id", "")) for one in found}


def read_at_once(source: str) -> list[int]:
    """Lines that read a page in the statement after one that touched it."""
    found = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        touched = False
        for statement in _statements(function.body):
            calls = _calls(statement)
            if touched and calls & READS and not _waits(calls):
                found.append(statement.lineno)
            # A statement of another kind leaves it open: it may take no time at all.
            touched = bool(calls & TOUCHES) or (touched and not calls)
    return sorted(set(found))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_what_a_touch_brings_is_waited_for(path):
    assert read_at_once(path.read_text("utf-8")) == []


def test_a_read_after_a_touch_is_found():
    touch = "def test(page):\n    page.click('a')\n"
    assert read_at_once(f"{touch}    assert page.evaluate('1') == 1") == [3]
    assert read_at_once(f"{touch}    expect(page.locator('b')).to_be_visible()\n    page.evaluate('1')") == []
