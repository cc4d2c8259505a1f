"""Exchanges between tables of four so that everybody can be given a seat they have not had too often.

Seats come round evenly when nobody has had one more than once more often than another. At a table where
that cannot be, because two need the same seat, somebody changes places with a player of another table, as far
as the costs of the draw allow: ``price`` is what one seat too often may cost in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from tournament.pairing.swap_search import Ints, TableSearch

_FOUR = 4
_PASSES = 12
_ORDERS = np.array(list(permutations(range(_FOUR))), dtype=np.int64)


def excess_of(taken: Ints) -> Ints:
    """By player and seat: how far the player's seats would differ beyond one if they took this seat now.

    ``taken`` tells how often each player (row) has had each seat (column).

    >>> excess_of(np.array([[1, 1, 0, 0], [2, 1, 1, 1]])).tolist()
    [[1, 1, 0, 0], [1, 0, 0, 0]]
    """
    after = taken[:, None, :] + np.eye(taken.shape[1], dtype=np.int64)
    excess: Ints = np.maximum(after.max(axis=2) - after.min(axis=2) - 1, 0)
    return excess


def least_excess(excess: Ints) -> int:
    """The least sum over the four players (rows) of a table in any order of seats."""
    return int(excess[np.arange(_FOUR), _ORDERS].sum(axis=1).min())


def exchange_for_seats(
    tables: Sequence[Sequence[int]], cost: Ints, place: Ints, taken: Ints, price: int
) -> list[list[int]]:
    """The tables after all exchanges that are worth it; ``cost`` and ``place`` as for the search by
    swapping.
    """
    table_of = np.zeros(len(cost), dtype=np.int64)
    for number, table in enumerate(tables):
        table_of[list(table)] = number
    search = _SeatExchange(
        TableSearch(cost, place, table_of), [len(t) for t in tables], excess_of(taken), price
    )
    for _ in range(_PASSES):
        if not search.improve():
            break
    return [np.flatnonzero(search.tables.table_of == t).tolist() for t in range(len(tables))]


class _SeatExchange:
    """For each table its seats too often, and for each player what the other three leave them."""

    def __init__(self, tables: TableSearch, sizes: Sequence[int], excess: Ints, price: int) -> None:
        self.tables, self.excess, self.price = tables, excess, price
        self.fours = np.array([size == _FOUR for size in sizes])
        self.of_table: Ints = np.zeros(len(sizes), dtype=np.int64)
        #: By player and seat: the least excess of the three others at the table if the player has that seat.
        self.others: Ints = np.zeros_like(excess)
        for number in np.flatnonzero(self.fours).tolist():
            self._count(number)

    def _count(self, number: int) -> None:
        who = np.flatnonzero(self.tables.table_of == number)
        own = self.excess[who]
        sums = own[np.arange(_FOUR), _ORDERS]
        whole = sums.sum(axis=1)
        self.of_table[number] = whole.min()
        for k, player in enumerate(who.tolist()):
            rest = whole - sums[:, k]
            self.others[player] = [rest[_ORDERS[:, k] == seat].min() for seat in range(_FOUR)]

    def improve(self) -> bool:
        """One exchange for each table that needs and finds one; whether there was any."""
        changed = False
        for number in np.flatnonzero(self.of_table).tolist():
            if self.of_table[number]:
                changed |= self._improve_table(number)
        return changed

    def _improve_table(self, number: int) -> bool:
        table_of = self.tables.table_of
        # An exchange that costs nothing is made too: it may take the trouble to where it can be mended.
        best, swap = 1, None
        for i in np.flatnonzero(table_of == number).tolist():
            here = (self.others[i] + self.excess).min(axis=1)
            there = np.where(self.fours[table_of], (self.others + self.excess[i]).min(axis=1), 0)
            seats = here + there - self.of_table[number] - self.of_table[table_of]
            change = self.tables.deltas_of(i) + self.price * seats
            j = int(change.argmin())
            if change[j] < best:
                best, swap = int(change[j]), (i, j)
        if swap is None:
            return False
        other = int(table_of[swap[1]])
        self.tables.swap(*swap)
        for one in (number, other):
            if self.fours[one]:
                self._count(one)
        return True
