"""Who shuffles, cuts, draws and leads."""

from typing import Any

import pytest

from scoring.engine import DealRecord, DealScore, Ruleset, score_deal
from scoring.engine.cards import PACK, SCORING_CARDS, seats_for
from scoring.engine.procedure import dealt_pack, next_procedure, order_of_play
from scoring.rulesets import load
from tests.scoring.engine.deals import deal

FOUR = ("N", "W", "S", "E")


def played(rules: Ruleset, captures: dict[str, str], **more: Any) -> tuple[DealRecord, DealScore]:
    record = DealRecord.from_json(deal(captures, "", "SQ:N DJ:N C10:N HA:N", **more))
    return record, score_deal(record, rules)


def test_first_deal_is_shuffled_by_north_and_cut_by_the_next_seat() -> None:
    first = next_procedure(load("huapai"), FOUR)
    assert (first.shuffles, first.cuts, first.draws_first) == ("N", "W", "N")
    assert first.order == FOUR
    assert (first.first_expose_seconds, first.expose_seconds) == (10, 20)


def test_huapai_is_led_by_the_holder_of_spade_three_with_any_card() -> None:
    rules = load("huapai")
    for previous in (None, played(rules, {"S": "SQ"})):
        step = next_procedure(rules, FOUR, previous)
        assert (step.leads, step.leads_card, step.must_lead) == (None, "S3", None)
        known = next_procedure(rules, FOUR, previous, lead_card_holder="E")
        assert (known.leads, known.leads_card) == ("E", "S3")


def test_later_deals_are_shuffled_by_the_seat_that_captured_the_pig() -> None:
    rules = load("huapai")
    step = next_procedure(rules, FOUR, played(rules, {"S": "SQ"}))
    assert (step.shuffles, step.cuts, step.draws_first) == ("S", "E", "S")


def test_computer_plays_clockwise_and_the_pig_leads() -> None:
    rules = load("computer")
    first = next_procedure(rules, FOUR)
    assert (first.cuts, first.leads_card, first.must_lead) == ("E", "C2", "C2")
    later = next_procedure(rules, FOUR, played(rules, {"S": "SQ"}))
    assert (later.leads, later.leads_card, later.must_lead) == ("S", None, None)
    assert later.order == ("S", "W", "N", "E")
    assert later.first_expose_seconds == 0


def test_classic_is_led_by_the_seat_that_lost_most() -> None:
    rules = load("classic")
    step = next_procedure(rules, FOUR, played(rules, {"N": "SQ", "W": "HA HK HQ HJ"}))
    assert (step.leads, step.shuffles) == ("W", "N")


def test_equal_losers_lead_in_playing_order() -> None:
    rules = load("classic")
    previous = played(rules, {"S": "SQ HA", "W": "HK HQ HJ H10 H9 H8 H7 H6 H5"})
    assert previous[1].scores["S"] == previous[1].scores["W"] == -150
    assert next_procedure(rules, FOUR, previous).leads == "W"


def test_two_decks_ask_who_captured_the_first_pig() -> None:
    rules = load("double-pig")
    captures: dict[str, list[str]] = {"N": [], "W": ["SQ"], "S": [], "E": ["SQ"]}
    captures["S"] = [card for card in SCORING_CARDS for _ in (1, 2) if card != "SQ"]
    record = DealRecord.from_json({"captures": captures})
    previous = (record, score_deal(record, rules))
    asked = next_procedure(rules, FOUR, previous)
    assert (asked.ask_pig, asked.shuffles) == (("W", "E"), "W")
    told = next_procedure(rules, FOUR, previous, first_pig="E")
    assert (told.ask_pig, told.shuffles, told.leads) == ((), "E", "E")


@pytest.mark.parametrize(
    ("exposure", "mode", "must", "may"),
    [
        ("optional", "individual", (), ("SQ", "DJ", "C10", "HA")),
        ("none", "individual", (), ()),
        ("all", "individual", ("SQ", "DJ", "C10", "HA"), ("SQ", "DJ", "C10", "HA")),
        ("all_but_sheep", "individual", ("SQ", "C10", "HA"), ("SQ", "C10", "HA")),
        ("optional", "pig_sheep", (), ()),
        ("all", "pig_sheep", (), ()),
    ],
)
def test_prompts_say_what_must_and_may_be_exposed(
    exposure: str, mode: str, must: tuple[str, ...], may: tuple[str, ...]
) -> None:
    step = next_procedure(Ruleset(exposure=exposure), FOUR, mode=mode)
    assert (step.must_expose, step.may_expose) == (must, may)
    assert bool(step.expose_seconds) == bool(may)
    assert bool(step.first_expose_seconds) == (bool(may) and not must)


def test_seat_of_another_table_is_an_error() -> None:
    with pytest.raises(ValueError, match="no seat Q"):
        next_procedure(Ruleset(), FOUR, lead_card_holder="Q")


def test_order_of_play_turns_both_ways() -> None:
    assert order_of_play(FOUR, "counterclockwise", "S") == ("S", "E", "N", "W")
    assert order_of_play(FOUR, "clockwise", "S") == ("S", "W", "N", "E")


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("seats", range(3, 14))
def test_dealt_pack_divides_and_keeps_scoring_and_lead_cards(decks: int, seats: int) -> None:
    for lead in ("S3", "C2", "S2", "S7"):
        rules = Ruleset(decks=decks, lead_card=lead)
        pack = dealt_pack(rules, seats)
        assert len(pack) % seats == 0
        assert len(pack) > 52 * decks - seats
        assert pack.count(lead) == decks
        assert all(pack.count(card) == decks for card in SCORING_CARDS)
        assert all(pack.count(card) <= decks for card in PACK)


def test_three_seats_are_dealt_seventeen_cards_without_the_two_of_diamonds() -> None:
    pack = dealt_pack(Ruleset(), 3)
    assert len(pack) == 51
    assert set(PACK) - set(pack) == {"D2"}


def test_seats_of_a_table() -> None:
    assert seats_for(4) == FOUR
    assert seats_for(3) == ("A", "B", "C")
    for wrong in (2, 14):
        with pytest.raises(ValueError, match="seats 3 to 13"):
            seats_for(wrong)


def test_the_first_pig_is_asked_only_where_somebody_shuffles_or_leads_by_it() -> None:
    captures: dict[str, list[str]] = {"N": [], "W": ["SQ"], "S": [], "E": ["SQ"]}
    captures["S"] = [card for card in SCORING_CARDS for _ in (1, 2) if card != "SQ"]
    record = DealRecord.from_json({"captures": captures})
    for shuffles, leads, asked in (
        ("lowest", "lowest", ()),
        ("lowest", "holder", ()),
        ("pig", "lowest", ("W", "E")),
        ("lowest", "pig", ("W", "E")),
    ):
        rules = Ruleset(decks=2, later_shuffle=shuffles, later_lead=leads)
        assert next_procedure(rules, FOUR, (record, score_deal(record, rules))).ask_pig == asked
