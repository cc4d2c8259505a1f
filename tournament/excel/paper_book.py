"""Blank score sheets 记分表 of a round as a workbook: filled in by hand, or filled in and uploaded.

One page for each table, with the headings that `tournament.excel.paper_reading` knows again. Every line says
its round, table and deal, so that rows may be sorted, copied or sent separately.
"""

import io
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.pagebreak import Break

from referee.queries import seats_of, tables_in_play
from scoring.engine.cards import KEY_CARDS, symbol
from scoring.engine.ruleset import Ruleset
from scoring.messages import exposure_name, seat_name
from tournament.excel import style
from tournament.models import Draw, Event, Round, Seat, Table
from tournament.queries.plans import round_terms
from tournament.queries.segments import segment_numbers

#: Unnumbered lines of a table for deals that are void and replayed.
_SPARE = 2
#: Lines of a table where the plan does not say how many deals it plays.
_LINES = 20
_THIN = Side(style="thin", color="8A7F66")
_BOX = Border(left=_THIN, right=_THIN, top=_THIN, bottom=_THIN)
_CENTRED = Alignment(horizontal="center", vertical="center", wrap_text=True)
_LEFT = Alignment(horizontal="left", vertical="center", wrap_text=True)
#: Points: the lines of a page together, and the least and most that one of them takes.
_PAGE_HEIGHT, _LOWEST, _HIGHEST = 560, 20, 36
_FOOT_HEIGHT = 28
#: The longest list that a cell's choice can hold.
_LONGEST_CHOICE = 255


def paper_workbook(round: Round, language: str) -> bytes:
    """An .xlsx file with a page for each table of the round's published draw, in one of the site's languages.

    Without a published draw there is no table; the explanations are there all the same.
    """
    event = round.event
    with translation.override(language):
        workbook = Workbook()
        style.set_base_font(workbook)
        title = _("Round %(number)s") % {"number": round.number}
        sheet = workbook.active
        sheet.title = style.sheet_title(f"{_('Score sheets')} {title}")
        writer = _Pages(sheet, round, event.ruleset_version.ruleset())
        tables = tables_in_play().filter(draw__round=round, draw__state=Draw.State.PUBLISHED)
        for table in tables.prefetch_related("seats__player", "seats__entry").order_by("number"):
            writer.add_table(table)
        writer.finish(f"{event.tournament.name} · {event.name} · {title}")
        _explain(workbook.create_sheet(style.sheet_title(_("How to fill in"), workbook.sheetnames)))
        workbook.properties.title = style.clean(f"{event.name} {title}")
        workbook.properties.creator = "Huapai"
        stream = io.BytesIO()
        workbook.save(stream)
    return stream.getvalue()


