"""Score sheets for tests: a round in play, and its blank sheets filled in."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

from openpyxl import load_workbook

from tests.played import drawn_round, played_event
from tournament.models import Round


def paper_round(players: int = 8, **fields: Any) -> Round:
    """A round being played, of 16 deals at each table of four; who is left over has a bye."""
    event = played_event([f"选手{n}" for n in range(1, players + 1)], rounds=1, **fields)
    return drawn_round(event, 1, byes=players % 4).round


def line_of(sheet: Any, table: int, deal: int) -> int | None:
    """The row of a deal in a blank sheet."""
    wanted = (table, deal)
    return next((row for row in range(1, sheet.max_row + 1) if _key(sheet, row) == wanted), None)


def _key(sheet: Any, row: int) -> tuple[Any, Any]:
    return sheet.cell(row, 2).value, sheet.cell(row, 3).value


def filled(data: bytes, lines: Mapping[tuple[int, int], Sequence[Any]]) -> bytes:
    """The workbook with what stands from the fourth column on in the lines of these tables and deals."""
    workbook = load_workbook(io.BytesIO(data))
    sheet = workbook.worksheets[0]
    for (table, deal), values in lines.items():
        row = line_of(sheet, table, deal)
        assert row is not None
        for column, value in enumerate(values, start=4):
            sheet.cell(row, column, value)
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()
