"""Reading filled-in score sheets 记分表 from a workbook: which deal each row is, everything wrong with it.

A row of headings holds until the next one, so tables of four and of five may follow each other, one below
the other or on sheets of their own. Says all faults at once, each with its cell, and never raises.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import IO, Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.services.paper_sheet import PaperDeal, PaperSheet
from scoring.engine.cards import FOUR_SEATS, KEY_CARDS, LETTER_SEATS, symbol
from scoring.engine.notation import read_cards, read_holding, read_seat
from scoring.messages import seat_name
from tournament.excel.headings import plain
from tournament.excel.package import UnreadableFileError, first_faults
from tournament.excel.sheets import Cell, Sheet, WorkbookReader, address
from tournament.services.entry_sheet import SheetFault, SheetNote
from tournament.services.validation import text as tidy

_SYNONYMS: Mapping[str, str] = {
    "round": "轮 轮次 輪 輪次 Round",
    "table": "桌 桌号 桌次 台 台号 桌號 台號 Table",
    "number": "副 副号 副数 牌号 副號 牌號 Deal Board",
    "swap": "猪羊变色 變色 变色 Swapped",
    "void": "作废 作廢 作废重打 作廢重打 废牌 廢牌 Void",
    "turn": "顺序 順序 次序 打牌顺序 打牌順序 Turn",
}
_UNREADABLE = {"error": "cell_error", "bool": "truth_value", "date": "date", "no_value": "no_stored_value"}
_NO = frozenset(("", "0", "no", "false", "否", "无", "無", "-", "—"))
#: Written across the seats of a line that was struck through.
_STRUCK = frozenset(("void", "作废", "作廢", "作废重打", "作廢重打"))
#: A mark that a deal was void, without a reason.
_MARKS = _STRUCK | frozenset(("1", "yes", "true", "x", "√", "✓", "✔", "是"))
_HIGHEST = 99_999
#: Characters of a cell: twice what all scoring cards of two packs take.
_LONGEST = 400


@cache
def _names() -> Mapping[str, str]:
    """Fields by heading, in every language of the site: "score_N" for what North's score is headed."""
    names = {plain(word): name for name, words in _SYNONYMS.items() for word in words.split()}
    for language, _title in settings.LANGUAGES:
        with translation.override(language):
            named = {
                _("Round"): "round",
                _("Table"): "table",
                pgettext("one of many", "Deal"): "number",
                _("Pig and sheep change signs"): "swap",
                _("Void: reason"): "void",
                _("Order of play"): "turn",
            }
            named |= {
                _("%(seat)s score") % {"seat": seat_name(seat, seats)}: f"score_{seat}"
                for seats in (FOUR_SEATS, LETTER_SEATS)
                for seat in seats
            }
            names |= {plain(heading): name for heading, name in named.items()}
    return names


@lru_cache(maxsize=4096)  # every row may be one of headings, and cells repeat
def field_of(heading: str) -> str | None:
    """The field that a heading's first line names: a key card, a seat for what it captured, or a word.

    >>> field_of("♠Q"), field_of("北"), field_of("Deal"), field_of("备注")
    ('SQ', 'N', 'number', None)
    """
    first = heading[:_LONGEST].strip().split("\n")[0]
    cards = read_cards(first)
    if len(cards.cards) == 1 and not cards.unread and cards.cards[0] in KEY_CARDS:
        return cards.cards[0]
    return read_seat(first) or _names().get(plain(first))


def read_paper(file: IO[bytes] | bytes, *, round_number: int) -> PaperSheet:
    """The deals that a workbook's visible sheets hold for a round. Nothing is looked up or stored."""
    try:
        reader = WorkbookReader(file)
        many = len(reader.sheets()) > 1
        found = [_SheetReader(reader.sheet(place), round_number) for place in range(len(reader.sheets()))]
    except UnreadableFileError as refusal:
        return PaperSheet(faults=(refusal.fault,))
    if not any(one.headed for one in found):
        text = _(
            "No row of headings was found: a score sheet has columns “%(table)s”, “%(deal)s” "
            "and one for each seat."
        )
        params = {"table": _("Table"), "deal": pgettext("one of many", "Deal")}
        return PaperSheet(faults=(SheetFault("other", params={"text": text % params}),))
    deals = tuple(deal for one in found for deal in one.deals)
    faults = first_faults([one.named(fault, many) for one in found for fault in one.faults])
    if not deals and not faults:
        faults = (SheetFault("other", params={"text": _("No deal is filled in.")}),)
    notes = tuple(note for one in found for note in one.notes())
    return PaperSheet(deals, faults, notes, sum(one.failed for one in found))


