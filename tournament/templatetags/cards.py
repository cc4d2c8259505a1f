"""Cards and seats as people read them: suit signs, and compass points in the reader's language."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring import messages
from scoring.engine.cards import KEY_CARDS, PACK, SUITS, split_copy, suit_of

register = template.Library()

#: U+FE0E asks for the letter-like sign: phones would draw a coloured picture otherwise.
SIGNS = {"S": "♠\ufe0e", "H": "♥\ufe0e", "D": "♦\ufe0e", "C": "♣\ufe0e"}
SUIT_NAMES = {"S": _("spades"), "H": _("hearts"), "D": _("diamonds"), "C": _("clubs")}
_PLACE = {card: place for place, card in enumerate(PACK)}


def _place(code: str) -> int:
    return _PLACE.get(split_copy(code)[0], len(_PLACE))


@register.filter
def card(code: str) -> SafeString | str:
    """One card as a small card face, whosever copy it is; what is no card stays as it is."""
    name, _copy = split_copy(str(code))
    if name not in _PLACE:
        return str(code)
    suit = suit_of(name)
    return format_html(
        '<span class="pc{}" data-suit="{}" title="{}"><i class="pc__suit">{}</i>{}</span>',
        " pc--key" if name in KEY_CARDS else "",
        suit,
        messages.KEY_NAMES.get(name, ""),
        SIGNS[suit],
        name[1:],
    )


@register.filter
def cards(codes: Iterable[str] | None, at: Iterable[Any]) -> SafeString:
    """Several cards, sorted and grouped by suit, a copy with its seat added small: ♠Q ♥A K 9. An em dash
    where there are none. ``at``: as for seat_name.
    """
    ordered = sorted(codes or (), key=_place)
    if not ordered:
        return SafeString('<span class="missing">—</span>')
    by_suit = {suit: [code for code in ordered if suit_of(code) == suit] for suit in SUITS}
    runs = format_html_join(" ", "{}", ((_run(suit, run, at),) for suit, run in by_suit.items() if run))
    return format_html('<span class="runs">{}</span>', runs)


def _run(suit: str, codes: list[str], at: Iterable[Any]) -> SafeString:
    ranks = [(card[1:], _copy_mark(seat, at)) for card, seat in map(split_copy, codes)]
    return format_html(
        '<span class="run" data-suit="{}"><i class="run__suit" role="img" aria-label="{}">{}</i>{}</span>',
        suit,
        SUIT_NAMES[suit],
        SIGNS[suit],
        format_html_join(" ", '<span class="run__rank">{}{}</span>', ranks),
    )


def _copy_mark(seat: str | None, at: Iterable[Any]) -> SafeString | str:
    return format_html('<span class="pc__from">{}</span>', seat_letter(seat, at)) if seat else ""


@register.filter
def seat_name(letter: str | None, at: Iterable[Any]) -> str:
    """A seat in full: N as North; letters of other tables stay. ``at``: the seats of its table, of the
    database or of a payload, or their letters (see scoring.messages.seat_name).
    """
    return messages.seat_name(letter or "", _letters(at))


@register.filter
def seat_letter(letter: str | None, at: Iterable[Any]) -> str:
    """A seat as one sign: 北 for N where the language writes so, N otherwise. ``at``: as for seat_name."""
    if messages.FIRST_LETTER in _letters(at):
        return letter or ""
    return str(_SEAT_SIGNS.get(letter or "", letter or ""))


register.filter("side_order", messages.side_order)


def _letters(seats: Iterable[Any]) -> list[str]:
    return [
        seat["direction"] if isinstance(seat, Mapping) else getattr(seat, "direction", seat) for seat in seats
    ]


_SEAT_SIGNS = {
    "N": pgettext_lazy("seat, one letter", "N"),
    "W": pgettext_lazy("seat, one letter", "W"),
    "S": pgettext_lazy("seat, one letter", "S"),
    "E": pgettext_lazy("seat, one letter", "E"),
}


@register.filter
def exposure_name(kind: str) -> str:
    """How a card was shown before play, in words."""
    return messages.exposure_name(kind)
