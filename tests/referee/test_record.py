"""Recording a deal: once, on the version its sender saw, valid, and only while it can be played."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from referee.models import Deal, DealVersion, ReceivedCommand
from referee.services import deals
from tests.referee.conftest import Hall, losing_record, open_hall, simple_record
from tournament.models import AuditRow, EntryResult, Event, Round
from tournament.services import rounds
from tournament.services.errors import NotAllowed, Refused, Stale


def test_record_stores_the_canonical_record_and_its_score(hall: Hall) -> None:
    outcome = hall.record()
    version = DealVersion.objects.get()
    assert outcome.body["version"] == version.number == 1
    assert version.state == DealVersion.State.RECORDED
    assert version.record["mode"] == "individual"
    assert version.answer["scores"] == {"N": -190, "W": 0, "S": -20, "E": 0}
    assert version.answer["credited"] == version.answer["scores"]
    assert version.answer["formula"]["N"].endswith("= -190")
    assert (version.entered_by, version.entered_seat) == (hall.referee.user, "N")


def test_record_is_audited_with_what_it_became(hall: Hall) -> None:
    hall.record()
    row = AuditRow.objects.get(action="deal.record")
    assert (row.actor, row.address, row.before) == (hall.referee.user, hall.referee.address, None)
    assert row.subject == f"deal:{hall.deal().pk}"
    assert row.after["answer"]["scores"]["N"] == -190


def test_record_same_command_twice_is_stored_once_and_answers_the_same(hall: Hall) -> None:
    command = uuid.uuid4()
    first = hall.record(command_id=command)
    again = hall.record(command_id=command)
    assert (first.repeated, again.repeated) == (False, True)
    assert again.body == first.body
    assert DealVersion.objects.count() == 1
    assert AuditRow.objects.filter(action="deal.record").count() == 1


def test_record_same_command_with_another_payload_is_refused(hall: Hall) -> None:
    command = uuid.uuid4()
    hall.record(command_id=command)
    with pytest.raises(Refused) as refusal:
        hall.record(number=2, command_id=command)
    assert refusal.value.code == "command_id_reused"
    assert DealVersion.objects.count() == 1


def test_record_refused_command_may_be_sent_again_once_the_cause_is_gone(hall: Hall) -> None:
    command = uuid.uuid4()
    Round.objects.update(state=Round.State.CLOSED)
    with pytest.raises(Refused):
        hall.record(command_id=command)
    assert not ReceivedCommand.objects.exists()
    Round.objects.update(state=Round.State.PLAYING)
    assert hall.record(command_id=command).repeated is False


def test_record_names_every_fault_and_stores_nothing(hall: Hall) -> None:
    captures = {"N": ["SQ", "SQ"], "W": ["DJ", "H99"], "S": [], "E": []}
    with pytest.raises(Refused) as refusal:
        hall.record(record=simple_record(captures=captures, held={"SQ": "W"}))
    codes = [problem.code for problem in refusal.value.problems]
    assert {"card_captured_twice", "unknown_card", "card_missing", "held_missing"} <= set(codes)
    unknown = next(one for one in refusal.value.problems if one.code == "unknown_card")
    assert (unknown.card, unknown.seat) == ("H99", "W")
    assert not Deal.objects.exists()
    assert not ReceivedCommand.objects.exists()
    assert not AuditRow.objects.filter(action="deal.record").exists()


def test_record_fault_is_worded_with_card_sign_and_seat_name(hall: Hall) -> None:
    captures = {**simple_record()["captures"], "W": ["SQ"]}
    with translation.override("en"), pytest.raises(Refused) as refusal:
        hall.record(record=simple_record(captures=captures))
    assert "♠Q" in str(refusal.value)


def test_record_of_a_seat_not_at_the_table_is_refused(hall: Hall) -> None:
    captures = {**simple_record()["captures"], "A": []}
    with pytest.raises(Refused) as refusal:
        hall.record(record=simple_record(captures=captures))
    assert [(one.code, one.seat) for one in refusal.value.problems] == [("unknown_seat", "A")]


@pytest.mark.parametrize("record", [None, [], "x", 7, {}, {"captures": 3}, {"captures": {"N": 3}}])
def test_record_that_is_no_record_is_refused(hall: Hall, record: object) -> None:
    with pytest.raises(Refused):
        deals.record_deal(
            actor=hall.referee, table=hall.table, number=1, record=record, command_id=uuid.uuid4()
        )


def test_record_partial_is_never_stored(hall: Hall) -> None:
    with pytest.raises(Refused) as refusal:
        hall.record(record=simple_record(captures={"N": ["SQ"]}, partial=True))
    assert {one.code for one in refusal.value.problems} == {"card_missing"}


def test_record_ignores_a_mode_that_is_not_the_events(hall: Hall) -> None:
    hall.record(record=simple_record(mode="partnership", ruleset="classic"))
    assert DealVersion.objects.get().record["mode"] == "individual"


def test_record_entered_by_a_seat_not_at_the_table_is_refused(hall: Hall) -> None:
    with pytest.raises(Refused) as refusal:
        hall.record(entered_seat="A")
    assert (refusal.value.code, refusal.value.field) == ("unknown_seat", "entered_seat")


def test_record_on_a_stale_version_shows_both_records(hall: Hall) -> None:
    hall.record()
    mine = simple_record(held={"SQ": "N", "DJ": "N", "C10": "N", "HA": "N"})
    with pytest.raises(Stale) as refusal:
        hall.record(record=mine)
    assert refusal.value.current["record"]["captures"]["N"] == ["SQ", "HA", "HK"]
    assert refusal.value.current["version"] == 1
    assert refusal.value.offered == mine
    assert DealVersion.objects.count() == 1


def test_record_on_the_current_version_replaces_an_unchecked_entry(hall: Hall) -> None:
    hall.record()
    hall.record(record=simple_record(held={"SQ": "N", "DJ": "N", "C10": "N", "HA": "N"}), based_on=1)
    old, new = hall.versions()
    assert old.answer["scores"]["N"] == -190
    assert new.answer["scores"]["N"] == -340  # pig −200, ♥A −100, ♥K −40: self-captured
    row = AuditRow.objects.filter(action="deal.record").first()
    assert row is not None
    assert row.before["version"] == 1
    assert row.after["version"] == 2


def test_record_cannot_replace_a_checked_deal(hall: Hall) -> None:
    hall.record()
    hall.check()
    with pytest.raises(Refused) as refusal:
        hall.record(based_on=1)
    assert refusal.value.code == "deal_checked"


def test_record_based_on_a_version_that_never_was_is_refused(hall: Hall) -> None:
    with pytest.raises(Refused) as refusal:
        hall.record(based_on=3)
    assert refusal.value.code == "deal_unknown"


@pytest.mark.parametrize("number", [0, 2, 17, -1])
def test_record_game_deals_follow_each_other(hall: Hall, number: int) -> None:
    with pytest.raises(Refused) as refusal:
        hall.record(number=number)
    assert refusal.value.code == "deal_number"
    assert refusal.value.params["next"] == 1


def test_record_set_deals_may_be_played_in_any_order(set_hall: Hall) -> None:
    for number in (3, 1):
        set_hall.record(number=number, record=set_hall.random_record(number))
    assert [(deal.number, deal.order) for deal in Deal.objects.order_by("order")] == [(3, 1), (1, 2)]


def test_record_beyond_the_end_of_a_set_is_refused(set_hall: Hall) -> None:
    for number in range(1, 5):
        set_hall.record(number=number, record=set_hall.random_record(number))
    with pytest.raises(Refused) as refusal:
        set_hall.record(number=5, record=set_hall.random_record(5))
    assert refusal.value.code == "play_finished"


def test_record_beyond_the_end_of_a_game_is_refused(hall: Hall) -> None:
    outcome = hall.record(record=losing_record())
    assert outcome.body["answer"]["scores"]["N"] <= -1000
    with pytest.raises(Refused) as refusal:
        hall.record(number=2)
    assert refusal.value.code == "play_finished"


def test_record_best_of_three_goes_on_with_the_next_game(db: None) -> None:
    hall = open_hall(plan={"kind": "game", "best_of": 3})
    hall.record(record=losing_record())
    hall.record(number=2)
    assert Deal.objects.count() == 2


def test_record_in_a_closed_round_is_refused(hall: Hall) -> None:
    round_ = hall.table.draw.round
    rounds.close_round(actor=hall.chief, round=round_, override_reason="停电")
    with pytest.raises(Refused) as refusal:
        hall.record()
    assert refusal.value.code == "round_closed"


def test_record_at_a_table_that_is_not_mine_is_refused(hall: Hall) -> None:
    with pytest.raises(NotAllowed):
        hall.record(table=hall.tables[1])
    with pytest.raises(NotAllowed):
        hall.record(actor=hall.other_referee)
    elsewhere = open_hall()
    with pytest.raises(NotAllowed):
        hall.record(table=elsewhere.table)
    with pytest.raises(NotAllowed):
        hall.record(actor=elsewhere.chief)
    hall.record(actor=hall.chief)


def test_record_updates_the_results_of_everybody_at_the_table(hall: Hall) -> None:
    hall.record()
    points = {
        result.entry.seats.get().direction: (
            result.points,
            result.deals,
            result.checked_deals,
            result.complete,
        )
        for result in EntryResult.objects.filter(table=hall.table)
    }
    assert points == {
        "N": (-190, 1, 0, False),
        "W": (0, 1, 0, False),
        "S": (-20, 1, 0, False),
        "E": (0, 1, 0, False),
    }


def test_record_cost_does_not_grow_with_the_deals_on_record(db: None) -> None:
    hall = open_hall(Event.Kind.PAIRS, 4, plan={"kind": "set", "deals": 16})
    counts = []
    for number in range(1, 13):
        with CaptureQueriesContext(connection) as queries:
            hall.record(number=number, record=hall.random_record(number))
        counts.append(len(queries))
    assert len(set(counts[1:])) == 1
    assert counts[1] < 40
