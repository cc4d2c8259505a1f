"""Results by table, penalties and standings: each total a formula over the sheets before it.

A deal's points (deal_sheet) are summed by table here; those results and the penalties are summed in the
standings. A formula stands only where it comes to the stored figure; games won, victory points and
anything else that no sum makes are written as numbers.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from openpyxl.utils import get_column_letter

from tournament.excel.book import Column, Formula, SheetWriter, Value
from tournament.excel.charts import ScoreLine
from tournament.excel.deal_sheet import DealSheet
from tournament.models import Entry, Event
from tournament.queries.bracket_names import reached_text
from tournament.queries.bye_reasons import bye_reason_text
from tournament.queries.export import ExportLine, ExportTable, ResultBook
from tournament.queries.standings import StandingsRow

Points = int | Fraction


def local_time(moment: datetime | None, zone: ZoneInfo) -> datetime | None:
    """The moment on the clocks of the tournament; a workbook's times have no zone."""
    return moment.astimezone(zone).replace(tzinfo=None, second=0, microsecond=0) if moment else None


class ResultSheet:
    """One row for each entry at each table, and for each bye."""

    def __init__(self, book: ResultBook, sheet: SheetWriter, deals: DealSheet) -> None:
        self._book = book
        self._sheet = sheet
        self._deals = deals
        self._names = {entry.number: entry for entry in book.entries}
        self._two_sided = any(len(table.lines) == 2 for played in book.rounds for table in played.tables)
        self._rows: list[list[Value]] = []
        #: Rows, and what their results come to, by round and entry number.
        self.rows_of: dict[tuple[int, int], list[tuple[int, Points]]] = defaultdict(list)
        for played in book.rounds:
            for table in played.tables:
                self._add_table(played.number, table)
            for bye in played.byes:
                remark = ": ".join(filter(None, (_("bye"), bye_reason_text(bye.reason))))
                self._add(played.number, None, bye.number, [*self._figures(), bye.points, remark], bye.points)

    def write(self) -> None:
        columns = [
            Column(_("Round"), 7, centred=True),
            Column(_("Table"), 7, centred=True),
            Column(pgettext("entry list", "Number"), 8, centred=True),
            Column(_("Entry")),
            Column(pgettext("entry list", "Club")),
            Column(pgettext("many", "Deals"), 8, centred=True),
            Column(_("Points"), 11),
        ]
        if self._two_sided:
            columns += [Column(_("Other side"), 11), Column(_("Difference"), 11)]
        columns += [Column(_("Games won"), 10), Column(_("Made pig"), 10)]
        columns += [Column(_("Result"), 11), Column(_("Remark"))]
        self._sheet.write(columns, self._rows, frozen_columns=4)

    @property
    def result_letter(self) -> str:
        return get_column_letter(12 if self._two_sided else 10)

    def reference(self, row: int) -> str:
        """The result in a row, as another sheet's formula names it."""
        return f"{self._sheet.reference}{self.result_letter}{row}"

    def _figures(self) -> list[Value]:
        """Blank cells from the deals to the games made pig."""
        return [None] * (6 if self._two_sided else 4)

    def _add(
        self, round_number: int, table: int | None, number: int, figures: list[Value], value: Points | None
    ) -> None:
        entry = self._names[number]
        self._rows.append([round_number, table, number, entry.name, entry.club or None, *figures])
        if value is not None:
            self.rows_of[round_number, number].append((len(self._rows) + 1, value))

    def _add_table(self, round_number: int, table: ExportTable) -> None:
        first = len(self._rows) + 2
        measure = self._book.measures.get(round_number, self._book.event.measure)
        sums = [self._deals.sum_of(round_number, table, line.number) for line in table.lines]
        for place, line in enumerate(table.lines):
            own, row = sums[place], first + place
            figures: list[Value] = [line.deals, own]
            difference = None
            if self._two_sided:
                other = sums[1 - place] if len(sums) == 2 else None
                if own and other:
                    difference = Formula(f"=G{row}-H{row}", own.value - other.value)
                    other = Formula(f"=G{first + 1 - place}", other.value)
                figures += [other, difference]
            figures += [line.games_won, line.pigs]
            figures += [self._result(measure, line, row, own, difference), self._remark(table, line)]
            self._add(round_number, table.number, line.number, figures, line.value)

    def _result(
        self, measure: str, line: ExportLine, row: int, own: Formula | None, difference: Formula | None
    ) -> Value:
        if line.value is None:
            return None
        if measure == Event.Measure.POINTS and own and own.value == line.value:
            return Formula(f"=G{row}", line.value)
        if measure == Event.Measure.DIFFERENCE and difference and difference.value == line.value:
            return Formula(f"=I{row}", line.value)
        return line.value

    @staticmethod
    def _remark(table: ExportTable, line: ExportLine) -> str | None:
        if line.absent:
            return "; ".join(filter(None, (_("did not come"), table.stopped)))
        if line.stated:
            return _("The score is stated, not played.")
        remarks = [] if line.complete else [_("not finished or not checked")]
        if table.stopped:
            remarks.append(table.stopped)
        return "; ".join(remarks) or None


