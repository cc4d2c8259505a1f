"""A workbook written row by row: plain values in, styles only where they are needed, formulas with results.

openpyxl makes everything of the file but the rows: styles, page set-up, the package. The rows are written
here, because openpyxl stores no value beside a formula, and programs that do not calculate (previews on a
phone, scripts) would then show nothing where the totals are; Excel still recalculates everything when it
opens the file. It is also three times as fast.
"""

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.chart import Reference
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel
from openpyxl.writer.excel import ExcelWriter

from tournament.excel import style

Points = int | Fraction
#: Rows of a large sheet that decide how wide its columns are.
_ROWS_MEASURED = 400
_LIKE_AN_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
DATE_FORMAT = "yyyy-mm-dd hh:mm"
#: −293⅓ as −293 1/3; points have no denominator above 60 (tournament.points).
FRACTION_FORMAT = "# ??/??"


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, beginning with =, and the value that it comes to."""

    text: str
    value: Points


Value = str | int | Fraction | datetime | Formula | None


@dataclass(frozen=True)
class Column:
    """A column's heading; its width in characters where it is not to follow from what stands in it.

    ``centred`` is for numbers that are names, not amounts: ranks, tables.
    """

    heading: str
    width: float | None = None
    centred: bool = False


class Book:
    """A workbook whose sheets are laid out in the order they are added and may be filled in any order."""

    def __init__(self, title: str) -> None:
        self._workbook = Workbook(write_only=True)
        style.set_base_font(self._workbook)
        self._workbook.properties.title = style.clean(title)
        self._workbook.properties.creator = "Huapai"
        self._title = title
        self._sheets: dict[str, SheetWriter] = {}

    def add_sheet(self, title: str, of: str = "") -> "SheetWriter":
        """A new sheet after those there are; ``of`` is the event it belongs to, where there are several."""
        short = of[: max(style.LONGEST_TITLE - len(title) - 1, 8)]
        name = style.sheet_title(f"{short} {title}" if of else title, self._sheets)
        sheet = self._workbook.create_sheet(name)
        parts = (self._title, of, title)
        writer = self._sheets[sheet.title] = SheetWriter(sheet, " · ".join(filter(None, parts)))
        return writer

    def to_bytes(self) -> bytes:
        """The finished .xlsx file."""
        stream = io.BytesIO()
        with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
            _Package(self._workbook, archive, self._sheets).save()
        return stream.getvalue()


class SheetWriter:
    """Writes one sheet: headings that stay in sight, then rows."""

    def __init__(self, sheet: Any, print_title: str) -> None:
        self._sheet = sheet
        self._print_title = print_title
        self._styles = _StyleNumbers(sheet)
        self.size = "A1"
        self.rows_xml = ""

    @property
    def reference(self) -> str:
        """The sheet's name as formulas write it, with the exclamation mark."""
        return f"{style.quoted(self._sheet.title)}!"

    def column_range(self, column: int, first: int, last: int) -> Reference:
        """A column's cells from one row to another, for a chart."""
        return Reference(self._sheet, min_col=column, max_col=column, min_row=first, max_row=last)

    def add_chart(self, chart: Any, cell: str) -> None:
        """Puts a chart's upper left corner at a cell."""
        self._sheet.add_chart(chart, cell)

    def write(
        self,
        columns: Sequence[Column],
        rows: Sequence[Sequence[Value]],
        *,
        frozen_columns: int = 0,
        landscape: bool = True,
        pages_wide: int = 1,
        filters: bool = True,
    ) -> None:
        """Writes headings and rows; the first row of values is row 2."""
        sheet = self._sheet
        sheet.freeze_panes = f"{get_column_letter(frozen_columns + 1)}2"
        style.set_up_page(
            sheet,
            title=self._print_title,
            landscape=landscape,
            pages_wide=pages_wide,
            repeated_columns=frozen_columns,
        )
        letters = [get_column_letter(place) for place in range(1, len(columns) + 1)]
        lines = 1
        for place, (letter, column) in enumerate(zip(letters, columns, strict=True)):
            width = column.width or style.column_width(
                [column.heading, *(_shown(row[place]) for row in rows[:_ROWS_MEASURED])]
            )
            sheet.column_dimensions[letter].width = width
            lines = max(lines, style.lines_of(column.heading, width))
        self.size = f"A1:{letters[-1]}{len(rows) + 1}"
        if filters and rows:
            sheet.auto_filter.ref = self.size
        writers = [
            self._cell_writer(letter, column.centred) for letter, column in zip(letters, columns, strict=True)
        ]
        headings = "".join(
            _text_cell(f"{letter}1", column.heading, self._styles.for_heading(column.heading))
            for letter, column in zip(letters, columns, strict=True)
        )
        height = lines * style.HEADING_LINE
        parts = [f'<row r="1" ht="{height}" customHeight="1">{headings}</row>']
        for number, row in enumerate(rows, start=2):
            cells = [
                write(value, number) for write, value in zip(writers, row, strict=True) if value is not None
            ]
            parts.append(f'<row r="{number}">{"".join(cells)}</row>')
        self.rows_xml = "".join(parts)

    def _cell_writer(self, letter: str, centred: bool) -> Callable[[Any, int], str]:
        """Writes the cells of one column: value and row number in, XML out."""
        styles = self._styles
        plain = f' s="{styles.centred}"' if centred else ""
        quoted, fraction, date = (f' s="{s}"' for s in (styles.quoted, styles.fraction, styles.date))

        def shown(value: Points) -> str:
            return plain if value.denominator == 1 else fraction

        def write(value: Value, row: int) -> str:
            place = f"{letter}{row}"
            if isinstance(value, str):
                return _text_cell(place, value, quoted if style.is_formula_like(value) else "")
            if isinstance(value, Formula):
                formula, result = escape(value.text[1:]), _number(value.value)
                return f'<c r="{place}"{shown(value.value)}><f>{formula}</f><v>{result}</v></c>'
            if isinstance(value, datetime):
                return f'<c r="{place}"{date}><v>{to_excel(value)!r}</v></c>'
            assert isinstance(value, int | Fraction)
            return f'<c r="{place}"{shown(value)}><v>{_number(value)}</v></c>'

        return write


