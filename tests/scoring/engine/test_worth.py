"""What showing a card brought the seat that showed it."""

from fractions import Fraction

import pytest

from scoring.engine.deal import DealRecord
from scoring.engine.ruleset import Ruleset
from scoring.engine.worth import exposure_worth

HEARTS = ["HA", "HK", "HQ", "HJ", "H10", "H9", "H8", "H7", "H6", "H5", "H4", "H3", "H2"]
HELD = {"SQ": "N", "DJ": "N", "C10": "N", "HA": "N"}


def _deal(captures, exposed, **fields):
    return DealRecord.from_json(
        {
            "captures": {seat: captures.get(seat, []) for seat in "NWSE"},
            "exposed": [{"card": card, "seat": "N", "kind": kind} for card, kind in exposed],
            "held": HELD,
            **fields,
        }
    )


def _worth(record, rules=None):
    return {one.card: points for one, points in exposure_worth(record, rules or Ruleset())}


def test_a_shown_pig_that_comes_home_costs_and_one_given_away_costs_nothing():
    home = _deal({"N": ["SQ"], "W": ["DJ"], "S": ["C10"], "E": HEARTS}, [("SQ", "exposed")])
    away = _deal({"W": ["SQ", "DJ"], "S": ["C10"], "E": HEARTS}, [("SQ", "exposed")])
    assert _worth(home) == {"SQ": -100}
    assert _worth(away) == {"SQ": 0}


def test_first_exposing_counts_its_own_factor():
    home = _deal({"N": ["DJ"], "W": ["SQ"], "S": ["C10"], "E": HEARTS}, [("DJ", "first")])
    assert _worth(home) == {"DJ": 300}


def test_each_exposure_is_taken_back_alone_while_the_others_stay():
    # (-100×2) × 2×2 = -800; without the pig -400, without the transformer -400.
    deal = _deal({"N": ["SQ", "C10"], "W": ["DJ"], "E": HEARTS}, [("SQ", "exposed"), ("C10", "exposed")])
    assert _worth(deal) == {"SQ": -400, "C10": -400}


def test_all_hearts_with_the_ace_shown_pay():
    deal = _deal({"N": HEARTS, "W": ["SQ"], "S": ["DJ"], "E": ["C10"]}, [("HA", "exposed")])
    assert _worth(deal) == {"HA": 200}


def test_in_a_partnership_the_sides_score_counts():
    deal = _deal(
        {"S": ["SQ"], "N": ["C10"], "W": ["DJ"], "E": HEARTS}, [("SQ", "exposed")], mode="partnership"
    )
    assert _worth(deal) == {"SQ": -100}  # partner South took the pig that North had shown


def test_with_three_of_four_shown_the_forced_fourth_is_not_asked_for():
    rules = Ruleset(exposure="forced_fourth")
    shown = [("SQ", "exposed"), ("DJ", "exposed"), ("C10", "exposed"), ("HA", "exposed")]
    deal = _deal({"N": ["DJ"], "W": ["SQ"], "S": ["C10"], "E": HEARTS}, shown)
    assert _worth(deal, rules) == {"SQ": 0, "HA": 0, "DJ": 100, "C10": 0}


def test_zero_sum_scores_keep_their_fractions():
    rules = Ruleset(zero_sum=True, rounding="exact")
    deal = _deal({"W": ["SQ"], "N": ["DJ"], "S": ["C10"], "E": HEARTS}, [("SQ", "exposed")])
    assert _worth(deal, rules) == {"SQ": Fraction(100, 3)}


@pytest.mark.parametrize("exposure", ["all", "none"])
def test_where_nobody_chooses_nothing_is_counted(exposure):
    shown = [(card, "exposed") for card in HELD] if exposure == "all" else []
    deal = _deal({"N": ["DJ"], "W": ["SQ"], "S": ["C10"], "E": HEARTS}, shown)
    assert exposure_worth(deal, Ruleset(exposure=exposure)) == ()
