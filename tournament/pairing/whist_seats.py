"""Seats and table numbers for rounds whose partners are given: both come round as evenly as can be found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from tournament.pairing.model import FOUR_SEATS
from tournament.pairing.whist_starts import Game, Games

Seats = tuple[tuple[str, int], ...]

STRETCH = 4
"""So many rounds are seated at a time: in four rounds everybody could have each seat once."""
_SWEEPS = 12


def seat_partners(plan: Sequence[Games]) -> tuple[tuple[Seats, ...], ...]:
    """Each game with its seats, partners opposite. The seats of the first rounds do not depend on how many
    stretches follow.
    """
    sat: Counter[tuple[int, int]] = Counter()
    seated: list[tuple[Seats, ...]] = []
    for start in range(0, len(plan), STRETCH):
        stretch = [
            [_ways(game) for game in _round_tables(games, start + k)]
            for k, games in enumerate(plan[start : start + STRETCH])
        ]
        seated += [
            tuple(tuple(zip(FOUR_SEATS, way, strict=True)) for way in chosen)
            for chosen in _seat_stretch(stretch, sat, start // STRETCH)
        ]
    return tuple(seated)


def _round_tables(games: Games, number: int) -> Games:
    """The games in the order of their tables, which moves on, so that nobody stays at one table."""
    by = number % len(games)
    return games[by:] + games[:by]


def _ways(game: Game) -> tuple[Game, ...]:
    """The eight ways round a table that keep partners opposite."""
    a, b, c, d = game
    return tuple(
        (way[turn], way[(turn + 1) % 4], way[(turn + 2) % 4], way[(turn + 3) % 4])
        for way in ((a, b, c, d), (a, d, c, b))
        for turn in range(4)
    )


def _seat_stretch(
    stretch: Sequence[Sequence[tuple[Game, ...]]], sat: Counter[tuple[int, int]], usual: int
) -> list[list[Game]]:
    """A way for each table of some rounds: first each the best after those before it, then changed in
    turn, never for less even seats. ``sat`` counts (player, seat), before
    these rounds each ``usual`` times or so.
    """
    chosen: list[list[Game]] = []
    for tables in stretch:
        chosen.append([])
        for ways in tables:
            chosen[-1].append(_best(ways, sat, usual))
            sat.update(_places(chosen[-1][-1]))
    rng = Random(len(sat))
    for _ in range(_SWEEPS):
        for number, tables in enumerate(stretch):
            for place, ways in enumerate(tables):
                sat.subtract(_places(chosen[number][place]))
                # Of ways as good as each other any one: that leads on where no single change is better.
                chosen[number][place] = _best(rng.sample(ways, len(ways)), sat, usual)
                sat.update(_places(chosen[number][place]))
    return chosen


def _best(ways: Sequence[Game], sat: Counter[tuple[int, int]], usual: int) -> Game:
    """The way with the least used seats; what is far from the ``usual`` number of times weighs far more."""
    return min(ways, key=lambda way: sum((sat[place] - usual) ** 3 for place in _places(way)))


def _places(way: Game) -> list[tuple[int, int]]:
    return [(player, seat) for seat, player in enumerate(way)]
