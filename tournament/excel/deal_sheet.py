"""The sheet of all deals, and where in it the points of a seat stand."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from openpyxl.utils import get_column_letter

from referee.models import DealCheck
from scoring.engine.cards import FOUR_SEATS, LETTER_SEATS, split_copy, symbol
from scoring.messages import exposure_name, seat_name
from tournament.excel.book import Column, Formula, SheetWriter, Value
from tournament.excel.charts import ScoreCells
from tournament.queries.export import ExportDeal, ExportTable, ResultBook

Points = int | Fraction
#: Partners sit opposite each other: the two sides of a table of four by seat.
_PARTNERSHIPS: Mapping[str, int] = {"N": 0, "S": 0, "E": 1, "W": 1}


@dataclass(frozen=True)
class Block:
    """Rows of one segment of a table: they stand together, first and last row counted in."""

    segment: int
    first: int
    last: int


class DealSheet:
    """Lays the deals out one a row, by round, table and order of play."""

    def __init__(self, book: ResultBook, sheet: SheetWriter) -> None:
        self._sheet = sheet
        tables = [table for played in book.rounds for table in played.tables]
        deals = [deal for table in tables for deal in table.deals]
        self._labels = seat_labels(tables)
        self._partnership = book.event.scoring_mode == "partnership"
        self._has_segments = any(deal.segment > 1 for deal in deals)
        self._has_counts = any(deal.credited != deal.scores for deal in deals)
        self._has_void = any(deal.reason for deal in deals)
        self.columns = tuple(self._make_columns())
        #: Rows by round and table number.
        self.blocks: dict[tuple[int, int], list[Block]] = {}
        self._rows: list[list[Value]] = []
        for played in book.rounds:
            for table in played.tables:
                self._add_table(played.number, table)

    def write(self) -> None:
        # On one page's width nobody could read it.
        self._sheet.write(self.columns, self._rows, frozen_columns=self._lead, pages_wide=2)

    def sum_of(self, round_number: int, table: ExportTable, number: int) -> Formula | None:
        """What an entry's seat has in all deals of a table, as a sum over them; None where it sat nowhere.

        Of an entry with several seats (a pair) one stands for the side.
        """
        ranges: list[str] = []
        total: Points = 0
        for block in self.blocks.get((round_number, table.number), ()):
            seat = next(
                (s.direction for s in table.seats if s.segment == block.segment and s.number == number), None
            )
            if seat is None:
                continue
            letter = self._count_letter(seat, is_lettered(table))
            ranges.append(f"{self._sheet.reference}{letter}{block.first}:{letter}{block.last}")
            total += sum(
                (
                    deal.credited[seat]
                    for deal in table.deals
                    if deal.segment == block.segment and seat in deal.credited and deal.counts
                ),
                0,
            )
        return Formula(f"=SUM({','.join(ranges)})", total) if ranges else None

    def all_scores(self) -> ScoreCells:
        """Every seat's score of every deal that was played."""
        scores = [value for row in self._rows for value in row[self._first_score :][: len(self._labels)]]
        letters = [get_column_letter(self._first_score + place) for place in (1, len(self._labels))]
        place = f"{self._sheet.reference}${letters[0]}$2:${letters[1]}${len(self._rows) + 1}"
        return ScoreCells([score for score in scores if isinstance(score, int)], place)

    # --- layout -------------------------------------------------------------------------------------

    def _make_columns(self) -> Iterator[Column]:
        yield Column(_("Round"), 7)
        yield Column(_("Table"), 7)
        if self._has_segments:
            yield Column(_("Segment"), 8)
        yield Column(pgettext("one of many", "Deal"), 7)
        self._lead = 4 if self._has_segments else 3
        yield Column(_("State"), 18)
        yield Column(_("Exposed"), 22)
        yield Column(_("Dealt to"), 22)
        for label in self._labels:
            yield Column(_("%(seat)s captured") % {"seat": label}, 24)
        self._first_score = self._lead + 3 + len(self._labels)
        for label in self._labels:
            yield Column(_("%(seat)s score") % {"seat": label}, 9)
        self._first_count = self._first_score
        if self._has_counts:
            self._first_count += len(self._labels)
            for label in self._count_labels():
                yield Column(_("%(seat)s counts") % {"seat": label}, 10)
        for label in self._labels:
            yield Column(_("%(seat)s formula") % {"seat": label}, 30)
        if self._has_void:
            yield Column(_("Remark"), 24)

    def _count_labels(self) -> list[str]:
        if self._partnership:
            north, west, south, east = (seat_name(seat, FOUR_SEATS) for seat in FOUR_SEATS)
            return [f"{north}–{south}", f"{east}–{west}"]
        return list(self._labels)

    def _count_letter(self, seat: str, lettered: bool) -> str:
        if not self._has_counts:
            return self._score_letter(seat, lettered)
        place = _PARTNERSHIPS[seat] if self._partnership else seat_place(seat, lettered)
        return get_column_letter(self._first_count + place + 1)

    def _score_letter(self, seat: str, lettered: bool) -> str:
        return get_column_letter(self._first_score + seat_place(seat, lettered) + 1)

    # --- rows ---------------------------------------------------------------------------------------

    def _add_table(self, round_number: int, table: ExportTable) -> None:
        blocks = self.blocks.setdefault((round_number, table.number), [])
        over = False
        for deal in sorted(table.deals, key=lambda deal: (deal.segment, deal.order)):
            self._rows.append(self._row(round_number, table, deal, len(self._rows) + 2))
            row = len(self._rows) + 1
            # Nothing that counts comes after a deal that does not: the range that is summed ends above it.
            over = over or not deal.counts
            if over:
                continue
            if blocks and blocks[-1].segment == deal.segment:
                blocks[-1] = Block(deal.segment, blocks[-1].first, row)
            else:
                blocks.append(Block(deal.segment, row, row))

    def _row(self, round_number: int, table: ExportTable, deal: ExportDeal, row: int) -> list[Value]:
        cells: list[Value] = [round_number, table.number]
        if self._has_segments:
            cells.append(deal.segment)
        lettered = is_lettered(table)
        letters = [seat.direction for seat in table.seats]
        # "" for columns that only a larger table has.
        seats = [""] * len(self._labels)
        for seat in letters:
            seats[seat_place(seat, lettered)] = seat
        cells += [deal.number, state_name(deal), exposed_text(deal, letters), held_text(deal, letters)]
        cells += [cards_text(deal.captures.get(seat, ())) or None for seat in seats]
        cells += [deal.scores.get(seat) for seat in seats]
        if self._has_counts:
            counted = ["N", "E"] if self._partnership else seats
            cells += [self._count(deal, seat, row, lettered) for seat in counted]
        cells += [deal.formula.get(seat) for seat in seats]
        if self._has_void:
            cells.append(deal.reason or None)
        return cells

    def _count(self, deal: ExportDeal, seat: str, row: int, lettered: bool) -> Value:
        if seat not in deal.credited:
            return None
        side = next((side for side in deal.sides if seat in side), ())
        if not side:
            return deal.credited[seat]
        letters = [self._score_letter(one, lettered) for one in side]
        return Formula("=" + "+".join(f"{letter}{row}" for letter in letters), deal.credited[seat])


