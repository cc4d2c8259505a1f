"""The sheets of a whole tournament: its events at a glance, who won what, and the medals 奖牌 by club."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tournament.excel.book import Column, Formula, SheetWriter, Value
from tournament.models import Event
from tournament.queries.export import ResultBook

#: Places that win a medal, and how it is called.
MEDAL_LABELS = {1: gettext_lazy("gold"), 2: gettext_lazy("silver"), 3: gettext_lazy("bronze")}


@dataclass(frozen=True)
class Winner:
    """Somebody who won a medal; ``club`` is the entry itself where it has none. ``appealed``: an appeal is
    open in the event, so the medal is not settled.
    """

    event: str
    rank: int
    number: int
    name: str
    club: str
    total: Value
    appealed: bool = False


def winners_of(books: Sequence[ResultBook]) -> list[Winner]:
    """The first three places of every finished event, shared places all together, events in their order."""
    return [
        Winner(
            book.event.name,
            row.rank,
            row.entry.number,
            row.entry.name,
            row.entry.club or row.entry.name,
            row.total,
            bool(book.appealed),
        )
        for book in books
        if book.event.state == Event.State.FINISHED
        for row in book.standings.rows
        if row.rank in MEDAL_LABELS and not row.disqualified
    ]


def write_events(books: Sequence[ResultBook], sheet: SheetWriter) -> None:
    """A line for each event: how many play, how far it is, who leads or has won."""
    columns = [
        Column(pgettext("audit", "Event")),
        Column(_("Kind")),
        Column(_("State")),
        Column(pgettext("many", "Entries"), 9, centred=True),
        Column(_("Rounds drawn"), 9, centred=True),
        Column(_("Rank 1")),
        Column(_("Total"), 12),
    ]
    rows: list[list[Value]] = []
    for book in books:
        first = [row for row in book.standings.rows if row.rank == 1 and not row.disqualified and book.rounds]
        rows.append(
            [
                book.event.name,
                str(book.event.get_kind_display()),
                str(book.event.get_state_display()),
                len(book.entries),
                len(book.rounds),
                ", ".join(row.entry.name for row in first) or None,
                first[0].total if first else None,
            ]
        )
    sheet.write(columns, rows)


def write_winners(winners: Sequence[Winner], sheet: SheetWriter) -> None:
    """Who won which medal: what the table of medals counts."""
    columns = [
        Column(pgettext("audit", "Event")),
        Column(_("Rank"), 7, centred=True),
        Column(_("Medal"), 9),
        Column(pgettext("entry list", "Number"), 8, centred=True),
        Column(_("Entry")),
        Column(pgettext("entry list", "Club")),
        Column(_("Total"), 12),
        Column(_("Remarks"), 14),
    ]
    rows: list[list[Value]] = [
        [
            one.event,
            one.rank,
            str(MEDAL_LABELS[one.rank]),
            one.number,
            one.name,
            one.club,
            one.total,
            _("under appeal") if one.appealed else None,
        ]
        for one in winners
    ]
    sheet.write(columns, rows)


def write_medals(winners: Sequence[Winner], sheet: SheetWriter, listed: SheetWriter) -> None:
    """Medals by club, most gold first, then silver, then bronze; counted by formulas over the winners."""
    counts = {club: Counter[int]() for club in dict.fromkeys(one.club for one in winners)}
    for one in winners:
        counts[one.club][one.rank] += 1
    figures = {club: tuple(counts[club][place] for place in MEDAL_LABELS) for club in counts}
    ordered = sorted(figures, key=lambda club: (tuple(-count for count in figures[club]), club))
    clubs, ranks = (f"{listed.reference}${c}$2:${c}${len(winners) + 1}" for c in "FB")
    rows: list[list[Value]] = []
    for row, club in enumerate(ordered, start=2):
        place = 1 + sum(figures[other] > figures[club] for other in ordered)
        medals: list[Value] = [
            # No COUNTIFS: a club may be called “>5” or “*”, which it would take for a condition.
            Formula(f"=SUMPRODUCT(({clubs}=B{row})*({ranks}={rank}))", count)
            for rank, count in zip(MEDAL_LABELS, figures[club], strict=True)
        ]
        rows.append([place, club, *medals, Formula(f"=SUM(C{row}:E{row})", sum(figures[club]))])
    columns = [
        Column(_("Rank"), 7, centred=True),
        Column(pgettext("entry list", "Club")),
        *(Column(str(label), 9, centred=True) for label in MEDAL_LABELS.values()),
        Column(_("Medals"), 9, centred=True),
    ]
    sheet.write(columns, rows, landscape=False)
