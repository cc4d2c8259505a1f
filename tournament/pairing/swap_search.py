"""Search by swapping: put players at tables so that whole-number costs are least.

Knows only numbers: a cost for any two players at one table, a cost for a player at a table, and the sizes of
the tables. Everything is int64, so sums do not depend on the order of adding and the same seed gives the
same tables on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_BIG = np.int64(2**62)


@dataclass(frozen=True, slots=True)
class Effort:
    """Bounds of the search. Counts, not seconds: the result must not depend on the machine's speed.

    ``repairs`` bounds all steps of the tabu search, ``patience`` those without a gain of the repaired kind,
    per player. ``block`` is the number of neighbours that descend together.
    """

    sweeps: int = 200
    repairs: int = 6_000
    patience: int = 40
    tenure: int = 12
    block: int = 400


USUAL_EFFORT = Effort()


class TableSearch:
    """Players at tables, with the cost of each player at every table kept up to date."""

    def __init__(self, cost: Ints, place: Ints, table_of: Ints) -> None:
        self.cost = cost
        self.place = place
        self.table_of = table_of.copy()
        self.n = len(table_of)
        self._rows = np.arange(self.n)
        self._rebuild()

    def _rebuild(self) -> None:
        """``at[i, t]``: what player i costs at table t with those who sit there now, i itself left aside."""
        self.at = self.place.copy()
        for t in range(self.place.shape[1]):
            self.at[:, t] += self.cost[:, self.table_of == t].sum(axis=1)

    @property
    def own(self) -> Ints:
        """What each player costs where he sits."""
        costs: Ints = self.at[self._rows, self.table_of]
        return costs

    def total(self) -> int:
        own_place = self.place[self._rows, self.table_of]
        return int((self.own - own_place).sum()) // 2 + int(own_place.sum())

    def swap(self, i: int, j: int) -> None:
        a, b = int(self.table_of[i]), int(self.table_of[j])
        change = self.cost[:, j] - self.cost[:, i]
        self.at[:, a] += change
        self.at[:, b] -= change
        self.table_of[i], self.table_of[j] = b, a

    def deltas_of(self, i: int) -> Ints:
        """Change of the total if i changed places with each other player; _BIG for those at the same
        table.
        """
        a = self.table_of[i]
        delta: Ints = self.at[i, self.table_of] - self.at[i, a] + self.at[:, a] - self.own - 2 * self.cost[i]
        delta[self.table_of == a] = _BIG
        return delta

    def descend(self, sweeps: int, members: Ints | None = None) -> None:
        """Swap while any swap of two (of ``members``) is a gain; many swaps of unrelated tables a sweep."""
        rows = self._rows if members is None else members
        cost = self.cost[np.ix_(rows, rows)]
        for _ in range(sweeps):
            at_table = self.table_of[rows]
            moved = self.at[np.ix_(rows, at_table)] - self.own[rows][:, None]
            delta = moved + moved.T - 2 * cost
            delta[at_table[:, None] == at_table[None, :]] = _BIG
            partner = delta.argmin(axis=1)
            gain = delta[np.arange(len(rows)), partner]
            touched: set[int] = set()
            for k in np.argsort(gain, kind="stable").tolist():
                if gain[k] >= 0:
                    break
                i, j = int(rows[k]), int(rows[partner[k]])
                tables = {int(self.table_of[i]), int(self.table_of[j])}
                if len(tables) == 2 and not tables & touched:
                    touched |= tables
                    self.swap(i, j)
            if not touched:
                return

    def repair(self, threshold: int, effort: Effort, rng: random.Random) -> None:
        """Tabu search on the players whose cost reaches ``threshold``; ends on the best arrangement seen.

        Each step takes one of the troubled and makes their best swap, even a worsening one, that does not
        send anybody back to a table they left in the last few steps.
        """
        best, best_total = self.table_of.copy(), self.total()
        total = best_total
        until = np.zeros((self.n, self.place.shape[1]), dtype=np.int64)
        last_gain = 0
        for step in range(1, effort.repairs + 1):
            troubled = np.flatnonzero(self.own >= threshold)
            if not len(troubled) or step - last_gain > effort.patience * self.n:
                break
            i = int(troubled[rng.randrange(len(troubled))])
            a = int(self.table_of[i])
            delta = self.deltas_of(i)
            barred = (until[i, self.table_of] > step) | (until[:, a] > step)
            delta[barred & (delta + total >= best_total)] = _BIG
            least = delta.min()
            if least == _BIG:
                continue
            ties = np.flatnonzero(delta == least)
            j = int(ties[rng.randrange(len(ties))])
            b = int(self.table_of[j])
            self.swap(i, j)
            total += int(least)
            tenure = effort.tenure + rng.randrange(effort.tenure)
            until[i, a] = until[j, b] = step + tenure
            if total < best_total:
                if best_total - total >= threshold:
                    last_gain = step
                best, best_total = self.table_of.copy(), total
        if total != best_total:
            self.table_of = best
            self._rebuild()


def arrange(
    cost: Ints,
    place: Ints,
    sizes: Sequence[int],
    order: Sequence[int],
    *,
    threshold: int,
    effort: Effort,
    rng: random.Random,
) -> list[list[int]]:
    """Tables (lists of player indices) of the given sizes, starting from players in ``order`` table by table.

    Costs of ``threshold`` and more are repaired with patience, smaller ones by simple descent. A
    large field descends in blocks of neighbours, since equals meet within their block anyway.
    """
    table_of = np.zeros(len(order), dtype=np.int64)
    table_of[list(order)] = np.repeat(np.arange(len(sizes)), sizes)
    search = TableSearch(cost, place, table_of)
    indices = np.array(order, dtype=np.int64)
    blocks = [indices[k : k + effort.block] for k in range(0, len(indices), effort.block)]

    def descend() -> None:
        for block in blocks:
            search.descend(effort.sweeps, block)

    descend()
    search.repair(threshold, effort, rng)
    descend()
    return [np.flatnonzero(search.table_of == t).tolist() for t in range(len(sizes))]
