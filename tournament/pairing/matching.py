"""Perfect matchings: the cheapest of a graph, and several without a common edge.

Knows only vertices 0 … size−1 and whole-number costs. In an odd field one vertex stands for the bye.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import rustworkx as rx

Pair = tuple[int, int]

COST_BITS = 119
"""A cost takes at most so many bits; the matching computes in 128 and needs some for sums."""

_STEPS = 1_500
_TRIES = 6


def cheapest_matching(size: int, costs: Iterable[tuple[Pair, int]]) -> list[Pair]:
    """Of the matchings of most pairs the one that costs least."""
    limit = 1 << COST_BITS
    graph: rx.PyGraph[int, int] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(size))
    graph.add_edges_from([(a, b, limit - cost) for (a, b), cost in costs])
    found = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(x, y), max(x, y)) for x, y in found)


def disjoint_matchings(size: int, edges: Iterable[Pair], count: int) -> list[list[Pair]] | None:
    """``count`` perfect matchings without a common edge, or None where none were found.

    A search with a bounded number of steps in several orders: what it finds is proof, that it finds nothing
    is none. Up to a dozen vertices it decides nearly always.
    """
    graph = list(edges)
    for attempt in range(_TRIES):
        label = list(range(size))
        Random(attempt).shuffle(label)
        neighbours = [0] * size
        for a, b in graph:
            neighbours[label[a]] |= 1 << label[b]
            neighbours[label[b]] |= 1 << label[a]
        search = _Factors(neighbours)
        if search.extend(count):
            back = {new: old for old, new in enumerate(label)}
            return [
                sorted((min(back[a], back[b]), max(back[a], back[b])) for a, b in one) for one in search.found
            ]
        if search.steps < _STEPS:  # ended before its bound: there are none
            return None
    return None


class _Factors:
    """Takes one perfect matching after another out of a graph, given as a bit set of neighbours by vertex."""

    def __init__(self, neighbours: list[int]) -> None:
        self.neighbours = neighbours
        self.found: list[list[Pair]] = []
        self.steps = 0

    def extend(self, count: int) -> bool:
        """Whether ``count`` more matchings could be taken out; they stay in ``found``."""
        if count == 0:
            return True
        degrees = [one.bit_count() for one in self.neighbours]
        if min(degrees) < count:
            return False
        first = degrees.index(min(degrees))
        # All edges of such a vertex are needed, so any of them may as well come first.
        fixed = self.neighbours[first] & -self.neighbours[first] if degrees[first] == count else None
        for matching in self._perfect((1 << len(self.neighbours)) - 1, first, fixed):
            self._toggle(matching)
            self.found.append(matching)
            if self.extend(count - 1):
                return True
            self.found.pop()
            self._toggle(matching)
            if self.steps >= _STEPS:
                return False
        return False

    def _toggle(self, matching: Iterable[Pair]) -> None:
        for a, b in matching:
            self.neighbours[a] ^= 1 << b
            self.neighbours[b] ^= 1 << a

    def _perfect(self, left: int, vertex: int, only: int | None = None) -> Iterator[list[Pair]]:
        """All perfect matchings of the vertices ``left``, beginning with the partner of ``vertex``."""
        self.steps += 1
        choices = self.neighbours[vertex] & (left if only is None else only)
        while choices and self.steps < _STEPS:
            bit = choices & -choices
            choices ^= bit
            rest = left & ~bit & ~(1 << vertex)
            both = (vertex, bit.bit_length() - 1)
            if not rest:
                yield [both]
                continue
            nxt = min(_bits(rest), key=lambda v: (self.neighbours[v] & rest).bit_count())
            for others in self._perfect(rest, nxt):
                yield [both, *others]


def _bits(number: int) -> Iterator[int]:
    while number:
        bit = number & -number
        yield bit.bit_length() - 1
        number ^= bit
