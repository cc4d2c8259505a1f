"""Cards and exposures as people write them on paper and in spreadsheets, read into the engine's codes.

``♥A23 ♠Q``, ``猪 红A 2 3``, ``SQ HA2`` and ``全红`` are all read; nothing is guessed: what cannot be read is
told. May not know: rulesets, who sits where, I/O.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from scoring.engine.cards import HEARTS, PIG, RANKS, SHEEP, TRANSFORMER

_SUIT_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("黑桃", "♠", "♤", "黑", "S"), "S"),
    **dict.fromkeys(("红桃", "紅桃", "红心", "紅心", "♥", "♡", "❤", "红", "紅", "H"), "H"),
    **dict.fromkeys(("方块", "方塊", "方片", "♦", "♢", "方", "D"), "D"),
    **dict.fromkeys(("梅花", "草花", "♣", "♧", "梅", "C"), "C"),
}
_CARD_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("全红", "全紅", "ALL HEARTS"), HEARTS),
    **dict.fromkeys(("变压器", "變壓器", "变", "變", "TRANSFORMER"), (TRANSFORMER,)),
    **dict.fromkeys(("猪", "豬", "PIG"), (PIG,)),
    **dict.fromkeys(("羊", "SHEEP"), (SHEEP,)),
}
#: Written where a seat took nothing.
_NOTHING: Final = frozenset(("无", "無", "NONE", "NIL", "0", "×"))
_KIND_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("首明", "首亮", "首", "FIRST-EXPOSED", "FIRST"), "first"),
    **dict.fromkeys(("暗卖", "暗賣", "暗", "DARK-EXPOSED", "DARK"), "dark"),
    **dict.fromkeys(("明", "亮", "EXPOSED"), "exposed"),
}
_SEAT_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("北", "NORTH"), "N"),
    **dict.fromkeys(("西", "WEST"), "W"),
    **dict.fromkeys(("南", "SOUTH"), "S"),
    **dict.fromkeys(("东", "東", "EAST"), "E"),
}
_SEPARATOR: Final = r"[\s,、。;:/|+&.\-–—_~()·]"
_RANK: Final = r"10|[2-9AKQJT]"


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_COPY: Final = rf"(?:\s*[:(]\s*(?P<copy>{_either(_SEAT_WORDS)}|[A-Z])\s*\)?)?"
_CARDS: Final = re.compile(
    rf"(?P<word>{_either(_CARD_WORDS)}){_COPY}"
    rf"|(?P<suit>{_either(_SUIT_WORDS)})"
    rf"|(?P<low>{_RANK})\s*[-–—~至]\s*(?P<high>{_RANK})"
    rf"|(?P<rank>{_RANK}){_COPY.replace('copy', 'rank_copy')}"
    rf"|(?P<gap>{_SEPARATOR})"
)
_HOLDING: Final = re.compile(
    rf"(?P<kind>{_either(_KIND_WORDS)})|(?P<seat>{_either(_SEAT_WORDS)}|[A-Z])|(?P<gap>{_SEPARATOR})"
)


@dataclass(frozen=True, slots=True)
class WrittenCards:
    """What a text says: card codes in the order written, and the pieces that could not be read."""

    cards: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenHolding:
    """Who was dealt a key card, one seat per copy, and how each showed it ("" where it did not)."""

    seats: tuple[tuple[str, str], ...] = ()
    unread: tuple[str, ...] = ()


def read_cards(text: str) -> WrittenCards:
    """Read the cards somebody captured. A suit holds for the ranks after it; a rank without one is not read.

    >>> read_cards("♠Q ♥A23").cards
    ('SQ', 'HA', 'H2', 'H3')
    >>> read_cards("猪 变 红桃 5-8").cards
    ('SQ', 'C10', 'H8', 'H7', 'H6', 'H5')
    >>> read_cards("SQ:N 王").unread
    ('王',)
    """
    plain = _plain(text)
    if plain in _NOTHING:
        return WrittenCards()
    cards: list[str] = []
    unread: list[str] = []
    suit = ""
    place = 0
    while place < len(plain):
        match = _CARDS.match(plain, place)
        if match is None:
            unread.append(plain[place])
            place += 1
            continue
        place = match.end()
        if match["word"]:
            suit = ""
            cards += [_copied(card, match["copy"]) for card in _CARD_WORDS[match["word"]]]
        elif match["suit"]:
            suit = _SUIT_WORDS[match["suit"]]
        elif match["gap"] is None and not suit:
            unread.append(match[0])
        elif match["low"]:
            cards += [suit + rank for rank in _between(match["low"], match["high"])]
        elif match["rank"]:
            cards.append(_copied(suit + _rank(match["rank"]), match["rank_copy"]))
    return WrittenCards(tuple(cards), _together(unread))


def read_holding(text: str) -> WrittenHolding:
    """Read who was dealt a key card and how it was shown: a seat, then how, for each copy.

    >>> read_holding("北").seats, read_holding("N first, 东明").seats
    ((('N', ''),), (('N', 'first'), ('E', 'exposed')))
    """
    plain = _plain(text)
    seats: list[tuple[str, str]] = []
    unread: list[str] = []
    place = 0
    while place < len(plain):
        match = _HOLDING.match(plain, place)
        place = match.end() if match else place + 1
        if match is None:
            unread.append(plain[place - 1])
        elif match["seat"]:
            seats.append((_SEAT_WORDS.get(match["seat"], match["seat"]), ""))
        elif match["kind"] and seats and not seats[-1][1]:
            seats[-1] = (seats[-1][0], _KIND_WORDS[match["kind"]])
        elif match["kind"]:
            unread.append(match["kind"])
    return WrittenHolding(tuple(seats), _together(unread))


def read_seat(text: str) -> str:
    """The seat a word names: "北" and "north" as N, a letter as itself; "" for any other text.

    >>> read_seat("东"), read_seat("c"), read_seat("王")
    ('E', 'C', '')
    """
    plain = _plain(text)
    found = _SEAT_WORDS.get(plain, plain)
    return found if re.fullmatch("[A-Z]", found) else ""


def _plain(text: str) -> str:
    """No width, no case, no signs that only choose a glyph."""
    return unicodedata.normalize("NFKC", text).replace("\ufe0f", "").replace("\ufe0e", "").strip().upper()


def _rank(written: str) -> str:
    return "10" if written == "T" else written


def _between(first: str, last: str) -> tuple[str, ...]:
    places = sorted((RANKS.index(_rank(first)), RANKS.index(_rank(last))))
    return RANKS[places[0] : places[1] + 1]


def _copied(card: str, seat: str | None) -> str:
    return card if seat is None else f"{card}:{_SEAT_WORDS.get(seat, seat)}"


def _together(pieces: list[str]) -> tuple[str, ...]:
    """Each unreadable piece once."""
    return tuple(dict.fromkeys(pieces))
