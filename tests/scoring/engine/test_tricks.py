"""Who wins a trick, what may be played, and what a log tells."""

import pytest

from scoring.engine import Ruleset
from scoring.engine.tricks import (
    IRREGULARITY_MESSAGES,
    Hand,
    Play,
    Trick,
    captures_of,
    legal_follows,
    legal_leads,
    rank_plays,
    review_log,
    trick_winner,
)

ONE = Ruleset()
TWO = Ruleset(decks=2)
FOUR = ("N", "W", "S", "E")


def plays(text: str) -> list[Play]:
    return [tuple(play.split("+")) for play in text.split()]


def trick(text: str) -> Trick:
    """Write a trick as ``"N:S4 W:SK"``, with two cards as ``N:S4+S4``."""
    return Trick(tuple((one[0], tuple(one[2:].split("+"))) for one in text.split()))


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("S4+S4 SK+SK SQ+S8 SJ+HK", (3, 2, 1, 4)),
        ("D2+D2 DA+DK DQ+DQ D3+C4", (2, 3, 1, 4)),
        ("S3 SA HA S2", (2, 1, 4, 3)),
        ("HA+HA HK+HQ HA+H2 H3+H4", (4, 2, 1, 3)),
        ("C5 C5 C9 C9", (3, 4, 1, 2)),
        ("S4+S4 H2+H3 HA+HA D5+S6", (1, 2, 2, 2)),
        ("C2 HA DA SA", (1, 2, 2, 2)),
    ],
)
def test_plays_are_ranked(text: str, ranks: tuple[int, ...]) -> None:
    assert rank_plays(plays(text)) == ranks
    assert trick_winner(plays(text)) == ranks.index(1)


def follows(hand: str, lead: str, rules: Ruleset = ONE, shown: str = "", led: str = "") -> set[str]:
    legal = legal_follows(Hand(tuple(hand.split()), tuple(shown.split())), tuple(lead.split("+")), rules, led)
    return {"+".join(play) for play in legal}


def leads(
    hand: str, rules: Ruleset = ONE, shown: str = "", led: str = "", must: str | None = None
) -> set[str]:
    legal = legal_leads(Hand(tuple(hand.split()), tuple(shown.split())), rules, led, must)
    return {"+".join(play) for play in legal}


@pytest.mark.parametrize(
    ("hand", "lead", "shown", "led", "legal"),
    [
        ("S2 S5 HA", "S9", "", "", {"S2", "S5"}),
        ("HA D3", "S9", "", "", {"HA", "D3"}),
        ("SQ S2", "S9", "SQ", "", {"S2"}),
        ("SQ S2", "S9", "SQ", "S", {"SQ", "S2"}),
        ("SQ HA", "S9", "SQ", "", {"SQ"}),
        ("SQ S2", "H9", "SQ", "", {"SQ", "S2"}),
    ],
)
def test_follow_suit_and_hold_exposed_cards_back(
    hand: str, lead: str, shown: str, led: str, legal: set[str]
) -> None:
    assert follows(hand, lead, ONE, shown, led) == legal


def test_huapai_exposed_card_may_not_be_discarded_before_its_suit_was_led() -> None:
    huapai = Ruleset(exposed_discard=False)
    assert follows("SQ S2 D4", "H9", huapai, "SQ") == {"S2", "D4"}
    assert follows("SQ S2 D4", "H9", huapai, "SQ", "S") == {"SQ", "S2", "D4"}
    assert follows("SQ D4", "H9", huapai, "SQ") == {"SQ", "D4"}


def test_discard_keeps_to_the_colour_led_where_the_rule_is_on() -> None:
    coloured = Ruleset(discard_colour=True)
    assert follows("SQ D4", "H9", coloured) == {"D4"}
    assert follows("SQ C4", "H9", coloured) == {"SQ", "C4"}


@pytest.mark.parametrize(
    ("hand", "lead", "shown", "legal"),
    [
        ("S2 S5 S5 HA", "S9+S9", "", {"S5+S5"}),
        ("S2 S5 S6", "S9+S9", "", {"S2+S5", "S2+S6", "S5+S6"}),
        ("S2 H5 H6", "S9+S9", "", {"S2+H5", "S2+H6"}),
        ("H5 H6 H6", "S9+S9", "", {"H5+H6", "H6+H6"}),
        ("SQ SQ S5 S6", "S9+S9", "SQ", {"SQ+S5", "SQ+S6", "S5+S6"}),
        ("SQ SQ S5 S6", "S9+S9", "SQ SQ", {"S5+S6"}),
        ("SQ S5", "S9+S9", "SQ", {"SQ+S5"}),
    ],
)
def test_pairs_are_followed_with_pairs(hand: str, lead: str, shown: str, legal: set[str]) -> None:
    assert follows(hand, lead, TWO, shown) == legal


