"""Charts 图表 of an event: totals of the first eight round by round, and how often which score was made.

Their figures stand above them as formulas over the other sheets, so they move with a corrected deal.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from django.utils.translation import gettext as _
from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.utils import get_column_letter

from tournament.excel.book import Column, Formula, SheetWriter, Value

Points = int | Fraction
#: Entries with a line of their own, and the bars that a page still shows apart.
MOST_LINES, MOST_BARS = 8, 24
_STEPS = (50, 100, 200, 500, 1000, 2000, 5000)
#: Centimetres, on A4 lying.
_WIDTH, _HEIGHT = 25, 9.5
#: Rows of the sheet that a chart covers.
_ROWS = 20


@dataclass(frozen=True)
class ScoreLine:
    """An entry, and for each round the cells and figures that are added to its total by then."""

    name: str
    parts: Sequence[Sequence[tuple[str, Points]]]


@dataclass(frozen=True)
class ScoreCells:
    """The scores of all seats in all deals, and the range they stand in."""

    scores: Sequence[int]
    place: str


class ChartSheet:
    """Lays out the figures of both charts side by side, and the charts below them."""

    def __init__(
        self, sheet: SheetWriter, rounds: Sequence[int], lines: Sequence[ScoreLine], cells: ScoreCells
    ):
        self._sheet = sheet
        self._rounds = rounds
        self._lines = lines[:MOST_LINES]
        self._bars = list(_bars(cells))

    def write(self) -> None:
        """Writes figures and charts."""
        left = [
            Column(_("Round"), 7, centred=True),
            *(Column(line.name) for line in self._lines),
        ]
        right = [
            Column(_("Score from"), 9),
            Column(_("and below"), 9),
            Column(_("How often"), 9),
        ]
        totals, bars = list(self._totals()), self._bars
        height = max(len(totals), len(bars))
        blank: list[Value] = [None]
        rows = [
            [
                *(totals[row] if row < len(totals) else blank * len(left)),
                None,
                *(
                    bars[row](get_column_letter(len(left) + 2), get_column_letter(len(left) + 3), row + 2)
                    if row < len(bars)
                    else blank * 3
                ),
            ]
            for row in range(height)
        ]
        self._sheet.write([*left, Column("", 3), *right], rows, filters=False)
        below = height + 3
        if len(totals) > 1:
            self._sheet.add_chart(self._line_chart(len(totals)), f"A{below}")
            below += _ROWS
        if bars:
            self._sheet.add_chart(self._bar_chart(len(left) + 2, len(bars)), f"A{below}")

    def _totals(self) -> Iterator[list[Value]]:
        sums: list[Points] = [0] * len(self._lines)
        for place, number in enumerate(self._rounds):
            row: list[Value] = [number]
            for index, line in enumerate(self._lines):
                parts = line.parts[place]
                sums[index] += sum((value for _cell, value in parts), Fraction(0))
                before = [f"{get_column_letter(index + 2)}{place + 1}"] if place else []
                added = "+".join([*before, *(cell for cell, _value in parts)])
                row.append(Formula(f"={added or 0}", sums[index]))
            yield row

    def _line_chart(self, rows: int) -> Any:
        chart = LineChart()
        chart.title = _("Totals round by round, the first %(n)s, without penalties") % {"n": len(self._lines)}
        for place in range(2, len(self._lines) + 2):
            chart.add_data(self._range(place, 1, rows + 1), titles_from_data=True)
        chart.set_categories(self._range(1, 2, rows + 1))
        for series in chart.series:
            series.smooth = False
        return _framed(chart, _("Round"), _("Points"))

    def _bar_chart(self, column: int, rows: int) -> Any:
        chart = BarChart()
        chart.title = _("Scores of a seat in a deal")
        chart.add_data(self._range(column + 2, 1, rows + 1), titles_from_data=True)
        chart.set_categories(self._range(column, 2, rows + 1))
        chart.legend = None
        chart.gapWidth = 10
        return _framed(chart, _("Score from"), _("How often"))

    def _range(self, column: int, first: int, last: int) -> Reference:
        return self._sheet.column_range(column, first, last)


def _framed(chart: Any, below: str, beside: str) -> Any:
    chart.width, chart.height = _WIDTH, _HEIGHT
    chart.x_axis.title, chart.y_axis.title = below, beside
    # openpyxl leaves this open, and Excel then hides the axes.
    chart.x_axis.delete = chart.y_axis.delete = False
    # Names stay below the chart where totals are negative.
    chart.x_axis.tickLblPos = "low"
    return chart


def _bars(cells: ScoreCells) -> Iterator[Any]:
    """For each bar what makes its row: from, below, and how many scores lie between."""
    if not cells.scores:
        return
    low, high = min(cells.scores), max(cells.scores)
    step = next((one for one in _STEPS if (high - low) / one < MOST_BARS - 1), (high - low) // 20 + 1)
    first = floor(low / step)
    for number in range(first, floor(high / step) + 1):
        start = number * step
        count = sum(start <= score < start + step for score in cells.scores)
        yield _bar(start, start + step, count, cells.place)


def _bar(start: int, end: int, count: int, place: str) -> Any:
    def row(low: str, high: str, number: int) -> list[Value]:
        counted = f'=COUNTIFS({place},">="&{low}{number},{place},"<"&{high}{number})'
        return [start, end, Formula(counted, count)]

    return row
