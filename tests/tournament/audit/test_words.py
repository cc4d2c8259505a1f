"""The audit trail as people read it: fields by name, values in words; filtered by event and table."""

import ast
import csv
import io
import re
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import translation

from referee.services.penalties import give_penalty
from tests.factories import make_event
from tests.referee.conftest import Hall, open_hall
from tests.tournament.audit.test_every_change import SERVICES
from tournament.forms.audit_words import FIELDS, AuditWords
from tournament.models import AuditRow, Event
from tournament.queries.audit import AuditFilter, audit_rows
from tournament.services.audit import SYSTEM, record_audit

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall():
    with translation.override("en"):
        yield open_hall()


def told(row, **sides):
    """Before and after of a row's changes by field."""
    words = AuditWords(row.tournament.tz)
    return {name: (before, after) for name, before, after in words.changes(row)}


def newest(action):
    return AuditRow.objects.filter(action=action).latest("pk")


def _written_keys():
    """Every field that a call of record_audit names in its before and after."""
    for path in SERVICES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "record_audit":
                for side in (one.value for one in node.keywords if one.arg in {"before", "after"}):
                    if isinstance(side, ast.Dict):
                        yield from (key.value for key in side.keys if isinstance(key, ast.Constant))


def test_every_field_that_services_write_has_a_name():
    keys = set(_written_keys())
    assert len(keys) > 50
    assert sorted(keys - FIELDS.keys()) == []


def test_a_deal_is_told_by_its_seats_cards_and_times(hall: Hall):
    hall.record()
    row = newest("deal.record")
    changes = told(row)
    assert changes["Record"][1].startswith("Captured cards: North: ♠Q, ♥A, ♥K; South: ♦J, ♣10, ♥Q")
    assert "Dealt to: ♠Q: West" in changes["Record"][1]
    assert changes["Score"][1].startswith("North: -190")
    assert changes["Seat that kept the score"] == ("", "North")
    assert changes["State"] == ("", "recorded")
    entered = datetime.fromisoformat(row.after["entered_at"]).astimezone(hall.event.tournament.tz)
    assert changes["Entered at"] == ("", entered.strftime("%Y-%m-%d %H:%M:%S"))
    hall.check()
    relation = told(newest("deal.check"))
    assert "next seat" in str(relation)


def test_entries_players_and_tables_are_told_by_their_names(hall: Hall):
    seat = hall.table.seats.select_related("entry", "player").first()
    give_penalty(
        actor=hall.chief,
        event=hall.event,
        round=hall.table.draw.round,
        entry=seat.entry,
        player=seat.player,
        table=hall.table,
        rule="迟到",
        points=-50,
        reason="迟到十分钟",
        command_id=uuid4(),
    )
    changes = told(newest("penalty.give"))
    assert changes["Entry"][1] == f"{seat.entry.number} · {seat.entry.name}"
    assert changes["Table"][1] == str(hall.table.number)
    assert changes["Player"][1] == seat.player.name
    assert changes["Cancelled"][1] == "no"


def test_what_has_no_words_is_told_as_it_is_stored(hall: Hall):
    row = record_audit(
        actor=SYSTEM, action="event.edit", subject=hall.event, event=hall.event, before="旧", after={"x1": 5}
    )
    assert told(row) == {"": ("旧", ""), "x1": ("", "5")}


def test_nothing_is_told_as_a_program_writes_it(hall: Hall):
    """No field by its key, no braces, no time of the wire, whatever was done."""
    hall.record()
    hall.check()
    words = AuditWords(hall.event.tournament.tz)
    for row in AuditRow.objects.filter(event=hall.event):
        for name, before, after in words.changes(row):
            assert not re.search(r"[{}\[\]]|\d{4}-\d\d-\d\dT", before + after), (row.action, name)
            assert not re.fullmatch(r"[a-z_]+", name), (row.action, name)


def test_changes_are_filtered_by_event_and_table_on_the_page_and_in_the_file(hall: Hall):
    hall.record()
    other = make_event(
        Event.Kind.INDIVIDUAL, 4, tournament=hall.event.tournament, slug="other", name="另一项"
    )
    client = Client(headers={"accept-language": "en"})
    client.force_login(hall.organiser.user)
    address = f"/manage/t/{hall.event.tournament.slug}/changes/"

    def rows(query):
        data = client.get(f"{address}export.csv?{query}").content.decode("utf-8-sig")
        return list(csv.DictReader(io.StringIO(data)))

    assert {row["Event"] for row in rows("event=other")} == {other.name}
    at_table = rows("table=1")
    assert [row["What"] for row in at_table] == ["deal recorded"]
    assert at_table[0]["Subject"] == "deal 1"
    assert "Seat that kept the score: North" in at_table[0]["After"].splitlines()
    assert rows("table=2") == []
    page = client.get(f"{address}?table=1").content.decode()
    assert "Seat that kept the score" in page
    assert "entered_seat" not in page


def test_the_work_for_a_page_of_changes_does_not_grow_with_its_rows(
    hall: Hall, django_assert_max_num_queries
):
    for minutes in range(60):
        moment = datetime(2026, 3, 2, 9, minutes, tzinfo=UTC).isoformat()
        record_audit(
            actor=SYSTEM,
            action="match.decide",
            subject=hall.table.match,
            event=hall.event,
            before={"at": moment},
            after={"winner": 1},
        )
    found = list(audit_rows(hall.event.tournament, hall.event, AuditFilter(area="match")))
    words = AuditWords(hall.event.tournament.tz)
    with django_assert_max_num_queries(6):
        assert {words.changes(row)[1][2] for row in found} == {f"1 · {hall.event.entries.get(number=1).name}"}
