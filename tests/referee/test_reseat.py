"""Players found at wrong seats: their deals move with them, checked as stated, and back again."""

from fractions import Fraction
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.models import Correction, Dispute, Reseating
from referee.services.corrections import apply_correction, look_ahead, moves_mark
from referee.services.deals import correct_deal, void_deal
from referee.services.reseating import reseat, undo_reseating
from scoring.engine import DealRecord, Ruleset, score_deal
from scoring.engine.playout import play_out
from scoring.rulesets import load
from tests.referee.conftest import Hall, open_hall, simple_record
from tournament.models import AuditRow, EntryResult, Event, Publication
from tournament.services.audit import SYSTEM
from tournament.services.errors import Conflict, NotAllowed, Refused, Stale
from tournament.services.publish import publish
from tournament.services.results import rebuild_event_results

#: North and East sat at each other's seats.
SAT = {"N": "E", "E": "N"}


@pytest.fixture
def played(hall: Hall) -> Hall:
    """Two deals at the first table, the first of them checked."""
    hall.record(1)
    hall.check(1)
    hall.record(2)
    return hall


def _reseat(hall: Hall, **values: Any) -> Any:
    values = {
        "actor": hall.chief,
        "table": hall.table,
        "segment": 1,
        "sat": SAT,
        "deals": {1: 1, 2: 1},
        "reason": "坐错方位",
        "command_id": uuid4(),
        **values,
    }
    return reseat(**values)


def _points(hall: Hall) -> dict[str, Fraction | int]:
    by_entry = dict(EntryResult.objects.filter(table=hall.table).values_list("entry", "points"))
    return {seat.direction: by_entry[seat.entry_id] for seat in hall.table.seats.all()}


def test_deals_move_with_the_players_and_so_do_their_results(played: Hall) -> None:
    before = _points(played)
    assert before == {"N": -380, "W": 0, "S": -40, "E": 0}
    _reseat(played)
    assert _points(played) == {"N": 0, "W": 0, "S": -40, "E": -380}
    for number in (1, 2):
        old, new = played.versions(number)
        assert new.record["captures"]["E"] == old.record["captures"]["N"]
        assert new.record["held"] == {"SQ": "W", "DJ": "W", "C10": "N", "HA": "N"}
        assert (new.reason, new.entered_seat, new.entered_by) == ("坐错方位", "E", old.entered_by)
    assert rebuild_event_results(played.event) == 0


def test_what_was_checked_counts_as_checked_by_who_put_it_right(played: Hall) -> None:
    _reseat(played)
    first, second = played.versions(1)[-1], played.versions(2)[-1]
    assert (first.check_row.relation, first.check_row.user) == ("referee", played.chief.user)
    assert not hasattr(second, "check_row")


def test_who_entered_a_deal_does_not_check_it_by_moving_it(hall: Hall) -> None:
    hall.record(1, actor=hall.chief, entered_seat="")
    hall.check(1, relation="player")
    _reseat(hall, deals={1: 1})
    assert not hasattr(hall.versions(1)[-1], "check_row")
    hall.check(1, actor=hall.organiser, relation="referee", seat="")


def test_an_exchange_sent_twice_happens_once(played: Hall) -> None:
    command = uuid4()
    assert not _reseat(played, command_id=command).repeated
    assert _reseat(played, command_id=command).repeated
    assert len(played.versions(1)) == 2
    assert AuditRow.objects.filter(action="table.reseat").count() == 1


def test_the_audit_trail_has_who_moved_what_and_why(played: Hall) -> None:
    _reseat(played)
    row = AuditRow.objects.get(action="table.reseat")
    assert (row.actor, row.reason) == (played.chief.user, "坐错方位")
    assert row.before["deals"] == [{"deal": 1, "version": 1}, {"deal": 2, "version": 1}]
    assert row.after == {
        "moved": {"E": "N", "N": "E"},
        "deals": [{"deal": 1, "version": 2}, {"deal": 2, "version": 2}],
    }


