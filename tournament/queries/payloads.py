"""What a publication holds: everything the public pages show of a draw or of a round's results.

Built from facts only: a deal counts once a second person has checked the version in force. Points are written
as whole numbers or as text such as "-880/3"; entries are named by their number in the event.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from django.db.models import Prefetch, QuerySet

from referee.models import Deal, DealVersion
from tournament.models import (
    Bye,
    Draw,
    Entry,
    EntryResult,
    Event,
    MatchDecision,
    MatchSide,
    Round,
    Seat,
    Substitution,
    Table,
    Walkover,
)
from tournament.queries.plans import Terms, round_terms
from tournament.queries.stage_payload import bracket_place, stage_json

Points = int | Fraction

#: Results whose running figure means something before the table is finished.
_RUNNING = (Event.Measure.POINTS, Event.Measure.DIFFERENCE)


def points_json(value: Points | None) -> int | str | None:
    """Points for a payload: a whole number, or text such as "-880/3"."""
    if value is None or isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else str(value)


def points_of(value: int | str | None) -> Points | None:
    """Points from a payload."""
    if value is None or isinstance(value, int):
        return value
    fraction = Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def published_draw(round: Round) -> Draw | None:
    """The draw that is in force for the round, as the organiser published it; a preview is none."""
    return round.draws.filter(state=Draw.State.PUBLISHED).first()


def draw_payload(draw: Draw) -> dict[str, Any]:
    """Pairings and seats of a published draw."""
    entries: dict[int, Entry] = {}
    tables = [_table_seats(table, entries) for table in _tables(draw)]
    return {
        "stage": stage_json(draw),
        "tables": tables,
        "byes": _byes(draw, entries),
        "entries": _entries(entries.values()),
    }


def results_payload(
    draw: Draw, *, changed: Collection[int] | None = None, before: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Any]:
    """Results of a round: each table's checked deals and what they come to, byes and penalties.

    ``complete`` tells whether every table has been played out and checked. With ``changed``, numbers of
    tables, only these and the others of their matches are read; the rest is taken from ``before``, an earlier
    payload of the same draw.
    """
    terms = round_terms(draw.round)
    entries: dict[int, Entry] = {}
    kept: dict[int, dict[str, Any]] = {}
    read = _tables(draw, with_deals=True)
    if changed is not None:
        read = read.filter(match__tables__number__in=changed).distinct()
        kept = {row["number"]: row for row in before["tables"]}
    stored = _stored_results(draw, read)
    decided = _decided(draw)
    walkovers = _walkovers(draw)
    tables = []
    for table in read:
        row = _table_seats(table, entries)
        results = [result for (pk, _), result in stored.items() if pk == table.pk]
        deals, unchecked = _deals(table, deals_that_count(results))
        row |= {
            "deals": deals,
            "unchecked": unchecked,
            "stopped": table.stop_reason if table.stopped_at else None,
            "decided": decided.get(table.match_id),
            "walkover": walkovers.get(table.match_id),
        }
        tables.append((table, row))
    waiting: Counter[int] = Counter()
    for table, row in tables:
        # What one table is worth may depend on the deals of the match's other table.
        waiting[table.match_id if terms.tables_depend else -table.pk] += row["unchecked"]
    for table, row in tables:
        unchecked = waiting[table.match_id if terms.tables_depend else -table.pk]
        row["lines"] = _lines(terms, table, row["deals"], unchecked, stored)
        if row["walkover"]:
            row["lines"] = [_stated(line, table, stored) for line in row["lines"]]
        row["complete"] = bool(row["lines"]) and all(line["complete"] for line in row["lines"])
    kept |= {table.number: row for table, row in tables}
    rows = [kept[number] for number in sorted(kept)]
    byes = _byes(draw, entries)
    penalties = penalties_json(draw.round.penalties.all(), entries)
    return {
        "stage": stage_json(draw),
        "tables": rows,
        "byes": byes,
        "penalties": penalties,
        "entries": {**before.get("entries", {}), **_entries(entries.values())},
        "complete": all(row["complete"] for row in rows),
    }


def deals_that_count(results: Iterable[EntryResult]) -> int | None:
    """How many of a table's recorded deals count, the first ones in the order of play, by its stored results.

    A correction can make a game end earlier than was played; what was played after that end counts nothing
    (docs/rules.md §5). None where nothing is stored yet.
    """
    return max((result.deals for result in results), default=None)


def penalties_json(penalties: Any, entries: dict[int, Entry]) -> list[dict[str, Any]]:
    """Penalties as lines of their own; a cancelled one stays, with the reason why."""
    lines = []
    for penalty in penalties.select_related("entry", "player", "table", "deal", "round").order_by("id"):
        entries.setdefault(penalty.entry_id, penalty.entry)
        lines.append(
            {
                "round": penalty.round.number,
                "entry": penalty.entry.number,
                "player": penalty.player.name if penalty.player else None,
                "table": penalty.table.number if penalty.table else None,
                "deal": penalty.deal.number if penalty.deal else None,
                "rule": penalty.rule,
                "points": points_json(penalty.points),
                "reason": penalty.reason,
                "cancelled": penalty.cancelled_at is not None,
                "cancel_reason": penalty.cancel_reason,
            }
        )
    return lines


def _entries(entries: Iterable[Entry]) -> dict[str, dict[str, Any]]:
    """Names as they are now, by number: later changes of a name reach the public with the next version."""
    found = Entry.objects.filter(pk__in=[entry.pk for entry in entries]).prefetch_related("players")
    return {
        str(entry.number): {
            "name": entry.name,
            "club": entry.club,
            "players": [player.name for player in entry.players.all()],
        }
        for entry in found
    }


def _tables(draw: Draw, *, with_deals: bool = False) -> QuerySet[Table]:
    tables = (
        draw.tables.order_by("number")
        .select_related("match")
        .prefetch_related(
            Prefetch("seats", Seat.objects.select_related("entry", "player").order_by("segment", "order")),
            Prefetch("match__sides", MatchSide.objects.select_related("entry").order_by("position")),
            Prefetch(
                "substitutions", Substitution.objects.select_related("player_out", "player_in").order_by("id")
            ),
        )
    )
    if with_deals:
        versions = DealVersion.objects.select_related("check_row").order_by("number")
        deals = Deal.objects.order_by("order").prefetch_related(Prefetch("versions", versions))
        tables = tables.prefetch_related(Prefetch("deals", deals))
    return tables


def _table_seats(table: Table, entries: dict[int, Entry]) -> dict[str, Any]:
    for seat in table.seats.all():
        entries.setdefault(seat.entry_id, seat.entry)
    for side in table.match.sides.all():
        entries.setdefault(side.entry_id, side.entry)
    return {
        "number": table.number,
        "match": table.match.number,
        "bracket": bracket_place(table.match),
        "sides": [side.entry.number for side in table.match.sides.all()],
        "seats": [
            {
                "segment": seat.segment,
                "direction": seat.direction,
                "entry": seat.entry.number,
                "player": seat.player.name,
            }
            for seat in table.seats.all()
        ],
        "substitutions": [
            {
                "segment": one.segment,
                "direction": one.direction,
                "out": one.player_out.name,
                "in": one.player_in.name,
                "after": one.after_dealing,
            }
            for one in table.substitutions.all()
        ],
    }


def _byes(draw: Draw, entries: dict[int, Entry]) -> list[dict[str, Any]]:
    byes: list[Bye] = list(draw.byes.select_related("entry").order_by("entry__number"))
    entries.update({bye.entry_id: bye.entry for bye in byes})
    return [
        {"entry": bye.entry.number, "points": points_json(bye.points), "reason": bye.reason} for bye in byes
    ]


def _deals(table: Table, counted: int | None) -> tuple[list[dict[str, Any]], int]:
    """The table's deals that may be shown, in the order of play, and how many of those that count wait for
    their check.
    """
    shown, unchecked, recorded = [], 0, 0
    for deal in table.deals.all():
        versions = list(deal.versions.all())
        if not versions:
            continue
        latest = versions[-1]
        line: dict[str, Any] = {
            "number": deal.number,
            "order": deal.order,
            "dealing": deal.dealing,
            "segment": deal.segment,
            "void": [one.reason for one in versions if one.state == DealVersion.State.VOID],
            "played": False,
        }
        if latest.state == DealVersion.State.RECORDED:
            recorded += 1
            counts = counted is None or recorded <= counted
            check = getattr(latest, "check_row", None)
            if check is None:
                unchecked += counts
                continue
            line |= _played(latest) | {"check": {"relation": check.relation, "seat": check.seat}}
            line["counts"] = counts
            shown.append(line)
        elif line["void"]:
            shown.append(line)
    return shown, unchecked


def _played(version: DealVersion) -> dict[str, Any]:
    record, answer = version.record, version.answer
    swapped = {"swap_pig_sheep": True} if record.get("swap_pig_sheep") else {}
    return swapped | {
        "played": True,
        "version": version.number,
        "captures": record.get("captures", {}),
        "exposed": record.get("exposed", []),
        "held": record.get("held", {}),
        "scores": answer["scores"],
        "credited": answer["credited"],
        "sides": [side["seats"] for side in answer.get("sides", ())],
        "flags": answer.get("flags", {}),
        "formula": answer["formula"],
    }


def _decided(draw: Draw) -> dict[int, dict[str, Any]]:
    """By match that the organiser has decided: the winner's number, and why."""
    found = MatchDecision.objects.filter(match__draw=draw).select_related("winner")
    return {one.match_id: {"winner": one.winner.number, "reason": one.reason} for one in found}