def is_lettered(table: ExportTable) -> bool:
    """Whether the table's seats are A B C … and not N W S E."""
    return any(seat.direction == LETTER_SEATS[0] for seat in table.seats)


def seat_place(seat: str, lettered: bool) -> int:
    """Place of a seat in the order of play, from 0: E is the last of four, the fifth of a lettered table."""
    return (LETTER_SEATS if lettered else FOUR_SEATS).index(seat)


def seat_labels(tables: Iterable[ExportTable]) -> tuple[str, ...]:
    """A heading for each place at the tables: 北 西 南 东, or A B C …, or both where the event has both."""
    tables = list(tables)
    lettered = max((len({s.direction for s in t.seats}) for t in tables if is_lettered(t)), default=0)
    four = any(not is_lettered(table) for table in tables) or not lettered
    names = [seat_name(seat, FOUR_SEATS) for seat in FOUR_SEATS] if four else []
    return tuple(
        "/".join([*names[place : place + 1], *LETTER_SEATS[:lettered][place : place + 1]])
        for place in range(max(len(names), lettered))
    )


def state_name(deal: ExportDeal) -> str:
    """Whether the deal counts, and is checked, and by whom."""
    if not deal.counts:
        return _("not counted: after the end")
    if deal.state == "checked":
        return _("checked: %(by)s") % {"by": DealCheck.Relation(deal.check).label}
    return _("void") if deal.state == "void" else _("not checked")


def card_text(code: str) -> str:
    """♠Q; ♠Q(N) for a copy dealt to North."""
    card, seat = split_copy(code)
    return f"{symbol(card)}({seat})" if seat else symbol(card)


def cards_text(codes: Iterable[str]) -> str:
    """The cards with a space between them."""
    return " ".join(map(card_text, codes))


def exposed_text(deal: ExportDeal, at: Collection[str]) -> str | None:
    """Which key cards were exposed, by whom and how, at a table with the seats ``at``."""
    return (
        ", ".join(
            f"{seat_name(one['seat'], at)} {symbol(one['card'])} {exposure_name(one.get('kind', 'exposed'))}"
            for one in deal.exposed
        )
        or None
    )


def held_text(deal: ExportDeal, at: Collection[str]) -> str | None:
    """Which seat of a table with the seats ``at`` was dealt each key card, where that is on record."""
    parts = []
    for card, seats in deal.held.items():
        names = [seat_name(seat, at) for seat in ([seats] if isinstance(seats, str) else seats)]
        parts.append(f"{symbol(card)} {'+'.join(names)}")
    return ", ".join(parts) or None
