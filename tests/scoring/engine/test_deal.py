"""Deal records and their JSON form."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine import DealRecord, Exposure, InvalidDeal, score_deal
from tests.scoring.engine.deals import BASE, deal, records, rulesets


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_record_goes_to_json_and_back(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    record = DealRecord.from_json(data.draw(records(rules)))
    again = DealRecord.from_json(json.loads(json.dumps(record.to_json())))
    assert again == record
    assert list(again.captures) == list(record.captures)
    assert again.to_json() == record.to_json()
    assert score_deal(again, rules) == score_deal(record.to_json(), rules)


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_json_is_the_same_whatever_the_order_of_entry(data: st.DataObject) -> None:
    record = data.draw(records(BASE))
    other = {
        **record,
        "captures": {
            seat: data.draw(st.permutations(record["captures"][seat]))
            for seat in data.draw(st.permutations(list(record["captures"])))
        },
        "exposed": data.draw(st.permutations(record["exposed"])),
        "held": dict(reversed(record["held"].items())),
    }
    assert json.dumps(DealRecord.from_json(other).to_json()) == json.dumps(
        DealRecord.from_json(record).to_json()
    )


def test_canonical_order_is_playing_order_and_key_cards_first() -> None:
    record = DealRecord.from_json(
        {"captures": {"E": ["H2", "C10", "S3", "SQ"], "N": []}, "held": {"HA": "N", "SQ": ["E"]}}
    )
    assert record.to_json() == {
        "mode": "individual",
        "captures": {"N": [], "E": ["SQ", "C10", "H2", "S3"]},
        "exposed": [],
        "held": {"SQ": "E", "HA": "N"},
    }


def test_seat_e_comes_after_d_at_a_table_of_five() -> None:
    record = DealRecord.from_json({"captures": {"E": [], "A": [], "D": [], "C": [], "B": []}})
    assert list(record.captures) == ["A", "B", "C", "D", "E"]


def test_exposure_without_a_kind_is_plain() -> None:
    record = DealRecord.from_json({"captures": {}, "exposed": [{"card": "SQ", "seat": "N"}]})
    assert record.exposed == (Exposure("SQ", "N", "exposed"),)


def test_faults_of_form_are_told_at_once() -> None:
    with pytest.raises(InvalidDeal) as refused:
        DealRecord.from_json({"captures": {"N": 1}, "exposed": 2, "held": 3, "mode": 4, "partial": 5})
    assert [one.params["field"] for one in refused.value.faults] == [
        "captures.N",
        "exposed",
        "held",
        "mode",
        "partial",
    ]


def test_options_survive() -> None:
    record = deal({}, partial=True, swap_pig_sheep=True, ruleset="huapai", mode="partnership")
    answer = DealRecord.from_json(record).to_json()
    assert [answer[name] for name in ("partial", "swap_pig_sheep", "ruleset", "mode")] == [
        True,
        True,
        "huapai",
        "partnership",
    ]
