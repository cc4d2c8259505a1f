"""Cards, seats and packs of Gongzhu.

Knows the names of cards and of seats, and nothing of what they are worth. May not know: rulesets, scores,
I/O.
Cards are written as in docs/rules.md §9: suit letter S H D C, then A K Q J 10 9 … 2. A key card dealt to a
known seat may carry it, as in ``"SQ:N"`` (needed where two packs are in play).
"""

from collections.abc import Mapping
from typing import Final

SUITS: Final = ("S", "H", "D", "C")
#: From high to low.
RANKS: Final = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")

PIG: Final = "SQ"
SHEEP: Final = "DJ"
TRANSFORMER: Final = "C10"
HEART_ACE: Final = "HA"
#: The four cards that can be exposed and self-captured, in the order used everywhere.
KEY_CARDS: Final = (PIG, SHEEP, TRANSFORMER, HEART_ACE)
HEARTS: Final = tuple("H" + rank for rank in RANKS)
#: The cards of which a record must tell who took them, ♥2 to ♥4 among them (docs/rules.md §1).
SCORING_CARDS: Final = (PIG, SHEEP, TRANSFORMER, *HEARTS)
PACK: Final = tuple(suit + rank for suit in SUITS for rank in RANKS)

#: Playing order at a table of four, counter-clockwise (docs/rules.md §1).
FOUR_SEATS: Final = ("N", "W", "S", "E")
#: Every other table is lettered from A.
LETTER_SEATS: Final = ("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M")
FEWEST_SEATS: Final = 3
MOST_SEATS: Final = len(LETTER_SEATS)

#: Strength within a suit, 12 for the ace down to 0 for the two.
STRENGTH: Final[Mapping[str, int]] = {card: 12 - RANKS.index(card[1:]) for card in PACK}
_PACK_SET: Final = frozenset(PACK)
_SCORING_SET: Final = frozenset(SCORING_CARDS)
_SYMBOLS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def suit_of(card: str) -> str:
    """Return the suit letter of a card code."""
    return card[0]


def is_red(card: str) -> bool:
    """Tell whether the card is a heart or a diamond."""
    return card[0] in "HD"


def is_card(code: object) -> bool:
    """Tell whether `code` is one of the 52 card codes (without a copy's seat)."""
    return isinstance(code, str) and code in _PACK_SET


def is_scoring(card: str) -> bool:
    """Tell whether the card is a scoring card 分牌."""
    return card in _SCORING_SET


def split_copy(code: str) -> tuple[str, str | None]:
    """Split ``"SQ:N"`` into the card and the seat it was dealt to; the seat is None where none is written."""
    card, colon, seat = code.partition(":")
    return card, seat if colon else None


def symbol(card: str) -> str:
    """Write a card code for people: ``"SQ"`` as ♠Q. What is not a card code is returned as it is."""
    return _SYMBOLS[card[0]] + card[1:] if card in _PACK_SET else card


def seats_for(count: int) -> tuple[str, ...]:
    """Return the seats of a table of `count`, in playing order: N W S E for four, letters otherwise.

    Raises ValueError for fewer than 3 or more than 13.
    """
    if not FEWEST_SEATS <= count <= MOST_SEATS:
        raise ValueError(f"a table seats {FEWEST_SEATS} to {MOST_SEATS}, not {count}")
    return FOUR_SEATS if count == 4 else LETTER_SEATS[:count]


def partner_of(seat: str) -> str:
    """Return the seat opposite at a table of four. Raises ValueError for a seat of another table."""
    return FOUR_SEATS[(FOUR_SEATS.index(seat) + 2) % 4]
