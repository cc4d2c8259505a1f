"""First rounds from which whole whist movements are made, and how the rounds that follow come from them.

*Circle*: everybody moves on by one, with 4k players all but the last. A first round does when among its
partners every distance round the circle comes once and among its opponents twice, either way round. The
rounds below were found by search with that test. A long one is written shorter where it keeps its form when
all numbers are multiplied by a ``unit``: then only one game of each such family stands, after the ``single``
ones. *Patterned* first rounds are made of two numbers a table: (a, b, −a, −b).

*Field*: for a prime 4t + 1, and for 9 and 81, the powers of a generator w, (wⁱ, wⁱ⁺ᵗ, wⁱ⁺²ᵗ, wⁱ⁺³ᵗ). Nine
players stand in a square of three by three, 81 in a cube of four dimensions, and move along its lines.

*Tripled*: where a design seats everybody with everybody once, it is played three times with other partners.
So nobody meets again in the first third.

The tests verify every plan pair by pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournament.pairing.designs import rotated_rounds

Game = tuple[int, int, int, int]
Games = tuple[Game, ...]


@dataclass(frozen=True, slots=True)
class Start:
    """A first round on the circle: ``single`` games, and games each of which stands for itself times all
    powers of ``unit``. The last of 4k players is never multiplied.
    """

    players: int
    single: str
    unit: int = 1
    families: str = ""

    def games(self) -> Games:
        """All games of the round."""
        circle = circle_of(self.players)
        games = [(a, b, c, d) for a, b, c, d in _numbers(self.single)]
        for a, b, c, d in _numbers(self.families):
            factor = 1
            while True:
                games.append(
                    (a * factor % circle, b * factor % circle, c * factor % circle, d * factor % circle)
                )
                factor = factor * self.unit % circle
                if factor == 1:
                    break
        return tuple(games)


_FOUND = (
    Start(
        4,
        "3 1 0 2",
    ),
    Start(
        8,
        "7 4 0 6, 1 3 5 2",
    ),
    Start(
        12,
        "11 1 0 4, 2 3 6 8, 5 9 7 10",
    ),
    Start(
        20,
        "19 10 0 15, 1 9 4 3, 2 18 12 14, 5 16 17 8, 6 13 7 11",
    ),
    Start(
        21,
        "1 6 13 4, 2 10 12 16, 3 8 19 9, 5 20 18 17, 7 11 14 15",
    ),
    Start(
        24,
        "23 18 0 11, 1 13 12 4, 2 21 5 19, 3 16 20 6, 7 22 15 17, 8 10 9 14",
    ),
    Start(
        32,
        "31 14 0 17, 1 28 27 6, 2 8 26 24, 3 4 15 22, 5 20 13 16, 7 10 18 12, 9 25 23 19, 11 30 21 29",
    ),
    Start(
        33,
        "1 24 28 20, 2 32 17 18, 3 12 27 14, 4 13 7 5, 6 16 23 11, 8 10 29 21, 9 25 22 15, 19 30 26 31",
    ),
    Start(
        36,
        "35 28 0 33, 1 2 8 24, 3 15 18 17, 4 6 27 31, 5 34 14 23, 7 29 25 10, 9 20 12 19, 11 22 32 16, "
        "13 26 21 30",
    ),
    Start(
        44,
        "2 19 8 26, 16 10 17 43, 28 12 5 27, 30 29 39 33, 15 24 4 0",
        6,
        "1 22 14 34, 7 11 25 38",
    ),
    Start(
        45,
        "1 2 22 24, 30 42 35 43, 13 19 25 29, 20 9 39 15, 27 37 38 41, 3 21 11 28, 5 34 8 36, "
        "6 17 26 33, 4 7 31 16, 10 18 23 32, 14 12 44 40",
    ),
    Start(
        48,
        "47 17 0 30, 12 14 23 45, 8 3 46 9, 22 7 27 19, 35 13 42 21, 6 34 10 37, 11 29 36 43, "
        "1 24 25 44, 15 18 16 28, 26 5 41 31, 2 38 32 40, 20 4 39 33",
    ),
    Start(
        56,
        "15 0 45 10, 55 25 5 30, 33 44 22 11, 20 35 40 50",
        16,
        "13 6 52 14, 24 42 1 48",
    ),
    Start(
        57,
        "28 4 38 25, 43 5 20 56, 17 11 8 55, 19 10 34 13, 50 16 26 35",
        7,
        "23 3 31 15, 39 7 2 9, 29 40 24 12",
    ),
    Start(
        60,
        "59 34 0 50, 7 3 8 22, 10 37 17 54, 9 36 43 40, 20 27 31 33, "
        "12 2 56 38, 53 35 55 44, 1 29 15 57, 6 25 14 30, 28 11 49 41, "
        "5 26 18 52, 39 4 51 45, 23 24 47 46, 32 13 42 16, 21 19 48 58",
    ),
    Start(
        68,
        "49 0 14 4, 2 55 62 65, 7 25 60 16, 18 53 63 67, 58 54 9 56",
        29,
        "43 37 32 31, 12 21 20 46, 10 52 11 26, 66 39 47 19",
    ),
    Start(
        76,
        "55 20 10 5, 40 45 0 25, 35 15 30 65, 75 50 70 60",
        16,
        "34 47 31 68, 21 43 22 9, 41 72 63 14",
    ),
    Start(
        80,
        "48 33 0 77, 6 14 79 59, 40 24 69 9, 7 49 78 51, 3 21 56 67",
        23,
        "11 10 22 68, 39 46 29 5, 70 65 45 66, 23 34 43 62, 19 57 37 44",
    ),
    Start(
        88,
        "87 29 58 0",
        7,
        "8 52 35 77, 27 55 60 53, 28 42 81 61",
    ),
    Start(
        92,
        "0 78 91 52, 26 13 39 65",
        9,
        "9 62 90 86, 88 43 53 21, 15 38 60 6, 40 57 33 84, 35 29 4 49, 18 45 47 20, 61 68 80 72",
    ),
    Start(
        93,
        "86 80 29 24, 11 74 42 47, 27 83 59 89, 37 31 88 61, 6 62 30 57",
        25,
        "17 26 65 39, 49 82 14 90, 35 15 12 58, 70 66 85 41, 34 81 67 32, 54 36 64 43",
    ),
    Start(
        96,
        "76 38 57 0, 4 24 89 44, 79 64 84 19, 69 95 94 9, 39 49 74 34, 14 59 54 29",
        6,
        "41 28 32 40, 77 25 66 78",
    ),
)
STARTS: Mapping[int, Start] = {start.players: start for start in _FOUND}
"""First rounds on the circle by number of players."""

PATTERNED: Mapping[int, str] = {
    25: ("2 5, 1 7, 3 12, 10 11, 6 8, 4 9"),
    49: ("9 20, 1 3, 15 24, 14 22, 16 17, 8 11, 5 12, 13 18, 2 23, 4 10, 6 21, 7 19"),
    65: (
        "18 20, 4 27, 26 32, 3 6, 16 24, 1 19, 5 21, 10 22, 14 29, 12 23, 9 28, 30 31, 8 13, 11 25, "
        "7 17, 2 15"
    ),
    77: (
        "18 38, 19 24, 5 27, 9 33, 1 7, 3 16, 20 30, 2 13, 36 37, 10 26, 6 34, 17 29, 12 21, 15 32, "
        "23 25, 8 31, 11 14, 28 35, 4 22"
    ),
    85: (
        "18 38, 9 26, 34 36, 30 37, 1 4, 10 14, 27 39, 19 25, 17 31, 8 41, 20 42, 2 11, 22 32, 15 40, "
        "6 33, 5 16, 13 21, 7 35, 3 29, 23 24, 12 28"
    ),
}
"""The two numbers of each table of a patterned first round, by number of players."""

_CUBES: Mapping[int, tuple[int, ...]] = {9: (1, 1), 81: (1, 2, 0, 0)}
"""Of how many dimensions, and what the power xᵈ is there: digits of 1, x, x² …, modulo three."""


def _numbers(tables: str) -> list[tuple[int, ...]]:
    return [tuple(map(int, table.split())) for table in tables.split(",") if table]


def circle_of(players: int) -> int:
    """How many places the circle has: with 4k players the last stays where it is."""
    return players - 1 if players % 4 == 0 else players


def whole_whist(players: int) -> tuple[Games, ...]:
    """All rounds of a whist movement; empty where none is known for so many."""
    design = rotated_rounds(players)
    if design and 3 * len(design) == players - 1:
        return tuple(
            tuple(_with_partners(table, way) for table in tables) for way in range(3) for tables in design
        )
    first = _first_round(players)
    rounds = circle_of(players) if first else 0
    return tuple(
        tuple((move(a), move(b), move(c), move(d)) for a, b, c, d in first)
        for move in (_Move(players, step) for step in range(rounds))
    )


def _with_partners(table: tuple[int, ...], way: int) -> Game:
    """The table with the first one's partner the second, third or fourth."""
    a, b, c, d = table
    return ((a, c, b, d), (a, b, c, d), (a, b, d, c))[way]


