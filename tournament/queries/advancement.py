"""Who would advance to a stage now, and whose place a result still to come could change."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from tournament.models import Entry, Round, Stage
from tournament.pairing.knockout import Fate
from tournament.queries.brackets import BRACKETS
from tournament.queries.criteria import chosen_tie_breaks
from tournament.queries.standings import Cell, StandingsRow, group_standings, standings_from
from tournament.queries.standings_records import Records, StageRecord, read_records
from tournament.ranking import standings as ranking
from tournament.ranking.advancement import Advancement, preview_advancement
from tournament.ranking.points import Points
from tournament.ranking.results import Played
from tournament.ranking.tie_breaks import Criterion


@dataclass(frozen=True)
class Line:
    """One entry of the stage before. ``place`` is its seed in the next stage, None where it does not advance.

    ``tied``: it shares the rank on which the line falls. ``missing`` counts its results still to come, those
    of rounds not yet drawn included; ``may_change``: such a result could put it out, or let it in. ``group``
    is its group in the stage before, if that had groups.
    """

    entry: Entry
    rank: int
    total: Points
    missing: int
    place: int | None
    tied: bool
    may_change: bool
    group: int | None = None


@dataclass(frozen=True)
class Preview:
    """Who advances by the standings as they are. ``settled``: nothing has to be decided or waited for."""

    before: Stage
    after_round: int
    lines: tuple[Line, ...]
    settled: bool

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of those who advance, in the order of their seeds."""
        going = [line for line in self.lines if line.place is not None]
        return tuple(line.entry.number for line in sorted(going, key=lambda line: line.place or 0))


def stage_before(stage: Stage) -> Stage | None:
    """The stage from which entries advance to this one; None for the first."""
    return stage.event.stages.filter(number__lt=stage.number).order_by("-number").first()


def advancement_preview(stage: Stage, places: int) -> Preview:
    """The first so many of the stage before, by the standings after its last round.

    From groups the first of each advance, all winners before all seconds, and the best of the rest where
    places are left. From a bracket they advance by when they went out. Raises ValueError for the first stage,
    to which nobody advances.
    """
    before = stage_before(stage)
    if before is None:
        raise ValueError("nobody advances to the first stage")
    return preview_from(read_records(before.event), before, places)


def preview_from(records: Records, before: Stage, places: int) -> Preview:
    """Who advances from a stage, as advancement_preview tells, from what has been read already."""
    record = records.of_stage(before)
    last, groups = record.last_round, record.groups
    eligible = _Eligible(records, record)
    # In a bracket it is not the score that decides.
    by = () if before.format in BRACKETS else chosen_tie_breaks(before.event)
    rows = eligible.of(standings_from(records, last, before).rows)
    in_groups = [eligible.of(one.rows) for one in group_standings(records, before, last)]
    found = _from_groups(rows, in_groups, places, by) if groups else _first(rows, places, by)
    seeds = {entry: place for place, entry in enumerate(found.qualified, start=1)}
    changing = {*found.could_drop, *found.could_rise}
    group_of = {entry: number for number, group in enumerate(groups, start=1) for entry in group}
    return Preview(
        before,
        last,
        tuple(
            Line(
                entry=row.entry,
                rank=row.rank,
                total=row.score,
                missing=_missing(row),
                place=seeds.get(row.entry.pk),
                tied=row.entry.pk in found.tied_at_line,
                may_change=row.entry.pk in changing,
                group=group_of.get(row.entry.pk),
            )
            for row in rows
        ),
        found.settled,
    )


def _first(rows: Sequence[StandingsRow], places: int, by: tuple[Criterion, ...]) -> Advancement:
    """The first of these rows. Only those who came as far as the one at the line can change places there:
    whoever is out of heats or of a bracket stays behind all who are still in.
    """
    places = min(places, len(rows))
    line = _came_to(rows[places - 1]) if places else None
    ahead = list(takewhile(lambda row: _came_to(row) != line, rows)) if places else []
    level = [row for row in rows if not places or _came_to(row) == line]
    standings = ranking.Standings(0, by, tuple(_pure(row) for row in level))
    found = preview_advancement(standings, places - len(ahead))
    return replace(found, qualified=(*(row.entry.pk for row in ahead), *found.qualified))


