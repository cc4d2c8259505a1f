"""Standings: the order of the entrants after any round, with shared ranks and what put one ahead of the next.

A missing result never breaks the table: it counts as nothing and is shown as missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from tournament.ranking.points import Points
from tournament.ranking.results import Encounter, Measure, Played, Results
from tournament.ranking.tie_breaks import SUMS, Criterion, Sheet, Value, values


class StandingsError(ValueError):
    """Standings asked for in a way that cannot be; ``code`` says why."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody to be ranked. ``number`` orders the equal on the page; it decides nothing."""

    id: int
    number: int


@dataclass(frozen=True, slots=True)
class Cell:
    """What one round brought in the main measure; ``amount`` is None where there is nothing to show."""

    round: int
    state: Played
    amount: Points | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What put an entrant ahead of the next one: the criterion and both values."""

    criterion: Criterion
    value: Points
    next_value: Points


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the standings.

    ``values`` has one entry for each criterion, None where it was not needed or could not be applied.
    ``ahead`` says what put this entrant ahead of the next row; None where both share the rank, and in the
    last row.
    """

    rank: int
    entrant: int
    values: tuple[tuple[Criterion, Value], ...]
    cells: tuple[Cell, ...]
    penalties: Points
    score: Points
    shared: bool = False
    ahead: Decision | None = None

    @property
    def missing(self) -> int:
        """In how many rounds the result is still to come."""
        return sum(cell.state is Played.PENDING for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Standings:
    """All rows by rank, after round ``after_round``."""

    after_round: int
    criteria: tuple[Criterion, ...]
    rows: tuple[Row, ...]

    @property
    def complete(self) -> bool:
        """Whether no result is missing."""
        return all(row.missing == 0 for row in self.rows)

    def row(self, entrant: int) -> Row:
        """The line of an entrant; KeyError if not ranked."""
        return {row.entrant: row for row in self.rows}[entrant]


def rank(
    entered: Iterable[Entered],
    results: Results,
    criteria: Sequence[Criterion],
    *,
    after_round: int | None = None,
    among: Collection[int] | None = None,
) -> Standings:
    """Put everybody in order by the criteria in turn; equal on all of them shares the rank (39, 39, 39, 39).

    ``after_round`` leaves out everything later; None takes all. With ``among`` only these are ranked, and
    the others count as their opponents alone: a group, or those who did not advance. Raises StandingsError
    ``no_criteria``, ``criterion_twice``, ``first_must_be_a_sum`` or ``entrant_twice``.

    >>> from tournament.ranking.results import Encounter, Measure
    >>> won = Encounter(1, 1, (2,), ((Measure.TOTAL, 90),))
    >>> lost = Encounter(2, 1, (1,), ((Measure.TOTAL, -90),))
    >>> rows = rank([Entered(1, 1), Entered(2, 2)], Results((won, lost)), [Criterion.TOTAL]).rows
    >>> [row.rank for row in rows], rows[0].ahead.next_value
    ([1, 2], -90)
    """
    everybody = sorted(entered, key=lambda e: (e.number, e.id))
    _check(everybody, criteria)
    last = max((e.round for e in results.encounters), default=0) if after_round is None else after_round
    ids = [e.id for e in everybody]
    sheet = Sheet(ids, results.after(last), Measure(criteria[0].value))
    found: dict[int, dict[Criterion, Value]] = {who: {} for who in ids}
    ranked = ids if among is None else [who for who in ids if who in among]
    groups = [ranked] if ranked else []
    for criterion in criteria:
        groups = [part for group in groups for part in _split(group, criterion, sheet, found)]
    return Standings(last, tuple(criteria), tuple(_rows(groups, criteria, sheet, found, last)))


def _check(everybody: Sequence[Entered], criteria: Sequence[Criterion]) -> None:
    if not criteria:
        raise StandingsError("no_criteria")
    if len(set(criteria)) < len(criteria):
        raise StandingsError("criterion_twice")
    if criteria[0] not in SUMS:
        raise StandingsError("first_must_be_a_sum")
    if len({e.id for e in everybody}) < len(everybody):
        raise StandingsError("entrant_twice")


def _split(
    group: list[int], criterion: Criterion, sheet: Sheet, found: dict[int, dict[Criterion, Value]]
) -> list[list[int]]:
    """The group in parts of equal value, best first; sums are noted for all, the rest only where it is
    needed.
    """
    if len(group) == 1 and criterion not in SUMS:
        return [group]
    by_value: dict[Value, list[int]] = {}
    for who, value in values(criterion, sheet, group).items():
        found[who][criterion] = value
        by_value.setdefault(value, []).append(who)
    if None in by_value:
        return [group]
    return [by_value[value] for value in sorted((v for v in by_value if v is not None), reverse=True)]


def _rows(
    groups: Sequence[Sequence[int]],
    criteria: Sequence[Criterion],
    sheet: Sheet,
    found: dict[int, dict[Criterion, Value]],
    last: int,
) -> list[Row]:
    rows: list[Row] = []
    penalties = sheet.penalties
    for k, group in enumerate(groups):
        following = groups[k + 1] if k + 1 < len(groups) else None
        place = len(rows) + 1
        for who in group:
            ahead = None
            if who == group[-1] and following:
                ahead = _decision(found[who], found[following[0]], criteria)
            rows.append(
                Row(
                    rank=place,
                    entrant=who,
                    values=tuple((c, found[who].get(c)) for c in criteria),
                    cells=cells_of(who, sheet, last),
                    penalties=penalties[who],
                    score=sheet.score[who],
                    shared=len(group) > 1,
                    ahead=ahead,
                )
            )
    return rows


def _decision(
    own: dict[Criterion, Value], other: dict[Criterion, Value], criteria: Sequence[Criterion]
) -> Decision | None:
    """The first criterion on which two neighbours differ."""
    for criterion in criteria:
        value, next_value = own.get(criterion), other.get(criterion)
        if value is not None and next_value is not None and value != next_value:
            return Decision(criterion, value, next_value)
    return None


#: Where an entrant has several tables in one round, the first of these that applies is shown.
_STATES = (Played.PENDING, Played.PLAYED, Played.WALKOVER, Played.BYE, Played.ANNULLED)


def cells_of(who: int, sheet: Sheet, last: int) -> tuple[Cell, ...]:
    """One cell for each round up to the last; several tables in one round count together."""
    by_round: defaultdict[int, list[Encounter]] = defaultdict(list)
    for one in sheet.by_entrant[who]:
        by_round[one.round].append(one)
    cells = []
    for round in range(1, last + 1):
        encounters = by_round[round]
        states = {e.state for e in encounters}
        amounts = [amount for e in encounters if (amount := e.amount(sheet.main)) is not None]
        state = next((s for s in _STATES if s in states), Played.ABSENT)
        cells.append(Cell(round, state, sum(amounts) if amounts else None))
    return tuple(cells)