@dataclass
class _Block:
    """A row of headings: the sheet's column of each field, and who it names at each seat."""

    row: int
    columns: Mapping[str, int]
    names: Mapping[str, str]

    @property
    def seats(self) -> list[str]:
        return [name for name in self.columns if len(name) == 1]


@dataclass
class _SheetReader:
    """Reads one sheet; faults are gathered in reading order."""

    sheet: Sheet
    round_number: int
    deals: list[PaperDeal] = field(default_factory=list)
    faults: list[SheetFault] = field(default_factory=list)
    headed: bool = False
    failed: int = 0

    def __post_init__(self) -> None:
        self._read: set[int] = set()
        # Looked up once: there may be a hundred thousand cells.
        self._titles = {
            "table": _("Table"),
            "number": pgettext("one of many", "Deal"),
            "turn": _("Order of play"),
            "void": _("Void: reason"),
            "score": _("score"),
            **{card: symbol(card) for card in KEY_CARDS},
        }
        block: _Block | None = None
        for row in sorted(self.sheet.rows):
            found = self._headings(row)
            if found is not None:
                block, self.headed = found, True
                self._titles |= {seat: seat_name(seat, found.seats) for seat in found.seats}
            elif block is not None:
                self._row(row, block)

    def named(self, fault: SheetFault, many: bool) -> SheetFault:
        """The fault, with its sheet where the workbook has several."""
        if not many or not fault.cell:
            return fault
        return SheetFault("other", params={"text": f"{self.sheet.name}, {fault.cell}: {fault.message}"})

    def notes(self) -> Iterable[SheetNote]:
        """What is worth telling about how the sheet was understood."""
        hidden = sorted(self._read & self.sheet.hidden_rows)
        if hidden:
            yield SheetNote("hidden_rows", {"rows": ", ".join(map(str, hidden))})

    def _headings(self, row: int) -> _Block | None:
        columns: dict[str, int] = {}
        names: dict[str, str] = {}
        for position, cell in sorted(self.sheet.rows[row].items()):
            name = field_of(cell.text) if cell.kind == "text" else None
            if name is None or name in columns:
                continue
            columns[name] = position
            if len(name) == 1:
                names[name] = tidy(" ".join(cell.text.strip().split("\n")[1:]))
        if {"table", "number"} <= columns.keys() and names:
            return _Block(row, columns, names)
        return None

    def _row(self, row: int, block: _Block) -> None:
        cells = self.sheet.rows[row]
        places = {name: address(row, position) for name, position in block.columns.items()}
        held = {name: cells[position] for name, position in block.columns.items() if position in cells}
        written = [
            name for name in (*block.seats, *KEY_CARDS, "void") if name in held and self._text(held[name])
        ]
        words = [held[name] for name in ("round", "table") if name in held and self._text(held[name])]
        deal = held.get("number")
        if not written or (
            any(_whole(cell) is None for cell in words) and (not deal or _whole(deal) is None)
        ):
            return  # a prepared line, a total, a line of signatures
        self._read.add(row)
        before = len(self.faults)
        numbers = {name: self._number(name, held.get(name), places[name]) for name in ("table", "number")}
        if "round" in held:
            self._check_round(held["round"], places["round"])
        turn = self._number("turn", held["turn"], places["turn"]) if self._text(held.get("turn")) else None
        void = self._void(block, held, places)
        record = {} if void else self._record(block, held, places)
        shown = {} if void else self._shown(block, held, places)
        if len(self.faults) > before or numbers["table"] is None or numbers["number"] is None:
            self.failed += 1
            return
        cells_of = {
            **places,
            **{f"name_{seat}": address(block.row, block.columns[seat]) for seat in block.seats},
        }
        self.deals.append(
            PaperDeal(
                row, numbers["table"], numbers["number"], record, block.names, shown, cells_of, void, turn
            )
        )

    # --- cells ----------------------------------------------------------------------------------------

    def _fault(self, cell: str, told: str, **params: Any) -> None:
        self.faults.append(SheetFault("other", cell, {"text": told % params if params else told}))

    @staticmethod
    def _text(cell: Cell | None) -> str:
        return "" if cell is None else cell.text.strip() or ("?" if cell.kind == "no_value" else "")

    def _readable(self, name: str, cell: Cell, place: str) -> bool:
        code = _UNREADABLE.get(cell.kind)
        if code:
            self.faults.append(SheetFault(code, place, {"column": self._titles[name], "value": cell.text}))
        elif len(cell.text) > _LONGEST:
            facts = {"column": self._titles[name], "length": len(cell.text), "limit": _LONGEST}
            self.faults.append(SheetFault("too_long", place, facts))
            return False
        return code is None

    def _number(self, name: str, cell: Cell | None, place: str) -> int | None:
        title = self._titles[name]
        if cell is None or not self._text(cell):
            self.faults.append(SheetFault("missing", place, {"column": title}))
            return None
        if not self._readable(name, cell, place):
            return None
        found = _whole(cell)
        if found is None:
            params = {"column": title, "value": cell.text[:40], "limit": _HIGHEST}
            self.faults.append(SheetFault("not_a_number", place, params))
        return found

    def _check_round(self, cell: Cell, place: str) -> None:
        if self._text(cell) and _whole(cell) != self.round_number:
            told = _("This line is of round %(other)s, not of round %(round)s.")
            self._fault(place, told, other=cell.text[:40], round=self.round_number)

    def _void(self, block: _Block, held: Mapping[str, Cell], places: Mapping[str, str]) -> str:
        """Why the deal was void; "" where it was not. What else its line says then does not count."""
        cell = held.get("void")
        if cell and self._readable("void", cell, places["void"]):
            written = tidy(cell.text)
            if written.casefold() not in _NO | _MARKS:
                return written
            if written.casefold() in _MARKS:
                return _("Void on the score sheet")
        struck = any(tidy(held[seat].text).casefold() in _STRUCK for seat in block.seats if seat in held)
        return _("Void on the score sheet") if struck else ""

    def _shown(self, block: _Block, held: Mapping[str, Cell], places: Mapping[str, str]) -> dict[str, int]:
        """The scores written down, by seat, of the seats that have one."""
        found = {
            seat: self._points(held.get(f"score_{seat}"), places.get(f"score_{seat}", ""))
            for seat in block.seats
        }
        return {seat: points for seat, points in found.items() if points is not None}

    def _record(self, block: _Block, held: Mapping[str, Cell], places: Mapping[str, str]) -> dict[str, Any]:
        captures: dict[str, list[str]] = {}
        for seat in block.seats:
            cell = held.get(seat)
            found = read_cards(cell.text) if cell and self._readable(seat, cell, places[seat]) else None
            captures[seat] = list(found.cards) if found else []
            if found and found.unread:
                told = _("“%(unread)s” cannot be read as a card. Write for example ♠Q ♥A23 ♣10.")
                self._fault(places[seat], told, unread=" ".join(found.unread)[:40])
        dealt: dict[str, Any] = {}
        exposed: list[dict[str, str]] = []
        for card in KEY_CARDS:
            cell = held.get(card)
            if cell is None or not self._readable(card, cell, places[card]):
                continue
            found = read_holding(cell.text)
            if found.unread:
                told = _("“%(unread)s” names no seat. Write for example N, or N first.")
                self._fault(places[card], told, unread=" ".join(found.unread)[:40])
            seats = [seat for seat, _kind in found.seats]
            if seats:
                dealt[card] = seats[0] if len(seats) == 1 else seats
            exposed += [{"card": card, "seat": seat, "kind": kind} for seat, kind in found.seats if kind]
        record: dict[str, Any] = {"captures": captures, "exposed": exposed, "held": dealt}
        if "swap" in held and self._text(held["swap"]).casefold() not in _NO:
            record["swap_pig_sheep"] = True
        return record

    def _points(self, cell: Cell | None, place: str) -> int | None:
        if cell is None or not self._text(cell) or not self._readable("score", cell, place):
            return None
        written = tidy(cell.text).replace("−", "-").replace("－", "-").replace("＋", "+").replace(" ", "")
        if re.fullmatch(r"[+-]?[0-9]{1,7}", written):
            return int(written)
        self._fault(place, _("“%(value)s” is not a number of points."), value=cell.text[:40])
        return None


def _whole(cell: Cell) -> int | None:
    match = re.fullmatch(r"(?:第)?([0-9]{1,5})(?:轮|輪|桌|副|号|號)?", tidy(cell.text).replace(" ", ""))
    return int(match[1]) if match and int(match[1]) else None