class _StyleNumbers:
    """The styles that rows need, entered in the workbook's table of styles once, by their numbers there."""

    def __init__(self, sheet: Any) -> None:
        self._sheet = sheet
        self.quoted = self._number(quotePrefix=True)
        self.centred = self._number(alignment=Alignment(horizontal="center"))
        self.fraction = self._number(number_format=FRACTION_FORMAT)
        self.date = self._number(number_format=DATE_FORMAT)
        head = {
            "font": style.font(bold=True),
            "fill": style.HEADING_FILL,
            "border": style.HEADING_BORDER,
            "alignment": style.HEADING_ALIGNMENT,
        }
        self._heading, self._quoted_heading = self._number(**head), self._number(**head, quotePrefix=True)

    def for_heading(self, text: str) -> str:
        """The attribute of a heading's cell: a name that heads a column may look like a formula."""
        return f' s="{self._quoted_heading if style.is_formula_like(text) else self._heading}"'

    def _number(self, **styles: Any) -> int:
        cell = WriteOnlyCell(self._sheet, "")
        for name, value in styles.items():
            setattr(cell, name, value)
        return int(cell.style_id)


def _text_cell(place: str, text: str, style_attribute: str) -> str:
    cleaned = escape(style.clean(text))
    if "_x" in cleaned:
        # Programs read _x0041_ as A: what a person wrote so is escaped itself.
        cleaned = _LIKE_AN_ESCAPE.sub("_x005F_", cleaned)
    # White space at the ends would be dropped without this.
    space = ' xml:space="preserve"' if cleaned != cleaned.strip() else ""
    return f'<c r="{place}"{style_attribute} t="inlineStr"><is><t{space}>{cleaned}</t></is></c>'


def _number(value: Points) -> str:
    return str(value.numerator) if value.denominator == 1 else repr(float(value))


def _shown(value: Value) -> str:
    """Roughly what a cell shows, for its width."""
    if isinstance(value, Formula):
        value = value.value
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{int(value)} 00/00"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    return "" if value is None else str(value)


class _Package(ExcelWriter):
    """Puts each sheet's rows where openpyxl has left its sheet empty."""

    _NO_ROWS = re.compile(r"<sheetData ?/>|<sheetData></sheetData>")
    _SIZE = re.compile(r"<dimension [^>]*/>")

    def __init__(self, workbook: Workbook, archive: ZipFile, sheets: dict[str, SheetWriter]) -> None:
        super().__init__(workbook, archive)
        self._sheets = sheets

    def write_worksheet(self, ws: Any) -> None:
        ws.close()
        writer = self._sheets[ws.title]
        path = Path(ws._writer.out)
        frame = self._SIZE.sub("", path.read_text(encoding="utf-8"))
        before, after = self._NO_ROWS.split(frame)
        properties, view = before.split("<sheetViews", 1)
        path.write_text(
            f'{properties}<dimension ref="{writer.size}"/><sheetViews{view}'
            f"<sheetData>{writer.rows_xml}</sheetData>{after}",
            encoding="utf-8",
        )
        super().write_worksheet(ws)
