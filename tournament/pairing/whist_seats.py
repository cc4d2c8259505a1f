"""Seats and table numbers for rounds whose partners are given: both come round as evenly as can be found.

A seat is settled by three choices between two: which side of a game sits north and south, who of that side
sits north, and who of the other sits east.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from tournament.pairing.model import FOUR_SEATS
from tournament.pairing.whist_starts import Games

Seats = tuple[tuple[str, int], ...]
Pair = tuple[int, int]
Item = tuple[Pair, Pair] | tuple[tuple[int], tuple[int]]

_PIECE = 12
"""So many rounds are made even, then the next: whoever stops early has still sat evenly. In four rounds there
is hardly ever a way that is even for all, in eight there may be none, in twelve there are many."""
_SWEEPS = 200
_WARMEST = 1.0
_COLDEST = 0.15


def seat_partners(plan: Sequence[Games]) -> tuple[tuple[Seats, ...], ...]:
    """Each game with its seats, partners opposite: over all rounds, and after each piece of them, nobody sits
    in one direction more than once oftener than in another, where such a way is found.
    """
    players = 1 + max((player for games in plan for game in games for player in game), default=-1)
    side, north, east = ([0] * players for _ in range(3))
    seated: list[tuple[Seats, ...]] = []
    starts = range(0, max(1, len(plan) - _PIECE + 1), _PIECE)
    for start, end in zip(starts, (*starts[1:], len(plan)), strict=True):
        rounds = [_round_tables(games, number) for number, games in enumerate(plan[start:end], start)]
        games = [game for tables in rounds for game in tables]
        signs = _even_signs([((a, c), (b, d)) for a, b, c, d in games], side)
        sides = [
            ((a, c), (b, d)) if sign > 0 else ((b, d), (a, c))
            for (a, b, c, d), sign in zip(games, signs, strict=True)
        ]
        ns = _turned([one for one, _ in sides], north)
        ew = _turned([other for _, other in sides], east)
        ways = iter(zip(ns, ew, strict=True))
        for tables in rounds:
            pairs = [next(ways) for _ in tables]
            seated.append(
                tuple(tuple(zip(FOUR_SEATS, (n, e, s, w), strict=True)) for (n, s), (e, w) in pairs)
            )
    return tuple(seated)


def _round_tables(games: Games, number: int) -> Games:
    """The games in the order of their tables, which moves on, so that nobody stays at one table."""
    by = number % len(games)
    return games[by:] + games[:by]


def _turned(pairs: Sequence[Pair], leans: list[int]) -> list[Pair]:
    signs = _even_signs([((one,), (other,)) for one, other in pairs], leans)
    return [pair if sign > 0 else (pair[1], pair[0]) for pair, sign in zip(pairs, signs, strict=True)]


def _even_signs(items: Sequence[Item], leans: list[int]) -> list[int]:
    """A sign for each item, +1 or −1, so that ``leans`` come near 0; they are brought up to date.

    An item adds its sign to the leans of its first players and takes it from those of its second. By
    simulated annealing with the sum of their squares; the same items always get the same signs.
    """
    rng = Random(len(items))
    signs = [rng.choice((1, -1)) for _ in items]
    for item, sign in zip(items, signs, strict=True):
        _lean(leans, item, sign)
    steps = _SWEEPS * len(items)
    for step in range(steps):
        place = rng.randrange(len(items))
        up, down = items[place]
        leaning = signs[place] * (sum(leans[one] for one in up) - sum(leans[one] for one in down))
        gain = leaning - len(up) - len(down)
        if gain >= 0 or rng.random() < exp(gain / (_WARMEST * (_COLDEST / _WARMEST) ** (step / steps))):
            _lean(leans, items[place], -2 * signs[place])
            signs[place] *= -1
    return signs


def _lean(leans: list[int], item: Item, by: int) -> None:
    for one in item[0]:
        leans[one] += by
    for one in item[1]:
        leans[one] -= by