def _came_to(row: StandingsRow) -> tuple[int | None, bool]:
    """The latest round of heats of an entry, and whether it is out of its bracket."""
    fate = row.reached["fate"]
    return row.reached["round"], bool(fate) and fate["fate"] != Fate.STILL_IN


def _from_groups(
    rows: Sequence[StandingsRow],
    groups: Sequence[Sequence[StandingsRow]],
    places: int,
    by: tuple[Criterion, ...],
) -> Advancement:
    """As many of each group, by its own standings, as all can have; and the best of the rest."""
    each = places // len(groups)
    parts = [_first(group, each, by) for group in groups]
    direct = {entry for part in parts for entry in part.qualified}
    rest = [row for row in rows if row.entry.pk not in direct]
    left = max(min(places, len(rows)) - len(direct), 0)
    if 0 < left < len(rest):
        parts.append(_first(_unsure(rest, rows, parts), left, by))
    else:
        parts.append(Advancement(tuple(row.entry.pk for row in rest[:left]), (), (), ()))
    order = {row.entry.pk: place for place, row in enumerate(rows)}
    by_place = sorted(
        ((place, order[entry], entry) for part in parts[:-1] for place, entry in enumerate(part.qualified))
    )
    return Advancement(
        (*(entry for _place, _order, entry in by_place), *parts[-1].qualified),
        tuple(entry for part in parts for entry in part.tied_at_line),
        tuple(entry for part in parts for entry in part.could_drop),
        tuple(entry for part in parts for entry in part.could_rise),
    )


def _unsure(
    rest: Sequence[StandingsRow], rows: Sequence[StandingsRow], groups: Sequence[Advancement]
) -> list[StandingsRow]:
    """The best of the rest with a result to come for each of those whose place in the group is open: whoever
    may still be among the first of it leaves the rest then, and whoever may not be joins it.
    """
    leaving = {entry for part in groups for entry in part.could_rise}
    joining = {entry for part in groups for entry in part.could_drop}
    marked = [replace(row, cells=(*row.cells, Cell())) if row.entry.pk in leaving else row for row in rest]
    joined = [replace(row, cells=(*row.cells, Cell())) for row in rows if row.entry.pk in joining]
    return [*marked, *joined]


class _Eligible:
    """Who may advance from a stage: whoever has not withdrawn, with a missing result for every round of the
    stage that is still to be drawn.

    A bracket tells by itself who is still in; of heats only those of the latest round have anything to come.
    """

    def __init__(self, records: Records, before: StageRecord) -> None:
        self.playing = {
            entry.pk
            for entry in records.entries_of(before)
            if entry.status == Entry.Status.ACTIVE and not entry.house
        }
        waiting = [one for one in before.rounds if one.state in (Round.State.PLANNED, Round.State.DRAWN)]
        self.to_come = 0 if before.stage.format in BRACKETS else len(waiting)

    def of(self, rows: Iterable[StandingsRow]) -> list[StandingsRow]:
        """Those of the rows, in the order of the standings: whoever came furthest first."""
        found = [row for row in rows if row.entry.pk in self.playing and row.rank is not None]
        still_in = found[0].reached["round"] if found else None
        return [
            replace(row, cells=(*row.cells, *[Cell()] * self.to_come))
            if row.reached["round"] == still_in
            else row
            for row in found
        ]


def _missing(row: StandingsRow) -> int:
    return sum(not cell.complete for cell in row.cells)


def _pure(row: StandingsRow) -> ranking.Row:
    cells = tuple(
        ranking.Cell(place, Played.PLAYED if cell.complete else Played.PENDING, cell.value)
        for place, cell in enumerate(row.cells, start=1)
    )
    return ranking.Row(row.rank, row.entry.pk, (), cells, row.penalties, row.score)
