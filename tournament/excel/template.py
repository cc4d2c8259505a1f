"""The empty list of entries that an organiser downloads, fills in and uploads again."""

import io
from collections.abc import Sequence
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from openpyxl import Workbook
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from tournament.excel import style
from tournament.excel.headings import columns_of, heading, required_columns
from tournament.models import Event
from tournament.services.entry_sheet import HIGHEST_NUMBER, LONGEST_NAME

_WIDTHS = {"number": 9, "seeding": 9, "club": 26, "team": 24}
_TEXT_FORMAT = "@"
#: Rows that are checked while typing.
_ROWS = 2000


def entry_template(event: Event, language: str) -> bytes:
    """An .xlsx file with the headings for the event's kind, and a second sheet that explains it by examples.

    ``language`` is one of the site's. Names are formatted as text, so that no program turns them into dates
    or formulas.
    """
    with translation.override(language):
        workbook = Workbook()
        style.set_base_font(workbook)
        sheet = workbook.active
        sheet.title = style.sheet_title(pgettext("many", "Entries"))
        columns = columns_of(event.kind)
        _head(sheet, 1, columns, required_columns(event.kind))
        _lay_out(sheet, columns)
        style.set_up_page(sheet, title=f"{event.tournament.name} · {event.name}", landscape=len(columns) > 5)
        _explain(workbook.create_sheet(style.sheet_title(_("How to fill in"), workbook.sheetnames)), event)
        workbook.properties.title = style.clean(event.name)
        workbook.properties.creator = "Huapai"
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()


def _head(sheet: Any, row: int, columns: Sequence[str], required: Sequence[str]) -> None:
    for position, column in enumerate(columns, start=1):
        cell = sheet.cell(row, position, heading(column) + ("*" if column in required else ""))
        cell.font, cell.fill = style.font(bold=True), style.HEADING_FILL
        cell.border, cell.alignment = style.HEADING_BORDER, style.HEADING_ALIGNMENT


def _lay_out(sheet: Any, columns: Sequence[str]) -> None:
    sheet.freeze_panes = "A2"
    for position, column in enumerate(columns, start=1):
        letter = get_column_letter(position)
        dimension = sheet.column_dimensions[letter]
        dimension.width = _WIDTHS.get(column, 16)
        cells = f"{letter}2:{letter}{_ROWS}"
        if column in {"number", "seeding"}:
            check = DataValidation("whole", operator="between", formula1="1", formula2=str(HIGHEST_NUMBER))
            check.error = _("A whole number from 1 to %(limit)s.") % {"limit": HIGHEST_NUMBER}
        else:
            dimension.number_format = _TEXT_FORMAT
            check = DataValidation("textLength", operator="lessThanOrEqual", formula1=str(LONGEST_NAME))
            check.error = _("At most %(limit)s characters.") % {"limit": LONGEST_NAME}
        check.allow_blank, check.showErrorMessage = True, True
        check.add(cells)
        sheet.add_data_validation(check)


def _instructions(event: Event) -> list[str]:
    lines = [
        _("One row for each entry, below the headings of the first sheet. Columns with * must be filled in."),
        _("Number: each number once. Left empty, the next free number is given."),
        _("Importing the same list again updates the entries by their numbers; nothing is entered twice."),
        _("The order of the columns does not matter; other columns are left alone."),
        _("Club: entries of one club can be kept apart in the first rounds. Write it the same each time."),
        _("Seed: may be left empty."),
    ]
    if event.kind == Event.Kind.PAIRS:
        lines.insert(1, _("Each pair is one row: one player under “Name”, the other under “Partner”."))
    if event.kind == Event.Kind.TEAMS:
        lines.insert(1, _("Each team is one row with at least four players; add columns for more players."))
    return lines


def _examples(event: Event) -> list[tuple[str | int, ...]]:
    # Translators: eight made-up names of players, separated by commas
    names = _("Li Ming, Wang Fang, Zhang Wei, Zhao Min, Chen Jie, Liu Yang, Sun Li, Zhou Tao").split(", ")
    # Translators: two made-up names of clubs, separated by a comma
    clubs = _("North Club, South Club").split(", ")
    if event.kind == Event.Kind.PAIRS:
        return [(1, names[0], names[1], clubs[0], 1), (2, names[2], names[3], clubs[1], "")]
    if event.kind == Event.Kind.TEAMS:
        return [
            (1, clubs[0], clubs[0], *names[:4], "", "", 1),
            (2, clubs[1], clubs[1], *names[4:], "", "", ""),
        ]
    return [(1, names[0], clubs[0], 1), (2, names[1], clubs[1], ""), (3, names[2], clubs[0], "")]


def _explain(sheet: Any, event: Event) -> None:
    columns = columns_of(event.kind)
    sheet.cell(1, 1, style.clean(f"{event.tournament.name} · {event.name}")).font = style.font(
        bold=True, sz=14
    )
    sheet.cell(1, 1).data_type = "s"
    row = 3
    for line in _instructions(event):
        sheet.merge_cells(start_row=row, end_row=row, start_column=1, end_column=max(len(columns), 5))
        sheet.cell(row, 1, line).alignment = Alignment(wrap_text=True, vertical="top")
        sheet.row_dimensions[row].height = 32
        row += 1
    sheet.cell(row + 1, 1, _("Example")).font = style.font(bold=True)
    # The examples are no second list: their headings stand on a sheet that comes after the real one.
    _head(sheet, row + 2, columns, required_columns(event.kind))
    for offset, example in enumerate(_examples(event), start=row + 3):
        for position, value in enumerate(example, start=1):
            sheet.cell(offset, position, value if value != "" else None)
    for position, column in enumerate(columns, start=1):
        sheet.column_dimensions[get_column_letter(position)].width = _WIDTHS.get(column, 16)
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