def test_leads_are_single_cards_and_with_two_decks_pairs() -> None:
    assert leads("S2 S2 H3") == {"S2", "H3"}
    assert leads("S2 S2 H3", TWO) == {"S2", "H3", "S2+S2"}


def test_prescribed_card_must_be_led() -> None:
    assert leads("C2 H3", must="C2") == {"C2"}
    assert leads("C3 H3", must="C2") == {"C3", "H3"}


def test_exposed_card_leads_its_suit_only_where_the_rules_allow() -> None:
    assert leads("SQ S2", shown="SQ") == {"S2"}
    assert leads("SQ S2", shown="SQ", led="S") == {"SQ", "S2"}
    assert leads("SQ S2", Ruleset(exposed_lead=True), "SQ") == {"SQ", "S2"}
    assert leads("SQ H2", shown="SQ") == {"SQ", "H2"}


def codes(
    text: list[str], rules: Ruleset = ONE, shown: dict[str, list[str]] | None = None
) -> list[tuple[object, ...]]:
    review = review_log([trick(one) for one in text], rules, FOUR, shown)
    for one in review.irregularities:
        assert one.code in IRREGULARITY_MESSAGES
    return [(one.code, one.trick, one.seat, one.card) for one in review.irregularities]


def test_log_gives_captures_and_winners() -> None:
    log = [trick("N:S4 W:SK S:SQ E:S8"), trick("W:H4 S:H5 E:H6 N:H7")]
    review = review_log(log, ONE, FOUR)
    assert review.winners == ("W", "N")
    assert review.captures == {"N": ("H4", "H5", "H6", "H7"), "W": ("S4", "SK", "SQ", "S8"), "S": (), "E": ()}
    assert review.irregularities == ()
    assert captures_of(log, ONE, FOUR) == review.captures


@pytest.mark.parametrize(
    ("log", "found"),
    [
        (["N:S4 W:H2 S:SQ E:S8", "S:D4 E:D5 N:D6 W:S2"], [("revoke", 1, "W", "H2")]),
        (["N:S4 W:SK S:SQ E:S8", "N:D4 W:D5 S:D6 E:D7"], [("lead_out_of_turn", 2, "N", None)]),
        (["N:S4 S:SK W:SQ E:S8"], [("wrong_order", 1, "S", None), ("wrong_order", 1, "W", None)]),
        (["N:S4 W:SK S:SQ E:SK"], [("card_played_twice", 1, "E", "SK")]),
        (["N:S4+S5 W:SK+SQ S:S2+SJ E:S8+S9"], [("wrong_number", 1, seat, None) for seat in "NWSE"]),
    ],
)
def test_log_with_an_irregularity_is_told(log: list[str], found: list[tuple[object, ...]]) -> None:
    assert codes(log) == found


def test_log_shows_an_exposed_card_played_too_early() -> None:
    log = ["N:S4 W:SK S:SQ E:S8", "W:S2 S:S3 E:S9 N:S5"]
    assert codes(log, shown={"S": ["SQ"]}) == [("exposed_too_early", 1, "S", "SQ")]
    assert codes(["N:S4 W:SK S:SQ E:S8", "W:D2 S:D3 E:D9 N:D5"], shown={"S": ["SQ"]}) == []


def test_log_shows_a_pair_not_followed() -> None:
    log = ["N:S4+S4 W:SK+S2 S:SQ+S8 E:S9+SJ", "W:SK S:D3 E:D9 N:D5"]
    assert codes(log, TWO) == [("pair_not_followed", 1, "W", None)]


def test_wrong_coloured_discard_takes_the_cards_but_not_the_lead() -> None:
    rules = Ruleset(discard_colour=True)
    log = [trick("N:HA W:S2 S:H5 E:H6"), trick("N:D4 W:D5 S:D6 E:D7")]
    review = review_log(log, rules, FOUR)
    assert [(one.code, one.seat, one.card) for one in review.irregularities] == [("wrong_colour", "W", "S2")]
    assert review.winners[0] == "N"
    assert review.captures["W"] == ("HA", "S2", "H5", "H6")
    assert review_log(log, ONE, FOUR).captures["W"] == ()
