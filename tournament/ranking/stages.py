"""Ranks of an event played in several stages 阶段: whoever came further is ahead, and within a stage its own
results, or the places of its bracket, decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from tournament.ranking.points import Points
from tournament.ranking.results import Results
from tournament.ranking.standings import Decision, Entered, Row, rank
from tournament.ranking.tie_breaks import Criterion, Value


@dataclass(frozen=True, slots=True)
class Part:
    """A stage, or one round of heats. ``results`` are those that count in it, up to the round asked for.

    ``places`` are the ranks of its members where a bracket gives them; None where the results do. ``tiers``
    come before the results where there are any: the members of a lower one are ahead, as a group's seconds
    are of all thirds. ``criteria`` are the part's own, None where it is ranked as the others are.
    """

    members: frozenset[int]
    results: Results
    places: Mapping[int, int] | None = None
    tiers: Mapping[int, int] | None = None
    criteria: Sequence[Criterion] | None = None


@dataclass(frozen=True, slots=True)
class Reached:
    """What put an entrant ahead: it came into a later part than the next one."""


@dataclass(frozen=True, slots=True)
class Placed:
    """What put an entrant ahead: the bracket, or its tier."""


Ahead = Decision | Reached | Placed


@dataclass(frozen=True, slots=True)
class StagedRow:
    """One line. ``part`` is the place, in the order of the parts, of the last one the entrant came into;
    ``score`` and ``values`` are what it has there. ``ahead`` as in standings.Row.
    """

    rank: int
    entrant: int
    part: int
    score: Points
    values: tuple[tuple[Criterion, Value], ...]
    shared: bool = False
    ahead: Ahead | None = None


def rank_parts(
    entered: Iterable[Entered], parts: Sequence[Part], criteria: Sequence[Criterion]
) -> tuple[StagedRow, ...]:
    """Everybody who is in one of the parts, the last part first. Raises as standings.rank does.

    >>> from tournament.ranking.results import Encounter, Measure
    >>> heats = [Encounter(who, 1, (), ((Measure.TOTAL, who),)) for who in (1, 2, 3)]
    >>> parts = [
    ...     Part(frozenset({1, 2, 3}), Results(tuple(heats))),
    ...     Part(frozenset({1, 2}), Results(), places={1: 1, 2: 2}),
    ... ]
    >>> rows = rank_parts([Entered(who, who) for who in (1, 2, 3)], parts, [Criterion.TOTAL])
    >>> [(row.rank, row.entrant, row.part) for row in rows]
    [(1, 1, 1), (2, 2, 1), (3, 3, 0)]
    """
    everybody = list(entered)
    left = {one.id for one in everybody}
    rows: list[StagedRow] = []
    for place, part in reversed(list(enumerate(parts))):
        here = left & part.members
        left -= here
        found = _rows(everybody, part, here, criteria)
        if rows and found:
            rows[-1] = replace(rows[-1], ahead=Reached())
        rows += [replace(row, rank=len(rows) + row.rank, part=place) for row in found]
    return tuple(rows)


def _rows(
    everybody: Sequence[Entered], part: Part, here: set[int], criteria: Sequence[Criterion]
) -> list[StagedRow]:
    by = part.criteria or criteria
    if part.tiers is not None:
        return _tiered(everybody, part, here, by)
    ranked = rank(everybody, part.results, by, among=here).rows
    if part.places is not None:
        return _placed({row.entrant: row for row in ranked}, part.places)
    return [
        StagedRow(row.rank, row.entrant, 0, row.score, row.values, row.shared, row.ahead) for row in ranked
    ]


def _tiered(
    everybody: Sequence[Entered], part: Part, here: set[int], criteria: Sequence[Criterion]
) -> list[StagedRow]:
    """One tier after the other, each in the order of its results; whoever has none comes last."""
    tiers = part.tiers or {}
    rows: list[StagedRow] = []
    last = max(tiers.values(), default=0) + 1
    for tier in range(1, last + 1):
        own = {who for who in here if tiers.get(who, last) == tier}
        found = _rows(everybody, replace(part, tiers=None, criteria=criteria), own, criteria)
        if rows and found:
            rows[-1] = replace(rows[-1], ahead=Placed())
        rows += [replace(row, rank=len(rows) + row.rank) for row in found]
    return rows


def _placed(ranked: Mapping[int, Row], places: Mapping[int, int]) -> list[StagedRow]:
    """In the order of the bracket's places; among those who share one, in that of the ranking."""
    order = sorted(ranked, key=lambda who: places[who])
    ranks = [1 + sum(places[other] < places[who] for other in order) for who in order]
    return [
        StagedRow(
            rank=own,
            entrant=who,
            part=0,
            score=ranked[who].score,
            values=tuple((criterion, None) for criterion, _value in ranked[who].values),
            shared=ranks.count(own) > 1,
            ahead=Placed() if following is not None and following != own else None,
        )
        for who, own, following in zip_longest(order, ranks, ranks[1:])
    ]
