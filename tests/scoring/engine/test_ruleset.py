"""Rulesets: every field checked, differences stored, the shipped ones as docs/rules.md §7 has them."""

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given, settings

from scoring.engine import Ruleset, RulesetError
from scoring.engine.ruleset import GROUPS
from scoring.rulesets import load, shipped_keys
from tests.scoring.engine.deals import rulesets

TITLES = {"zh-Hans": "甲", "zh-Hant": "甲", "en": "A"}

FAULTY: list[tuple[str, dict[str, Any]]] = [
    ("ruleset_unknown_field", {"pigs": 1}),
    ("ruleset_text", {"key": ""}),
    ("ruleset_text", {"source": "x" * 201}),
    ("ruleset_text", {"key": 5}),
    ("ruleset_titles", {"titles": {"en": "A"}}),
    ("ruleset_titles", {"titles": "A"}),
    ("ruleset_text", {"titles": {**TITLES, "en": " "}}),
    ("ruleset_choice", {"decks": 3}),
    ("ruleset_choice", {"decks": True}),
    ("ruleset_choice", {"exposure": "some"}),
    ("ruleset_choice", {"swap": None}),
    ("ruleset_wrong_type", {"pig": "x"}),
    ("ruleset_wrong_type", {"pig": 1.5}),
    ("ruleset_wrong_type", {"pig": True}),
    ("ruleset_wrong_type", {"allow_dark": 1}),
    ("ruleset_wrong_type", {"lose_line": "-1000"}),
    ("ruleset_range", {"pig": 10**9}),
    ("ruleset_range", {"transformer_factor": 0}),
    ("ruleset_range", {"lose_line": 5}),
    ("ruleset_range", {"expose_seconds": -1}),
    ("ruleset_hearts", {"hearts": [1, 2]}),
    ("ruleset_hearts", {"hearts": ["x"] * 13}),
    ("ruleset_range", {"hearts": [10**6] * 13}),
    ("ruleset_lines", {"lose_line": None, "win_line": None}),
    ("ruleset_odd_cards", {"odd_cards": ["H2"]}),
    ("ruleset_odd_cards", {"odd_cards": ["D2", "D2"]}),
    ("ruleset_odd_cards", {"odd_cards": ["D2", "D3"]}),
    ("ruleset_needs", {"grand_slam": "fixed"}),
    ("ruleset_needs", {"scale": 12}),
    ("ruleset_needs", {"rounding": "exact"}),
]


@pytest.mark.parametrize(("code", "differences"), FAULTY)
def test_faulty_field_is_refused(code: str, differences: dict[str, Any]) -> None:
    with pytest.raises(RulesetError) as refused:
        Ruleset.from_dict(differences)
    assert [one.code for one in refused.value.faults] == [code]
    assert "{" not in refused.value.faults[0].message


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(RulesetError) as refused:
        Ruleset.from_dict({"pigs": 1, "pig": "x", "decks": 9, "hearts": []})
    assert [one.code for one in refused.value.faults] == [
        "ruleset_unknown_field",
        "ruleset_wrong_type",
        "ruleset_choice",
        "ruleset_hearts",
    ]


def test_ruleset_made_directly_is_checked_too() -> None:
    with pytest.raises(RulesetError):
        Ruleset(decks=3)
    with pytest.raises(RulesetError):
        dataclasses.replace(Ruleset(), swap="maybe")


@settings(max_examples=50, deadline=None)
@given(rulesets())
def test_differences_go_to_json_and_back(rules: Ruleset) -> None:
    assert Ruleset.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    assert Ruleset.from_dict(json.loads(json.dumps(rules.to_full_dict()))) == rules
    assert hash(Ruleset.from_dict(rules.to_dict())) == hash(rules)


def test_base_differs_from_itself_in_nothing() -> None:
    assert Ruleset().to_dict() == {}


def test_copy_of_a_ruleset_states_what_differs_from_it() -> None:
    huapai = load("huapai")
    edited = Ruleset.from_dict({"lose_line": -800, "win_line": 800}, huapai)
    assert edited.to_dict(huapai) == {"lose_line": -800, "win_line": 800}
    assert edited.self_capture == "card"


def test_every_field_has_what_a_form_needs() -> None:
    meta = Ruleset.fields_meta()
    assert [one.name for one in meta] == [one.name for one in dataclasses.fields(Ruleset)]
    for one in meta:
        assert one.group in GROUPS
        assert one.label
        assert one.section.startswith("§")
        assert (one.kind == "choice") == bool(one.choices)
        if one.kind in ("int", "optional_int"):
            assert one.low is not None
            assert one.high is not None
            assert one.unit
        assert getattr(Ruleset(), one.name) == one.default
    groups = [one.group for one in meta]
    assert sorted(groups, key=GROUPS.index) == groups


SHIPPED: dict[str, dict[str, Any]] = {
    "huapai": {"self_capture": "card", "lose_line": -1000, "win_line": 1000, "lead_card": "S3"},
    "classic": {
        "sheep": 50,
        "allow_first": False,
        "allow_dark": False,
        "all_hearts": "fixed",
        "all_hearts_value": 100,
        "grand_slam": "fixed",
        "grand_slam_value": 1000,
        "win_line": None,
        "later_lead": "lowest",
    },
    "computer": {
        "allow_first": False,
        "allow_dark": False,
        "direction": "clockwise",
        "lines_inclusive": False,
        "win_line": None,
    },
    "platform": {
        "allow_first": False,
        "exposure": "forced_fourth",
        "zero_sum": True,
        "scale": 12,
        "decks": 1,
    },
    "platform-two-deck": {
        "decks": 2,
        "allow_first": False,
        "exposure": "optional",
        "zero_sum": True,
        "scale": 1,
        "single_copy": "product",
        "grand_slam": "scaled",
        "grand_slam_value": 1600,
    },
    "double-pig": {"decks": 2, "single_copy": "larger", "zero_sum": False},
    "book-a": {"hearts": (-50, -40, -30, -20, -10, -9, -8, -7, -6, -5, -10, -3, -2)},
    "book-b": {"hearts": (50, 40, 30, 20, *[10] * 9), "all_hearts": "keep", "all_hearts_bonus": 200},
}


@pytest.mark.parametrize("key", SHIPPED)
def test_shipped_ruleset_is_what_the_rules_say(key: str) -> None:
    rules = load(key)
    assert rules.key == key
    assert {name: getattr(rules, name) for name in SHIPPED[key]} == SHIPPED[key]


def test_shipped_rulesets_are_those_of_the_rules() -> None:
    assert shipped_keys() == tuple(SHIPPED)


def test_shipped_files_state_only_differences() -> None:
    for key in shipped_keys():
        rules = load(key)
        assert set(rules.to_dict()) >= {"key", "titles", "source"}
        assert set(rules.titles) == {"zh-Hans", "zh-Hant", "en"}


@pytest.mark.parametrize("key", ["zzz", "", "../engine/ruleset", "huapai.json"])
def test_unknown_key_is_refused(key: str) -> None:
    with pytest.raises(RulesetError) as refused:
        load(key)
    assert refused.value.faults[0].code == "unknown_ruleset"
