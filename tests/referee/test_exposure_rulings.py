"""A misplaced exposure 错明 ruled on: what the deal's record says of it afterwards."""

from typing import Any
from uuid import uuid4

import pytest

from referee.models import TableRuling
from referee.services.rulings import exposed_as_ruled, record_ruling
from tests.referee.conftest import Hall, simple_record
from tournament.models import AuditRow
from tournament.services.errors import Conflict, Refused, Stale

pytestmark = pytest.mark.django_db

SHOWN = {"card": "SQ", "seat": "W", "kind": "exposed"}


def rule(hall: Hall, ruling: str, **values: Any) -> Any:
    facts = {"seat": "W", "card": "SQ", "exposure": "exposed", "ruling": ruling, "as_kind": ""}
    facts |= {name: values.pop(name) for name in list(values) if name in facts}
    values = {"actor": hall.referee, "number": 1, "note": "too late", "version": 1, **values}
    return record_ruling(table=hall.table, kind="exposure", facts=facts, command_id=uuid4(), **values)


def exposed(hall: Hall) -> list[Any]:
    return [version.record["exposed"] for version in hall.versions()]


def test_exposure_taken_back_is_struck_from_the_record_with_the_ruling_as_reason(hall: Hall) -> None:
    hall.record(record=simple_record(exposed=[SHOWN]))
    rule(hall, "taken_back")
    before, after = hall.versions()
    assert exposed(hall) == [[SHOWN], []]
    assert (after.reason, after.entered_seat) == ("too late", "N")
    assert before.answer["scores"]["N"] != after.answer["scores"]["N"] == -190
    ruling = TableRuling.objects.get()
    assert (ruling.version, ruling.facts["before"]) == (after, 1)
    assert AuditRow.objects.get(action="deal.correct").reason == "too late"


@pytest.mark.parametrize(
    ("ruling", "values", "kind"),
    [
        ("stands", {}, "exposed"),
        ("as_kind", {"as_kind": "dark"}, "dark"),
        ("stands", {"exposure": "dark"}, "dark"),
    ],
)
def test_exposure_that_was_not_recorded_is_added(hall: Hall, ruling: str, values: Any, kind: str) -> None:
    hall.record()
    rule(hall, ruling, **values)
    assert exposed(hall) == [[], [{**SHOWN, "kind": kind}]]


def test_exposure_counts_as_another_kind(hall: Hall) -> None:
    hall.record(record=simple_record(exposed=[SHOWN]))
    rule(hall, "as_kind", as_kind="dark")
    assert exposed(hall)[-1] == [{**SHOWN, "kind": "dark"}]


@pytest.mark.parametrize(("ruling", "recorded"), [("stands", [SHOWN]), ("taken_back", [])])
def test_ruling_that_agrees_with_the_record_makes_no_version(
    hall: Hall, ruling: str, recorded: list[Any]
) -> None:
    hall.record(record=simple_record(exposed=recorded))
    rule(hall, ruling, note="")
    assert len(hall.versions()) == 1
    assert "before" not in TableRuling.objects.get().facts


def test_ruling_that_cannot_be_recorded_is_refused_whole(hall: Hall) -> None:
    hall.record()
    cases = [
        ({"seat": "N"}, Refused),  # the pig was dealt to West
        ({"note": " "}, Refused),
        ({"version": 7}, Stale),
    ]
    for values, refusal in cases:
        with pytest.raises(refusal):
            rule(hall, "stands", **values)
    hall.check()
    with pytest.raises(Conflict) as refused:
        rule(hall, "stands")
    assert refused.value.code == "deal_checked"
    assert len(hall.versions()) == 1
    assert not TableRuling.objects.exists()


def test_ruling_before_the_deal_is_recorded_is_a_fact_for_its_entry(hall: Hall) -> None:
    rule(hall, "taken_back", version=None)
    assert TableRuling.objects.get().version is None


def test_of_two_copies_the_one_shown_so_is_meant() -> None:
    both = [{**SHOWN, "kind": "dark"}, SHOWN]
    facts = {"card": "SQ", "seat": "W", "exposure": "exposed", "ruling": "taken_back", "as_kind": ""}
    assert exposed_as_ruled({"exposed": both}, facts)["exposed"] == [both[0]]
    assert both == [{**SHOWN, "kind": "dark"}, SHOWN]
