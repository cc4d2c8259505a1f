"""Taking back, voiding and correcting: what stays on record, who may, and what it does to the game."""

import uuid
from typing import Any

import pytest

from referee.models import DealVersion
from referee.queries import play_of, table_state
from referee.services import deals
from tests.referee.conftest import Hall, losing_record, open_hall, simple_record
from tournament.models import AuditRow, EntryResult, Round
from tournament.services.audit import Actor
from tournament.services.errors import NotAllowed, Refused, Stale

OTHER = simple_record(held={"SQ": "N", "DJ": "N", "C10": "N", "HA": "N"})


def undo(hall: Hall, number: int = 1, version: int = 1, **values: Any) -> Any:
    values = {"actor": hall.referee, "command_id": uuid.uuid4(), **values}
    return deals.undo_deal(deal=hall.deal(number), version=version, **values)


def void(hall: Hall, number: int = 1, version: int = 1, reason: str = "发错牌", **values: Any) -> Any:
    values = {"actor": hall.referee, "command_id": uuid.uuid4(), **values}
    return deals.void_deal(deal=hall.deal(number), version=version, reason=reason, **values)


def correct(hall: Hall, actor: Actor | None = None, version: int = 1, **values: Any) -> Any:
    values = {"record": OTHER, "reason": "猪记错了", "command_id": uuid.uuid4(), **values}
    return deals.correct_deal(actor=actor or hall.chief, deal=hall.deal(), version=version, **values)


def states(hall: Hall, number: int = 1) -> list[str]:
    return [version.state for version in hall.versions(number)]


# -- undo


def test_undo_withdraws_and_keeps_what_was_entered(hall: Hall) -> None:
    hall.record()
    undo(hall)
    assert states(hall) == ["recorded", "withdrawn"]
    assert hall.versions()[0].record is not None
    row = AuditRow.objects.get(action="deal.undo")
    assert row.before["answer"]["scores"]["N"] == -190
    assert row.after["record"] is None
    assert set(EntryResult.objects.values_list("deals", "points")) == {(0, 0)}


def test_undo_then_the_number_is_recorded_again(hall: Hall) -> None:
    hall.record()
    undo(hall)
    state = table_state(hall.table)
    assert (state.play.next_number, state.next_based_on) == (1, 2)
    hall.record(record=OTHER, based_on=2)
    assert states(hall) == ["recorded", "withdrawn", "recorded"]


def test_undo_of_the_deal_that_ended_the_game_opens_it_again(hall: Hall) -> None:
    hall.record(record=losing_record())
    assert play_of(hall.table).finished
    undo(hall)
    assert not play_of(hall.table).finished
    hall.record(based_on=2)
    hall.record(number=2)


def test_undo_of_a_checked_deal_is_refused(hall: Hall) -> None:
    hall.record()
    hall.check()
    for person in (hall.referee, hall.chief):
        with pytest.raises(Refused) as refusal:
            undo(hall, actor=person)
        assert refusal.value.code == "deal_checked"


def test_undo_same_command_twice_undoes_once(hall: Hall) -> None:
    hall.record()
    command = uuid.uuid4()
    undo(hall, command_id=command)
    hall.record(based_on=2)
    assert undo(hall, command_id=command).repeated
    assert states(hall) == ["recorded", "withdrawn", "recorded"]


def test_undo_of_a_version_replaced_meanwhile_is_stale(hall: Hall) -> None:
    hall.record()
    hall.record(record=OTHER, based_on=1)
    with pytest.raises(Stale):
        undo(hall)


def test_undo_in_the_middle_has_to_be_entered_again_before_the_table_is_done(hall: Hall) -> None:
    hall.record()
    hall.record(number=2)
    hall.record(number=3, record=losing_record())
    undo(hall, number=2)
    play = play_of(hall.table)
    assert (play.outstanding, play.next_number, play.finished) == ((2,), 2, False)
    hall.record(number=2, based_on=2)
    assert play_of(hall.table).finished


# -- void


def test_void_stays_on_record_and_is_replayed_under_the_same_number(hall: Hall) -> None:
    hall.record()
    void(hall)
    play = play_of(hall.table)
    assert (play.outstanding, play.next_number) == ((1,), 1)
    hall.record(record=OTHER, based_on=2)
    assert states(hall) == ["recorded", "void", "recorded"]
    assert [version.reason for version in hall.versions()] == ["", "发错牌", ""]
    assert play_of(hall.table).next_number == 2


def test_void_needs_a_reason(hall: Hall) -> None:
    hall.record()
    with pytest.raises(Refused) as refusal:
        void(hall, reason="  ")
    assert refusal.value.code == "reason_missing"


def test_void_of_a_checked_deal_is_the_chief_referees(hall: Hall) -> None:
    hall.record()
    hall.check()
    with pytest.raises(NotAllowed):
        void(hall)
    void(hall, actor=hall.chief)
    assert states(hall) == ["recorded", "void"]


def test_void_twice_is_refused(hall: Hall) -> None:
    hall.record()
    void(hall)
    with pytest.raises(Refused) as refusal:
        void(hall, version=2)
    assert refusal.value.code == "deal_void"


