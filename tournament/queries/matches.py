"""One match as the organiser's page shows it: who sits where in each segment, tables, deals compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.queries.compare import ComparedDeal, compared_deals
from referee.queries.play import Column, Play, play_of, tables_in_play
from tournament.models import Entry, EntryResult, Match, Player, Seat, Substitution, Table
from tournament.queries.plans import round_terms
from tournament.ranking.points import Points


@dataclass(frozen=True)
class TableOfMatch:
    """A table and the play at it; ``seats`` by segment from the first, each in the order of play."""

    table: Table
    play: Play
    seats: tuple[tuple[Seat, ...], ...]

    def begun(self, segment: int) -> bool:
        """Whether a deal of that segment is on record here."""
        return any(line.version.deal.segment == segment for line in self.play.deals)


@dataclass(frozen=True)
class Side:
    """An entry in the match, who may play for it, and what it has at all tables so far.

    ``value`` is in the round's measure, None before the first deal. ``subtotals`` are its points by segment,
    None where no deal of the segment counts yet.
    """

    entry: Entry
    players: tuple[Player, ...]
    points: Points
    value: Points | None
    subtotals: tuple[Points | None, ...]


@dataclass(frozen=True)
class MatchState:
    """A match with its sides in their order, its tables by number and, between two tables, deals compared."""

    match: Match
    sides: tuple[Side, ...]
    tables: tuple[TableOfMatch, ...]
    compared: tuple[ComparedDeal, ...]
    substitutions: tuple[Substitution, ...]

    @property
    def segments(self) -> range:
        """Numbers of the match's segments."""
        return range(1, max(len(one.seats) for one in self.tables) + 1)

    @property
    def seats(self) -> list[Seat]:
        """All seats, by table, segment and in the order of play."""
        return [seat for one in self.tables for seats in one.seats for seat in seats]

    def begun(self, segment: int) -> bool:
        """Whether a deal of that segment is on record at any of the tables."""
        return any(one.begun(segment) for one in self.tables)

    def finished(self, segment: int) -> bool:
        """Whether every table has gone on to a later segment."""
        return all(one.play.segment > segment for one in self.tables)

    def seats_of(self, entry: Entry, segment: int) -> list[Seat]:
        """The entry's seats in a segment, by table and in the order of play."""
        return [seat for one in self.tables for seat in one.seats[segment - 1] if seat.entry_id == entry.pk]


def match_state(match: Match) -> MatchState:
    """Reads a match. The number of queries depends on its tables and sides alone."""
    tables = [
        TableOfMatch(table, play_of(table), _by_segment(table))
        for table in tables_in_play()
        .filter(match=match)
        .order_by("number")
        .prefetch_related("seats__player", "seats__entry")
    ]
    duplicate = round_terms(match.draw.round).duplicate
    results = list(EntryResult.objects.filter(table__match=match))
    entries = [
        one.entry
        for one in match.sides.select_related("entry").prefetch_related("entry__players").order_by("position")
    ]
    outside = list(Player.everyone.filter(match=match))
    return MatchState(
        match=match,
        sides=tuple(_side(entry, outside, results, tables) for entry in entries),
        tables=tuple(tables),
        compared=compared_deals([one.play for one in tables]) if duplicate else (),
        substitutions=tuple(
            match.substitutions.select_related("table", "player_out", "player_in", "made_by").order_by("id")
        ),
    )


def _by_segment(table: Table) -> tuple[tuple[Seat, ...], ...]:
    seats = sorted(table.seats.all(), key=lambda seat: (seat.segment, seat.order))
    last = max((seat.segment for seat in seats), default=1)
    return tuple(tuple(seat for seat in seats if seat.segment == segment) for segment in range(1, last + 1))


def _side(
    entry: Entry, outside: Sequence[Player], results: Sequence[EntryResult], tables: Sequence[TableOfMatch]
) -> Side:
    own = [result for result in results if result.entry_id == entry.pk]
    played = [result for result in own if result.deals]
    segments = max((len(one.seats) for one in tables), default=1)
    return Side(
        entry=entry,
        players=(*entry.players.all(), *(one for one in outside if one.entry_id == entry.pk)),
        points=sum((result.points for result in own), start=0),
        value=sum((result.value for result in own), start=0) if played else None,
        subtotals=tuple(_subtotal(entry, tables, segment) for segment in range(1, segments + 1)),
    )


def _subtotal(entry: Entry, tables: Sequence[TableOfMatch], segment: int) -> Points | None:
    found = [
        sums[column.key]
        for one in tables
        for column in [_column_of(one.play, entry)]
        for sums in [one.play.subtotals.get(segment)]
        if column is not None and sums is not None
    ]
    return sum(found, start=0) if found else None


def _column_of(play: Play, entry: Entry) -> Column | None:
    return next((column for column in play.columns if entry.pk in column.entries), None)
