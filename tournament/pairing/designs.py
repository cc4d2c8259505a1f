"""Plans in which no two players meet twice, made from a few numbers each.

*Rotated* designs: 3·m + f players, in three rings of m and f who stay. The tables of the first round are
given, each next round moves all rings on by one, m rounds in all. They are perfect when the differences
between players of a table, ring by ring, are all different (and none is half of an even ring: such a pair
would meet again half way round); the numbers below were found by search with that test.

*Cyclic* plans: four groups of g players. A round takes one from each group to every table, the groups shifted
against each other by steps that no two rounds share. For 32 players a plan is *doubled* from
two planes of 16 points.

The tests of this module verify every plan table by table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd
from random import Random

Table = tuple[int, ...]
Round = tuple[Table, ...]

CYCLIC_BUDGET = 4_000
"""How many steps a search for the shifts of a cyclic plan may take."""
_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Rotation:
    """A rotated design by its first tables: player i·m + x is place x of ring i, those from 3·m on stay.

    ``base`` are the tables that, turned through the three rings (place x of ring i to place ``turn``·x of
    ring i + 1), give all tables of the first round. A table that the turn leaves as it is stands only once.
    Three who stay change places in the turn, one or two do not.
    """

    ring: int
    stay: int
    turn: int
    base: tuple[Table, ...]

    @property
    def players(self) -> int:
        return 3 * self.ring + self.stay

    def _turned(self, table: Table) -> Table:
        m = self.ring
        moved = [(p // m + 1) % 3 * m + self.turn * p % m if p < 3 * m else self._next_stay(p) for p in table]
        return tuple(moved)

    def _next_stay(self, player: int) -> int:
        first = 3 * self.ring
        return first + (player - first + 1) % 3 if self.stay == 3 else player

    def first_round(self) -> Round:
        """All tables of the first round."""
        tables: dict[frozenset[int], Table] = {}
        for table in self.base:
            for _ in range(3 if self.turn else 1):
                tables.setdefault(frozenset(table), table)
                table = self._turned(table) if self.turn else table
        return tuple(tables.values())

    def rounds(self) -> tuple[Round, ...]:
        """All rounds, as many as a ring has places."""
        m = self.ring
        return tuple(
            tuple(
                tuple(p // m * m + (p + step) % m if p < 3 * m else p for p in table)
                for table in self.first_round()
            )
            for step in range(m)
        )


ROTATIONS: Mapping[int, Rotation] = {
    design.players: design
    for design in (
        Rotation(5, 1, 1, ((4, 9, 14, 15), (0, 12, 3, 11))),
        Rotation(7, 3, 1, ((0, 12, 18, 21), (1, 2, 10, 6))),
        Rotation(9, 1, 4, ((0, 9, 18, 27), (1, 24, 8, 21), (2, 19, 26, 7))),
        Rotation(11, 3, 1, ((2, 20, 26, 33), (1, 3, 11, 8), (10, 28, 7, 27))),
        Rotation(13, 1, 3, ((8, 24, 33, 39), (0, 1, 30, 11), (4, 32, 22, 14), (7, 2, 28, 38))),
        Rotation(
            14, 2, 9, ((4, 22, 30, 42), (13, 19, 31, 43), (0, 17, 23, 33), (2, 7, 8, 37), (6, 9, 34, 40))
        ),
        Rotation(15, 3, 1, ((0, 22, 33, 45), (1, 20, 17, 41), (9, 40, 8, 13), (4, 21, 27, 29))),
        Rotation(
            17, 1, 1, ((11, 28, 45, 51), (0, 39, 26, 12), (1, 2, 49, 47), (3, 21, 6, 10), (14, 24, 8, 33))
        ),
        Rotation(
            18,
            2,
            13,
            (
                (9, 27, 45, 54),
                (13, 25, 37, 55),
                (0, 5, 6, 40),
                (1, 4, 12, 26),
                (3, 20, 41, 51),
                (7, 23, 38, 52),
            ),
        ),
        Rotation(
            19, 3, 7, ((14, 25, 56, 57), (1, 24, 28, 38), (2, 35, 7, 50), (16, 32, 15, 13), (3, 11, 23, 18))
        ),
        Rotation(
            21,
            1,
            4,
            (
                (9, 36, 60, 63),
                (0, 4, 6, 14),
                (1, 19, 61, 33),
                (16, 17, 41, 49),
                (12, 57, 32, 38),
                (2, 40, 50, 39),
            ),
        ),
    )
}
"""Rotated designs by number of players."""


def rotated_rounds(players: int) -> tuple[Round, ...]:
    """All rounds of the rotated design for so many players; empty where none is known."""
    design = ROTATIONS.get(players)
    return design.rounds() if design else ()


def cyclic_rounds(players: int, most: int) -> tuple[Round, ...]:
    """Up to ``most`` rounds of a cyclic plan for a multiple of four players; fewer where no more were found.

    Player i·g + x is place x of group i. Two players of one group never meet.
    """
    group = players // 4
    return tuple(
        tuple(tuple(i * group + (x + shift) % group for i, shift in enumerate(shifts)) for x in range(group))
        for shifts in cyclic_shifts(group, most)
    )


def doubled_rounds(players: int) -> tuple[Round, ...]:
    """Ten rounds for 32 players, as many as there can be; empty for other numbers.

    Sixteen points are laid out twice as an affine plane of order 4, the second time by a linear exchange of
    the points after which no line has three points of a line of the first. So any two points share a line of
    each. Every point is two players, p and p + 16, and every line two tables: who of the two sits at the
    first is told by a bit, and the bits are such that of two points' four players all four pairs meet. Their
    condition is linear over two; the numbers below are one solution of it.
    """
    if players != 2 * _POINTS:
        return ()
    first = _plane()
    second = tuple(
        tuple(tuple(_EXCHANGED[point] for point in line) for line in parallels) for parallels in first
    )
    bits = iter(_SIDES[place >> 2] >> (place & 3) & 1 for place in range(4 * len(_SIDES)))
    rounds = []
    for parallels in (*first, *second):
        tables: list[Table] = []
        for line in parallels:
            sides = [next(bits) for _ in line]
            tables += [
                tuple(point + _POINTS * (side ^ other) for point, side in zip(line, sides, strict=True))
                for other in (0, 1)
            ]
        rounds.append(tuple(tables))
    return tuple(rounds)


_POINTS = 16
#: Where each point lies in the second plane.
_EXCHANGED = (0, 11, 7, 12, 13, 6, 10, 1, 4, 15, 3, 8, 9, 2, 14, 5)
#: Four bits for each line, those of the first plane before those of the second.
_SIDES = tuple(int(digit, 16) for digit in "00000000cc66cc6666cc8888ccccaaaa6666a6c0")


def _plane() -> tuple[Round, ...]:
    """The affine plane over the field of four elements: lines y = m·x + c, then x = c, by parallels.

    Point x + 4·y; elements are polynomials over two, written as bits, modulo x² + x + 1.
    """
    products = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
    sloping = tuple(
        tuple(tuple(x + 4 * (products[m][x] ^ c) for x in range(4)) for c in range(4)) for m in range(4)
    )
    upright = tuple(tuple(c + 4 * y for y in range(4)) for c in range(4))
    return (*sloping, upright)


def cyclic_shifts(group: int, most: int) -> tuple[tuple[int, int, int, int], ...]:
    """Shifts of the four groups by round, such that the difference of no two groups comes twice."""
    if gcd(group, 6) == 1:
        # 1, 2 and 3 have no factor in common with the group: r, 2r and 3r run through all its places.
        return tuple((0, r, 2 * r % group, 3 * r % group) for r in range(min(most, group)))
    if group >= 3 * most - 2:
        return tuple((0, r, 2 * r, 3 * r) for r in range(most))
    best: tuple[tuple[int, int, int, int], ...] = ()
    for attempt in range(_ATTEMPTS):
        found = _search_shifts(group, min(most, group), Random(attempt))
        if len(found) > len(best):
            best = found
        if len(best) == min(most, group):
            break
    return best


def _search_shifts(group: int, most: int, rng: Random) -> tuple[tuple[int, int, int, int], ...]:
    """A backtracking search that tries few ways at each step and keeps the longest plan seen."""
    used: list[set[int]] = [set() for _ in range(6)]
    plan: list[tuple[int, int, int, int]] = []
    best: list[tuple[int, int, int, int]] = []
    budget = CYCLIC_BUDGET // _ATTEMPTS

    def differences(a: int, b: int, c: int) -> tuple[int, ...]:
        return a, b, c, (b - a) % group, (c - a) % group, (c - b) % group

    def extend() -> bool:
        nonlocal best, budget
        budget -= 1
        if len(plan) > len(best):
            best = list(plan)
        if len(plan) == most or budget < 0:
            return True
        a = len(plan)
        free = [
            (b, c)
            for b in range(group)
            for c in range(group)
            if all(d not in seen for d, seen in zip(differences(a, b, c), used, strict=True))
        ]
        for b, c in rng.sample(free, min(6, len(free))):
            for d, seen in zip(differences(a, b, c), used, strict=True):
                seen.add(d)
            plan.append((0, a, b, c))
            if extend():
                return True
            plan.pop()
            for d, seen in zip(differences(a, b, c), used, strict=True):
                seen.discard(d)
        return False

    extend()
    return tuple(best)
