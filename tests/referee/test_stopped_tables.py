"""Ending play before the plan is complete, and going on after all."""

import uuid
from typing import Any

import pytest

from referee.queries import play_of
from referee.services.deals import undo_deal
from referee.services.tables import resume_table, stop_table
from tests.referee.conftest import Hall, open_hall
from tournament.models import AuditRow, EntryResult, Event, Round
from tournament.services.errors import NotAllowed, Refused


def stop(hall: Hall, **values: Any) -> Any:
    values = {"actor": hall.referee, "reason": "时间到", "command_id": uuid.uuid4(), **values}
    return stop_table(table=hall.table, **values)


def resume(hall: Hall, **values: Any) -> Any:
    values = {"actor": hall.referee, "reason": "按错了", "command_id": uuid.uuid4(), **values}
    return resume_table(table=hall.table, **values)


def test_stop_ends_the_game_and_the_one_ahead_wins(hall: Hall) -> None:
    hall.record()  # N −190, S −20, W and E 0
    stop(hall)
    hall.table.refresh_from_db()
    game = play_of(hall.table).state.games[0]
    assert game.ended_by == "time"
    won = {
        result.entry.seats.get().direction: result.games_won
        for result in EntryResult.objects.filter(table=hall.table)
    }
    assert {seat for seat, games in won.items() if games} == {"W", "E"}


def test_stop_is_audited_and_needs_a_reason(hall: Hall) -> None:
    with pytest.raises(Refused) as refusal:
        stop(hall, reason="")
    assert refusal.value.code == "reason_missing"
    stop(hall)
    row = AuditRow.objects.get(action="table.stop")
    assert (row.before["stopped"], row.after, row.reason) == (
        False,
        {"stopped": True, "reason": "时间到"},
        "时间到",
    )


def test_stop_refuses_new_deals_but_an_undone_one_can_be_entered_again(hall: Hall) -> None:
    hall.record()
    hall.record(number=2)
    stop(hall)
    with pytest.raises(Refused) as refusal:
        hall.record(number=3)
    assert refusal.value.code == "table_stopped"
    undo_deal(actor=hall.referee, deal=hall.deal(1), version=1, command_id=uuid.uuid4())
    hall.record(number=1, based_on=2)


def test_stop_makes_the_table_complete_once_all_is_checked(hall: Hall) -> None:
    hall.record()
    stop(hall)
    assert set(EntryResult.objects.values_list("complete", flat=True)) == {False}
    hall.check()
    assert set(EntryResult.objects.values_list("complete", flat=True)) == {True}


def test_stop_twice_is_refused_but_not_the_same_command(hall: Hall) -> None:
    command = uuid.uuid4()
    stop(hall, command_id=command)
    assert stop(hall, command_id=command).repeated
    with pytest.raises(Refused) as refusal:
        stop(hall)
    assert refusal.value.code == "table_stopped"


def test_resume_lets_play_go_on(hall: Hall) -> None:
    hall.record()
    with pytest.raises(Refused) as refusal:
        resume(hall)
    assert refusal.value.code == "table_not_stopped"
    stop(hall)
    resume(hall)
    hall.record(number=2)
    assert AuditRow.objects.get(action="table.resume").before == {"stopped": True, "reason": "时间到"}


def test_stop_by_somebody_else_or_in_a_closed_round_is_refused(hall: Hall) -> None:
    with pytest.raises(NotAllowed):
        stop(hall, actor=hall.other_referee)
    Round.objects.update(state=Round.State.CLOSED)
    with pytest.raises(Refused):
        stop(hall)


def test_stop_timed_play_finishes_only_then(db: None) -> None:
    hall = open_hall(Event.Kind.PAIRS, 4, plan={"kind": "time", "minutes": 60})
    for number in range(1, 4):
        hall.record(number=number, record=hall.random_record(number))
    assert not play_of(hall.table).finished
    stop(hall)
    hall.table.refresh_from_db()
    assert play_of(hall.table).finished
