"""Sides, zero-sum figures and what is credited."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine import Ruleset, score_deal
from tests.scoring.engine.deals import BASE, deal, records, rulesets


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_sides_cover_the_table_and_add_up(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    answer = score_deal(data.draw(records(rules)), rules)
    assert sorted(seat for side in answer.sides for seat in side.seats) == sorted(answer.seats)
    assert sum(side.score for side in answer.sides) == sum(answer.scores.values())
    assert all(side.seats == tuple(sorted(side.seats)) for side in answer.sides)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_exact_rounding_always_adds_up_to_zero(data: st.DataObject) -> None:
    rules = data.draw(rulesets(zero_sum=True, rounding="exact", scale=data.draw(st.sampled_from((1, 12)))))
    adjusted = score_deal(data.draw(records(rules)), rules).adjusted
    assert adjusted is not None
    assert sum(adjusted.values()) == 0


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_rounding_before_scaling_is_off_by_half_a_point_at_most(data: st.DataObject) -> None:
    exact = Ruleset.from_dict({"zero_sum": True, "rounding": "exact", "scale": 12})
    rounded = Ruleset.from_dict({"zero_sum": True, "scale": 12})
    record = data.draw(records(exact))
    one, other = score_deal(record, exact).adjusted, score_deal(record, rounded).adjusted
    assert one is not None
    assert other is not None
    for seat, value in other.items():
        assert value % 12 == 0
        assert abs(Fraction(value) - one[seat]) <= 6


def test_halves_are_rounded_away_from_zero() -> None:
    record = deal({"N": "H5"}, mode="partnership")
    rules = Ruleset.from_dict(
        {"zero_sum": True, "hearts": [0] * 9 + [-1, 0, 0, 0], "pig": 0, "sheep": 0, "transformer": 0}
    )
    assert score_deal(record, rules).adjusted == {"N": -1, "W": 1, "S": -1, "E": 1}


def test_pig_sheep_sides_by_deal_and_by_capture() -> None:
    record = deal({"W": "SQ", "S": "DJ"}, "", "SQ:N DJ:E", mode="pig_sheep")
    assert [side.seats for side in score_deal(record, BASE).sides] == [("E", "N"), ("S", "W")]
    captured = Ruleset(pig_sheep_sides="captured")
    assert [side.seats for side in score_deal(record, captured).sides] == [("S", "W"), ("E", "N")]


def test_pig_and_sheep_with_one_seat_is_one_against_three() -> None:
    record = deal({}, "", "SQ:S DJ:S", mode="pig_sheep")
    assert [side.seats for side in score_deal(record, BASE).sides] == [("S",), ("E", "N", "W")]


def test_pig_sheep_by_capture_has_no_sides_before_both_are_captured() -> None:
    partial = {"captures": {"N": ["SQ"]}, "mode": "pig_sheep", "partial": True}
    answer = score_deal(partial, Ruleset(pig_sheep_sides="captured"))
    assert answer.sides == ()
    assert answer.credited["N"] == -100


def test_credited_is_own_side_or_zero_sum() -> None:
    # East has the transformer and, one heart apart, all the others: −200 × 2.
    captures = {"N": "SQ", "W": "DJ", "S": "H2"}
    assert score_deal(deal(captures), BASE).credited == {"N": -100, "W": 100, "S": 0, "E": -400}
    partnership = score_deal(deal(captures, mode="partnership"), BASE)
    assert partnership.credited == {"N": -100, "W": -300, "S": -100, "E": -300}
    pig_sheep = score_deal(deal(captures, "", "SQ:N DJ:N", mode="pig_sheep"), BASE)
    assert pig_sheep.credited == {"N": -100, "W": -300, "S": -300, "E": -300}
    zero_sum = score_deal(deal(captures), Ruleset.from_dict({"zero_sum": True, "rounding": "exact"}))
    assert zero_sum.credited == zero_sum.adjusted
    assert zero_sum.credited["S"] == Fraction(400, 3)


def test_answer_writes_an_exact_third_as_text() -> None:
    rules = Ruleset.from_dict({"zero_sum": True, "rounding": "exact"})
    adjusted = score_deal(deal({"N": "SQ", "W": "DJ", "S": "H2"}), rules).to_json()["adjusted"]
    assert adjusted == {"N": 0, "W": "800/3", "S": "400/3", "E": -400}


def test_answer_has_adjusted_only_where_the_rules_are_zero_sum() -> None:
    assert "adjusted" not in score_deal(deal({}), BASE).to_json()
    assert "adjusted" in score_deal(deal({}), Ruleset(zero_sum=True)).to_json()


def test_answer_does_not_change_with_the_record_it_came_from() -> None:
    record = deal({"N": "SQ"})
    answer = score_deal(record, BASE)
    record["captures"]["N"].clear()
    record["exposed"].append({"card": "SQ", "seat": "N", "kind": "exposed"})
    assert answer.formula["N"] == "-100"
    assert answer.sides[0].score == -100
