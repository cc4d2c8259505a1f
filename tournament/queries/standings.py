"""Standings of an event after a round: each entry's result in every round, penalties, total and rank."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from referee.models import EntryRuling
from tournament.models import Entry, Event, Stage
from tournament.queries.criteria import MAIN, criteria_by, criteria_of, lots_of
from tournament.queries.entry_rulings import ruled_adjustments, ruled_encounters
from tournament.queries.plans import stage_measure
from tournament.queries.standings_parts import StagePart, stage_parts
from tournament.queries.standings_records import Records, read_records
from tournament.ranking.points import Points
from tournament.ranking.results import Adjustment, Measure, Played, Results
from tournament.ranking.stages import Part, StagedRow, rank_parts
from tournament.ranking.standings import Cell as RankedCell
from tournament.ranking.standings import Decision, Entered, cells_of, rank
from tournament.ranking.tie_breaks import Criterion
from tournament.ranking.tie_breaks import Sheet as RankedSheet


@dataclass(frozen=True)
class Cell:
    """An entry's result in a round, in what that is worth; None where it is missing or was not played."""

    value: Points | None = None
    bye: bool = False
    walkover: bool = False
    complete: bool = False
    annulled: bool = False


@dataclass(frozen=True)
class CameFurther:
    """What put an entry ahead: it came further than the next one, in a bracket, in heats or to a later stage.

    Both as StagePart.reached gives it.
    """

    own: Mapping[str, Any]
    next: Mapping[str, Any]


@dataclass(frozen=True)
class StandingsRow:
    """One line. Equal entries share the rank; total is the sum of cells, penalties and points at entry: of
    the rounds that are worth what the first stage's are.

    ``reached`` is how far the entry came, as StagePart.reached gives it, and ``score`` what it is ranked by
    there: less than the total where a stage has started from 0. ``ahead`` says what put the entry ahead of
    the next row, None where both share the rank; ``tie_breaks`` are its values in the event's tie-breaks,
    None where one was not needed or cannot be applied. ``ruling`` is what the organiser has ruled on the
    entry; whoever is disqualified stands last and has no rank.
    """

    rank: int | None
    entry: Entry
    cells: tuple[Cell, ...]
    start_points: Points
    penalties: Points
    total: Points
    shared: bool
    reached: Mapping[str, Any]
    score: Points
    ahead: Decision | CameFurther | None
    tie_breaks: tuple[tuple[Criterion, Points | None], ...] = ()
    ruling: EntryRuling | None = None

    @property
    def disqualified(self) -> bool:
        """Whether the entry is ranked no more."""
        return self.ruling is not None and self.ruling.unranked

    @property
    def values(self) -> tuple[Points | None, ...]:
        """Results by round, None where missing."""
        return tuple(cell.value for cell in self.cells)


@dataclass(frozen=True)
class Standings:
    """Rows by rank, and the numbers of the rounds their cells stand for.

    ``staged``: how far an entry came decides before its results do. ``stage`` is the one of which these are
    the standings, None for the whole event.
    """

    event: Event
    after_round: int
    rounds: tuple[int, ...]
    rows: tuple[StandingsRow, ...]
    staged: bool = False
    stage: Stage | None = None

    @property
    def complete(self) -> bool:
        """No result of a round is missing or still growing."""
        return all(cell.complete for row in self.rows for cell in row.cells)


def event_standings(
    event: Event, after_round: int | None = None, published_only: bool = False, stage: Stage | None = None
) -> Standings:
    """The standings after a round; None takes the last one drawn.

    Who came further is ahead: into a later stage, a later round of heats, or in a bracket; then the results
    of that stage decide, with those it carries on. Who stayed behind in groups is ranked by the place there
    before the result. With a ``stage`` these are its own standings, without whoever did not come into it.

    With ``published_only`` they are worked out from the published results alone, so that every figure can be
    found on a public page; otherwise from everything recorded, checked or not. Penalties are in what
    their round is worth, points at entry in what the first one is.
    """
    return standings_from(read_records(event, after_round, published_only), after_round, stage)


