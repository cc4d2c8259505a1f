"""What a filled-in score sheet says, whatever file it came from. No I/O and no models.

The reader fills these in (tournament.excel.paper_reading), the import uses them (referee.services.paper).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tournament.services.entry_sheet import SheetFault, SheetNote


@dataclass(frozen=True)
class PaperDeal:
    """One deal 副 as written on paper: table and number, and its record as docs/rules.md §9 writes it.

    ``names`` is who the sheet says sat where, by seat; ``shown`` the scores written there, in points, of the
    seats that have one. ``cells`` names the cell of each field: "table", "number", a seat for what it
    captured, "name_N" for who sat there, a key card for who was dealt it, "void". ``void`` is why the deal
    was void 作废; it then has no record, and is replayed on another line. ``turn`` is its place in the order
    of play at its table, where the sheet says so.
    """

    row: int
    table: int
    number: int
    record: Mapping[str, Any]
    names: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, int] = field(default_factory=dict)
    cells: Mapping[str, str] = field(default_factory=dict)
    void: str = ""
    turn: int | None = None

    def cell(self, *names: str) -> str:
        """The cell of the first of these fields that the sheet has, else where the deal's number stands."""
        return next((self.cells[name] for name in names if name in self.cells), f"A{self.row}")


@dataclass(frozen=True)
class PaperSheet:
    """Every deal that could be read, every fault, and notes; ``failed`` lines could not be read."""

    deals: tuple[PaperDeal, ...] = ()
    faults: tuple[SheetFault, ...] = ()
    notes: tuple[SheetNote, ...] = ()
    failed: int = 0
