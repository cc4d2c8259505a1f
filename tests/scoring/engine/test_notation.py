"""What people write of a deal on paper is read as they mean it, and nothing is guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.cards import HEARTS, SCORING_CARDS, symbol
from scoring.engine.notation import read_cards, read_holding, read_seat


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("♠Q", ["SQ"]),
        ("♠️Q ♥️A", ["SQ", "HA"]),
        ("sq ha2 dj c10", ["SQ", "HA", "H2", "DJ", "C10"]),
        ("ＳＱ　ＨＡ２", ["SQ", "HA", "H2"]),
        ("猪、羊、变压器、红A", ["SQ", "DJ", "C10", "HA"]),
        ("豬 變 紅桃K Q", ["SQ", "C10", "HK", "HQ"]),
        ("红桃A，10，2；梅花T", ["HA", "H10", "H2", "C10"]),
        ("红心 J-9", ["HJ", "H10", "H9"]),
        ("♥2~4", ["H4", "H3", "H2"]),
        ("全红", [*HEARTS]),
        ("pig, sheep", ["SQ", "DJ"]),
        ("SQ:N 猪(东)", ["SQ:N", "SQ:E"]),
        ("SQ SQ", ["SQ", "SQ"]),
        ("", []),
        ("—", []),
        ("无", []),
        ("0", []),
    ],
)
def test_cards_are_read_as_people_write_them(text, cards):
    found = read_cards(text)
    assert list(found.cards) == cards
    assert not found.unread


@pytest.mark.parametrize(
    ("text", "cards", "unread"),
    [
        ("A23", (), ("A", "2", "3")),  # of which suit?
        ("猪 A", ("SQ",), ("A",)),
        ("♥1", (), ("1",)),
        ("♥A 大", ("HA",), ("大",)),
        ("=1+1", (), ("=", "1")),
    ],
)
def test_what_cannot_be_read_is_told(text, cards, unread):
    found = read_cards(text)
    assert (found.cards, found.unread) == (cards, unread)


@given(st.lists(st.sampled_from(SCORING_CARDS), max_size=16))
def test_codes_and_symbols_are_read_back(codes):
    assert list(read_cards(" ".join(codes)).cards) == codes
    assert list(read_cards("".join(map(symbol, codes))).cards) == codes


@given(st.text(max_size=60))
def test_no_text_raises(text):
    read_cards(text)
    read_holding(text)
    read_seat(text)


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("北", (("N", ""),)),
        ("东明", (("E", "exposed"),)),
        ("e exposed", (("E", "exposed"),)),
        ("西首", (("W", "first"),)),
        ("南 暗卖", (("S", "dark"),)),
        ("North dark-exposed", (("N", "dark"),)),
        ("B 明, D", (("B", "exposed"), ("D", ""))),
        ("", ()),
    ],
)
def test_who_was_dealt_a_card_and_how_it_was_shown(text, seats):
    found = read_holding(text)
    assert (found.seats, found.unread) == (seats, ())


def test_a_way_of_showing_without_a_seat_is_not_read():
    assert read_holding("明").unread == ("明",)
    assert read_holding("北明首").unread == ("首",)
