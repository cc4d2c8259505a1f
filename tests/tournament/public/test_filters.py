"""Points and cards as pages write them."""

from fractions import Fraction

import pytest
from django.template import Template, TemplateSyntaxError
from django.utils.translation import override

from scoring.engine.cards import FOUR_SEATS
from tournament.templatetags.cards import card, cards, exposure_name, seat_letter, seat_name
from tournament.templatetags.points import show_formula, show_points, show_signed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-880, "−880"),
        (Fraction(-880, 3), "−293⅓"),
        ("-880/3", "−293⅓"),
        (Fraction(1, 2), "½"),
        (Fraction(7, 60), "7/60"),
        (None, "—"),
        ("", "—"),
    ],
)
def test_show_points_writes_exact_points(value, text):
    assert show_points(value).strip() == text


@pytest.mark.parametrize(("value", "text"), [(5, "+5"), (0, "0"), (-5, "−5"), (None, "—")])
def test_show_signed_writes_the_sign(value, text):
    assert show_signed(value) == text


def test_show_formula_writes_true_minus_signs():
    assert show_formula("(-100 + (-20×3)) × 2 = -320") == "(−100 + (−20×3)) × 2 = −320"


def test_card_shows_sign_rank_and_name():
    html = card("SQ")
    assert 'data-suit="S"' in html
    assert "pc--key" in html
    assert "♠\ufe0e</i>Q" in html
    assert "pc--key" not in card("H7")


def test_cards_show_whose_copy_each_was():
    with override("en"):
        assert '<span class="pc__from">N</span>' in cards(["SQ:N"], FOUR_SEATS)
    with override("zh-hans"):
        assert '<span class="pc__from">东</span>' in cards(["SQ:E"], FOUR_SEATS)
        assert '<span class="pc__from">E</span>' in cards(["SQ:E"], "ABCDE")


def test_a_card_face_is_the_same_for_every_copy():
    assert card("SQ:N") == card("SQ")


@pytest.mark.parametrize("text", ["<b>", "XX", "", "S1"])
def test_card_leaves_other_text_to_be_escaped(text):
    assert card(text) == text
    assert not hasattr(card(text), "__html__")


def test_cards_are_grouped_by_suit_and_sorted_high_to_low():
    html = cards(["H2", "C10", "HA", "DJ", "H10", "SQ"], FOUR_SEATS)
    ranks = [part.partition("<")[0] for part in html.split('<span class="run__rank">')[1:]]
    assert ranks == ["Q", "A", "10", "2", "J", "10"]
    assert html.count('class="run"') == 4


def test_cards_of_two_decks_show_both_copies():
    assert cards(["SQ:N", "SQ:E"], FOUR_SEATS).count("run__rank") == 2


@pytest.mark.parametrize("nothing", [[], None])
def test_cards_show_a_dash_for_none(nothing):
    assert "—" in cards(nothing, FOUR_SEATS)


def test_suits_can_be_told_apart_without_colour_or_sight():
    with override("en"):
        html = cards(["S2", "H2", "D2", "C2"], FOUR_SEATS)
    for name in ("spades", "hearts", "diamonds", "clubs"):
        assert f'aria-label="{name}"' in html
    assert len({sign for sign in html if sign in "♠♥♦♣"}) == 4


def test_seats_and_kinds_have_names_and_unknown_ones_stay():
    with override("en"):
        assert (seat_name("N", FOUR_SEATS), seat_letter("N", FOUR_SEATS), seat_letter(None, FOUR_SEATS)) == (
            "North",
            "N",
            "",
        )
        assert (exposure_name("dark"), exposure_name("?")) == ("dark-exposed", "?")


@pytest.mark.parametrize("around", ["ABCDE", [{"direction": letter} for letter in "ABCDE"]])
def test_the_fifth_seat_of_a_table_of_five_is_no_point_of_the_compass(around):
    for language in ("en", "zh-hans"):
        with override(language):
            assert (seat_name("E", around), seat_letter("E", around)) == ("E", "E")
            assert seat_name("E", FOUR_SEATS) in ("East", "东")


@pytest.mark.parametrize("name", ["seat_name", "seat_letter", "cards"])
def test_a_page_that_does_not_say_whose_table_a_seat_is_at_cannot_be_rendered(name):
    with pytest.raises(TemplateSyntaxError):
        Template(f"{{% load cards %}}{{{{ seat|{name} }}}}")
