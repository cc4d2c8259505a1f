"""The worked figures of docs/rules.md §8, and figures known from outside."""

from typing import Any

import pytest

from scoring.engine import DealScore, Ruleset, score_deal
from scoring.engine.cards import SCORING_CARDS
from scoring.rulesets import load
from tests.scoring.engine.deals import BASE, deal

ALL = " ".join(SCORING_CARDS)
HEARTS = " ".join(card for card in SCORING_CARDS if card[0] == "H")
DEALT_TO_WEST = "SQ:W DJ:W C10:W HA:W"


def of_north(cards: str, exposed: str = "", rules: Ruleset = BASE, held: str = "") -> int:
    return score_deal(deal({"N": cards}, exposed, held), rules).scores["N"]


def two_decks(rules: Ruleset, north: str, exposed: str = "") -> DealScore:
    taken: dict[str, list[str]] = {"N": north.split(), "W": [], "S": [], "E": []}
    for card in SCORING_CARDS:
        taken["E"] += [card] * (2 - taken["N"].count(card))
    shown = [{"card": card, "seat": "W", "kind": "exposed"} for card in exposed.split()]
    return score_deal({"captures": taken, "exposed": shown}, rules)


@pytest.mark.parametrize(
    ("cards", "exposed", "score"),
    [
        ("HA HK SQ C10", "", -380),
        ("SQ DJ C10", "DJ:W", 200),
        (HEARTS, "HA:W", 400),
        ("SQ C10", "SQ:W C10:W", -800),
        ("C10", "C10:W", 100),
        (ALL, "SQ:W DJ:W C10:W HA:W", 3200),
        ("SQ DJ C10", "", 0),
        ("C10 H4", "C10:W", 0),
        (HEARTS + " DJ", "HA:W", 500),
    ],
)
def test_outside_figure_without_self_capture(cards: str, exposed: str, score: int) -> None:
    assert of_north(cards, exposed) == score


def test_transformer_with_a_worthless_heart_is_zero() -> None:
    assert of_north("C10 H2") == 0


def test_huapai_pig_exposed_hearts_and_transformer() -> None:
    record = deal({"N": "SQ H6 H8 H10 HJ C10"}, "HA:E", "SQ:W DJ:W C10:W HA:E")
    answer = score_deal(record, load("huapai"))
    assert answer.scores["N"] == -400
    assert answer.formula["N"] == "(-100 + (-20×3) + (-40)) × 2 = -400"


def test_huapai_grand_slam_with_self_captured_sheep() -> None:
    record = deal({"N": ALL}, "SQ:W HA:W", "SQ:W DJ:N C10:W HA:W")
    answer = score_deal(record, load("huapai"))
    assert answer.scores["N"] == 1600
    assert answer.formula["N"] == "(100×2 + 200×2 + 100×2) × 2 = 1600"
    assert answer.flags["N"].grand_slam


def test_partnership_scores_each_seat_alone() -> None:
    record = deal(
        {"E": "HA H6 H9 H7 H10", "W": "H2 H3 H4 H5 H8 HJ HQ HK C10", "N": "SQ DJ"}, mode="partnership"
    )
    answer = score_deal(record, BASE)
    assert (answer.scores["E"], answer.scores["W"]) == (-90, -220)
    assert [(side.seats, side.score) for side in answer.sides] == [(("N", "S"), 0), (("E", "W"), -310)]
    assert not any(one.all_hearts for one in answer.flags.values())


def raw_scores(answer: DealScore, raw: dict[str, int]) -> DealScore:
    """The zero-sum figures of docs/rules.md §8 are stated for raw scores, not for cards."""
    return DealScore(raw, answer.tally, answer.ruleset)


def test_platform_individual_zero_sum() -> None:
    some = score_deal(deal({}), load("platform"))
    answer = raw_scores(some, {"N": -120, "W": -280, "S": 0, "E": 160})
    assert answer.adjusted == {"N": -960, "W": -3516, "S": 960, "E": 3516}
    before = raw_scores(score_deal(deal({}), Ruleset.from_dict({"zero_sum": True})), dict(answer.scores))
    assert before.adjusted == {"N": -80, "W": -293, "S": 80, "E": 293}


def test_platform_partnership_zero_sum() -> None:
    some = score_deal(deal({}, mode="partnership"), load("platform"))
    answer = raw_scores(some, {"N": -190, "W": 50, "S": -10, "E": 0})
    assert answer.adjusted == {"N": -1500, "W": 1500, "S": -1500, "E": 1500}


def test_platform_two_deck_all_exposed() -> None:
    rules, exposed = load("platform-two-deck"), "C10 C10 HA HA SQ SQ"
    assert two_decks(rules, "HA C10 C10", exposed).scores["N"] == -3200
    assert two_decks(rules, "SQ SQ C10 C10", exposed).scores["N"] == -12800


@pytest.mark.parametrize(("exposed", "score"), [("", 200), ("DJ", 400), ("DJ DJ", 800)])
def test_double_pig_two_sheep(exposed: str, score: int) -> None:
    assert two_decks(load("double-pig"), "DJ DJ", exposed).scores["N"] == score