def standings_from(records: Records, after_round: int | None = None, stage: Stage | None = None) -> Standings:
    """The standings as event_standings gives them, from what has been read already."""
    return _Ranking(records, after_round).standings(stage)


def group_standings(records: Records, stage: Stage, after_round: int | None = None) -> list[Standings]:
    """The stage's standings within each of its groups, once they are drawn."""
    ranking = _Ranking(records, after_round)
    return [ranking.standings(stage, within=frozenset(one)) for one in records.of_stage(stage).groups]


class _Ranking:
    """All that an event's standings after a round are worked out from."""

    def __init__(self, records: Records, after_round: int | None) -> None:
        if after_round is not None:
            records = records.until(after_round)
        event, sheet = records.event, records.sheet
        touched = {one.entrant for one in (*sheet.encounters, *sheet.penalties)}
        self.event = event
        self.records = records
        self.entries = {
            entry.number: entry
            for entry in records.entries
            if not entry.house and (entry.status == Entry.Status.ACTIVE or entry.number in touched)
        }
        self.rounds = sheet.rounds
        self.last = after_round if after_round is not None else max(sheet.rounds, default=0)
        self.numbers = {entry.pk: entry.number for entry in records.entries}
        self.mains = sheet.mains
        self.parts = stage_parts(records, self.numbers, self.last)
        self.rulings = records.rulings
        self.unranked = {number for number, one in self.rulings.items() if one.unranked}
        self.results = Results(
            ruled_encounters(sheet.mains, sheet.encounters, self.rulings),
            ruled_adjustments(sheet.penalties + _at_entry(event, self.entries), self.rulings),
            lots_of(event),
        )

    def standings(self, stage: Stage | None, within: frozenset[int] | None = None) -> Standings:
        """Of the event or of a stage; ``within`` ranks only these entries, by their ids."""
        first, until, main = 1, self.last, MAIN[self.event.measure]
        if stage is None:
            parts = [self._with_tiers(part) for part in self.parts]
        else:
            parts = [part for part in self.parts if part.stage == stage]
            first = min((part.first for part in parts), default=1)
            until = max((part.last for part in parts), default=0)
            main = MAIN[stage_measure(stage)]
        numbers = {number for number, one in self.entries.items() if within is None or one.pk in within}
        ranked = rank_parts(
            self._entered,
            [
                Part(
                    part.members & (numbers - self.unranked),
                    self._results(part),
                    part.places,
                    part.tiers,
                    criteria_by(self.event, part.main),
                )
                for part in parts
            ],
            criteria_of(self.event),
        )
        rounds = tuple(number for number in self.rounds if first <= number <= until)
        mains = {number: self.mains[number] for number in rounds}
        shown = _Shown(self.entries, mains, self.results.between(first, until), main, criteria_of(self.event))
        last = [
            self._last(number, parts, shown)
            for number in sorted(self.unranked & numbers)
            if any(number in part.members for part in parts)
        ]
        rows = (*_rows(ranked, parts, shown, self.rulings), *last)
        return Standings(self.event, self.last, rounds, rows, len(self.parts) > 1, stage)

    def _last(self, number: int, parts: list[StagePart], shown: "_Shown") -> StandingsRow:
        """The row of somebody who is not ranked."""
        part = next(part for part in reversed(parts) if number in part.members)
        return StandingsRow(
            rank=None,
            entry=shown.entries[number],
            cells=shown.cells(number),
            start_points=shown.starts.get(number, 0),
            penalties=shown.sheet.penalties[number],
            total=shown.sheet.score[number],
            shared=False,
            reached=part.reached(number),
            score=shown.sheet.score[number],
            ahead=None,
            ruling=self.rulings[number],
        )

    @property
    def _entered(self) -> list[Entered]:
        return [Entered(number, number) for number in self.entries]

    def _results(self, part: StagePart) -> Results:
        return self.results.between(part.first, part.last)

    def _with_tiers(self, part: StagePart) -> StagePart:
        """Groups from which others went on: who stayed has a place there, which comes before the result."""
        if part.stage.format != "groups" or part.stage == self.parts[-1].stage:
            return part
        tiers: dict[int, int] = {}
        for group in self.records.of_stage(part.stage).groups:
            among = {self.numbers[pk] for pk in group if pk in self.numbers} & self.entries.keys()
            among -= self.unranked
            by = criteria_by(self.event, part.main)
            found = rank(self._entered, self._results(part), by, among=among)
            tiers |= {row.entrant: row.rank for row in found.rows}
        return replace(part, tiers=tiers or None)


