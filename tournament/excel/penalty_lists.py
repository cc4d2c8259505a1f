"""Penalties in and out as a list: the empty list to be filled in, and reading one, such as the sheet of
penalties of a result workbook.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import IO, Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.services.penalty_lists import PenaltyList, PenaltyRow
from tournament.excel.book import Book, Column, Value
from tournament.excel.headings import plain
from tournament.excel.package import UnreadableFileError, first_faults
from tournament.excel.sheets import Cell, Sheet, WorkbookReader, address
from tournament.models import Event
from tournament.points import read_points
from tournament.services.entry_sheet import HIGHEST_NUMBER, SheetFault, SheetNote
from tournament.services.validation import text as tidy

_SYNONYMS: Mapping[str, str] = {
    "round": "轮 轮次 輪 輪次 Round",
    "table": "桌 桌号 台 台号 桌號 台號 Table",
    "deal": "副 副号 牌号 副號 牌號 Deal Board",
    "number": "编号 序号 参赛号 編號 序號 參賽號 Number No",
    "player": "选手 队员 姓名 選手 隊員 Player",
    "rule": "规则 违例 条款 規則 違例 條款 Rule Breach",
    "points": "分 罚分 分数 罰分 分數 Points",
    "reason": "原因 理由 事由 Reason",
}
#: A line whose rule is an article of the catalogue needs no reason: the service says where one is missing.
_REQUIRED = ("number", "round", "rule", "points")
_NUMBERS = frozenset(("number", "round", "table", "deal"))
_UNREADABLE = {"error": "cell_error", "bool": "truth_value", "date": "date", "no_value": "no_stored_value"}


def _titles() -> dict[str, str]:
    """Headings of the list in the language of the moment, as the result workbook has them."""
    return {
        "round": _("Round"),
        "table": _("Table"),
        "deal": pgettext("one of many", "Deal"),
        "number": pgettext("entry list", "Number"),
        "player": _("Player"),
        "rule": _("Rule"),
        "reason": _("Reason"),
        "points": _("Points"),
    }


@cache
def _names() -> Mapping[str, str]:
    names = {plain(word): name for name, words in _SYNONYMS.items() for word in words.split()}
    for language, _title in settings.LANGUAGES:
        with translation.override(language):
            names |= {plain(title): name for name, title in _titles().items()}
    return names


def penalty_template(event: Event, language: str) -> bytes:
    """An empty list of penalties with the entries of the event beside it to copy from."""
    with translation.override(language):
        book = Book(f"{event.tournament.name} · {event.name}")
        titles = _titles()
        wide = {"rule": 30, "reason": 40, "player": 16}
        columns = [Column(title, wide.get(name, 9)) for name, title in titles.items()]
        book.add_sheet(_("Penalties")).write(columns, [], filters=False)
        entries: list[list[Value]] = [
            [entry.number, entry.name, entry.club or None] for entry in event.entries.order_by("number")
        ]
        club = pgettext("entry list", "Club")
        heads = [Column(titles["number"], 8, centred=True), Column(_("Entry")), Column(club)]
        book.add_sheet(pgettext("many", "Entries")).write(heads, entries, landscape=False)
        return book.to_bytes()


def read_penalties(file: IO[bytes] | bytes) -> PenaltyList:
    """The penalties that the first visible sheet with their headings lists. Nothing is looked up or stored;
    never raises for a bad file.
    """
    try:
        reader = WorkbookReader(file)
        for place in range(len(reader.sheets())):
            sheet = reader.sheet(place)
            for row in sorted(sheet.rows)[:30]:
                columns = _headings(sheet.rows[row])
                if set(_REQUIRED) <= columns.keys():
                    return _Reader(sheet, row, columns).read()
    except UnreadableFileError as refusal:
        return PenaltyList(faults=(refusal.fault,))
    titles = _titles()
    told = _("No row of headings was found. The list needs the columns %(columns)s.")
    between = pgettext("between names", ", ")
    params = {"columns": between.join(titles[name] for name in _REQUIRED)}
    return PenaltyList(faults=(SheetFault("other", params={"text": told % params}),))


def _headings(cells: Mapping[int, Cell]) -> dict[str, int]:
    columns: dict[str, int] = {}
    for position, cell in sorted(cells.items()):
        name = _names().get(plain(cell.text)) if cell.kind == "text" else None
        if name:
            columns.setdefault(name, position)
    return columns


class _Reader:
    """Reads the lines below the headings; faults are gathered in reading order."""

    def __init__(self, sheet: Sheet, heading: int, columns: Mapping[str, int]) -> None:
        self._sheet = sheet
        self._heading = heading
        self._columns = columns
        self._faults: list[SheetFault] = []
        self._titles = _titles()

    def read(self) -> PenaltyList:
        """Every line with something in the list's columns."""
        rows, read = [], set()
        for row in sorted(number for number in self._sheet.rows if number > self._heading):
            cells = self._sheet.rows[row]
            if not any(self._written(cells.get(position)) for position in self._columns.values()):
                continue
            read.add(row)
            found = self._row(row, cells)
            if found is not None:
                rows.append(found)
        if not read:
            told = _("There is no penalty below the headings.")
            self._faults.append(SheetFault("other", params={"text": told}))
        failed = len(read) - len(rows)
        return PenaltyList(tuple(rows), first_faults(self._faults), tuple(self._notes(read)), failed)

    def _notes(self, read: set[int]) -> Iterable[SheetNote]:
        hidden = sorted(read & self._sheet.hidden_rows)
        if hidden:
            yield SheetNote("hidden_rows", {"rows": ", ".join(map(str, hidden))})

    @staticmethod
    def _written(cell: Cell | None) -> bool:
        return cell is not None and (cell.kind != "text" or bool(tidy(cell.text)))

    def _row(self, row: int, cells: Mapping[int, Cell]) -> PenaltyRow | None:
        before = len(self._faults)
        places = {name: address(row, position) for name, position in self._columns.items()}
        values: dict[str, Any] = {
            name: self._value(name, cells.get(position), places[name])
            for name, position in self._columns.items()
        }
        if len(self._faults) > before:
            return None
        for name in ("player", "reason"):
            values[name] = values.get(name) or ""
        return PenaltyRow(row=row, cells=places, **values)

    def _value(self, name: str, cell: Cell | None, place: str) -> Any:
        title = self._titles[name]
        if cell is None or not self._written(cell):
            if name in _REQUIRED:
                self._faults.append(SheetFault("missing", place, {"column": title}))
            return None
        if cell.kind in _UNREADABLE:
            code = _UNREADABLE[cell.kind]
            self._faults.append(SheetFault(code, place, {"column": title, "value": cell.text}))
            return None
        written = tidy(cell.text)
        if name in _NUMBERS:
            match = re.fullmatch(r"第? ?([0-9]{1,5}) ?[轮輪桌副号號]?", written)
            if match and int(match[1]):
                return int(match[1])
            params = {"column": title, "value": written[:40], "limit": HIGHEST_NUMBER}
            self._faults.append(SheetFault("not_a_number", place, params))
            return None
        if name == "points":
            try:
                return read_points(written)
            except ValueError:
                told = _("“%(value)s” is not a number of points.") % {"value": written[:40]}
                self._faults.append(SheetFault("other", place, {"text": told}))
                return None
        return written
