"""Storing a pure draw as rows: matches, sides, tables, seats and byes, within the caller's transaction."""

from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournament.models import Bye, Draw, Event, Match, MatchSide, Player, Seat, Table
from tournament.pairing import model
from tournament.queries.draw_formats import TWO_SIDED
from tournament.queries.plans import round_terms
from tournament.queries.segments import seated_in
from tournament.services.errors import Refused

#: Who of a side sits where at a match's only table: side A North-South, side B East-West. (direction, side,
#: place)
_PAIRS_TABLE = (("N", "A", 1), ("W", "B", 2), ("S", "A", 2), ("E", "B", 1))
#: A team match: A's first pair North-South against B's first pair, and the other way round at the second
#: table.
_TEAM_TABLES = (
    _PAIRS_TABLE,
    (("N", "B", 3), ("W", "A", 4), ("S", "B", 4), ("E", "A", 3)),
)


def store_tables(draw: Draw, drawn: model.Draw, bye_points: int | Fraction) -> None:
    """Stores all tables and byes of a drawn round with a constant number of queries.

    ``bye_points`` is the score in points stated for a bye. Raises Refused if a side has too few players to
    sit down.
    """
    kind = draw.round.event.kind
    matches = Match.objects.bulk_create(
        Match(draw=draw, number=table.number, reasons={"remarks": [remark(one) for one in table.reasons]})
        for table in drawn.tables
    )
    MatchSide.objects.bulk_create(
        MatchSide(match=match, position=position, entry_id=entry)
        for match, table in zip(matches, drawn.tables, strict=True)
        for position, (_seat, entry) in enumerate(table.seats, start=1)
    )
    plans = [_table_plans(kind, table) for table in drawn.tables]
    tables = Table.objects.bulk_create(
        Table(match=match, draw=draw, number=(match.number - 1) * len(plan) + place)
        for match, plan in zip(matches, plans, strict=True)
        for place in range(1, len(plan) + 1)
    )
    players = _players(draw.round.event)
    segments = round_terms(draw.round).segments
    for segment in range(1, segments.count + 1):
        seats = [seats for plan in plans for seats in seated_in(plan, segments.change, segment)]
        Seat.objects.bulk_create(
            Seat(
                table=table,
                segment=segment,
                direction=direction,
                order=order,
                entry_id=entry,
                player_id=_player(players, entry, place),
            )
            for table, plan in zip(tables, seats, strict=True)
            for order, (direction, entry, place) in enumerate(plan, start=1)
        )
    why = {reason.entrants[0]: reason.code for reason in drawn.bye_reasons if reason.entrants}
    Bye.objects.bulk_create(
        Bye(draw=draw, entry_id=entry, points=bye_points, reason=why.get(entry, "")) for entry in drawn.byes
    )


def byes_state(draw: Draw) -> list[dict[str, Any]]:
    """Who sits out in a draw, by number, and the points stated for it, for the audit trail."""
    byes = draw.byes.order_by("entry__number").values_list("entry__number", "points")
    return [{"entry": number, "points": str(points)} for number, points in byes]


def remark(reason: model.Reason) -> dict[str, Any]:
    """A reason of the pure draw, JSON-ready; points as text, entries by id."""
    return {
        "code": reason.code,
        "entrants": list(reason.entrants),
        "params": {
            name: str(value) if isinstance(value, Fraction) else value for name, value in reason.params
        },
    }


def _table_plans(kind: str, table: model.DrawnTable) -> list[list[tuple[str, int, int]]]:
    """Per table of a match: (direction, entry, place of the player in the entry), in the order of play."""
    if kind not in TWO_SIDED:
        return [[(direction, entry, 1) for direction, entry in table.seats]]
    sides = dict(table.seats)
    layouts = _TEAM_TABLES if kind == Event.Kind.TEAMS else (_PAIRS_TABLE,)
    return [[(direction, sides[side], place) for direction, side, place in layout] for layout in layouts]


def _players(event: Event) -> dict[tuple[int, int], int]:
    rows = Player.objects.filter(entry__event=event).values_list("entry", "place", "pk")
    return {(entry, place): pk for entry, place, pk in rows}


def _player(players: dict[tuple[int, int], int], entry: int, place: int) -> int:
    try:
        return players[entry, place]
    except KeyError as fault:
        raise Refused(
            "player_missing_at_seat",
            _("An entry has no player %(place)s and cannot be seated."),
            {"place": place},
        ) from fault
