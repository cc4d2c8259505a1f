"""A first round by seeding: the strong do not meet one another, and are spread over the tables evenly.

Two sides: the first of the upper half meets the first of the lower half, the second the second, and so on.
Tables of four: the field is laid over the tables to and fro, like a snake, so that all tables are about
equally strong. The seeded stand in the order of their seeds, the others after them by lot. The organiser's
wishes count as in any round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from random import Random

from tournament.pairing.history import Situation, checked_field, explain
from tournament.pairing.model import Constraints, Draw, Entrant, History, Reason

_FOUR = 4

DrawByPoints = Callable[[list[Entrant]], Draw]
"""A Swiss draw, in which equals meet."""


def draw_seeded(
    entrants: Iterable[Entrant],
    history: History,
    *,
    round: int,
    constraints: Constraints,
    seed: int,
    tables: int,
    byes: int,
    draw_equals: DrawByPoints,
) -> Draw:
    """The round that ``draw_equals`` makes when all who are to meet have equal points.

    There are so many ``tables`` (or matches); the last ``byes`` of the seeding sit out, as far as all have
    done so equally often. Raises PairingError as ``draw_equals``.
    """
    everybody = list(entrants)
    present = checked_field(everybody)
    order = seeding_order([e for e in present if not e.house], seed)
    strength = dict(zip((e.id for e in order), _strengths(len(order), tables, byes), strict=True))
    drawn = draw_equals([replace(e, points=strength.get(e.id, -tables)) for e in everybody])
    real = Situation(tuple(present), history, round, constraints)
    explained, quality = explain([table.seats for table in drawn.tables], real, drawn.byes)
    place = {e.id: number for number, e in enumerate(order, start=1)}
    return replace(
        drawn,
        tables=tuple(replace(t, reasons=(*t.reasons, _places(t.entrants, place))) for t in explained),
        bye_reasons=tuple(Reason("bye_last_seeded", (who,)) for who in drawn.byes),
        quality=quality,
    )


def seeding_order(field: Iterable[Entrant], seed: int) -> list[Entrant]:
    """The seeded by their seeds, then the others by lot."""
    order = sorted(field, key=lambda e: (e.number, e.id))
    Random(seed).shuffle(order)
    return sorted(order, key=lambda e: (e.seed is None, e.seed or 0))


def _strengths(players: int, tables: int, byes: int) -> list[int]:
    """One number for each place of the seeding, the same for all who are to meet.

    Who is left over gets less than anybody, since those with fewest points sit out. Of matches the second
    row is laid in the order of the first, so that first meets first; of larger tables to and fro.
    """
    seated = players - byes
    snake = seated > 2 * tables
    found = []
    for place in range(seated):
        row, column = divmod(place, tables)
        # Draws fill the tables of four before those of three, and before those of five.
        last = tables * (row + 1) > seated
        backwards = row >= _FOUR if last else snake and row % 2
        found.append(-(tables - 1 - column if backwards else column))
    return found + [-tables] * byes


def _places(entrants: Sequence[int], place: dict[int, int]) -> Reason:
    known = sorted((place[who], who) for who in entrants if who in place)
    return Reason(
        "seeding", tuple(who for _, who in known), (("places", ", ".join(str(p) for p, _ in known)),)
    )
