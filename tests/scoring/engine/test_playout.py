"""Random deals are legal by the full rules of tricks, and complete by the check of records."""

from collections import defaultdict
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine import Ruleset, check_deal
from scoring.engine.cards import is_scoring
from scoring.engine.playout import PlayedDeal, play_out
from scoring.engine.procedure import dealt_pack, order_of_play
from scoring.engine.tricks import Hand, legal_follows, legal_leads, review_log
from scoring.rulesets import load, shipped_keys
from tests.scoring.engine.deals import rulesets


def shown_by_seat(deal: PlayedDeal) -> dict[str, list[str]]:
    shown: dict[str, list[str]] = defaultdict(list)
    for one in deal.record.exposed:
        if one.kind == "exposed":
            shown[one.seat].append(one.card)
    return shown


def assert_every_play_is_legal(deal: PlayedDeal, rules: Ruleset, must_lead: str | None) -> None:
    hands: dict[str, list[str]] = defaultdict(list)
    for trick in deal.tricks:
        for seat, play in trick.plays:
            hands[seat] += play
    shown = shown_by_seat(deal)
    led: set[str] = set()
    for trick in deal.tricks:
        lead = trick.plays[0][1]
        for place, (seat, play) in enumerate(trick.plays):
            hand = Hand(tuple(hands[seat]), tuple(shown[seat]))
            legal = (
                legal_follows(hand, lead, rules, led) if place else legal_leads(hand, rules, led, must_lead)
            )
            assert tuple(sorted(play)) in {tuple(sorted(one)) for one in legal}
            for card in play:
                hands[seat].remove(card)
        led.add(lead[0][0])
        must_lead = None


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_played_deal_is_legal_and_complete_under_any_rules(data: st.DataObject) -> None:
    fixed = {
        name: data.draw(st.booleans())
        for name in ("discard_colour", "exposed_lead", "exposed_discard", "must_lead_card")
    }
    fixed["direction"] = data.draw(st.sampled_from(("clockwise", "counterclockwise")))
    fixed["lead_card"] = data.draw(st.sampled_from(("S3", "C2")))
    rules = data.draw(rulesets(**fixed))
    seats = data.draw(st.sampled_from((3, 4, 5, 7, 13)))
    modes = ["individual"] + ["partnership"] * (seats == 4) + ["pig_sheep"] * (rules.decks == 1)
    rng = Random(data.draw(st.integers(0, 10**6)))
    deal = play_out(rules, rng, mode=data.draw(st.sampled_from(modes)), seats=seats, keep_tricks=True)

    assert check_deal(deal.record, rules) == ()
    assert len(deal.record.captures) == seats
    assert_every_play_is_legal(deal, rules, rules.lead_card if rules.must_lead_card else None)

    table = tuple(deal.record.captures)
    order = order_of_play(table, rules.direction, table[0])
    review = review_log(deal.tricks, rules, table, shown_by_seat(deal), order)
    assert review.irregularities == ()
    played = [card for trick in deal.tricks for _, play in trick.plays for card in play]
    assert sorted(played) == sorted(dealt_pack(rules, seats))
    for seat, cards in deal.record.captures.items():
        plain = sorted(card.partition(":")[0] for card in cards)
        assert plain == sorted(card for card in review.captures[seat] if is_scoring(card))
    assert deal.leader == deal.tricks[0].leader
    first_pig = next(n for n, trick in enumerate(deal.tricks) if any("SQ" in play for _, play in trick.plays))
    assert review.winners[first_pig] == deal.first_pig


@pytest.mark.parametrize("key", shipped_keys())
def test_same_seed_gives_the_same_deal(key: str) -> None:
    rules = load(key)
    one, other = play_out(rules, Random(7)), play_out(rules, Random(7))
    assert one == other
    assert play_out(rules, Random(8)) != one
    assert one.record.ruleset == key


def test_given_leader_leads_freely() -> None:
    leads = {play_out(load("classic"), Random(n), leader="S", keep_tricks=True).tricks[0] for n in range(30)}
    assert {trick.leader for trick in leads} == {"S"}
    assert len({trick.plays[0][1] for trick in leads}) > 5


def test_first_lead_is_the_prescribed_card() -> None:
    for seed in range(20):
        assert play_out(load("classic"), Random(seed), keep_tricks=True).tricks[0].plays[0][1] == ("C2",)


def test_exposures_of_every_kind_occur() -> None:
    rng = Random(1)
    deals = [play_out(load("huapai"), rng).record for _ in range(300)]
    assert {one.kind for record in deals for one in record.exposed} == {"exposed", "first", "dark"}
    assert any(not record.exposed for record in deals)


def test_table_the_mode_cannot_be_played_at_is_an_error() -> None:
    with pytest.raises(ValueError, match="table of four"):
        play_out(Ruleset(), Random(1), mode="partnership", seats=5)
    with pytest.raises(ValueError, match="one deck"):
        play_out(Ruleset(decks=2), Random(1), mode="pig_sheep")