def test_three_players_who_sat_in_a_ring_come_right(played: Hall) -> None:
    # The player of N sat at W, that of W at S, that of S at N.
    _reseat(played, sat={"N": "W", "W": "S", "S": "N"})
    assert _points(played) == {"N": 0, "W": -40, "S": -380, "E": 0}


def test_only_the_deals_chosen_move(played: Hall) -> None:
    _reseat(played, deals={2: 1})
    assert (len(played.versions(1)), len(played.versions(2))) == (1, 2)
    assert _points(played) == {"N": -190, "W": 0, "S": -40, "E": -190}


def test_undoing_puts_every_record_back(played: Hall) -> None:
    records = [played.versions(number)[-1].record for number in (1, 2)]
    before = _points(played)
    made = Reseating.objects.get(pk=_reseat(played).body["reseating"])
    command = uuid4()
    for _ in range(2):
        undo_reseating(actor=played.chief, reseating=made, reason="没坐错", command_id=command)
    assert [played.versions(number)[-1].record for number in (1, 2)] == records
    assert [len(played.versions(number)) for number in (1, 2)] == [3, 3]
    assert played.versions(1)[-1].entered_seat == "N"
    assert hasattr(played.versions(1)[-1], "check_row")
    assert _points(played) == before
    made.refresh_from_db()
    assert (made.undo_reason, made.undone_by) == ("没坐错", played.chief.user)
    with pytest.raises(Conflict) as refusal:
        undo_reseating(actor=played.chief, reseating=made, reason="x", command_id=uuid4())
    assert refusal.value.code == "reseating_undone"