def _walkovers(draw: Draw) -> dict[int, dict[str, Any]]:
    """By match that was not played: numbers of those absent, whether it counts as a meeting, and why."""
    found = Walkover.objects.filter(match__draw=draw).prefetch_related("scores__entry")
    return {
        one.match_id: {
            "absent": [score.entry.number for score in one.scores.all() if score.absent],
            "met": one.met,
            "reason": one.reason,
        }
        for one in found
    }


def _stated(
    line: dict[str, Any], table: Table, stored: Mapping[tuple[int, int], EntryResult]
) -> dict[str, Any]:
    """A line of a walkover: what is stated stands in for the deals."""
    result = next(
        one for (pk, _), one in stored.items() if pk == table.pk and one.entry.number == line["entry"]
    )
    return line | {
        "points": points_json(result.points),
        "opponents": None,
        "deals": 0,
        "value": points_json(result.value),
        "games_won": points_json(result.games_won),
        "complete": True,
    }


def _stored_results(draw: Draw, tables: Iterable[Table]) -> Mapping[tuple[int, int], EntryResult]:
    rows = EntryResult.objects.filter(table__draw=draw, table__in=[table.pk for table in tables])
    rows = rows.select_related("entry")
    return {(row.table_id, row.entry_id): row for row in rows}


