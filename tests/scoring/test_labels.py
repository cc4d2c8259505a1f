"""Every rule, choice and fault that the engine knows has words that can be translated."""

import dataclasses
from string import Formatter

import pytest
from django.utils import translation

from scoring import labels
from scoring.engine import FAULT_MESSAGES, Ruleset, RulesetError
from scoring.engine.cards import FOUR_SEATS, is_card
from scoring.engine.faults import fault
from scoring.engine.rounds import VPTable
from scoring.engine.ruleset import GROUPS
from scoring.messages import fault_text

SPECS = Ruleset.fields_meta()


def test_every_rule_and_group_has_a_name():
    assert set(labels.FIELD_NAMES) == {spec.name for spec in SPECS}
    assert set(labels.GROUP_TITLES) == set(GROUPS)


def test_helps_belong_to_rules():
    assert set(labels.FIELD_HELPS) <= {spec.name for spec in SPECS}


def test_every_choice_has_a_name():
    wanted = {
        (spec.name, choice)
        for spec in SPECS
        for choice in spec.choices
        if isinstance(choice, str) and not is_card(choice)
    }
    assert set(labels.CHOICE_NAMES) == wanted


def test_every_unit_has_a_name():
    assert {spec.unit for spec in SPECS} - {""} == set(labels.UNIT_NAMES)


def test_every_title_language_is_a_language_of_the_site(settings):
    assert set(labels.TITLE_LANGUAGES.values()) == {code for code, _name in settings.LANGUAGES}


@pytest.mark.parametrize("language", ["zh-hans", "zh-hant", "en"])
def test_a_title_is_given_in_the_readers_language(language):
    titles = {"zh-Hans": "zh-hans", "zh-Hant": "zh-hant", "en": "en"}
    with translation.override(language):
        assert labels.ruleset_title({"key": "x", "titles": titles}) == language


def test_a_ruleset_without_titles_is_named_by_its_key():
    assert labels.ruleset_title({"key": "x"}) == "x"


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("zero_sum", True, "yes"),
        ("win_line", None, "none"),
        ("pig", -100, "−100"),
        ("exposed_factor", 2, "×2"),
        ("expose_seconds", 20, "20 seconds"),
        ("lead_card", "S3", "♠3"),
        ("odd_cards", ("D2", "C10"), "♦2 ♣10"),
        ("grand_slam", "scaled", "a figure scaled by the exposures"),
        ("decks", 2, "2"),
    ],
)
def test_a_value_is_written_in_words(name, value, text):
    spec = next(spec for spec in SPECS if spec.name == name)
    with translation.override("en"):
        assert labels.value_text(spec, value) == text


BAD_RULESETS = [
    {"decks": 3},
    {"decks": "2"},
    {"pig": "100"},
    {"pig": 10**9},
    {"win_line": 1.5},
    {"zero_sum": 1},
    {"hearts": [1]},
    {"titles": {"en": "x"}},
    {"source": ""},
    {"odd_cards": ["SQ"]},
    {"win_line": None, "lose_line": None},
    {"grand_slam": "fixed"},
    {"rounding": "exact"},
    {"scale": 12},
    {"no_such_rule": 1},
    [],
]


def _faults(data):
    with pytest.raises(RulesetError) as refused:
        Ruleset.from_dict(data)
    return refused.value.faults


def test_faults_of_rulesets_come_out_in_words():
    """No raw field, choice or English filler is left in the sentence."""
    rules = {spec.name for spec in SPECS if spec.name not in ("decks", "hearts")}
    for one in (one for data in BAD_RULESETS for one in _faults(data)):
        words = {one.params[name] for name in ("expected", "wanted") if name in one.params}
        assert words <= set(labels.FAULT_WORDS), one
        with translation.override("en"):
            text = labels.ruleset_fault_text(one)
        assert not {word.strip("“”.,") for word in text.split()} & {name for name in rules if "_" in name}, (
            text
        )


def test_the_bad_rulesets_show_every_fault_a_ruleset_can_have():
    seen = {one.code for data in BAD_RULESETS for one in _faults(data)}
    assert seen == {code for code in FAULT_MESSAGES if code.startswith("ruleset_")} - {"ruleset_not_named"}


@pytest.mark.parametrize("rows", ["x", [[0, 10]], [[0, 10, "x"]], [5], [[1, 10, 10]]])
def test_what_a_table_of_victory_points_must_be_has_words(rows):
    with pytest.raises(RulesetError) as refused:
        VPTable.from_json(rows)
    assert {one.params["expected"] for one in refused.value.faults if "expected" in one.params} <= set(
        labels.FAULT_WORDS
    )


@pytest.mark.parametrize("code", sorted(FAULT_MESSAGES))
def test_every_fault_of_a_deal_can_be_said(code):
    """Whatever stands in the sentence's places, translating it leaves no place unfilled."""
    template = FAULT_MESSAGES[code]
    places = {
        name: "N" for _, name, _, _ in Formatter().parse(template) if name not in (None, "card", "seat")
    }
    one = dataclasses.replace(fault(code, "SQ", "N"), params=places)
    with translation.override("en"):
        text = fault_text(one, FOUR_SEATS)
    assert text
    assert "{" not in text