class PenaltySheet:
    """Every penalty; a cancelled one stays in sight and counts 0."""

    def __init__(self, book: ResultBook, sheet: SheetWriter) -> None:
        self._book = book
        self._sheet = sheet
        self._last = len(book.penalties) + 1

    def write(self) -> None:
        columns = [
            Column(_("Round"), 7, centred=True),
            Column(_("Table"), 7, centred=True),
            Column(pgettext("one of many", "Deal"), 7, centred=True),
            Column(pgettext("entry list", "Number"), 8, centred=True),
            Column(_("Entry")),
            Column(_("Player")),
            Column(_("Rule")),
            Column(_("Reason")),
            Column(_("Given at"), 17),
            Column(_("Points"), 9),
            Column(_("Cancelled at"), 17),
            Column(_("Reason for cancelling")),
            Column(_("Counts"), 9),
        ]
        names = {entry.number: entry.name for entry in self._book.entries}
        zone = self._book.event.tournament.tz
        rows: list[list[Value]] = []
        for row, one in enumerate(self._book.penalties, start=2):
            counts = 0 if one.cancelled_at else one.points
            rows.append(
                [
                    one.round,
                    one.table,
                    one.deal,
                    one.number,
                    names[one.number],
                    one.player or None,
                    one.rule,
                    one.reason,
                    local_time(one.given_at, zone),
                    one.points,
                    local_time(one.cancelled_at, zone),
                    one.cancel_reason or None,
                    Formula(f'=IF(K{row}="",J{row},0)', counts),
                ]
            )
        self._sheet.write(columns, rows)

    def sum_for(self, number: int, cell: str, value: Points) -> Value:
        """The penalties in force of the entry whose number stands in the cell.

        A penalty for a round that the standings do not reach yet makes no such sum: then the bare figure.
        """
        in_force = [
            one.points for one in self._book.penalties if one.number == number and not one.cancelled_at
        ]
        if not self._book.penalties or sum(in_force, Fraction(0)) != value:
            return value
        counts, numbers = (f"{self._sheet.reference}${c}$2:${c}${self._last}" for c in "MD")
        return Formula(f"=SUMIFS({counts},{numbers},{cell})", value)


class StandingsSheet:
    """Rank, results by round, penalties and total of each entry."""

    def __init__(
        self, book: ResultBook, sheet: SheetWriter, results: ResultSheet, penalties: PenaltySheet
    ) -> None:
        self._standings = book.standings
        self._appealed = book.appealed
        self._sheet = sheet
        self._results = results
        self._penalties = penalties
        rows = self._standings.rows
        figures = [value for row in rows for value in (*row.values, row.penalties, row.start_points)]
        # Thirds are not exact in a spreadsheet: what adds up to whole points is brought back to them.
        self._rounded = any(isinstance(value, Fraction) for value in figures)
        self._ranks_by_total = all(
            row.rank == 1 + sum(other.total > row.total for other in rows) for row in rows
        )

    def write(self) -> None:
        columns = [
            Column(_("Rank"), 7, centred=True),
            Column(pgettext("entry list", "Number"), 8, centred=True),
            Column(_("Entry")),
            Column(pgettext("entry list", "Club")),
            Column(_("Points at entry"), 9),
            *(Column(_("Round %(number)s") % {"number": n}, 10) for n in self._standings.rounds),
            Column(_("Penalties"), 9),
            Column(_("Total"), 12),
            Column(_("Remark")),
        ]
        self._sheet.write(columns, list(self._rows()), frozen_columns=4)

    def score_lines(self) -> list[ScoreLine]:
        """What adds up to each entry's total after each round, best entry first."""
        return [
            ScoreLine(
                line.entry.name,
                [
                    ([(f"{self._sheet.reference}E{row}", line.start_points)] if place == 0 else [])
                    + ([] if value is None else [(self._cell(place, row), value)])
                    for place, value in enumerate(line.values)
                ],
            )
            for row, line in enumerate(self._standings.rows, start=2)
        ]

    def _cell(self, place: int, row: int) -> str:
        return f"{self._sheet.reference}{get_column_letter(6 + place)}{row}"

    def _rows(self) -> Iterator[list[Value]]:
        rounds = self._standings.rounds
        penalty, total = (get_column_letter(6 + len(rounds) + more) for more in (0, 1))
        last = len(self._standings.rows) + 1
        for row, line in enumerate(self._standings.rows, start=2):
            addition = f"SUM(E{row}:{penalty}{row})"
            rank = Formula(f"=RANK({total}{row},${total}$2:${total}${last})", line.rank)
            yield [
                rank if self._ranks_by_total else line.rank,
                line.entry.number,
                line.entry.name,
                line.entry.club or None,
                line.start_points,
                *(
                    self._round_cell(number, line.entry.number, cell.value)
                    for number, cell in zip(rounds, line.cells, strict=True)
                ),
                self._penalties.sum_for(line.entry.number, f"B{row}", line.penalties),
                self._total(addition, line),
                self._remark(line),
            ]

    def _remark(self, line: StandingsRow) -> Value:
        remarks = [reached_text(line.reached)] if self._standings.staged else []
        if line.entry.status == Entry.Status.WITHDRAWN:
            remarks.append(_("disqualified") if line.disqualified else _("withdrawn"))
        if line.entry.number in self._appealed:
            remarks.append(_("under appeal"))
        return " · ".join(remarks) or None

    def _total(self, addition: str, line: StandingsRow) -> Value:
        parts = (line.start_points, line.penalties, *(value for value in line.values if value is not None))
        if sum(parts, Fraction(0)) != line.total:
            return line.total
        return Formula(f"=ROUND({addition},6)" if self._rounded else f"={addition}", line.total)

    def _round_cell(self, round_number: int, number: int, value: Points | None) -> Value:
        if value is None:
            return None
        rows = self._results.rows_of.get((round_number, number), ())
        if not rows or sum((amount for _row, amount in rows), Fraction(0)) != value:
            return value
        return Formula("=" + "+".join(self._results.reference(row) for row, _amount in rows), value)
