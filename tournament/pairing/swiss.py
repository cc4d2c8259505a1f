"""Swiss draw of two sides (pairs or teams): equals meet, nobody meets again while avoidable."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from tournament.pairing.model import NO_HISTORY, NO_WISHES, Constraints, Draw, Entrant, History
from tournament.pairing.side_draw import SideDraw, draw_sides


def _by_points(field: list[Entrant], rng: Random) -> list[Entrant]:
    """The leaders first, equals in an order drawn by lot."""
    lot = list(field)
    rng.shuffle(lot)
    return sorted(lot, key=lambda e: -e.points)


_SWISS = SideDraw("swiss", _by_points, by_points=True)


def draw_swiss(
    entrants: Iterable[Entrant],
    history: History = NO_HISTORY,
    *,
    round: int,
    constraints: Constraints = NO_WISHES,
    seed: int,
    planned_rounds: int | None = None,
) -> Draw:
    """A Swiss round, best matching of the whole field; the leaders play match 1.

    ``planned_rounds`` is the number of the stage's last round: a small field is paired so that all rounds up
    to it can be played without a rematch, while that is possible. An odd field leaves out the lowest of those
    who sat out least often. Raises PairingError for fewer than two entrants or an id or number that stands
    twice.
    """
    return draw_sides(_SWISS, entrants, history, round, constraints, seed=seed, planned_rounds=planned_rounds)
