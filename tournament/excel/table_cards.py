"""Table cards 桌卡 of a round as a workbook: a page for each table, its number large, and who sits where."""

import io
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Side
from openpyxl.worksheet.pagebreak import Break

from referee.queries import seats_of, tables_in_play
from scoring.messages import seat_name
from tournament.excel import style
from tournament.models import Draw, Round, Table

_MIDDLE = Alignment(horizontal="center", vertical="center", wrap_text=True, shrink_to_fit=False)
_LINE = Border(bottom=Side(style="thin", color="8A7F66"))
_WIDTHS = (16, 10, 34, 30)


def table_cards(round: Round, language: str) -> bytes:
    """An .xlsx file with a card for each table of the round's published draw, in a language of the site."""
    event = round.event
    with translation.override(language):
        workbook = Workbook()
        style.set_base_font(workbook)
        sheet = workbook.active
        title = _("Round %(number)s") % {"number": round.number}
        sheet.title = style.sheet_title(f"{_('Table cards')} {title}")
        for letter, width in zip("ABCD", _WIDTHS, strict=True):
            sheet.column_dimensions[letter].width = width
        tables = tables_in_play().filter(draw__round=round, draw__state=Draw.State.PUBLISHED)
        for table in tables.prefetch_related("seats__player", "seats__entry").order_by("number"):
            _add_card(sheet, table, f"{event.tournament.name} · {event.name} · {title}")
        style.set_up_page(sheet, title="", landscape=False)
        sheet.print_title_rows = None
        sheet.print_options.gridLines = False
        sheet.print_options.verticalCentered = True
        sheet.oddFooter.center.text = None
        workbook.properties.title = style.clean(f"{event.name} {title}")
        workbook.properties.creator = "Huapai"
        stream = io.BytesIO()
        workbook.save(stream)
    return stream.getvalue()


def _add_card(sheet: Any, table: Table, title: str) -> None:
    first = sheet.max_row + 1 if sheet.max_row > 1 else 1
    _wide(sheet, first, title, size=16, height=50)
    _wide(sheet, first + 1, _("Table"), size=28, height=60)
    _wide(sheet, first + 2, str(table.number), size=120, height=170)
    row = first + 3
    seats = seats_of(table, 1)
    letters = [seat.direction for seat in seats]
    for seat in seats:
        names = (seat_name(seat.direction, letters), seat.entry.number, seat.player.name, seat.entry.club)
        if seat.entry.name != seat.player.name:
            names = (*names[:3], seat.entry.name)
        for place, value in enumerate(names, start=1):
            cell = sheet.cell(row, place)
            if isinstance(value, str):
                cell.value = style.clean(value)
                cell.data_type = "s"
            else:
                cell.value = value
            cell.font, cell.alignment, cell.border = style.font(sz=20, bold=place == 3), _MIDDLE, _LINE
        sheet.row_dimensions[row].height = 64
        row += 1
    sheet.row_breaks.append(Break(id=row - 1))


def _wide(sheet: Any, row: int, text: str, *, size: int, height: int) -> None:
    sheet.merge_cells(start_row=row, end_row=row, start_column=1, end_column=len(_WIDTHS))
    cell = sheet.cell(row, 1, style.clean(text))
    cell.data_type = "s"
    cell.font, cell.alignment = style.font(sz=size, bold=True), _MIDDLE
    sheet.row_dimensions[row].height = height
