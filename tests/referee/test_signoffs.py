"""Sign-off of deals: all seats, a blind second entry, disputes and the desk's ruling, tablets' figures."""

from typing import Any
from uuid import uuid4

import pytest

from referee.models import DealCheck, Dispute, SeatSignoff
from referee.queries import check_of
from referee.services.disputes import rule_dispute
from referee.services.signoffs import enter_second, sign_deal
from tests.referee.conftest import CAPTURES, Hall, open_hall, simple_record
from tournament.models import AuditRow, Event
from tournament.services.errors import Conflict, NotAllowed, Refused, Stale

pytestmark = pytest.mark.django_db

#: The pig went to East, not to North.
OTHER = {**CAPTURES, "N": ["HA", "HK"], "E": ["SQ"]}


def hall_with(policy: str) -> Hall:
    hall = open_hall()
    hall.event.options = {**hall.event.options, "signoff": policy}
    hall.event.save()
    hall.tables = list(type(hall.table).objects.filter(draw__round__event=hall.event).order_by("number"))
    return hall


def sign(hall: Hall, seat: str, verdict: str = "agree", **values: Any) -> Any:
    values = {"actor": hall.referee, "version": 1, "command_id": uuid4(), **values}
    return sign_deal(deal=hall.deal(), seat=seat, verdict=verdict, **values)


def second(hall: Hall, record: Any = None, **values: Any) -> Any:
    values = {
        "actor": hall.referee,
        "version": 1,
        "entered_seat": "S",
        "command_id": uuid4(),
        **values,
    }
    return enter_second(deal=hall.deal(), record=record or simple_record(), **values)


def rule(hall: Hall, outcome: str, **values: Any) -> Any:
    values = {"actor": hall.chief, "ruling": "the cards were shown", "command_id": uuid4(), **values}
    dispute = values.pop("dispute", None) or Dispute.objects.get(closed_at__isnull=True)
    return rule_dispute(dispute=dispute, outcome=outcome, **values)


def checked(hall: Hall) -> DealCheck | None:
    return check_of(hall.versions()[-1])


def test_deal_is_checked_when_the_last_seat_agrees() -> None:
    hall = hall_with("all")
    hall.record()
    for seat in "NWS":
        assert sign(hall, seat).body["state"] == "recorded"
    assert checked(hall) is None
    assert sign(hall, "E").body["state"] == "checked"
    check = checked(hall)
    assert check is not None
    assert check.relation == "all"


def test_one_persons_check_is_refused_where_all_must_agree() -> None:
    hall = hall_with("all")
    hall.record()
    with pytest.raises(Refused) as refused:
        hall.check()
    assert refused.value.code == "all_must_agree"
    hall.check(actor=hall.chief, relation="referee", seat="")
    assert checked(hall) is not None


def test_agreement_is_not_asked_where_one_person_checks(hall: Hall) -> None:
    hall.record()
    with pytest.raises(Refused) as refused:
        sign(hall, "N")
    assert refused.value.code == "agreement_not_asked"


@pytest.mark.parametrize("policy", ["one", "all", "second"])
def test_dispute_holds_the_deal_back_until_the_desk_rules(policy: str) -> None:
    hall = hall_with(policy)
    hall.record()
    assert sign(hall, "E", "dispute", reason="I had no pig").body["state"] == "disputed"
    with pytest.raises(Conflict) as refused:
        hall.check(actor=hall.chief, relation="referee", seat="")
    assert refused.value.code == "disputed"
    with pytest.raises(NotAllowed):
        rule(hall, "stands", actor=hall.referee)
    assert rule(hall, "stands").body["state"] == "checked"
    assert checked(hall) is not None
    dispute = Dispute.objects.get()
    assert (dispute.outcome, dispute.ruling) == ("stands", "the cards were shown")


def test_dispute_keeps_both_versions_and_the_other_can_be_taken(hall: Hall) -> None:
    hall.record()
    sign(hall, "W", "dispute", reason="East took the pig", record=simple_record(captures=OTHER))
    dispute = Dispute.objects.get()
    assert dispute.differences == [{"what": "captured", "card": "SQ", "first": "N", "second": "E"}]
    rule(hall, "offered")
    first, last = hall.versions()
    assert "SQ" in first.record["captures"]["N"]
    assert last.record["captures"]["E"] == ["SQ"]
    assert (last.reason, check_of(last).relation) == ("the cards were shown", "referee")  # type: ignore[union-attr]
    assert check_of(first) is None


