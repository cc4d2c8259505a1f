"""Many deals at once."""

from random import Random
from typing import Any

import numpy as np
import pytest

from scoring.engine import InvalidDeal, Ruleset, RulesetError, check_deal, score_deal, score_many
from scoring.engine.batch import pack, score_packed
from scoring.engine.cards import HEARTS
from scoring.engine.playout import play_out
from scoring.rulesets import load, shipped_keys
from tests.scoring.engine.deals import BASE, HUAPAI, deal


@pytest.mark.parametrize("key", shipped_keys())
def test_score_many_gives_what_score_deal_gives(key: str) -> None:
    rules, rng = load(key), Random(5)
    modes = ("individual", "partnership") if rules.decks == 2 else ("individual", "partnership", "pig_sheep")
    records = [play_out(rules, rng, mode=rng.choice(modes)).record for _ in range(150)]
    many = score_many(records, rules)
    assert many.scores.tolist() == [list(score_deal(one, rules).scores.values()) for one in records]
    assert many.faults == {}
    assert many[3].to_json() == score_deal(records[3], rules).to_json()


def test_faulty_deals_do_not_stop_the_others() -> None:
    many = score_many([deal({"N": "SQ"}), {"captures": 5}, deal({"N": "DJ"})], BASE)
    assert many.scores[:, 0].tolist() == [-100, 0, 100]
    assert {row: [one.code for one in faults] for row, faults in many.faults.items()} == {1: ["wrong_type"]}
    with pytest.raises(InvalidDeal):
        _ = many[1]
    assert many[-1].scores["N"] == 100
    assert [one.scores["N"] for one in many[0:3:2]] == [-100, 100]


def test_tables_of_different_sizes_go_together() -> None:
    rng = Random(2)
    records = [play_out(BASE, rng, seats=seats).record for seats in (3, 4, 6)]
    many = score_many(records, BASE)
    assert many.scores.shape == (3, 6)
    assert [len(one.scores) for one in many] == [3, 4, 6]
    assert not many.scores[0, 3:].any()


def test_no_deals_give_no_scores() -> None:
    many = score_many([], BASE)
    assert len(many) == 0
    assert many.scores.shape == (0, 4)


def test_packed_deals_can_be_scored_again() -> None:
    rng = Random(3)
    packed = pack([play_out(BASE, rng).record for _ in range(20)], BASE)
    assert np.array_equal(score_packed(packed).scores, score_packed(packed).scores)


def test_ruleset_may_be_a_mapping_and_is_checked() -> None:
    assert score_many([deal({"N": "SQ"})], {"pig": -7}).scores[0, 0] == -7
    with pytest.raises(RulesetError):
        score_many([], {"pig": "x"})


def test_flags_are_arrays() -> None:
    hearts = " ".join(HEARTS)
    many = score_many([deal({"N": hearts}), deal({}), deal({"N": "H2"})], Ruleset())
    assert many.all_hearts.tolist() == [
        [True, False, False, False],
        [False, False, False, True],
        [False, False, False, False],
    ]
    assert many.grand_slam.tolist()[1] == [False, False, False, True]


ODD: list[dict[str, Any]] = [
    {"held": 0},
    {"held": None},
    {"held": {}},
    {"held": {"SQ": "N"}},
    {"held": {"SQ": ["N"], "DJ": "N", "C10": "N", "HA": "N"}},
    {"exposed": ""},
    {"exposed": None},
    {"exposed": [{"card": "SQ", "seat": "N"}]},
    {"exposed": [{"card": "SQ", "seat": "E", "kind": "exposed"}]},
    {"exposed": [{"card": "SQ", "seat": "N", "kind": "exposed"}] * 2},
    {"exposed": [{"card": card, "seat": "N", "kind": "first"} for card in ("SQ", "DJ")]},
    {"ruleset": 5},
    {"ruleset": []},
    {"ruleset": None},
    {"ruleset": "x"},
    {"mode": ""},
    {"mode": None},
    {"mode": "pig_sheep"},
    {"mode": "pig_sheep", "exposed": [{"card": "SQ", "seat": "N", "kind": "exposed"}]},
    {"mode": []},
    {"partial": False},
    {"partial": True, "captures": {"N": ["SQ"]}},
    {"swap_pig_sheep": True},
    {"captures": {"N": "SQ", "W": [], "S": [], "E": []}},
    {"captures": {"N": ["S2"] * 300, "W": [], "S": [], "E": []}},
]


@pytest.mark.parametrize("rules", [BASE, HUAPAI, Ruleset(swap="always"), Ruleset(pig_sheep_sides="captured")])
@pytest.mark.parametrize("odd", ODD)
def test_odd_record_among_plain_ones_fares_as_alone(odd: dict[str, Any], rules: Ruleset) -> None:
    plain = deal({"N": "SQ H2", "W": "DJ"}, "SQ:N", "SQ:N DJ:N C10:N HA:N")
    records = [plain, {**plain, **odd}, plain]
    many = score_many(records, rules)
    for row, record in enumerate(records):
        faults = check_deal(record, rules)
        assert many.faults.get(row, ()) == faults
        if not faults:
            assert many[row] == score_deal(record, rules)