@pytest.mark.parametrize(("exposed", "factor"), [("", 4), ("C10", 8), ("C10 C10", 16)])
def test_double_pig_two_transformers_multiply(exposed: str, factor: int) -> None:
    assert two_decks(load("double-pig"), "C10 C10 H5", exposed).scores["N"] == -10 * factor


@pytest.mark.parametrize(("key", "score"), [("double-pig", -200), ("platform-two-deck", -400)])
def test_two_decks_one_copy_of_two_exposed(key: str, score: int) -> None:
    assert two_decks(load(key), "SQ", "SQ SQ").scores["N"] == score


@pytest.mark.parametrize(("exposed", "score"), [("", 100), ("C10", 200), ("C10 C10", 400)])
def test_two_decks_only_transformers(exposed: str, score: int) -> None:
    assert two_decks(load("double-pig"), "C10 C10", exposed).scores["N"] == score


def test_platform_two_deck_grand_slam_is_scaled() -> None:
    rules, every = load("platform-two-deck"), " ".join([ALL, ALL])
    assert two_decks(rules, every).scores["N"] == 1600
    assert two_decks(rules, every, "DJ C10 HA").scores["N"] == 5600


@pytest.mark.parametrize(("exposed", "score"), [("", 1000), ("DJ:W", (100 + 100 + 100) * 2)])
def test_classic_grand_slam_is_fixed_when_nothing_was_exposed(exposed: str, score: int) -> None:
    assert of_north(ALL, exposed, load("classic")) == score


def test_book_rulesets_value_hearts_their_way() -> None:
    assert of_north("H4 H9", rules=load("book-a")) == -19
    assert of_north("H4 HQ", rules=load("book-b")) == 40
    assert of_north(HEARTS, rules=load("book-b")) == 230 + 200


@pytest.mark.parametrize(("kind", "factor"), [("exposed", 2), ("first", 4), ("dark", 2)])
def test_exposure_kinds_have_their_factors(kind: str, factor: int) -> None:
    assert of_north("SQ", f"SQ:W:{kind}") == -100 * factor
    assert of_north("H5", f"HA:W:{kind}") == -10 * factor
    assert of_north("C10 H5", f"C10:W:{kind}") == -10 * 2 * factor


@pytest.mark.parametrize(("self_capture", "score"), [("off", -60), ("card", -110), ("suit", -120)])
def test_self_captured_ace_doubles_the_card_or_the_suit(self_capture: str, score: int) -> None:
    rules = Ruleset.from_dict({"self_capture": self_capture})
    assert of_north("HA H5", rules=rules, held="SQ:W DJ:W C10:W HA:N") == score


def test_self_captured_transformer_doubles_what_it_does() -> None:
    rules = load("huapai")
    held = "SQ:W DJ:W C10:N HA:W"
    assert of_north("C10 H5", rules=rules, held=held) == -40
    assert of_north("C10", rules=rules, held=held) == 100


def test_self_captured_transformer_may_leave_the_multiplier_alone() -> None:
    rules = Ruleset.from_dict({"self_capture": "card", "self_capture_transformer": "value"})
    held = "SQ:W DJ:W C10:N HA:W"
    assert of_north("C10 H5", rules=rules, held=held) == -20
    assert of_north("C10 H5", "C10:N", rules=rules, held=held) == -40
    assert of_north("C10", rules=rules, held=held) == 100


@pytest.mark.parametrize(
    ("swap", "chosen", "pig"),
    [("never", None, -100), ("always", None, 100), ("choice", True, 100), ("choice", None, -100)],
)
def test_swap_exchanges_pig_and_sheep_for_everybody(swap: str, chosen: bool | None, pig: int) -> None:
    more: dict[str, Any] = {} if chosen is None else {"swap_pig_sheep": chosen}
    record = deal({"N": HEARTS, "W": "SQ", "S": "DJ", "E": "C10"}, **more)
    scores = score_deal(record, Ruleset.from_dict({"swap": swap})).scores
    assert (scores["W"], scores["S"]) == (pig, -pig)


def test_swap_does_not_touch_a_grand_slam() -> None:
    assert of_north(ALL, rules=Ruleset.from_dict({"swap": "always"})) == of_north(ALL)


def test_answer_of_the_format_example() -> None:
    record = {
        "ruleset": "huapai",
        "mode": "partnership",
        "partial": True,
        "captures": {"N": ["SQ", "H6"], "W": ["C10"], "S": ["DJ"], "E": ["HA", "H2"]},
        "exposed": [{"card": "HA", "seat": "E", "kind": "exposed"}],
        "held": {"SQ": "W", "DJ": "S", "C10": "N", "HA": "E"},
    }
    none = {"all_hearts": False, "grand_slam": False}
    assert score_deal(record, load("huapai")).to_json() == {
        "scores": {"N": -120, "W": 50, "S": 200, "E": -200},
        "sides": [{"seats": ["N", "S"], "score": 80}, {"seats": ["E", "W"], "score": -150}],
        "flags": {"N": none, "W": none, "S": none, "E": none},
        "formula": {"N": "-100 + (-10×2) = -120", "W": "50", "S": "100×2 = 200", "E": "-50×2×2 = -200"},
    }