def _first_round(players: int) -> Games:
    if players in STARTS:
        return STARTS[players].games()
    if players in PATTERNED:
        return tuple((a, b, players - a, players - b) for a, b in _numbers(PATTERNED[players]))
    if players in _CUBES:
        return _by_powers(_powers_in_cube(players))
    return _by_powers(_powers_of_prime(players)) if players % 4 == 1 and _is_prime(players) else ()


@dataclass(frozen=True, slots=True)
class _Move:
    """Where a player of the first round stands ``step`` rounds later."""

    players: int
    step: int

    def __call__(self, player: int) -> int:
        if self.players in _CUBES:
            digits = len(_CUBES[self.players])
            return sum((player // 3**k + self.step // 3**k) % 3 * 3**k for k in range(digits))
        circle = circle_of(self.players)
        return player if player == circle else (player + self.step) % circle


def _by_powers(powers: list[int]) -> Games:
    t = len(powers) // 4
    return tuple((powers[i], powers[i + t], powers[i + 2 * t], powers[i + 3 * t]) for i in range(t))


def _powers_of_prime(prime: int) -> list[int]:
    """All powers of the least generator."""
    for w in range(2, prime):
        powers = [pow(w, i, prime) for i in range(prime - 1)]
        if len(set(powers)) == len(powers):
            return powers
    raise ValueError(prime)


def _powers_in_cube(players: int) -> list[int]:
    """All powers of x in the field of 3ᵈ elements, each written as a number of d digits to base three."""
    reduced = _CUBES[players]
    element = [1] + [0] * (len(reduced) - 1)
    powers = []
    for _ in range(players - 1):
        powers.append(sum(digit * 3**k for k, digit in enumerate(element)))
        top = element[-1]
        element = [(low + top * part) % 3 for low, part in zip([0, *element[:-1]], reduced, strict=True)]
    return powers


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % d for d in range(2, int(number**0.5) + 1))
