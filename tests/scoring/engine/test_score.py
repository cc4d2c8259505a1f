"""Properties of scores, and the engine against a second scorer written from the rules alone."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine import Ruleset, check_deal, score_deal, score_many
from scoring.engine.cards import HEARTS, SCORING_CARDS
from tests.scoring.engine.deals import BASE, deal, records, rulesets
from tests.scoring.engine.reference import reference_scores


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_score_agrees_with_the_reference_under_any_rules(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    record = data.draw(records(rules))
    assert check_deal(record, rules) == ()
    assert score_deal(record, rules).scores == reference_scores(record, rules)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_score_many_agrees_with_single_scores(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    several = data.draw(st.lists(records(rules), max_size=6))
    many = score_many(several, rules)
    singles = [score_deal(record, rules) for record in several]
    assert list(many) == singles
    assert many.all_hearts.any(axis=1).tolist() == [
        any(one.all_hearts for one in answer.flags.values()) for answer in singles
    ]
    assert many.grand_slam.any(axis=1).tolist() == [
        any(one.grand_slam for one in answer.flags.values()) for answer in singles
    ]


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_score_does_not_depend_on_the_order_of_capture(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    record = data.draw(records(rules))
    other: dict[str, Any] = dict(record)
    other["captures"] = {
        seat: data.draw(st.permutations(record["captures"][seat]))
        for seat in data.draw(st.permutations(list(record["captures"])))
    }
    assert score_deal(other, rules).to_json() == score_deal(record, rules).to_json()


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_table_without_transformer_and_all_hearts_adds_up_to_the_deck(data: st.DataObject) -> None:
    seats = st.sampled_from("NWS")
    takers = {card: data.draw(seats) for card in SCORING_CARDS if card != "C10"}
    if len({takers[card] for card in HEARTS}) == 1:
        takers["H2"] = {"N": "W", "W": "S", "S": "N"}[takers["H2"]]
    captures = {seat: " ".join(card for card, taker in takers.items() if taker == seat) for seat in "NWS"}
    scores = score_deal(deal(captures), BASE).scores
    # East has the transformer alone: 50, which no sum of a deck counts.
    assert scores["E"] == 50
    assert scores["N"] + scores["W"] + scores["S"] == sum(BASE.hearts) + BASE.pig + BASE.sheep


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_exposing_a_card_changes_no_seat_it_does_not_act_on(data: st.DataObject) -> None:
    rules = data.draw(rulesets(exposure="optional", grand_slam="computed", swap="never"))
    record = data.draw(records(rules, mode="individual"))
    card = data.draw(st.sampled_from(("SQ", "DJ", "C10", "HA")))
    before = {**record, "exposed": [one for one in record["exposed"] if one["card"] != card]}
    who = record["held"][card]
    shown = {"card": card, "seat": who if isinstance(who, str) else who[0], "kind": "exposed"}
    after = {**before, "exposed": [*before["exposed"], shown]}
    one, other = score_deal(before, rules).scores, score_deal(after, rules).scores
    for seat, cards in record["captures"].items():
        acts_on = card[0] if card == "HA" else card
        if not any(code.startswith(acts_on) for code in cards):
            assert one[seat] == other[seat]


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_partial_record_scores_as_the_full_one_once_complete(data: st.DataObject) -> None:
    rules = data.draw(rulesets())
    record = data.draw(records(rules))
    partial = score_deal({**record, "partial": True}, rules)
    assert partial == score_deal(record, rules)
    assert partial.missing == ()


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_partial_record_scores_what_is_there_and_names_the_rest(data: st.DataObject) -> None:
    rules = data.draw(rulesets(swap="never"))
    record = data.draw(records(rules))
    seat = data.draw(st.sampled_from([one for one, cards in record["captures"].items() if cards]))
    gone = data.draw(st.sampled_from(record["captures"][seat]))
    left = list(record["captures"][seat])
    left.remove(gone)
    without = {**record, "captures": {**record["captures"], seat: left}}
    card = gone.partition(":")[0]
    if card not in SCORING_CARDS:
        return
    partial = score_deal({**without, "partial": True}, rules)
    assert partial.missing == (card,)
    assert partial.scores == reference_scores(without, rules)
    assert [one.card for one in check_deal(without, rules)] == [card]


def test_scores_are_in_playing_order_whatever_the_record_says() -> None:
    record = deal({"N": "SQ"})
    record["captures"] = dict(sorted(record["captures"].items()))
    assert list(score_deal(record, BASE).scores) == ["N", "W", "S", "E"]


def test_score_deal_takes_a_mapping_for_a_ruleset() -> None:
    assert score_deal(deal({"N": "SQ"}), {"pig": -7}).scores["N"] == -7
    assert score_deal(deal({"N": "SQ"}), Ruleset.from_dict({"pig": -7})).scores["N"] == -7
