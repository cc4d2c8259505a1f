"""Formulas are arithmetic: each computes to the score it stands for."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine import Ruleset, score_deal
from scoring.engine.cards import SCORING_CARDS
from scoring.rulesets import load
from tests.scoring.engine.deals import BASE, HUAPAI, deal, records, rulesets

HEARTS = " ".join(card for card in SCORING_CARDS if card[0] == "H")


def evaluate(text: str) -> Fraction:
    """Compute the arithmetic left of the sign; a number, + × ÷ and brackets are all it may hold."""
    left = text.partition(" = ")[0].partition(" ≈ ")[0]
    assert set(left) <= set("0123456789-+×÷() ")
    python = left.replace("×", "*").replace("÷", "/")
    # Fractions, so that ÷ is exact; the characters were checked above.
    exact = "".join(f"Fraction({part})" if part.isdigit() else part for part in _split(python))
    return Fraction(eval(exact, {"Fraction": Fraction}))


def _split(text: str) -> list[str]:
    parts: list[str] = []
    for sign in text:
        if sign.isdigit() and parts and parts[-1].isdigit():
            parts[-1] += sign
        else:
            parts.append(sign)
    return parts


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_formula_computes_to_the_score_under_any_rules(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    answer = score_deal(data.draw(records(rules)), rules)
    for seat, text in answer.formula.items():
        score = answer.scores[seat]
        if "≈" in text:
            assert abs(evaluate(text) - score) <= Fraction(1, 2)
        else:
            assert evaluate(text) == score
        assert text.rpartition("= ")[2].rpartition("≈ ")[2] == str(score)


@pytest.mark.parametrize(
    ("north", "exposed", "held", "rules", "formula"),
    [
        ("", "", "", BASE, "0"),
        ("H2 H4", "", "", BASE, "0"),
        ("C10", "", "", Ruleset.from_dict({"transformer": 0}), "0"),
        ("SQ", "", "", BASE, "-100"),
        ("SQ", "SQ:W", "", BASE, "-100×2 = -200"),
        ("DJ HA", "", "", BASE, "-50 + 100 = 50"),
        ("SQ H6 H5 HK", "", "", BASE, "-100 + (-10×2) + (-40) = -160"),
        ("H6 H5", "HA:W", "", BASE, "-20×2 = -40"),
        ("H6", "HA:W", "", BASE, "-10×2 = -20"),
        ("C10", "", "", BASE, "50"),
        ("C10 H4", "", "", BASE, "0 × 2 = 0"),
        ("C10 H5", "C10:W", "", BASE, "-10 × 2×2 = -40"),
        (HEARTS, "HA:W", "", BASE, "200×2 = 400"),
        (HEARTS, "", "SQ:W DJ:W C10:W HA:N", HUAPAI, "50×2 + 150 = 250"),
        (HEARTS, "HA:W", "", load("book-b"), "230×2 + 200×2 = 860"),
        ("C10", "C10:N", "SQ:W DJ:W C10:N HA:W", HUAPAI, "50×2×2 = 200"),
    ],
)
def test_formula_reads_like_the_rules_examples(
    north: str, exposed: str, held: str, rules: Ruleset, formula: str
) -> None:
    assert score_deal(deal({"N": north}, exposed, held), rules).formula["N"] == formula


def test_formula_of_a_scaled_slam_shows_how_it_grew() -> None:
    rules = Ruleset.from_dict({"grand_slam": "scaled", "grand_slam_value": 1000})
    every = " ".join(SCORING_CARDS)
    assert score_deal(deal({"N": every}), rules).formula["N"] == "1000 × 800 ÷ 800 = 1000"
    grown = score_deal(deal({"N": every}, "HA:N:first"), Ruleset(grand_slam="scaled", grand_slam_value=333))
    assert grown.formula["N"] == "333 × 2000 ÷ 800 ≈ 833"


def test_formula_of_one_heart_beside_an_own_ace_worth_nothing() -> None:
    rules = Ruleset.from_dict({"self_capture": "card", "hearts": [0, *BASE.hearts[1:]]})
    record = deal({"N": "HA HK"}, held="SQ:W DJ:W C10:W HA:N")
    assert score_deal(record, rules).formula["N"] == "-40"
