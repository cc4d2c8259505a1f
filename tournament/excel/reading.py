"""Reading a list of entries from a workbook: where the headings are, what each row says, everything wrong.

Says all faults at once, each with its cell, and never raises for a bad file: the answer then has only faults.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import IO

from tournament.excel.headings import column_of, heading, is_running_number, required_columns
from tournament.excel.package import UnreadableFileError, first_faults
from tournament.excel.sheets import MOST_ROWS, Cell, Sheet, WorkbookReader, address, column_letter
from tournament.models import Event
from tournament.services.entry_sheet import (
    HIGHEST_NUMBER,
    LONGEST_NAME,
    MOST_PLAYERS,
    EntryRow,
    EntrySheet,
    SheetFault,
    SheetNote,
)
from tournament.services.validation import text as tidy

#: Headings stand within the first rows that hold anything: below a title and a few remarks.
_HEADINGS_WITHIN = 30
_NUMBER = re.compile(r"(?:no\.?|nr\.?|#|第)?\s*([0-9]{1,9})\s*(?:号|號)?", re.IGNORECASE)
_HAN = r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
#: Tab and line break are taken for spaces.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_KIND_FAULTS = {"error": "cell_error", "bool": "truth_value", "date": "date", "no_value": "no_stored_value"}
#: 张　三: a short name spread out so that it lines up with longer ones.
_SPREAD_NAME = re.compile(rf"({_HAN}) +({_HAN})")
_SEPARATORS = re.compile(r"[、,，;；/／|\n]+")
#: A cell of players is not taken apart further: there are too many already.
_MOST_PIECES = 10 * MOST_PLAYERS


def read_entries(file: IO[bytes] | bytes, event: Event) -> EntrySheet:
    """The entries that a workbook lists for an event of this kind. Nothing is looked up or stored.

    The first visible sheet with the headings is read; without any, the one fault says which is missing.
    """
    try:
        reader = WorkbookReader(file)
        first: EntrySheet | None = None
        for index, name in enumerate(reader.sheets()):
            sheet = reader.sheet(index)
            result = _SheetReader(sheet, event.kind, event.entry_size).read()
            if result.sheet:
                if len(reader.sheets()) == 1:
                    return result
                return replace(result, notes=(*result.notes, SheetNote("other_sheets", {"sheet": name})))
            first = first or result
    except UnreadableFileError as refusal:
        return EntrySheet(faults=(refusal.fault,))
    return first or EntrySheet(faults=(SheetFault("no_rows"),))


@dataclass
class _Headings:
    row: int
    #: The sheet's column of each field.
    columns: dict[str, int]
    ignored: list[int]
    #: Columns that mean the same as one before them.
    repeated: list[tuple[str, int]]


class _SheetReader:
    """Reads one sheet. Faults are gathered in reading order."""

    def __init__(self, sheet: Sheet, kind: str, least_players: int) -> None:
        self._sheet = sheet
        self._kind = kind
        self._least_players = least_players
        self._faults: list[SheetFault] = []
        self._failed: set[int] = set()
        self._cells_at_fault: set[str] = set()
        self._headings = _Headings(0, {}, [], [])

    def read(self) -> EntrySheet:
        headings = self._find_headings()
        required = required_columns(self._kind)
        if headings is None:
            return EntrySheet(faults=(SheetFault("no_headings", params={"heading": heading(required[0])}),))
        self._headings = headings
        missing = [column for column in required if not self._has(column)]
        faults = [
            SheetFault("missing_heading", f"A{headings.row}", {"heading": heading(column)})
            for column in missing
        ]
        faults += [self._repeated(headings, column, position) for column, position in headings.repeated]
        if faults:
            return EntrySheet(faults=tuple(faults), sheet=self._sheet.name)
        self._fill_merged_clubs()
        rows = [row for number in self._entry_rows() if (row := self._read_row(number)) is not None]
        if not rows and not self._faults:
            self._faults.append(SheetFault("no_rows"))
        self._find_repeats(rows)
        return EntrySheet(
            tuple(row for row in rows if row.row not in self._failed),
            first_faults(self._faults),
            tuple(self._notes(rows)),
            frozenset(self._failed),
            self._sheet.name,
        )

    # --- where things are ---------------------------------------------------------------------------

    def _has(self, column: str) -> bool:
        columns = self._headings.columns
        return column in columns or (column == "player_1" and "players" in columns)

    def _find_headings(self) -> _Headings | None:
        """The row that names most columns; the first of equals."""
        best: _Headings | None = None
        for number in sorted(self._sheet.rows)[:_HEADINGS_WITHIN]:
            found = self._headings_in(number)
            if not set(found.columns) & {"name", "team", "partner"}:
                continue
            if best is None or len(found.columns) > len(best.columns):
                best = found
        return best

    def _headings_in(self, number: int) -> _Headings:
        found = _Headings(number, {}, [], [])
        for position, cell in sorted(self._sheet.rows[number].items()):
            column = column_of(self._kind, cell.text) if cell.kind == "text" else None
            if column == "name" and self._kind == Event.Kind.PAIRS and "name" in found.columns:
                column = "partner"  # 姓名 | 姓名
            if column == "players" and "players" in found.columns:
                column = None
            if column == "number" and "number" in found.columns:
                # 序号 | 参赛号: the first only counts the lines.
                other = found.columns["number"]
                counted = [is_running_number(self._sheet.rows[number][one].text) for one in (other, position)]
                if counted == [True, False]:
                    found.columns["number"], position = position, other
                if any(counted):
                    column = None
            if column is None:
                found.ignored.append(position)
            elif column in found.columns:
                found.repeated.append((column, position))
            else:
                found.columns[column] = position
        return found

    def _repeated(self, headings: _Headings, column: str, position: int) -> SheetFault:
        cells = self._sheet.rows[headings.row]
        names = [tidy(cells[one].text)[:40] for one in (headings.columns[column], position)]
        facts = {"heading": heading(column), "first": names[0], "second": names[1]}
        return SheetFault("repeated_heading", address(headings.row, position), facts)

    def _entry_rows(self) -> Iterable[int]:
        """Rows below the headings with something in the list's columns, without headings printed again."""
        columns = self._headings.columns
        for number in sorted(self._sheet.rows):
            if number <= self._headings.row:
                continue
            cells = self._sheet.rows[number]
            written = {column for column, position in columns.items() if position in cells}
            written = {column for column in written if not self._is_blank(cells[columns[column]])}
            # A running number prepared for a row that nobody filled in is no entry.
            if written - {"number"} and any(
                cells.get(position) != self._sheet.rows[self._headings.row][position]
                for position in columns.values()
            ):
                yield number

    @staticmethod
    def _is_blank(cell: Cell) -> bool:
        return cell.kind == "text" and not tidy(cell.text)

    def _fill_merged_clubs(self) -> None:
        """A club written once beside several of its entries holds for each of them."""
        position = self._headings.columns.get("club")
        rows = self._sheet.rows
        filled = 0
        for top, left, bottom, right in self._sheet.merges:
            cell = rows.get(top, {}).get(left)
            if cell is None or not left == right == position or top <= self._headings.row:
                continue
            for number in range(top + 1, min(bottom, max(rows)) + 1):
                if number in rows:
                    rows[number].setdefault(position, cell)
                filled += 1
                if filled > MOST_ROWS:  # only a crafted file has merges upon merges
                    raise UnreadableFileError("too_many_cells")

    # --- one row ------------------------------------------------------------------------------------

    def _fault(self, code: str, row: int, cell: str, **params: object) -> None:
        self._faults.append(SheetFault(code, cell, params))
        self._failed.add(row)
        self._cells_at_fault.add(cell)

    def _cells(self, row: int) -> Mapping[str, str]:
        return {column: address(row, position) for column, position in self._headings.columns.items()}

    def _text(self, row: int, column: str) -> str:
        """The tidied text of a field; blank where it is at fault, which is then on record."""
        position = self._headings.columns.get(column)
        cell = self._sheet.rows[row].get(position) if position else None
        if cell is None:
            return ""
        fault = self._text_fault(cell, column)
        if fault:
            code, params = fault
            name = heading("player_1" if column == "players" else column)
            self._fault(code, row, address(row, position or 1), column=name, **params)
            return ""
        return cell.text if column == "players" else tidy(cell.text)

    @staticmethod
    def _text_fault(cell: Cell, column: str) -> tuple[str, dict[str, object]] | None:
        """What is wrong with a cell as a text: code and facts, or None."""
        if cell.kind in _KIND_FAULTS:
            return _KIND_FAULTS[cell.kind], {"value": cell.text}
        if _CONTROL.search(cell.text):
            return "control_character", {}
        length = len(tidy(cell.text)) if len(cell.text) > LONGEST_NAME else 0
        if length > LONGEST_NAME and column != "players":
            return "too_long", {"length": length, "limit": LONGEST_NAME}
        return None

    def _person(self, row: int, column: str) -> str:
        return _joined(self._text(row, column))

    def _whole(self, row: int, column: str) -> int | None:
        text = self._text(row, column)
        if not text:
            return None
        match = _NUMBER.fullmatch(text)
        if not match or not 1 <= int(match[1]) <= HIGHEST_NUMBER:
            place = address(row, self._headings.columns[column])
            self._fault(
                "not_a_number", row, place, column=heading(column), value=text[:40], limit=HIGHEST_NUMBER
            )
            return None
        return int(match[1])

    def _read_row(self, row: int) -> EntryRow | None:
        before = len(self._faults)
        number, seeding = self._whole(row, "number"), self._whole(row, "seeding")
        club = self._text(row, "club")
        if self._kind == Event.Kind.TEAMS:
            name, players = self._team(row)
        elif self._kind == Event.Kind.PAIRS:
            name, players = self._pair(row)
        else:
            name = self._person(row, "name")
            players = (name,)
            self._require(row, "name", name)
        if len(self._faults) > before:
            return None
        return EntryRow(row, number, name, club, players, seeding, self._cells(row))

    def _require(self, row: int, column: str, value: str) -> None:
        """A missing field is at fault, unless its cell is on record for something else."""
        place = address(row, self._headings.columns[column])
        if not value and place not in self._cells_at_fault:
            self._fault("missing", row, place, column=heading(column))

    def _pair(self, row: int) -> tuple[str, tuple[str, ...]]:
        first, second = self._person(row, "name"), self._person(row, "partner")
        pair_name = self._text(row, "pair")
        self._require(row, "name", first)
        partner_cell = address(row, self._headings.columns["partner"])
        if first and not second and partner_cell not in self._cells_at_fault:
            self._fault("partner_missing", row, partner_cell, value=first)
        if first and first == second:
            self._fault("partner_same", row, partner_cell, value=first)
        together = f"{first} / {second}"
        if not pair_name and len(together) > LONGEST_NAME:
            self._fault(
                "too_long",
                row,
                partner_cell,
                column=heading("pair"),
                length=len(together),
                limit=LONGEST_NAME,
            )
        return pair_name, (first, second)

    def _team(self, row: int) -> tuple[str, tuple[str, ...]]:
        before = len(self._faults)
        name = self._text(row, "team")
        self._require(row, "team", name)
        columns = self._headings.columns
        players = [
            player
            for player in map(_joined, map(tidy, _SEPARATORS.split(self._text(row, "players"), _MOST_PIECES)))
            if player
        ]
        players += [
            player for place in range(1, MOST_PLAYERS + 1) if (player := self._person(row, f"player_{place}"))
        ]
        place = address(row, columns.get("players") or columns.get("player_1") or columns["team"])
        if len(self._faults) == before:
            facts = {"value": name, "count": len(players)}
            if len(players) < self._least_players:
                self._fault("too_few_players", row, place, **facts, least=self._least_players)
            if len(players) > MOST_PLAYERS:
                self._fault("too_many_players", row, place, **facts, limit=MOST_PLAYERS)
            for player in sorted({player for player in players if len(player) > LONGEST_NAME}):
                self._fault(
                    "too_long", row, place, column=heading("player_1"), length=len(player), limit=LONGEST_NAME
                )
        return name, tuple(players)

    # --- rows against each other --------------------------------------------------------------------

    def _find_repeats(self, rows: list[EntryRow]) -> None:
        numbers: dict[int, str] = {}
        titles: dict[tuple[str, str], str] = {}
        people: dict[tuple[str, str], str] = {}
        for row in rows:
            if row.number is not None:
                other = numbers.setdefault(row.number, row.cell("number"))
                if other != row.cell("number"):
                    self._fault("number_twice", row.row, row.cell("number"), value=row.number, other=other)
            place = row.cell("team" if self._kind == Event.Kind.TEAMS else "pair" if row.name else "name")
            if row.name:
                other = titles.setdefault((row.name, row.club), place)
                if other != place:
                    self._fault("name_twice", row.row, place, value=row.name, other=other)
            if self._least_players > 1:
                self._find_repeated_players(row, people)

    def _find_repeated_players(self, row: EntryRow, people: dict[tuple[str, str], str]) -> None:
        columns = ("name", "partner") if self._kind == Event.Kind.PAIRS else ()
        for index, player in enumerate(row.players):
            column = columns[index] if columns else f"player_{index + 1}"
            place = row.cells.get(column) or row.cells.get("players") or row.cell("team")
            known = people.get((player, row.club))
            if known is None:
                people[player, row.club] = place
            elif columns or known != place or player in row.players[:index]:
                self._fault("player_twice", row.row, place, value=player, other=known)

    def _notes(self, rows: list[EntryRow]) -> Iterable[SheetNote]:
        hidden = sorted({row.row for row in rows} & self._sheet.hidden_rows)
        if hidden:
            yield SheetNote("hidden_rows", {"rows": _ranges(hidden)})
        used = set(self._headings.columns.values())
        letters = [column_letter(column) for column in sorted(used & self._sheet.hidden_columns)]
        if letters:
            yield SheetNote("hidden_columns", {"columns": ", ".join(letters)})
        if self._headings.ignored:
            cells = self._sheet.rows[self._headings.row]
            names = [tidy(cells[position].text)[:40] for position in self._headings.ignored]
            if named := [name for name in names if name]:
                yield SheetNote("ignored_columns", {"columns": ", ".join(named)})
        clubs: dict[str, set[str]] = {}
        for row in rows:
            for player in row.players:
                clubs.setdefault(player, set()).add(row.club)
        if namesakes := [name for name, where in clubs.items() if len(where) > 1]:
            yield SheetNote("namesakes", {"names": ", ".join(namesakes[:20])})


def _joined(name: str) -> str:
    match = _SPREAD_NAME.fullmatch(name)
    return match[1] + match[2] if match else name


def _ranges(numbers: list[int]) -> str:
    """5, 7–9."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in parts)
