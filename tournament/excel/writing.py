"""The result workbooks: of an event (standings, results, pairings, every deal, penalties, entries, charts),
and of a whole tournament, which has all of these for each of its events and the medals besides.
"""

from collections.abc import Callable
from datetime import datetime

from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.excel.book import Book
from tournament.excel.charts import ChartSheet
from tournament.excel.deal_sheet import DealSheet
from tournament.excel.list_sheets import write_entries, write_event, write_pairings
from tournament.excel.medal_sheets import winners_of, write_events, write_medals, write_winners
from tournament.excel.result_sheets import PenaltySheet, ResultSheet, StandingsSheet
from tournament.models import Event, Tournament
from tournament.queries.export import ResultBook, result_book

#: Told after each step: how many are done, and how many there are.
Tell = Callable[[int, int], None]
#: Steps of an event: reading it, and each of its sheets; and one for packing the file.
_READING, _SHEETS, _PACKING = 1, 8, 1


class _Progress:
    """Counts steps, and tells whoever asked."""

    def __init__(self, tell: Tell | None, events: int) -> None:
        self._tell = tell
        self._steps = events * (_READING + _SHEETS) + _PACKING
        self._done = 0

    def step(self) -> None:
        self._done += 1
        if self._tell:
            self._tell(self._done, self._steps)


def result_workbook(event: Event, language: str, tell: Tell | None = None) -> bytes:
    """The event's .xlsx file with everything recorded so far, in one of the site's languages.

    Totals are formulas over the sheets they come from; times are those of the tournament's place.
    """
    progress = _Progress(tell, 1)
    book = result_book(event)
    progress.step()
    return workbook_of(book, language, made_at=timezone.now(), step=progress.step)


def tournament_workbook(tournament: Tournament, language: str, tell: Tell | None = None) -> bytes:
    """The tournament's .xlsx file: events at a glance, medals, then every sheet of every event."""
    events = list(tournament.events.order_by("id"))
    progress = _Progress(tell, len(events))
    books = []
    for event in events:
        books.append(result_book(event))
        progress.step()
    made_at = timezone.now()
    with translation.override(language):
        workbook = Book(tournament.name)
        overview, medals, listed = (
            workbook.add_sheet(title) for title in (_("Events"), _("Medals"), _("Prize winners"))
        )
        write_events(books, overview)
        winners = winners_of(books)
        write_medals(winners, medals, listed)
        write_winners(winners, listed)
        for book in books:
            _add_event(workbook, book, made_at, progress.step, of=book.event.name)
        return workbook.to_bytes()


def workbook_of(
    book: ResultBook, language: str, *, made_at: datetime, step: Callable[[], None] = lambda: None
) -> bytes:
    """The workbook of what has been read already; ``made_at`` is the aware time it is to bear, ``step`` is
    called after each sheet.
    """
    with translation.override(language):
        workbook = Book(f"{book.event.tournament.name} · {book.event.name}")
        _add_event(workbook, book, made_at, step)
        return workbook.to_bytes()


def _add_event(
    workbook: Book, book: ResultBook, made_at: datetime, step: Callable[[], None], of: str = ""
) -> None:
    """All sheets of an event, ``step`` called after each; ``of`` is its name where there are several."""
    standings, results, pairings, deals, penalties, entries, charts, event = (
        workbook.add_sheet(title, of)
        for title in (
            _("Standings"),
            _("Results"),
            _("Pairings"),
            pgettext("sheet", "Deals"),
            _("Penalties"),
            pgettext("many", "Entries"),
            _("Charts"),
            _("Event"),
        )
    )
    deal_sheet = DealSheet(book, deals)
    result_sheet = ResultSheet(book, results, deal_sheet)
    penalty_sheet = PenaltySheet(book, penalties)
    standings_sheet = StandingsSheet(book, standings, result_sheet, penalty_sheet)
    for write in (
        standings_sheet.write,
        result_sheet.write,
        lambda: write_pairings(book, pairings),
        deal_sheet.write,
        penalty_sheet.write,
        lambda: write_entries(book, entries),
        lambda: ChartSheet(
            charts, book.standings.rounds, standings_sheet.score_lines(), deal_sheet.all_scores()
        ).write(),
        lambda: write_event(book, event, made_at),
    ):
        write()
        step()
