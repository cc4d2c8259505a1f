"""A look at what a correction would move: what it asks of the database, and what is done under its lock."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.services import foresight
from referee.services.foresight import what_would_move
from tests.factories import make_event, make_published_draw
from tests.tournament.draws import close, give_results
from tournament.models import EntryResult, Event
from tournament.queries import foresight as queries
from tournament.services.audit import SYSTEM
from tournament.services.stages import StageData, configure_stage

pytestmark = pytest.mark.django_db


def _drawn_ahead(entries: int, rounds: int) -> Event:
    """Singles by Swiss rounds, all of them played."""
    event = make_event(Event.Kind.INDIVIDUAL, entries, planned_rounds=rounds)
    configure_stage(
        actor=SYSTEM, stage=event.stages.get(), data=StageData(format="swiss", rounds=rounds, options={})
    )
    for number in range(1, rounds + 1):
        draw = make_published_draw(event, number)
        give_results(draw)
        close(draw.round)
    return event


def _exchange_first_and_last(event: Event) -> None:
    """The best and the worst of the first round have each other's result."""
    first, *_others, last = EntryResult.objects.filter(round__event=event, round__number=1).order_by("value")
    EntryResult.objects.filter(pk=first.pk).update(value=last.value, points=last.points)
    EntryResult.objects.filter(pk=last.pk).update(value=first.value, points=first.points)


def _look(event: Event):
    return what_would_move(event=event, from_round=1, change=lambda: _exchange_first_and_last(event))


def _asked(event: Event) -> tuple[int, int]:
    """How many queries a look takes, and how many of them from the moment the database is locked on."""
    with CaptureQueriesContext(connection) as all_queries:
        moves = _look(event)
    assert [one["after"] for one in moves["standings"]] == [
        round.number for round in event.rounds.order_by("number")
    ]
    assert moves["draws"]
    statements = [one["sql"] for one in all_queries]
    begun = next(place for place, sql in enumerate(statements) if sql.startswith("SAVEPOINT"))
    ended = next(place for place, sql in enumerate(statements) if sql.startswith("ROLLBACK TO"))
    return len(statements), ended - begun


def test_a_look_asks_no_more_of_the_database_for_more_rounds_and_entries():
    assert _asked(_drawn_ahead(12, 3)) == _asked(_drawn_ahead(24, 5))


def test_nothing_is_worked_out_while_the_database_is_locked(monkeypatch):
    event = _drawn_ahead(12, 3)
    locked = []
    reading, snapshot = foresight.read_again, queries.snapshot
    savepoints = len(connection.savepoint_ids)

    def read_again(before):
        locked.append(len(connection.savepoint_ids) > savepoints)
        return reading(before)

    def worked_out(read):
        locked.append(len(connection.savepoint_ids) > savepoints)
        with CaptureQueriesContext(connection) as asked:
            found = snapshot(read)
        assert not asked.captured_queries
        return found

    monkeypatch.setattr(foresight, "read_again", read_again)
    monkeypatch.setattr(queries, "snapshot", worked_out)
    assert _look(event)["draws"]
    assert locked == [True, False, False]
