"""Results of entries at tables, derived from the deals on record and stored for speed.

Called inside the transaction of every command that changes a deal. What is written depends on one match's
deals alone, so its cost does not grow with the event.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from django.db import transaction
from django.db.models import Q

from referee.queries.play import Column, DealLine, Play, play_of, tables_in_play
from tournament.models import Draw, EntryResult, Event, Match, Table
from tournament.queries.plans import Terms, round_terms
from tournament.queries.walkovers import WalkoverFacts, walkovers_of
from tournament.services.live import mark_table
from tournament.services.result_values import match_values, total

Points = int | Fraction
_UPDATED = (
    "round",
    "points",
    "opponents_points",
    "value",
    "games_won",
    "pigs",
    "deals",
    "checked_deals",
    "grand_slams",
    "all_hearts",
    "complete",
)


def update_table_results(table: Table, *, play: Play | None = None) -> None:
    """Brings the stored results of the table up to date with the deals on record; within the caller's
    transaction.

    ``play`` is the table's play where the caller knows it already. Victory points, and deals compared between
    two tables, come from all tables of a match together; then the results at the others are written as well.
    """
    if round_terms(table.draw.round).tables_depend:
        _write(_plays_of_match(table.match_id, known={table.pk: play} if play else {}))
    else:
        _write([(table, play or play_of(table))])


def update_match_results(match: Match) -> None:
    """The same for all tables of a match, after something that concerns it as a whole; within the caller's
    transaction.
    """
    _write(_plays_of_match(match.pk))


def update_draw_results(draw: Draw) -> None:
    """The same for all tables of a draw that counts again; within the caller's transaction."""
    for match in Match.objects.filter(draw=draw).order_by("id"):
        if _has_results(match):
            update_match_results(match)


def rebuild_event_results(event: Event) -> int:
    """Makes all results of the event anew, scoring every record again; returns the number of results that
    were different.
    """
    with transaction.atomic():
        before = _stored(event)
        EntryResult.objects.filter(round__event=event).exclude(
            table__draw__state=Draw.State.PUBLISHED
        ).delete()
        matches = Match.objects.filter(draw__round__event=event, draw__state=Draw.State.PUBLISHED)
        for match in matches.order_by("id"):
            if _has_results(match):
                plays = _plays_of_match(match.pk, rescore=True)
                _write(plays)
                _remove_strangers(plays)
            else:
                EntryResult.objects.filter(table__match=match).delete()
        after = _stored(event)
        return len({key for key in before.keys() | after.keys() if before.get(key) != after.get(key)})


def _has_results(match: Match) -> bool:
    """Whether there are deals at its tables, or play has ended at one: by a walkover, without any."""
    return match.tables.filter(Q(deals__isnull=False) | Q(stopped_at__isnull=False)).exists()


def _plays_of_match(
    match: int, *, known: Mapping[int, Play] = MappingProxyType({}), rescore: bool = False
) -> list[tuple[Table, Play]]:
    """The play at each table of a match, in their order; ``known`` by id of the table is not read again."""
    tables = tables_in_play().filter(match=match).order_by("number")
    return [(table, known.get(table.pk) or play_of(table, rescore=rescore)) for table in tables]


def _write(plays: list[tuple[Table, Play]]) -> None:
    first = plays[0][0]
    terms = round_terms(first.draw.round)
    values = match_values(terms, [play for _, play in plays])
    # A walkover ends play, so where play goes on there is none to look for.
    walkover = walkovers_of([first.match_id]).get(first.match_id) if first.stopped_at else None
    for (table, play), worth in zip(plays, values, strict=True):
        _write_table(table, play, worth, walkover, terms)
        mark_table(table)


def _write_table(
    table: Table, play: Play, worth: Mapping[str, Points], walkover: WalkoverFacts | None, terms: Terms
) -> None:
    if play.plan.kind != "time" and table.segment != play.segment_shown:
        # Boards show who sits where without working out the play of every table.
        Table.objects.filter(pk=table.pk).update(segment=play.segment_shown)
    rows = [
        EntryResult(round=table.draw.round, table=table, entry_id=entry, **facts)
        for column in play.columns
        for facts in [_facts(play, column, worth[column.key])]
        for entry in sorted(column.entries)
    ]
    if walkover is not None:
        first = table.pk == min(Table.objects.filter(match=table.match_id).values_list("pk", flat=True))
        for row in rows:
            _stated(row, walkover.scores.get(row.entry_id, 0) if first else 0, terms.measure)
    EntryResult.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["table", "entry"], update_fields=_UPDATED
    )


def _stated(row: EntryResult, value: Points, measure: str) -> None:
    """Instead of the deals, what a walkover states; like victory points it is kept at the first table."""
    row.value, row.complete = value, True
    row.points = value if measure == Event.Measure.POINTS else 0
    row.games_won = value if measure == Event.Measure.GAMES else 0
    row.opponents_points = row.pigs = row.deals = row.checked_deals = row.grand_slams = row.all_hearts = 0


def _remove_strangers(plays: list[tuple[Table, Play]]) -> None:
    """Who sits at a published table never changes, so this is for stores that were tampered with."""
    for table, play in plays:
        entries = {entry for column in play.columns for entry in column.entries}
        EntryResult.objects.filter(table=table).exclude(entry__in=entries).delete()


def _facts(play: Play, column: Column, value: Points) -> dict[str, Any]:
    counted = play.counted
    own = total(counted, [column.key])
    others = [one.key for one in play.columns if one is not column]
    return {
        "points": own,
        "opponents_points": total(counted, others) if len(others) == 1 else 0,
        "value": value,
        "games_won": play.state.wins.get(column.key, Fraction(0)),
        "pigs": sum(column.key in game.pigs for game in play.state.games),
        "deals": len(counted),
        "checked_deals": sum(line.state == "checked" for line in counted),
        "grand_slams": _flags(counted, column, "grand_slam"),
        "all_hearts": _flags(counted, column, "all_hearts"),
        "complete": play.complete,
    }


def _flags(deals: Iterable[DealLine], column: Column, flag: str) -> int:
    return sum(
        line.version.answer["flags"][seat][flag]
        for line in deals
        for seat in column.places[line.version.deal.segment]
    )


def _stored(event: Event) -> dict[tuple[int, int], tuple[Any, ...]]:
    rows = EntryResult.objects.filter(round__event=event)
    return {(row.table_id, row.entry_id): tuple(getattr(row, name) for name in _UPDATED) for row in rows}