def test_dispute_without_a_reason_or_by_nobody_here_is_refused(hall: Hall) -> None:
    hall.record()
    for seat, reason, code in (("N", " ", "reason_missing"), ("Z", "why", "unknown_seat")):
        with pytest.raises(Refused) as refused:
            sign(hall, seat, "dispute", reason=reason)
        assert refused.value.code == code
    assert not Dispute.objects.exists()


def test_seat_that_agrees_after_all_takes_its_dispute_back() -> None:
    hall = hall_with("all")
    hall.record()
    sign(hall, "N", "dispute", reason="wait")
    for seat in "WSE":
        sign(hall, seat)
    assert checked(hall) is None
    assert sign(hall, "N").body["state"] == "checked"
    said = SeatSignoff.objects.filter(seat="N").order_by("place").values_list("place", "verdict")
    assert list(said) == [(1, "dispute"), (2, "agree")]
    assert Dispute.objects.get().closed_at is not None


def test_new_version_settles_what_was_disputed_and_needs_new_words() -> None:
    hall = hall_with("all")
    hall.record()
    sign(hall, "W")
    sign(hall, "E", "dispute", reason="not mine")
    hall.record(based_on=1, record=simple_record(captures=OTHER))
    assert Dispute.objects.get().outcome == "replaced"
    with pytest.raises(Stale):
        sign(hall, "N")
    for seat in "NSE":
        sign(hall, seat, version=2)
    assert checked(hall) is None
    sign(hall, "W", version=2)
    assert checked(hall) is not None


def test_second_entry_that_agrees_checks_the_deal() -> None:
    hall = hall_with("second")
    hall.record()
    record = simple_record(captures={**CAPTURES, "N": ["HK", "SQ", "HA"]})
    assert second(hall, record).body["state"] == "checked"
    check = checked(hall)
    assert check is not None
    assert check.relation == "second"


def test_second_entry_that_differs_goes_to_the_desk_card_by_card() -> None:
    hall = hall_with("second")
    hall.record()
    other = simple_record(captures=OTHER, exposed=[{"card": "HA", "seat": "E", "kind": "exposed"}])
    assert second(hall, other).body["state"] == "disputed"
    assert checked(hall) is None
    assert Dispute.objects.get().differences == [
        {"what": "captured", "card": "SQ", "first": "N", "second": "E"},
        {"what": "exposed", "card": "HA", "first": "", "second": "E exposed"},
    ]
    assert rule(hall, "stands").body["state"] == "checked"


def test_second_entry_is_somebody_elses_and_only_one() -> None:
    hall = hall_with("second")
    hall.record()
    with pytest.raises(Refused) as refused:
        second(hall, entered_seat="N")
    assert refused.value.code == "own_entry"
    second(hall, simple_record(captures=OTHER))
    with pytest.raises(Conflict) as conflict:
        second(hall, entered_seat="W")
    assert conflict.value.code == "second_entered"


def test_second_entry_is_not_asked_elsewhere(hall: Hall) -> None:
    hall.record()
    with pytest.raises(Refused) as refused:
        second(hall)
    assert refused.value.code == "second_not_asked"


def test_command_sent_twice_says_it_once() -> None:
    hall = hall_with("all")
    hall.record()
    command = uuid4()
    sign(hall, "N", command_id=command)
    assert sign(hall, "N", command_id=command).repeated
    assert SeatSignoff.objects.count() == 1


def test_figure_that_differs_raises_an_alarm_and_the_servers_counts(hall: Hall) -> None:
    hall.record(shown={"N": -190, "W": 0, "S": -19, "E": 0})
    alarm = Dispute.objects.get()
    assert alarm.kind == "figure"
    assert [(one["seat"], one["first"], one["second"]) for one in alarm.differences] == [("S", "-20", "-19")]
    assert hall.versions()[0].answer["scores"]["S"] == -20
    assert AuditRow.objects.filter(action="deal.figure_differs").count() == 1
    hall.check()
    assert checked(hall) is not None
    rule(hall, "noted", dispute=alarm)
    alarm.refresh_from_db()
    assert alarm.outcome == "noted"


def test_figure_that_agrees_raises_no_alarm(hall: Hall) -> None:
    hall.record(shown={"N": -190, "W": 0, "S": -20, "E": 0})
    hall.record(2)
    assert not Dispute.objects.exists()


def test_event_option_unknown_means_one_checker(hall: Hall) -> None:
    Event.objects.filter(pk=hall.event.pk).update(options={"signoff": "nonsense"})
    hall.record()
    hall.check()
    assert checked(hall) is not None
