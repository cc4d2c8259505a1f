"""The engine's words in the reader's language: faults, seats, key cards, kinds of exposure.

The engine knows no Django and speaks English (`FAULT_MESSAGES`); this is where its sentences meet gettext.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from django.utils.translation import get_language, gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.engine.cards import HEART_ACE, LETTER_SEATS, PIG, SHEEP, TRANSFORMER, symbol
from scoring.engine.faults import FAULT_MESSAGES, Fault

#: A table with this seat is one of letters.
FIRST_LETTER = LETTER_SEATS[0]
SEAT_NAMES: Mapping[str, Any] = {
    "N": pgettext_lazy("seat", "North"),
    "W": pgettext_lazy("seat", "West"),
    "S": pgettext_lazy("seat", "South"),
    "E": pgettext_lazy("seat", "East"),
}
KEY_NAMES: Mapping[str, Any] = {
    PIG: _("pig"),
    SHEEP: _("sheep"),
    TRANSFORMER: _("transformer"),
    HEART_ACE: _("ace of hearts"),
}
#: What a field of a record must be, where it is something else.
EXPECTED_WORDS: Mapping[str, Any] = {
    "a text": _("a text"),
    "a list": _("a list"),
    "a list of texts": _("a list of texts"),
    "an object": _("an object"),
    "true or false": _("true or false"),
}
#: Compass points as they follow each other in the name of a side.
_ENGLISH_ORDER, _CHINESE_ORDER = "NSEW", "EWSN"
EXPOSURE_NAMES: Mapping[str, Any] = {
    "exposed": _("exposed"),
    "first": _("first-exposed"),
    "dark": _("dark-exposed"),
}


def seat_name(seat: str, at: Collection[str]) -> str:
    """A seat in full: N as North; the letters of other tables stay.

    ``at`` are the seats of its table: E is East at a table of four, and the fifth seat of a larger one.
    """
    return seat if FIRST_LETTER in at else str(SEAT_NAMES.get(seat, seat))


def side_order(seats: Collection[str]) -> list[str]:
    """The two seats of a side in the order in which they are named together: N S and E W in English, 南北 and
    东北 in Chinese. One, or more than two, and letters stay in the order of play.
    """
    order = _CHINESE_ORDER if (get_language() or "").startswith("zh") else _ENGLISH_ORDER
    two = len(seats) == 2 and set(seats) <= set(order)
    return sorted(seats, key=order.index) if two else list(seats)


def exposure_name(kind: str) -> str:
    """How a card was shown before play, in words."""
    return str(EXPOSURE_NAMES.get(kind, kind))


def joined(names: Iterable[str]) -> str:
    """Names in a row, as the reader's language lists them."""
    return pgettext("between names", ", ").join(names)


def fault_text(fault: Fault, at: Collection[str]) -> str:
    """A fault as a sentence in the reader's language, with cards as ♠Q and seats in full; ``at`` are the
    seats of its table.
    """
    reword: Mapping[str, Callable[[str], str]] = {
        "seats": _each(lambda seat: seat_name(seat, at)),
        "cards": _each(symbol),
        "kind": exposure_name,
        "expected": lambda word: str(EXPECTED_WORDS.get(word, word)),
    }
    params = {name: reword.get(name, str)(value) for name, value in fault.params.items()}
    return gettext(FAULT_MESSAGES[fault.code]).format(
        **params, card=symbol(fault.card or ""), seat=seat_name(fault.seat or "", at)
    )


def fault_words(at: Collection[str]) -> dict[str, Any]:
    """The same sentences as a table in the reader's language, for a page that finds the faults itself; ``at``
    are the seats of its table.

    As faultText in referee/static/referee/engine.js takes them.
    """
    return {
        "faults": {code: gettext(sentence) for code, sentence in FAULT_MESSAGES.items()},
        "seats": {seat: seat_name(seat, at) for seat in SEAT_NAMES},
        "kinds": {kind: str(name) for kind, name in EXPOSURE_NAMES.items()},
        "expected": {word: str(name) for word, name in EXPECTED_WORDS.items()},
        "between": joined(("", "")),
    }


def _each(reword: Callable[[str], str]) -> Callable[[str], str]:
    return lambda listed: joined(reword(one) for one in listed.split(", "))
