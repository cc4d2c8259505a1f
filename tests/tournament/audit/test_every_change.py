"""Whatever a service writes that bears on a result, it writes an audit row for; and each is told in words."""

import ast
import re
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from referee.models import TableRuling
from tests.referee.conftest import open_hall
from tests.tournament.archive.filled import filled_tournament
from tournament.demo.build import build_demo
from tournament.forms.audit import ACTIONS, AREAS
from tournament.models import AuditRow, Event
from tournament.queries.archive.sections import SECTIONS

ROOT = Path(__file__).resolve().parents[3]
SERVICES = sorted(
    path for folder in ("tournament/services", "referee/services") for path in (ROOT / folder).rglob("*.py")
)

#: Functions of services that write and add no row, each with the reason.
WITHOUT_A_ROW = {
    "append_version": "stores a version for a service, which adds the row",
    "raise_dispute": "stores a dispute for a service, which adds the row",
    "export_tournament": "seals rows that wait for it; changes no fact",
}


def _called(node):
    """Names that a function calls or hands on."""
    return {
        one.id if isinstance(one, ast.Name) else one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Name | ast.Attribute)
    }


def _functions():
    found = {}
    for path in SERVICES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                found.setdefault(node.name, set()).update(_called(node))
    return found


def _reach(start, calls):
    seen, todo = set(), [start]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += calls.get(name, ())
    return seen


_WRITES = {
    "create",
    "bulk_create",
    "update",
    "bulk_update",
    "delete",
    "save",
    "get_or_create",
    "update_or_create",
}


def _silent():
    calls = _functions()
    public = {
        node.name
        for path in SERVICES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and any(one.arg == "actor" for one in (*node.args.kwonlyargs, *node.args.args))
    }
    return {
        name
        for name in public
        if _WRITES & (reached := _reach(name, calls)) and "record_audit" not in reached
    }, public


def test_every_service_that_writes_reaches_the_audit_trail():
    silent, public = _silent()
    assert len(public) > 60
    assert silent == set(WITHOUT_A_ROW), "what writes and leaves no audit row"


def test_a_service_without_a_row_is_noticed(tmp_path, monkeypatch):
    bad = tmp_path / "bad.py"
    bad.write_text(
        "def change_it(*, actor, deal):\n    _store(deal)\n\ndef _store(deal):\n    deal.save()\n",
        encoding="utf-8",
    )
    monkeypatch.setitem(globals(), "SERVICES", [bad])
    assert _silent()[0] == {"change_it"}


class _Watch:
    """Notes, for each service called from outside the services, which tables it wrote to."""

    _STATEMENT = re.compile(r'(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) "(\w+)"')

    def __init__(self):
        files = {str(path) for path in SERVICES}
        self.files = files
        self.depth = 0
        self.name = ""
        self.wrote = set()
        self.done = defaultdict(list)

    def profile(self, frame, event, _argument):
        code = frame.f_code
        if code.co_filename not in self.files or "actor" not in code.co_varnames[: code.co_argcount + 20]:
            return
        if event == "call" and not code.co_name.startswith("_"):
            if self.depth == 0:
                self.name, self.wrote = code.co_name, set()
            self.depth += 1
        elif event == "return" and not code.co_name.startswith("_"):
            self.depth -= 1
            if self.depth == 0:
                self.done[self.name].append(self.wrote)

    def statement(self, execute, sql, params, many, context):
        if self.depth and (found := self._STATEMENT.match(sql)):
            self.wrote.add(found.group(1))
        return execute(sql, params, many, context)

    def __enter__(self):
        self._wrapper = connection.execute_wrapper(self.statement)
        self._wrapper.__enter__()
        sys.setprofile(self.profile)
        return self

    def __exit__(self, *fault):
        sys.setprofile(None)
        self._wrapper.__exit__(*fault)


#: Tables of what is derived or a matter of the site; a change of these alone needs no row.
_NO_RESULT = {"results", "devices", "table_cards", "audit", "audit_chain", "calls"}
_BEARING = {one.model._meta.db_table for one in SECTIONS if one.name not in _NO_RESULT}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "play",
    [
        lambda: build_demo(password="a-password-for-tests", today=timezone.localdate()),
        filled_tournament,
        lambda: open_hall(Event.Kind.TEAMS, 8, plan={"kind": "set", "deals": 4}).record(),
    ],
    ids=["demo", "filled", "teams"],
)
def test_each_call_of_a_service_that_wrote_a_fact_wrote_a_row(play):
    with _Watch() as watch:
        play()
    assert len(watch.done) >= 5
    silent = {
        name: wrote & _BEARING
        for name, calls in watch.done.items()
        for wrote in calls
        if wrote & _BEARING and AuditRow._meta.db_table not in wrote
    }
    assert silent == {}


def _actions():
    """Every action that a service writes, as it stands in the code."""
    found = {
        node.value
        for path in SERVICES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"[a-z_]+\.[a-z_]+", node.value)
    }
    found |= {f"ruling.{kind}" for kind in TableRuling.Kind.values}
    return found | {f"event.{state}" for state in (Event.State.STARTED, Event.State.FINISHED)}


def test_every_action_and_area_is_told_in_words():
    actions = _actions()
    assert len(actions) > 60
    assert sorted(actions - set(ACTIONS)) == []
    assert sorted({one.partition(".")[0] for one in ACTIONS} - set(AREAS)) == []


def test_no_words_are_kept_for_actions_that_are_no_more():
    assert sorted(set(ACTIONS) - _actions()) == []
