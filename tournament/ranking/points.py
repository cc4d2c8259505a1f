"""Place points at a table. See docs/rules.md §5. All amounts are exact; a share of a place is a Fraction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

Points = int | Fraction

USUAL_PLACE_POINTS: tuple[Points, ...] = (4, 2, 1, 0)
"""For first, second, third and fourth at a table of four."""


def place_points(
    results: Mapping[int, Points], scale: Sequence[Points] = USUAL_PLACE_POINTS
) -> dict[int, Points]:
    """Place points of everybody at one table, from their points there; who is equal shares the places'
    points.

    ``scale`` is the points of each place from first to last. Places past its end get nothing.

    >>> place_points({1: 120, 2: -40, 3: 120, 4: -200})
    {1: 3, 3: 3, 2: 1, 4: 0}
    """
    order = sorted(results, key=lambda who: (-results[who], who))
    awarded: dict[int, Points] = {}
    first = 0
    while first < len(order):
        equal = [who for who in order[first:] if results[who] == results[order[first]]]
        places = range(first, first + len(equal))
        total = sum((Fraction(scale[p]) for p in places if p < len(scale)), Fraction(0))
        awarded |= dict.fromkeys(equal, plain(total / len(equal)))
        first += len(equal)
    return awarded


def plain(value: Fraction) -> Points:
    """An int where the value is whole."""
    return value.numerator if value.denominator == 1 else value