def _at_entry(event: Event, entries: Mapping[int, Entry]) -> tuple[Adjustment, ...]:
    return tuple(
        Adjustment(number, entry.start_points, measure=MAIN[event.measure], penalty=False)
        for number, entry in entries.items()
        if entry.start_points
    )


class _Shown:
    """What stands in the lines: the figures of all rounds shown, each in what it is worth, whichever stage it
    belongs to; totals in ``main``.
    """

    def __init__(
        self,
        entries: Mapping[int, Entry],
        mains: Mapping[int, Measure],
        results: Results,
        main: Measure,
        criteria: tuple[Criterion, ...],
    ) -> None:
        self.entries = entries
        self.mains = mains
        self.columns = criteria[1:]
        self.sheets = {
            one: RankedSheet(
                list(entries), results.worth(one, {number for number in mains if mains[number] is one}), one
            )
            for one in {main, *mains.values()}
        }
        self.sheet = self.sheets[main]
        self.starts = {one.entrant: one.points for one in results.adjustments if not one.penalty}

    def cells(self, number: int) -> tuple[Cell, ...]:
        last = max(self.mains, default=0)
        found = {
            (one, cell.round): cell
            for one, sheet in self.sheets.items()
            for cell in cells_of(number, sheet, last)
        }
        return tuple(_cell(found[main, round]) for round, main in self.mains.items())

    def tie_breaks(self, row: StagedRow) -> tuple[tuple[Criterion, Points | None], ...]:
        """The event's tie-breaks, whichever of them the entry's stage is ranked by first."""
        values = dict(row.values)
        return tuple((one, values.get(one)) for one in self.columns)


def _cell(cell: RankedCell) -> Cell:
    return Cell(
        cell.amount,
        bye=cell.state is Played.BYE,
        walkover=cell.state is Played.WALKOVER,
        complete=cell.state is not Played.PENDING,
        annulled=cell.state is Played.ANNULLED,
    )


def _rows(
    rows: tuple[StagedRow, ...],
    parts: list[StagePart],
    shown: _Shown,
    rulings: Mapping[int, EntryRuling],
) -> list[StandingsRow]:
    found: list[StandingsRow] = []
    for row, following in zip_longest(rows, rows[1:]):
        ahead: Decision | CameFurther | None = None
        reached = parts[row.part].reached(row.entrant)
        if isinstance(row.ahead, Decision):
            ahead = row.ahead
        elif row.ahead is not None and following is not None:
            ahead = CameFurther(reached, parts[following.part].reached(following.entrant))
        found.append(
            StandingsRow(
                rank=row.rank,
                entry=shown.entries[row.entrant],
                cells=shown.cells(row.entrant),
                start_points=shown.starts.get(row.entrant, 0),
                penalties=shown.sheet.penalties[row.entrant],
                total=shown.sheet.score[row.entrant],
                shared=row.shared,
                reached=reached,
                score=row.score,
                ahead=ahead,
                tie_breaks=shown.tie_breaks(row),
                ruling=rulings.get(row.entrant),
            )
        )
    return found
