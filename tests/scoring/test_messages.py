"""The engine's words in the reader's language."""

from string import Formatter

import pytest
from django.utils import translation

from scoring.engine import Fault, Ruleset, check_deal
from scoring.engine.cards import FOUR_SEATS, LETTER_SEATS
from scoring.engine.faults import FAULT_MESSAGES
from scoring.messages import EXPECTED_WORDS, fault_text, fault_words, joined, side_order

LISTS = [code for code, sentence in FAULT_MESSAGES.items() if "{seats}" in sentence or "{cards}" in sentence]


@pytest.mark.parametrize("code", LISTS)
def test_listed_seats_and_cards_stand_apart_as_the_language_does_it(code: str) -> None:
    fault = Fault(code, params={"seats": "N, W", "cards": "SQ, HA"})
    with translation.override("zh-hans"):
        assert ", " not in fault_text(fault, FOUR_SEATS)
        assert "、" in fault_text(fault, FOUR_SEATS)


def test_what_a_field_must_be_has_words() -> None:
    of_exposure = {"exposed": [5, {"card": 5, "seat": 5, "kind": 5}], "held": {"SQ": 5}}
    of_all = dict.fromkeys(("captures", "exposed", "held", "mode", "ruleset", "partial", "swap_pig_sheep"), 5)
    records = (of_all, {"captures": {"N": 5}, **of_exposure})
    faults = [one for record in records for one in check_deal(record, Ruleset())]
    expected = {one.params["expected"] for one in faults if one.code == "wrong_type"}
    assert expected == set(EXPECTED_WORDS)
    with translation.override("zh-hans"):
        assert set(fault_words(FOUR_SEATS)["expected"]) == expected


def test_a_page_that_finds_the_faults_itself_lists_them_alike() -> None:
    for language, between in (("en", ", "), ("zh-hans", "、")):
        with translation.override(language):
            assert fault_words(FOUR_SEATS)["between"] == between
            assert joined(["a", "b"]) == f"a{between}b"


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_a_fault_at_the_fifth_seat_of_a_table_of_five_calls_it_by_its_letter(language: str) -> None:
    five = LETTER_SEATS[:5]
    for code in sorted(FAULT_MESSAGES):
        places = {name: "E" for _, name, _, _ in Formatter().parse(FAULT_MESSAGES[code]) if name}
        fault = Fault(code, "SQ", "E", dict.fromkeys(places.keys() - {"card", "seat"}, "E"))
        with translation.override(language):
            told = fault_text(fault, five)
            assert "East" not in told
            assert "东" not in told
            assert fault_words(five)["seats"]["E"] == "E"


@pytest.mark.parametrize(
    ("language", "named"),
    [
        ("en", ["NS", "EW", "NE", "SW", "NW", "SE"]),
        ("zh-hans", ["SN", "EW", "EN", "WS", "WN", "ES"]),
        ("zh-hant", ["SN", "EW", "EN", "WS", "WN", "ES"]),
    ],
)
def test_seats_of_a_side_are_named_in_the_order_of_the_language(language: str, named: list[str]) -> None:
    with translation.override(language):
        assert ["".join(side_order(two)) for two in ("NS", "WE", "NE", "WS", "NW", "SE")] == named
        assert side_order(("N", "W", "S")) == ["N", "W", "S"]
        assert side_order(("A", "C")) == ["A", "C"]
