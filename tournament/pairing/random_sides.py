"""Matches of two sides by lot, without rematches, forbidden meetings and club clashes where avoidable."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from tournament.pairing.model import NO_HISTORY, NO_WISHES, Constraints, Draw, Entrant, History
from tournament.pairing.side_draw import SideDraw, draw_sides


def _by_lot(field: list[Entrant], rng: Random) -> list[Entrant]:
    order = list(field)
    rng.shuffle(order)
    return order


_BY_LOT = SideDraw("random_sides", _by_lot, by_points=False)


def draw_random_sides(
    entrants: Iterable[Entrant],
    history: History = NO_HISTORY,
    *,
    round: int,
    constraints: Constraints = NO_WISHES,
    seed: int,
    planned_rounds: int | None = None,
) -> Draw:
    """A round by lot: the field in an order drawn by lot, neighbours meet unless a wish stands against it.

    ``planned_rounds`` is as for a Swiss draw. In an odd field one of those who sat out least often does so.
    Raises PairingError for fewer than two entrants or an id or number that stands twice.
    """
    return draw_sides(
        _BY_LOT, entrants, history, round, constraints, seed=seed, planned_rounds=planned_rounds
    )
