"""The sheets without arithmetic: entries, pairings, and what the event is."""

from collections.abc import Mapping
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.labels import ruleset_title
from tournament.excel.book import Column, SheetWriter, Value
from tournament.excel.deal_sheet import is_lettered, seat_labels, seat_place
from tournament.excel.result_sheets import local_time
from tournament.models import Event
from tournament.points import show_points
from tournament.queries.bye_reasons import bye_reason_text
from tournament.queries.export import ExportRound, ExportSeat, ExportTable, ResultBook


def write_entries(book: ResultBook, sheet: SheetWriter) -> None:
    """Every entry with its players, by number."""
    people = [[player.name for player in entry.players.all()] for entry in book.entries]
    most = max(map(len, people), default=0) if book.event.entry_size > 1 else 0
    seeded = any(entry.seeding for entry in book.entries)
    columns = [
        Column(pgettext("entry list", "Number"), 8, centred=True),
        Column(_("Entry")),
        Column(pgettext("entry list", "Club")),
        *(Column(_("Player %(place)s") % {"place": place}) for place in range(1, most + 1)),
        *([Column(pgettext("entry list", "Seed"), 8)] if seeded else []),
        Column(_("Enters in round"), 10),
        Column(_("Points at entry"), 10),
        Column(_("State")),
    ]
    rows: list[list[Value]] = []
    for entry, players in zip(book.entries, people, strict=True):
        shown = [*players, *[None] * most][:most]
        seeding = [entry.seeding] if seeded else []
        facts = [entry.first_round, entry.start_points, str(entry.get_status_display())]
        rows.append([entry.number, entry.name, entry.club or None, *shown, *seeding, *facts])
    sheet.write(columns, rows, frozen_columns=2, landscape=most > 2)


def write_pairings(book: ResultBook, sheet: SheetWriter) -> None:
    """Who sits where, a row for each table (and segment); byes after the tables of their round."""
    names = {entry.number: entry.name for entry in book.entries}
    tables = [table for played in book.rounds for table in played.tables]
    labels = seat_labels(tables)
    sided = book.event.kind == Event.Kind.TEAMS
    segmented = any(seat.segment > 1 for table in tables for seat in table.seats)
    columns = [
        Column(_("Round"), 7, centred=True),
        Column(_("Starts at"), 17),
        Column(_("Table"), 7, centred=True),
    ]
    columns += [Column(_("Segment"), 8, centred=True)] if segmented else []
    columns += [Column(_("Home team")), Column(_("Visiting team"))] if sided else []
    for label in labels:
        columns += [Column(_("%(seat)s no.") % {"seat": label}, 7, centred=True), Column(label)]
    columns.append(Column(_("Remark")))
    rows: list[list[Value]] = []
    for played in book.rounds:
        starts = local_time(played.starts_at, book.event.tournament.tz)
        for table in played.tables:
            for segment in sorted({seat.segment for seat in table.seats}):
                row: list[Value] = [played.number, starts, table.number]
                row += [segment] if segmented else []
                if sided:
                    row += [names.get(number) for number in (*table.sides, 0, 0)[:2]]
                seats = [seat for seat in table.seats if seat.segment == segment]
                rows.append([*row, *_seat_cells(table, seats, len(labels)), table.stopped or None])
        rows += _bye_rows(played, starts, names, len(columns), segmented + 2 * sided)
    sheet.write(columns, rows, frozen_columns=3)


def _seat_cells(table: ExportTable, seats: list[ExportSeat], width: int) -> list[Value]:
    cells: list[Value] = [None] * (2 * width)
    for seat in seats:
        place = 2 * seat_place(seat.direction, is_lettered(table))
        cells[place : place + 2] = [seat.number, seat.player]
    return cells


def _bye_rows(
    played: ExportRound, starts: datetime | None, names: Mapping[int, str], width: int, skipped: int
) -> list[list[Value]]:
    rows = []
    for bye in played.byes:
        row: list[Value] = [played.number, starts, None, *[None] * skipped, bye.number, names.get(bye.number)]
        remark = _("bye: %(points)s points") % {"points": show_points(bye.points)}
        remark = "; ".join(filter(None, (remark, bye_reason_text(bye.reason))))
        rows.append([*row, *[None] * (width - len(row) - 1), remark])
    return rows


def write_event(book: ResultBook, sheet: SheetWriter, made_at: datetime) -> None:
    """What the event is, under which rules, and when the workbook was made."""
    event = book.event
    tournament = event.tournament
    version = event.ruleset_version
    days = "–".join(day.isoformat() for day in (tournament.starts_on, tournament.ends_on) if day)
    deals = [deal for played in book.rounds for table in played.tables for deal in table.deals]
    waiting = sum(deal.state == "recorded" for deal in deals)
    facts: list[tuple[str, Value]] = [
        (_("Tournament"), tournament.name),
        (_("Event"), event.name),
        (_("Venue"), tournament.venue or None),
        (_("Days"), days or None),
        (_("Kind"), str(event.get_kind_display())),
        (
            _("Ruleset"),
            _("%(title)s, version %(number)s")
            % {"title": ruleset_title(version.data), "number": version.number},
        ),
        (_("Result measure"), str(event.get_measure_display())),
        (_("Rounds drawn"), len(book.rounds)),
        (pgettext("many", "Entries"), len(book.entries)),
        (_("Deals recorded"), sum(deal.state != "void" for deal in deals)),
        (_("of these not checked yet"), waiting),
        (_("Times are those of"), tournament.time_zone),
        (_("Made at"), local_time(made_at, tournament.tz)),
    ]
    rows = [list(fact) for fact in facts]
    sheet.write([Column(_("Matter")), Column(_("Value"))], rows, landscape=False, filters=False)
