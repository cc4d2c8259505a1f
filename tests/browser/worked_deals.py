"""The worked figures of docs/rules.md §8 as deals and answers."""

from typing import Any

from scoring.engine.cards import SCORING_CARDS


def deal(
    captures: dict[str, str], exposed: str = "", held: str = "", decks: int = 1, **more: Any
) -> dict[str, Any]:
    """A deal in short: cards with spaces between, exposures as ``"HA:E"``, holders as ``"SQ:W"``.

    Cards that no seat is named for were captured by E.
    """
    taken = {seat: captures.get(seat, "").split() for seat in "NWSE"}
    for card in SCORING_CARDS:
        taken["E"] += [card] * (decks - sum(cards.count(card) for cards in taken.values()))
    shown = [dict(zip(("card", "seat"), one.split(":"), strict=True)) for one in exposed.split()]
    return {
        "mode": "individual",
        "captures": taken,
        "exposed": shown,
        "held": dict(one.split(":") for one in held.split()),
        **more,
    }


ALL_HEARTS = "HA HK HQ HJ H10 H9 H8 H7 H6 H5 H4 H3 H2"
RAW = {"N": "SQ HJ", "W": "HA HQ H10 H9 H8 H7 H6 H5 C10", "S": "H4 H3 H2", "E": "DJ HK"}
RAW_SIDES = {"N": "SQ DJ HA HK HQ HJ H10 H9 H8 H7 H6 H4", "W": "C10", "S": "H5", "E": "H3 H2"}
TWO_EXPOSED = "SQ:W SQ:S HA:W HA:S C10:W C10:S"

#: The ruleset (or what differs from the base), the deal, what the answer says of it. The example of a trick
#: in the same section is no matter of the score.
WORKED: list[tuple[str | dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (
        "huapai",
        deal({"N": "SQ H6 H8 H10 HJ C10"}, "HA:E", "SQ:W DJ:W C10:S HA:E"),
        {"scores": {"N": -400}, "formula": {"N": "(-100 + (-20×3) + (-40)) × 2 = -400"}},
    ),
    (
        "huapai",
        deal({"N": f"SQ DJ C10 {ALL_HEARTS}"}, "SQ:W HA:W", "SQ:W DJ:N C10:W HA:W"),
        {
            "scores": {"N": 1600},
            "flags": {"N": {"all_hearts": True, "grand_slam": True}},
            "formula": {"N": "(100×2 + 200×2 + 100×2) × 2 = 1600"},
        },
    ),
    (
        {},
        deal({"E": "HA H6 H9 H7 H10", "W": "H2 H3 H4 H5 H8 HJ HQ HK C10", "N": "SQ DJ"}, mode="partnership"),
        {"scores": {"E": -90, "W": -220}, "sides": {1: {"seats": ["E", "W"], "score": -310}}},
    ),
    (
        {"zero_sum": True, "exposure": "forced_fourth"},
        deal(RAW, "DJ:S"),
        {
            "scores": {"N": -120, "W": -280, "S": 0, "E": 160},
            "adjusted": {"N": -80, "W": -293, "S": 80, "E": 293},
        },
    ),
    ("platform", deal(RAW, "DJ:S"), {"adjusted": {"N": -960, "W": -3516, "S": 960, "E": 3516}}),
    (
        {"zero_sum": True},
        deal(RAW_SIDES, mode="partnership"),
        {
            "scores": {"N": -190, "W": 50, "S": -10, "E": 0},
            "adjusted": {"N": -125, "W": 125, "S": -125, "E": 125},
        },
    ),
    (
        "platform",
        deal(RAW_SIDES, mode="partnership"),
        {"adjusted": {"N": -1500, "W": 1500, "S": -1500, "E": 1500}},
    ),
    ("platform-two-deck", deal({"N": "HA C10 C10"}, TWO_EXPOSED, decks=2), {"scores": {"N": -3200}}),
    ("platform-two-deck", deal({"N": "SQ SQ C10 C10"}, TWO_EXPOSED, decks=2), {"scores": {"N": -12800}}),
    ("double-pig", deal({"N": "DJ DJ"}, decks=2), {"scores": {"N": 200}}),
    ("double-pig", deal({"N": "DJ DJ"}, "DJ:W", decks=2), {"scores": {"N": 400}}),
    ("double-pig", deal({"N": "DJ DJ"}, "DJ:W DJ:S", decks=2), {"scores": {"N": 800}}),
    ("double-pig", deal({"N": "C10 C10 H5"}, decks=2), {"scores": {"N": -10 * 4}}),
    ("double-pig", deal({"N": "C10 C10 H5"}, "C10:W", decks=2), {"scores": {"N": -10 * 8}}),
    ("double-pig", deal({"N": "C10 C10 H5"}, "C10:W C10:S", decks=2), {"scores": {"N": -10 * 16}}),
]
