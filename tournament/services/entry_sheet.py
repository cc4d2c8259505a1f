"""What a list of entries says, whatever file it came from: rows, faults and notes. No I/O and no models.

The reader fills these in (tournament.excel.reading), the import uses them (import_entries).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Any

from django.utils.translation import gettext_lazy as _

#: Longest texts the model stores, in characters.
LONGEST_NAME = 120
HIGHEST_NUMBER = 99_999
#: A team may name at most this many players, reserves included.
MOST_PLAYERS = 10

#: Every fault of a list by its code, as people read it.
MESSAGES: Mapping[str, Any] = {
    # The file as a whole
    "not_a_workbook": _("This is not an .xlsx workbook. Save the list as “Excel workbook (.xlsx)”."),
    "old_workbook": _("This is an old .xls workbook. Save it as “Excel workbook (.xlsx)” first."),
    "protected_workbook": _("The workbook is protected by a password. Save it without one first."),
    "macros": _("The workbook holds macros, which are not accepted. Save it as .xlsx without macros."),
    "damaged": _("The workbook is damaged and cannot be read. Open and save it again, then try once more."),
    "unsafe_xml": _("The workbook holds definitions that no spreadsheet program writes, and is refused."),
    "file_too_large": _("The file is larger than %(limit)s MB."),
    "unpacks_too_large": _("The workbook unpacks to more than is accepted for a list of entries."),
    "too_many_cells": _(
        "The sheet has more cells than a list of entries needs. Delete what is not the list."
    ),
    "too_many_rows": _("The sheet has more than %(limit)s rows."),
    "text_too_long": _("A cell holds more than %(limit)s characters."),
    "more_faults": _("%(count)s more faults are not listed."),
    "no_headings": _("No row of headings was found. The list needs a column “%(heading)s”."),
    "missing_heading": _("The list needs a column “%(heading)s”."),
    "repeated_heading": _(
        "Two columns, “%(first)s” and “%(second)s”, stand for “%(heading)s”. Remove one or head it otherwise."
    ),
    "no_rows": _("There is no entry below the headings."),
    # A cell
    "missing": _("%(column)s is missing."),
    "too_long": _("%(column)s has %(length)s characters; at most %(limit)s are possible."),
    "control_character": _("%(column)s holds an invisible control character."),
    "cell_error": _("%(column)s holds the error value %(value)s."),
    "no_stored_value": _(
        "%(column)s is a formula without a stored value. Open the file in a spreadsheet program and save it."
    ),
    "date": _("%(column)s is stored as a date. Format the column as text and write it again."),
    "truth_value": _("%(column)s holds %(value)s where a text is expected."),
    "not_a_number": _("%(column)s “%(value)s” is not a whole number from 1 to %(limit)s."),
    "number_twice": _("Number %(value)s stands in %(other)s already."),
    "name_twice": _("“%(value)s” of the same club stands in %(other)s already."),
    "player_twice": _("The player “%(value)s” of the same club stands in %(other)s already."),
    "partner_missing": _("The partner of “%(value)s” is missing."),
    "partner_same": _("“%(value)s” cannot be their own partner."),
    "too_few_players": _("The team “%(value)s” has %(count)s players; at least %(least)s are needed."),
    "too_many_players": _("The team “%(value)s” has %(count)s players; at most %(limit)s are possible."),
    # Against what is stored already
    "name_taken": _("“%(value)s” of the same club is entered already under number %(number)s."),
    "too_late_to_add": _("A round is drawn already: add “%(value)s” by hand, not by a list."),
    "too_late_to_change": _(
        "A round is drawn already: change name and players of number %(number)s by hand, not by a list."
    ),
}

NOTE_MESSAGES: Mapping[str, Any] = {
    "hidden_rows": _("Hidden rows are read as well: %(rows)s."),
    "hidden_columns": _("Hidden columns are read as well: %(columns)s."),
    "other_sheets": _("Only the sheet “%(sheet)s” was read."),
    "ignored_columns": _("Not used: the columns %(columns)s."),
    "namesakes": _("Namesakes of different clubs, taken for different people: %(names)s."),
}


@dataclass(frozen=True)
class SheetFault:
    """One thing wrong with a list: where (a cell such as B7, or blank for the file as a whole) and what."""

    code: str
    cell: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """What is wrong, in the language of the moment, without the cell."""
        if self.code == "other":  # said by the service that stores entries, in its own words
            return str(self.params["text"])
        return str(MESSAGES[self.code]) % self.params

    @property
    def row(self) -> int | None:
        """The row of the sheet, or None for a fault of the file as a whole."""
        digits = self.cell.lstrip(ascii_uppercase)
        return int(digits) if digits else None

    def __str__(self) -> str:
        return f"{self.cell}: {self.message}" if self.cell else self.message


@dataclass(frozen=True)
class SheetNote:
    """Something worth telling about how a list was understood; no fault."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return str(NOTE_MESSAGES[self.code]) % self.params


@dataclass(frozen=True)
class EntryRow:
    """One entry of a list, tidied and checked by itself.

    ``number`` is None where the list gives none, ``name`` is empty where a pair is called by its players,
    ``players`` are in order of place (of a single player: that one). ``cells`` names the cell of each field
    ("number", "name", "club", "seeding", "player_1" …); a column that the list does not have is not in it,
    and leaves what is stored as it is.
    """

    row: int
    number: int | None
    name: str
    club: str
    players: tuple[str, ...]
    seeding: int | None = None
    cells: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What people call the entry."""
        return self.name or " / ".join(self.players)

    def cell(self, name: str) -> str:
        """The cell of a field; of what the entry is called by, where the list has no such column."""
        for wanted in (name, "name", "team", "player_1"):
            if wanted in self.cells:
                return self.cells[wanted]
        return f"A{self.row}"


@dataclass(frozen=True)
class EntrySheet:
    """A list of entries as read: the good rows, every fault, and notes.

    ``failed_rows`` are the numbers of the sheet's rows with a fault of their own.
    """

    rows: tuple[EntryRow, ...] = ()
    faults: tuple[SheetFault, ...] = ()
    notes: tuple[SheetNote, ...] = ()
    failed_rows: frozenset[int] = frozenset()
    sheet: str = ""

    @property
    def ok(self) -> bool:
        return not self.faults