def test_undoing_refuses_once_a_deal_has_been_changed(played: Hall) -> None:
    made = Reseating.objects.get(pk=_reseat(played).body["reseating"])
    correct_deal(
        actor=played.chief,
        deal=played.deal(2),
        version=2,
        record=simple_record(),
        reason="x",
        command_id=uuid4(),
    )
    with pytest.raises(Conflict) as refusal:
        undo_reseating(actor=played.chief, reseating=made, reason="x", command_id=uuid4())
    assert (refusal.value.code, refusal.value.params) == ("changed_since", {"deal": 2})
    assert len(played.versions(1)) == 2


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"sat": {}}, "nobody_moved"),
        ({"sat": {"N": "N"}}, "nobody_moved"),
        ({"sat": {"N": "E"}}, "two_at_a_seat"),
        ({"sat": {"N": "X"}}, "unknown_seat"),
        ({"sat": {"X": "N"}}, "unknown_seat"),
        ({"deals": {}}, "no_deals"),
        ({"deals": {7: 1}}, "deal_not_recorded"),
        ({"reason": " "}, "reason_missing"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(played: Hall, values: Any, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        _reseat(played, **values)
    assert refusal.value.code == code
    assert len(played.versions(1)) == 1
    assert not Reseating.objects.exists()


def test_a_deal_that_has_moved_on_is_stale(played: Hall) -> None:
    played.record(2, based_on=1)
    with pytest.raises(Stale):
        _reseat(played)
    assert len(played.versions(1)) == 1


def test_a_void_deal_is_not_moved(played: Hall) -> None:
    void_deal(actor=played.chief, deal=played.deal(2), version=1, reason="x", command_id=uuid4())
    with pytest.raises(Refused) as refusal:
        _reseat(played, deals={1: 1, 2: 2})
    assert refusal.value.code == "deal_not_recorded"


def test_a_disputed_deal_waits_for_the_ruling(played: Hall) -> None:
    Dispute.objects.create(version=played.versions(2)[-1], kind=Dispute.Kind.SEAT, seat="W")
    with pytest.raises(Conflict) as refusal:
        _reseat(played)
    assert (refusal.value.code, refusal.value.params) == ("deal_disputed", {"deal": 2})


def test_only_the_desk_moves_deals(played: Hall) -> None:
    with pytest.raises(NotAllowed):
        _reseat(played, actor=played.referee)


def test_partners_stay_together(db: None) -> None:
    hall = open_hall(Event.Kind.PAIRS, 4, plan={"kind": "set", "deals": 4})
    hall.record(1)
    with pytest.raises(Refused) as refusal:
        _reseat(hall, deals={1: 1})
    assert refusal.value.code == "partners_changed"
    before = _points(hall)
    # Both pairs had sat at the other pair's seats.
    _reseat(hall, deals={1: 1}, sat={"N": "W", "W": "N", "S": "E", "E": "S"})
    after = _points(hall)
    assert (after["N"], after["W"]) == (before["W"], before["N"])
    assert before["N"] != before["W"]


def test_the_page_moves_deals_and_takes_that_back(played: Hall) -> None:
    client = Client(headers={"accept-language": "en"})
    client.force_login(played.chief.user)
    page = reverse("referee:seats", args=[played.table.pk])
    form = client.get(page).context["form"]
    values = {
        "command_id": str(form["command_id"].value()),
        "sat_N": "E",
        "sat_E": "E",
        "sat_W": "W",
        "sat_S": "S",
        "deals": ["1:1", "2:1"],
        "reason": "坐错",
    }
    refused = client.post(page, values)
    assert refused.status_code == 400
    assert "cannot both have sat" in refused.content.decode()
    assert client.post(page, {**values, "sat_E": "N"}).status_code == 302
    assert len(played.versions(1)) == 2
    made = Reseating.objects.get()
    undo = reverse("referee:seats_undo", args=[made.pk])
    command = str(client.get(undo).context["form"]["command_id"].value())
    assert client.post(undo, {"command_id": command, "reason": "错"}).status_code == 302
    assert len(played.versions(1)) == 3
    assert "undone" in client.get(page).content.decode()


def test_taking_an_exchange_back_that_others_go_by_is_looked_at_first(played: Hall) -> None:
    client = Client(headers={"accept-language": "en"})
    client.force_login(played.chief.user)
    before = _points(played)
    _reseat(played)
    moved = _points(played)
    played.check(2, relation="referee", actor=played.organiser, seat="")
    publish(actor=SYSTEM, round=played.table.draw.round, what=Publication.What.RESULTS)
    undo = reverse("referee:seats_undo", args=[Reseating.objects.get().pk])
    command = str(client.get(undo).context["form"]["command_id"].value())

    look = client.post(undo, {"command_id": command, "reason": "错"})

    assert look.status_code == 302
    assert _points(played) == moved != before
    proposed = Correction.objects.get()
    assert client.get(look.headers["Location"]).context["moves"]["anything"]
    seen = moves_mark(look_ahead(actor=played.chief, correction=proposed).moves)
    apply_correction(actor=played.chief, correction=proposed, seen=seen)
    assert _points(played) == before


# -- the engine's part


RULES = {key: load(key) for key in ("huapai", "platform-two-deck")}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.permutations("NWSE"), st.sampled_from(sorted(RULES)))
def test_scores_follow_the_seats(seed: int, order: list[str], key: str) -> None:
    rules: Ruleset = RULES[key]
    record = play_out(rules, Random(seed)).record
    moved = dict(zip("NWSE", order, strict=True))
    there = record.reseated(moved)
    was, now = score_deal(record, rules), score_deal(there, rules)
    assert {moved[seat]: points for seat, points in was.scores.items()} == dict(now.scores)
    back = {new: old for old, new in moved.items()}
    assert there.reseated(back) == record.canonical()


def test_a_reseating_that_loses_a_seat_is_an_error() -> None:
    record = DealRecord(captures=dict.fromkeys("NWSE", ()))
    for moved in ({"N": "E"}, {"N": "X", "X": "N"}):
        with pytest.raises(ValueError, match="exchanges"):
            record.reseated(moved)