def test_void_does_not_count(hall: Hall) -> None:
    hall.record()
    void(hall)
    assert set(EntryResult.objects.values_list("points", "deals", "complete")) == {(0, 0, False)}


def test_void_of_the_last_deal_of_a_finished_game_opens_it(hall: Hall) -> None:
    hall.record()
    hall.record(number=2, record=losing_record())
    void(hall, number=1)
    play = play_of(hall.table)
    assert (play.finished, play.outstanding) == (False, (1,))


def test_void_before_it_was_entered(hall: Hall) -> None:
    command = uuid.uuid4()
    values = {"actor": hall.referee, "table": hall.table, "number": 1, "reason": "多一张牌"}
    first = deals.void_unrecorded_deal(command_id=command, **values)
    again = deals.void_unrecorded_deal(command_id=command, **values)
    assert (first.body, again.repeated) == (again.body, True)
    assert states(hall) == ["void"]
    hall.record(based_on=1)
    assert states(hall) == ["void", "recorded"]


def test_void_before_it_was_entered_only_the_next_deal(hall: Hall) -> None:
    with pytest.raises(Refused) as refusal:
        deals.void_unrecorded_deal(
            actor=hall.referee, table=hall.table, number=3, reason="错", command_id=uuid.uuid4()
        )
    assert refusal.value.code == "deal_number"


def test_void_as_unentered_of_what_was_entered_meanwhile_is_stale(hall: Hall) -> None:
    hall.record()
    with pytest.raises(Stale):
        deals.void_unrecorded_deal(
            actor=hall.referee, table=hall.table, number=1, reason="错", command_id=uuid.uuid4()
        )


# -- correct


def test_correct_appends_a_version_that_needs_a_new_check(hall: Hall) -> None:
    hall.record()
    hall.check()
    correct(hall)
    old, new = hall.versions()
    assert (old.state, new.state, new.reason) == ("recorded", "recorded", "猪记错了")
    assert hasattr(old, "check_row")
    assert not hasattr(new, "check_row")
    assert set(EntryResult.objects.filter(table=hall.table).values_list("checked_deals", flat=True)) == {0}
    hall.check(relation="player", seat="W")
    assert set(EntryResult.objects.filter(table=hall.table).values_list("checked_deals", flat=True)) == {1}


def test_correct_is_audited_with_both_records_and_the_reason(hall: Hall) -> None:
    hall.record()
    correct(hall)
    row = AuditRow.objects.get(action="deal.correct")
    assert (row.actor, row.reason) == (hall.chief.user, "猪记错了")
    assert row.before["answer"]["scores"]["N"] == -190
    assert row.after["answer"]["scores"]["N"] == -340


def test_correct_is_for_directors_only(hall: Hall) -> None:
    hall.record()
    with pytest.raises(NotAllowed):
        correct(hall, actor=hall.referee)
    correct(hall, actor=hall.organiser)


def test_correct_needs_a_reason_a_valid_record_and_the_current_version(hall: Hall) -> None:
    hall.record()
    with pytest.raises(Refused) as refusal:
        correct(hall, reason="")
    assert refusal.value.code == "reason_missing"
    with pytest.raises(Refused) as refusal:
        correct(hall, record={"captures": {}})
    assert {"card_missing", "held_missing"} <= {one.code for one in refusal.value.problems}
    with pytest.raises(Stale) as stale:
        correct(hall, version=2)
    assert stale.value.offered == OTHER
    assert DealVersion.objects.count() == 1


def test_correct_in_a_closed_round_is_refused(hall: Hall) -> None:
    hall.record()
    Round.objects.update(state=Round.State.CLOSED)
    with pytest.raises(Refused) as refusal:
        correct(hall)
    assert refusal.value.code == "round_closed"


def test_correct_that_ends_the_game_earlier_leaves_later_deals_uncounted(hall: Hall) -> None:
    hall.record()
    hall.record(number=2)
    correct(hall, record=losing_record())
    play = play_of(hall.table)
    assert [line.game for line in play.deals] == [1, None]
    assert (play.state.surplus, play.finished) == (1, True)
    north = EntryResult.objects.get(table=hall.table, entry=hall.table.seats.get(direction="N").entry)
    assert (north.deals, north.pigs) == (1, 1)


def test_corrected_two_versions_in_force_are_impossible(hall: Hall) -> None:
    """Of two corrections built on the same version one wins, whatever the interleaving."""
    hall.record()
    correct(hall)
    with pytest.raises(Stale):
        correct(hall)
    assert [version.number for version in hall.versions()] == [1, 2]


def test_actions_in_another_event_are_not_allowed(hall: Hall) -> None:
    hall.record()
    stranger = open_hall()
    with pytest.raises(NotAllowed):
        undo(hall, actor=stranger.referee)
    with pytest.raises(NotAllowed):
        void(hall, actor=stranger.chief)
    with pytest.raises(NotAllowed):
        correct(hall, actor=stranger.organiser)