class _Pages:
    """Writes the tables below each other, each on a page of its own."""

    def __init__(self, sheet: Any, round: Round, ruleset: Ruleset) -> None:
        self._sheet = sheet
        self._round = round
        self._ruleset = ruleset
        self._plan = round_terms(round).plan
        self._row = 0
        self._widest = 0
        self._choices: dict[tuple[str, ...], DataValidation] = {}

    def add_table(self, table: Table) -> None:
        """The lines of a table, for each of its segments with who sits there then."""
        segments = max(seat.segment for seat in table.seats.all())
        for segment in range(1, segments + 1):
            seats = seats_of(table, segment)
            self._title(table, segment if segments > 1 else 0, self._headings(seats))
            first = self._row + 1
            numbers = list(self._numbers(segments, segment))
            height = min(max(_PAGE_HEIGHT // len(numbers), _LOWEST), _HIGHEST)
            for number in numbers:
                self._line(table, number, seats, height)
            self._foot(seats, first)
            self._sheet.row_breaks.append(Break(id=self._row))

    def finish(self, title: str) -> None:
        """Page set-up and widths; the headings stand in every table, so none is repeated."""
        style.set_up_page(self._sheet, title=title)
        self._sheet.print_title_rows = None
        self._sheet.print_options.gridLines = False
        scored = self._scored
        seats = max((self._widest - 8 - self._swapped) // (2 if scored else 1), 0)
        widths = [7, 7, 7, 9, 9, 9, 9, *[24] * seats, *[9] * seats * scored, *[9] * self._swapped, 14]
        for place, width in enumerate(widths, start=1):
            self._sheet.column_dimensions[get_column_letter(place)].width = width

    @property
    def _scored(self) -> bool:
        """Whether scores are written down: made up to zero, a seat's points are no sum of its cards."""
        return not self._ruleset.zero_sum

    @property
    def _swapped(self) -> bool:
        return self._ruleset.swap == "choice"

    def _numbers(self, segments: int, segment: int) -> Iterable[int | None]:
        if self._plan.kind == "set":
            return [*segment_numbers(self._plan.deals, segments, segment), *[None] * _SPARE]
        # Which deals a later segment begins with is known only once the earlier one is over.
        return [*range(1, _LINES + 1), *[None] * _SPARE] if segment == 1 else [None] * _LINES

    def _headings(self, seats: Sequence[Seat]) -> list[str]:
        letters = [seat.direction for seat in seats]
        called = [seat_name(letter, letters) for letter in letters]
        names = [f"{name}\n{style.clean(seat.player.name)}" for name, seat in zip(called, seats, strict=True)]
        scores = [_("%(seat)s score") % {"seat": name} for name in called]
        return [
            _("Round"),
            _("Table"),
            pgettext("one of many", "Deal"),
            *map(symbol, KEY_CARDS),
            *names,
            *(scores if self._scored else []),
            *([_("Pig and sheep change signs")] if self._swapped else []),
            _("Void: reason"),
        ]

    def _title(self, table: Table, segment: int, headings: Sequence[str]) -> None:
        self._row += 1
        self._widest = max(self._widest, len(headings))
        event: Event = self._round.event
        parts = [
            event.name,
            _("Round %(number)s") % {"number": self._round.number},
            _("Table %(table)s") % {"table": table.number},
            *([_("Segment %(number)s") % {"number": segment}] if segment else []),
        ]
        cell = self._write(1, " · ".join(parts), boxed=False)
        cell.font, cell.alignment = style.font(bold=True, sz=15), Alignment(vertical="center")
        self._sheet.merge_cells(
            start_row=self._row, end_row=self._row, start_column=1, end_column=len(headings)
        )
        self._sheet.row_dimensions[self._row].height = 30
        self._row += 1
        for place, text in enumerate(headings, start=1):
            cell = self._write(place, text)
            cell.font, cell.fill = style.font(bold=True), style.HEADING_FILL
            cell.alignment = style.HEADING_ALIGNMENT
        self._sheet.row_dimensions[self._row].height = 36

    def _line(self, table: Table, number: int | None, seats: Sequence[Seat], height: int) -> None:
        self._row += 1
        width = 8 + len(seats) * (1 + self._scored) + self._swapped
        for place, value in enumerate((self._round.number, table.number, number), start=1):
            self._write(place, value).alignment = _CENTRED
        for place in range(4, width + 1):
            cell = self._write(place, None)
            cell.alignment = _LEFT if 7 < place <= 7 + len(seats) else _CENTRED
            if 7 < place <= 7 + len(seats):
                cell.number_format = "@"  # 2-4 is no date
        self._choice(tuple(seat.direction for seat in seats)).add(f"D{self._row}:G{self._row}")
        self._sheet.row_dimensions[self._row].height = height

    def _choice(self, seats: tuple[str, ...]) -> DataValidation:
        """Proposals for who was dealt a key card and how it was shown; anything else may be written too."""
        if seats not in self._choices:
            kinds = ["", *(exposure_name(kind) for kind in self._kinds())]
            called = [seat_name(seat, seats) for seat in seats]
            answers = [f"{name} {kind}".strip() for name in called for kind in kinds]
            text = ",".join(answers)
            listed = answers if len(text) <= _LONGEST_CHOICE else called
            choice = DataValidation("list", formula1='"' + ",".join(listed) + '"', allow_blank=True)
            choice.showErrorMessage = False
            self._sheet.add_data_validation(choice)
            self._choices[seats] = choice
        return self._choices[seats]

    def _kinds(self) -> Iterable[str]:
        if self._ruleset.exposure == "none":
            return []
        known = {"exposed": True, "first": self._ruleset.allow_first, "dark": self._ruleset.allow_dark}
        return [kind for kind, allowed in known.items() if allowed]

    def _foot(self, seats: Sequence[Seat], first: int) -> None:
        """Totals, and room for signatures."""
        last = self._row
        start = 8 + len(seats)
        for text in [*([_("Total")] if self._scored else []), _("Signature")]:
            self._row += 1
            self._sheet.merge_cells(start_row=self._row, end_row=self._row, start_column=1, end_column=7)
            for place in range(1, 9 + len(seats) * (1 + self._scored) + self._swapped):
                self._write(place, text if place == 1 else None).alignment = _CENTRED
            self._sheet.row_dimensions[self._row].height = _FOOT_HEIGHT
            if self._scored and text == _("Total"):
                for place in range(start, start + len(seats)):
                    letter = get_column_letter(place)
                    scores = f"{letter}{first}:{letter}{last}"
                    # Nothing written, nothing shown: the sheet may be filled in by hand.
                    self._write(place, f'=IF(COUNT({scores})=0,"",SUM({scores}))', formula=True)

    def _write(self, place: int, value: Any, *, boxed: bool = True, formula: bool = False) -> Any:
        cell = self._sheet.cell(self._row, place)
        if value is not None:
            cell.value = style.clean(value) if isinstance(value, str) else value
        if isinstance(value, str) and not formula:
            cell.data_type = "s"
        if boxed:
            cell.border = _BOX
        return cell


def _explain(sheet: Any) -> None:
    """What stands in which column, with an example."""
    lines = [
        _("One line for each deal played; lines left empty are not read."),
        _("♠Q ♦J ♣10 ♥A: the seat that was dealt the card, and how it was shown before play, if it was."),
        _("Below each seat: the scoring cards it captured, as ♠Q ♥A23 ♣10, SQ HA23 C10 or 猪 红A23 变."),
        _("With two packs, write a card taken twice twice; ♠Q(N) is the copy dealt to North."),
        _("Scores may be left out; where they differ from what the cards come to, that is shown."),
        _(
            "A void deal: write the reason in the last column and leave the seats empty. Write its replay on "
            "a free line below, with the same number."
        ),
        _(
            "Lines may stand in any order. Where the deals of a set were not played as the lines follow, "
            "a column “%(order)s” may say 1, 2, 3 …"
        )
        % {"order": _("Order of play")},
        _("Upload the file on the page of the round. Nothing that is on record is overwritten."),
    ]
    sheet.column_dimensions["A"].width = 100
    for row, line in enumerate(lines, start=1):
        sheet.cell(row, 1, line).alignment = Alignment(wrap_text=True, vertical="top")
    style.set_up_page(sheet, title=_("How to fill in"), landscape=False)
