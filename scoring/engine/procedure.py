"""What happens at the table before a deal is played: who shuffles, cuts, draws and leads (docs/rules.md §6).

Prompts for the referee's screen, derived from the deal before. May not know: clocks (it names seconds, it
does not count them), I/O.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scoring.engine.cards import KEY_CARDS, PACK, PIG, SHEEP, split_copy
from scoring.engine.deal import DealRecord
from scoring.engine.result import DealScore
from scoring.engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Procedure:
    """The steps before a deal.

    `shuffles`, `cuts` and `draws_first` are seats. `leads` is the seat that leads, or None where it is the
    holder of `leads_card`, who is known only when the cards are dealt. `must_lead` is the card that has to
    be led, if any. `ask_pig` lists the seats among which the referee must say who captured the *first* ♠Q
    (two decks, each captured by another seat, and somebody shuffles or leads by it); until then the first of
    them is assumed.
    `order` is the order of play from the shuffler. Times are in seconds, 0 where nothing is waited for.
    """

    shuffles: str
    cuts: str
    draws_first: str
    leads: str | None
    leads_card: str | None
    must_lead: str | None
    ask_pig: tuple[str, ...]
    order: tuple[str, ...]
    must_expose: tuple[str, ...]
    may_expose: tuple[str, ...]
    first_expose_seconds: int
    expose_seconds: int


def order_of_play(seats: Sequence[str], direction: str, start: str) -> tuple[str, ...]:
    """Return the seats in the order they play, from `start`; `seats` are given counter-clockwise.

    Raises ValueError where `start` is not one of them.
    """
    around = list(seats) if direction == "counterclockwise" else list(reversed(seats))
    place = around.index(start)
    return tuple(around[place:] + around[:place])


def pig_takers(record: DealRecord, seats: Sequence[str]) -> tuple[str, ...]:
    """Return the seats that captured a ♠Q, in the order of `seats`."""
    return tuple(
        seat for seat in seats if any(split_copy(card)[0] == PIG for card in record.captures.get(seat, ()))
    )


def next_procedure(
    ruleset: Ruleset,
    seats: Sequence[str],
    previous: tuple[DealRecord, DealScore] | None = None,
    *,
    mode: str = "individual",
    first_pig: str | None = None,
    lead_card_holder: str | None = None,
) -> Procedure:
    """Return the steps before the next deal at a table.

    `previous` is the last deal that counted at this table (not a void one), or None before the first. Where
    two seats captured a ♠Q each, `first_pig` is the one that captured the first. `lead_card_holder` is the
    seat found to hold the lead card, once the cards are dealt. `seats` are in counter-clockwise order.

    Where the deal before was lost most by several seats alike, the one of them first in playing order counts.
    Raises ValueError for a seat that is not at the table.
    """
    for seat in (first_pig, lead_card_holder):
        if seat is not None and seat not in seats:
            raise ValueError(f"no seat {seat} at this table")
    takers = pig_takers(previous[0], seats) if previous else ()
    pig = first_pig if first_pig in takers else (takers[0] if takers else None)
    lowest = _lowest(previous[1], seats) if previous else None

    shuffler = {"pig": pig, "lowest": lowest}[ruleset.later_shuffle] or seats[0]
    order = order_of_play(seats, ruleset.direction, shuffler)
    by_card = previous is None or ruleset.later_lead == "holder"
    leads = lead_card_holder if by_card else ({"pig": pig, "lowest": lowest}[ruleset.later_lead] or seats[0])
    matters = "pig" in (ruleset.later_shuffle, None if by_card else ruleset.later_lead)
    nothing_shown = ruleset.exposure == "none" or mode == "pig_sheep"
    return Procedure(
        shuffles=shuffler,
        cuts=order[1],
        draws_first=shuffler,
        leads=leads,
        leads_card=ruleset.lead_card if by_card else None,
        must_lead=ruleset.lead_card if by_card and ruleset.must_lead_card else None,
        ask_pig=takers if matters and len(takers) > 1 and first_pig is None else (),
        order=order,
        must_expose=() if nothing_shown else _FORCED.get(ruleset.exposure, ()),
        may_expose=() if nothing_shown else _may_expose(ruleset.exposure),
        first_expose_seconds=_first_seconds(ruleset) if not nothing_shown else 0,
        expose_seconds=0 if nothing_shown else ruleset.expose_seconds,
    )


_FORCED: Final = {
    "all": KEY_CARDS,
    "all_but_sheep": tuple(card for card in KEY_CARDS if card != SHEEP),
}


def _may_expose(exposure: str) -> tuple[str, ...]:
    return tuple(card for card in KEY_CARDS if not (exposure == "all_but_sheep" and card == SHEEP))


def _first_seconds(ruleset: Ruleset) -> int:
    return ruleset.first_expose_seconds if ruleset.allow_first and ruleset.exposure not in _FORCED else 0


def _lowest(score: DealScore, seats: Sequence[str]) -> str:
    return min(seats, key=lambda seat: score.scores[seat])


def dealt_pack(ruleset: Ruleset, seats: int) -> tuple[str, ...]:
    """Return the cards dealt to a table of `seats`: the whole pack, less the odd cards (docs/rules.md §6).

    So that everybody is dealt the same number, cards of `ruleset.odd_cards` are taken out in that order, one
    copy each; the card that leads stays in.
    """
    pack = list(PACK) * ruleset.decks
    spare = (card for card in ruleset.odd_cards if card != ruleset.lead_card)
    for _ in range(len(pack) % seats):
        pack.remove(next(spare))
    return tuple(pack)