def _lines(
    terms: Terms,
    table: Table,
    deals: list[dict[str, Any]],
    unchecked: int,
    stored: Mapping[tuple[int, int], EntryResult],
) -> list[dict[str, Any]]:
    """What each entry has at this table from its checked deals."""
    sums, counts = _sums(table, deals)
    lines = []
    for entry in _entries_at(table):
        result = stored.get((table.pk, entry.pk))
        own = sums[entry.pk]
        others = sum((total for pk, total in sums.items() if pk != entry.pk), Fraction(0))
        line = {
            "entry": entry.number,
            "points": points_json(own) if counts else None,
            "opponents": points_json(others) if counts and len(sums) == 2 else None,
            "deals": counts,
            "value": None,
            "games_won": None,
            "pigs": None,
            "grand_slams": None,
            "complete": False,
        }
        if counts and unchecked == 0 and result is not None:
            line |= {
                "value": points_json(result.value),
                "games_won": points_json(result.games_won),
                "pigs": result.pigs,
                "grand_slams": result.grand_slams,
                "complete": result.complete,
            }
        elif counts and terms.measure in _RUNNING and not terms.tables_depend:
            # Some deals still wait for their check: only the checked ones count so far.
            running = own - others if terms.measure == Event.Measure.DIFFERENCE and len(sums) == 2 else own
            line["value"] = points_json(running)
        lines.append(line)
    return lines


def _entries_at(table: Table) -> list[Entry]:
    seen: dict[int, Entry] = {side.entry_id: side.entry for side in table.match.sides.all()}
    for seat in table.seats.all():
        seen.setdefault(seat.entry_id, seat.entry)
    return list(seen.values())


def _sums(table: Table, deals: list[dict[str, Any]]) -> tuple[dict[int, Fraction], int]:
    """Credited points per entry: a side of two seats has them once, not twice."""
    seated: dict[int, dict[str, int]] = defaultdict(dict)
    for seat in table.seats.all():
        seated[seat.segment][seat.direction] = seat.entry_id
    sums = {entry.pk: Fraction(0) for entry in _entries_at(table)}
    played = [deal for deal in deals if deal["played"] and deal["counts"]]
    for deal in played:
        by_entry = {
            seated[deal["segment"]].get(direction): Fraction(value)
            for direction, value in deal["credited"].items()
        }
        for pk, value in by_entry.items():
            if pk in sums:
                sums[pk] += value
    return sums, len(played)
