"""Segments 节 of a round: how many, which deals are in which, and who sits where in each (docs/rules.md §5).

Between segments everybody keeps the seat, or the seats, the partners or the opponents change. The functions
here are pure; `segments_of` reads what the organiser chose.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

#: (seat's direction, entry, place of the player in the entry) in the order of play.
Layout = Sequence[tuple[str, int, int]]

#: The most segments a round may have.
MOST_SEGMENTS = 8


class Change(StrEnum):
    """What changes between two segments."""

    KEEP = "keep"
    TURN = "turn"  # everybody one seat further in the order of play; two sides exchange directions
    PARTNERS = "partners"  # one player stays, the others move round: three segments, three partners
    OPPONENTS = "opponents"  # teams: the first team's pairs exchange tables


@dataclass(frozen=True, slots=True)
class Segments:
    """How a round is split: so many segments, and what changes between them."""

    count: int = 1
    change: Change = Change.KEEP


def segments_of(stated: Mapping[str, Any] | None) -> Segments:
    """What the organiser chose, as it is stored; one segment where nothing was."""
    chosen = stated or {}
    return Segments(chosen.get("count", 1), Change(chosen.get("change", Change.KEEP)))


def segment_sizes(deals: int, count: int) -> tuple[int, ...]:
    """The deals of a set shared among its segments as evenly as possible, the first ones larger.

    >>> segment_sizes(16, 3)
    (6, 5, 5)
    """
    size, more = divmod(deals, count)
    return tuple(size + (place < more) for place in range(count))


def segment_numbers(deals: int, count: int, segment: int) -> range:
    """The numbers of the deals that a segment (from 1) of a set has."""
    sizes = segment_sizes(deals, count)
    first = 1 + sum(sizes[: segment - 1])
    return range(first, first + sizes[segment - 1])


def segment_of_number(deals: int, count: int, number: int) -> int:
    """The segment (from 1) of a set that the deal of this number is in; the last one for a number beyond."""
    return next(
        (one for one in range(1, count + 1) if number in segment_numbers(deals, count, one)),
        count,
    )


def seated_in(tables: Sequence[Layout], change: Change, segment: int) -> list[list[tuple[str, int, int]]]:
    """Who sits where at a match's tables in a segment (from 1), given the seats of the first."""
    step = segment - 1
    if change is Change.TURN:
        return [
            _moved(table, [(place - step) % len(table) for place in range(len(table))]) for table in tables
        ]
    if change is Change.PARTNERS:
        # Of four, the first stays and the others move round: its partner opposite is each of them in turn.
        return [
            _moved(table, [0, *(1 + (place - step) % (len(table) - 1) for place in range(len(table) - 1))])
            for table in tables
        ]
    if change is Change.OPPONENTS and step % 2 and len(tables) == 2:
        return _exchanged(tables)
    return [list(table) for table in tables]


def _moved(table: Layout, sources: Sequence[int]) -> list[tuple[str, int, int]]:
    """The table with each seat taken by whoever sat at the place ``sources`` names for it."""
    return [
        (direction, table[source][1], table[source][2])
        for (direction, _entry, _place), source in zip(table, sources, strict=True)
    ]


def _exchanged(tables: Sequence[Layout]) -> list[list[tuple[str, int, int]]]:
    """Two tables between which the pairs of the entry that sits first have changed places."""
    entry = tables[0][0][1]
    pairs = [[one[2] for one in table if one[1] == entry] for table in tables]
    found = []
    for table, pair in zip(tables, reversed(pairs), strict=True):
        coming = iter(pair)
        found.append(
            [(direction, who, next(coming) if who == entry else place) for direction, who, place in table]
        )
    return found
