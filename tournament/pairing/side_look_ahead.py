"""Pairs of a small field that leave enough strangers for the rounds to come.

With n sides and nearly n − 1 rounds, the cheapest pairs of a round may leave a rest in which the last rounds
cannot be played without a rematch, although other pairs would have let them. Pairs are tried in the order of
their cost until some leave a rest that is known to be playable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from tournament.pairing.matching import Pair, cheapest_matching, disjoint_matchings

LOOK_AHEAD_MOST = 16
"""Fields up to this size are looked at; in larger ones a dead end needs more rounds than are ever played."""

_RANKED = 120


@dataclass(frozen=True, slots=True)
class SmallField:
    """All meetings of a field of ``size`` (the bye counted as one) with their costs, and the ``strangers``
    among them: those who have not met, nor must not.
    """

    size: int
    costs: Mapping[Pair, int]
    strangers: frozenset[Pair]


def playable_pairs(field: SmallField, cheapest: Sequence[Pair], to_come: int) -> list[Pair]:
    """The cheapest pairs found after which ``to_come`` rounds can still be played by strangers.

    Where more rounds are planned than there are strangers for, as many as there can be; ``cheapest``
    where no pairs are better for it.
    """
    degrees = [sum(v in two for two in field.strangers) for v in range(field.size)]
    to_come = min(to_come, min(degrees) - 1)
    if to_come < 1 or not field.strangers.issuperset(cheapest):
        return list(cheapest)
    if _leaves(field, cheapest, to_come) is not None:
        return list(cheapest)
    whole = disjoint_matchings(field.size, sorted(field.strangers), to_come + 1)
    if whole is None:
        return list(cheapest)
    for pairs in _by_cost(field):
        if _leaves(field, pairs, to_come) is not None:
            return pairs
    return min(whole, key=lambda pairs: sum(field.costs[two] for two in pairs))


def _leaves(field: SmallField, pairs: Sequence[Pair], to_come: int) -> list[list[Pair]] | None:
    return disjoint_matchings(field.size, sorted(field.strangers.difference(pairs)), to_come)


def _by_cost(field: SmallField) -> Iterator[list[Pair]]:
    """Perfect matchings among strangers, the cheapest first, up to ``_RANKED`` (Murty's ranking).

    What is left after one is taken falls into parts: its first k pairs kept, the next one barred.
    """
    heap: list[tuple[int, list[Pair], tuple[Pair, ...], frozenset[Pair]]] = []

    def offer(kept: tuple[Pair, ...], barred: frozenset[Pair]) -> None:
        busy = {v for two in kept for v in two}
        free = [(two, field.costs[two]) for two in sorted(field.strangers - barred) if busy.isdisjoint(two)]
        pairs = sorted([*kept, *cheapest_matching(field.size, free)])
        if 2 * len(pairs) == field.size:
            heappush(heap, (sum(field.costs[two] for two in pairs), pairs, kept, barred))

    offer((), frozenset())
    for _ in range(_RANKED):
        if not heap:
            return
        _, pairs, kept, barred = heappop(heap)
        yield pairs
        open_pairs = [two for two in pairs if two not in kept]
        for k, two in enumerate(open_pairs[:-1]):
            offer((*kept, *open_pairs[:k]), barred | {two})
