"""Whist movements for individuals with changing partners.

For 4k or 4k + 1 players: everybody is everybody's partner once and everybody's opponent twice, in 4k − 1
rounds, or in 4k + 1 rounds of which each player sits out one. The first round is given; each next one adds 1
to every number. With 4k players the last stays where it is. The first rounds were found by search, those of
primes 4t + 1 are made from powers of a generator w: the games (wⁱ, wⁱ⁺ᵗ, wⁱ⁺²ᵗ, wⁱ⁺³ᵗ). Partners are first
and third, second and fourth. The tests verify every plan pair by pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from tournament.pairing.model import FOUR_SEATS, PairingError

Seats = tuple[tuple[str, int], ...]
Game = tuple[int, int, int, int]

_FIRST_ROUNDS: Mapping[int, tuple[Game, ...]] = {
    4: ((3, 1, 0, 2),),
    8: ((7, 4, 0, 6), (1, 3, 5, 2)),
    9: ((1, 6, 2, 3), (4, 7, 8, 5)),
    12: ((11, 1, 0, 4), (2, 3, 6, 8), (5, 9, 7, 10)),
    16: ((15, 4, 0, 14), (1, 8, 7, 5), (2, 9, 6, 11), (3, 12, 10, 13)),
    20: ((19, 10, 0, 15), (1, 9, 4, 3), (2, 18, 12, 14), (5, 16, 17, 8), (6, 13, 7, 11)),
    21: ((1, 6, 13, 4), (2, 10, 12, 16), (3, 8, 19, 9), (5, 20, 18, 17), (7, 11, 14, 15)),
    24: ((23, 18, 0, 11), (1, 13, 12, 4), (2, 21, 5, 19), (3, 16, 20, 6), (7, 22, 15, 17), (8, 10, 9, 14)),
    25: ((1, 24, 3, 6), (2, 10, 16, 11), (4, 22, 23, 12), (5, 19, 13, 15), (7, 17, 20, 8), (9, 18, 14, 21)),
    28: (
        (27, 14, 0, 23),
        (1, 22, 24, 5),
        (2, 19, 18, 21),
        (3, 12, 17, 15),
        (4, 10, 26, 11),
        (6, 16, 25, 9),
        (7, 8, 13, 20),
    ),
    32: (
        (31, 14, 0, 17),
        (1, 28, 27, 6),
        (2, 8, 26, 24),
        (3, 4, 15, 22),
        (5, 20, 13, 16),
        (7, 10, 18, 12),
        (9, 25, 23, 19),
        (11, 30, 21, 29),
    ),
    33: (
        (1, 24, 28, 20),
        (2, 32, 17, 18),
        (3, 12, 27, 14),
        (4, 13, 7, 5),
        (6, 16, 23, 11),
        (8, 10, 29, 21),
        (9, 25, 22, 15),
        (19, 30, 26, 31),
    ),
    36: (
        (35, 28, 0, 33),
        (1, 2, 8, 24),
        (3, 15, 18, 17),
        (4, 6, 27, 31),
        (5, 34, 14, 23),
        (7, 29, 25, 10),
        (9, 20, 12, 19),
        (11, 22, 32, 16),
        (13, 26, 21, 30),
    ),
}


def whist_players() -> tuple[int, ...]:
    """Numbers of players up to 101 for which a whist movement can be made."""
    return tuple(n for n in range(4, 102) if n in _FIRST_ROUNDS or (n % 4 == 1 and _is_prime(n)))


def full_rounds(players: int) -> int:
    """How many rounds a whole whist movement of so many players takes."""
    return players - 1 if players % 4 == 0 else players


def plan_whist(players: int, rounds: int | None = None) -> tuple[tuple[Seats, ...], ...]:
    """The rounds of a whist movement, seats with positions 0 … players−1: all of them or the first
    ``rounds``.

    Partners sit opposite. More rounds than a whole movement has begin again. Raises PairingError
    ``no_whist`` when none is known for so many players, and ``rounds_needed`` for less than one round.
    """
    wanted = full_rounds(players) if rounds is None else rounds
    if wanted < 1:
        raise PairingError("rounds_needed", rounds=wanted)
    games = _first_round(players)
    sat: Counter[tuple[str, int]] = Counter()
    plan = []
    for number in range(wanted):
        tables = []
        for game in games:
            a, b, c, d = (_moved(p, number % full_rounds(players), players) for p in game)
            tables.append(_seated((a, b, c, d), sat))
        plan.append(tuple(tables))
    return tuple(plan)


def _first_round(players: int) -> Sequence[Game]:
    if players in _FIRST_ROUNDS:
        return _FIRST_ROUNDS[players]
    if players % 4 != 1 or not _is_prime(players):
        raise PairingError("no_whist", players=players)
    quarter = players // 4
    w = next(
        g for g in range(2, players) if len({pow(g, i, players) for i in range(players - 1)}) == players - 1
    )
    powers = [pow(w, i, players) for i in range(players - 1)]
    return [
        (powers[i], powers[i + quarter], powers[i + 2 * quarter], powers[i + 3 * quarter])
        for i in range(quarter)
    ]


def _moved(player: int, step: int, players: int) -> int:
    """A player of the first round as it stands ``step`` rounds later."""
    if players == 9:
        # No plan for nine runs round a circle: they stand in a square of three by three.
        return (player // 3 + step // 3) % 3 * 3 + (player + step) % 3
    circle = players - 1 if players % 4 == 0 else players
    return player if player == circle else (player + step) % circle


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % d for d in range(2, int(number**0.5) + 1))


def _seated(game: Game, sat: Counter[tuple[str, int]]) -> Seats:
    """The way round the table, of the eight that keep partners opposite, with the least used seats."""
    a, b, c, d = game
    ways = [
        way[turn:] + way[:turn] for way in ((a, b, c, d), (a, d, c, b)) for turn in range(len(FOUR_SEATS))
    ]
    best = min(
        ways, key=lambda way: sum(2 * sat[seat, p] + 1 for seat, p in zip(FOUR_SEATS, way, strict=True))
    )
    seats = tuple(zip(FOUR_SEATS, best, strict=True))
    sat.update(seats)
    return seats
