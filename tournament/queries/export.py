"""Everything a result workbook shows of an event, as frozen rows, read with a constant number of queries.

What is recorded counts, checked or not, as in the organiser's standings; each deal says whether it is
checked.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Prefetch, QuerySet

from referee.models import Deal, DealCheck, DealVersion, Penalty
from tournament.models import Bye, Draw, Entry, EntryResult, Event, Match, MatchSide, Round, Seat, Table
from tournament.queries.appeals import under_appeal
from tournament.queries.payloads import deals_that_count, points_of
from tournament.queries.plans import measures_by_round
from tournament.queries.standings import Standings, event_standings
from tournament.queries.walkovers import WalkoverFacts, walkovers_of

Points = int | Fraction


@dataclass(frozen=True)
class ExportSeat:
    """Who sits where at a table in a segment; ``number`` is the entry's."""

    direction: str
    number: int
    player: str
    segment: int = 1


@dataclass(frozen=True)
class ExportDeal:
    """One playing of a deal. ``state``: checked, recorded (not checked yet) or void; ``counts`` is false of
    one played after the end.

    ``scores`` are the seats' points as scored, ``credited`` what counts for each in totals, ``sides`` the
    seats that were added up for it (empty where a zero-sum figure counts).
    """

    number: int
    order: int
    segment: int
    state: str
    captures: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exposed: tuple[Mapping[str, str], ...] = ()
    held: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, int] = field(default_factory=dict)
    credited: Mapping[str, Points] = field(default_factory=dict)
    sides: tuple[tuple[str, ...], ...] = ()
    formula: Mapping[str, str] = field(default_factory=dict)
    counts: bool = True
    check: str = ""
    reason: str = ""


@dataclass(frozen=True)
class ExportLine:
    """What an entry made at a table: `value` is in the event's measure, None before its first deal.

    ``stated``: the value is a walkover's, ``absent`` that of somebody who did not come.
    """

    number: int
    value: Points | None
    games_won: Points
    pigs: int
    deals: int
    complete: bool
    stated: bool = False
    absent: bool = False


@dataclass(frozen=True)
class ExportTable:
    """A table of a round: seats in the order of play, deals in the order of play, entries' lines."""

    number: int
    match: int
    sides: tuple[int, ...]
    seats: tuple[ExportSeat, ...]
    deals: tuple[ExportDeal, ...]
    lines: tuple[ExportLine, ...]
    stopped: str = ""


@dataclass(frozen=True)
class ExportBye:
    number: int
    points: Points
    reason: str


@dataclass(frozen=True)
class ExportRound:
    """A round whose draw is published."""

    number: int
    starts_at: datetime | None
    state: str
    tables: tuple[ExportTable, ...]
    byes: tuple[ExportBye, ...]


@dataclass(frozen=True)
class ExportPenalty:
    """A penalty; a cancelled one stays on record and counts nothing."""

    round: int
    table: int | None
    deal: int | None
    number: int
    player: str
    rule: str
    points: Points
    reason: str
    given_at: datetime
    cancelled_at: datetime | None
    cancel_reason: str


@dataclass(frozen=True)
class ResultBook:
    """An event with all it has to show; ``appealed`` are the numbers of entries under an open appeal,
    ``measures`` what each round is worth.
    """

    event: Event
    entries: tuple[Entry, ...]
    rounds: tuple[ExportRound, ...]
    penalties: tuple[ExportPenalty, ...]
    standings: Standings
    appealed: frozenset[int] = frozenset()
    measures: Mapping[int, str] = field(default_factory=dict)


def result_book(event: Event) -> ResultBook:
    """Reads the event's entries, published draws, deals, penalties and standings."""
    event = Event.objects.select_related("tournament", "ruleset_version__book").get(pk=event.pk)
    entries = event.entries.order_by("number").prefetch_related("players")
    draws = _draws(event)
    deals = _deals(draws)
    stated = walkovers_of(Match.objects.filter(draw__in=[draw.pk for draw in draws]).values("pk"))
    return ResultBook(
        event=event,
        entries=tuple(entries),
        rounds=tuple(_round(draw, deals, stated) for draw in draws),
        penalties=tuple(_penalties(event)),
        standings=event_standings(event),
        appealed=frozenset(number for one in under_appeal(event) for number in one.entries),
        measures=measures_by_round(event),
    )


def _draws(event: Event) -> list[Draw]:
    seats = Seat.objects.select_related("entry", "player").order_by("segment", "order")
    sides = MatchSide.objects.select_related("entry").order_by("position")
    tables = (
        Table.objects.select_related("match")
        .order_by("number")
        .prefetch_related(
            Prefetch("seats", seats),
            Prefetch("results", EntryResult.objects.select_related("entry")),
        )
    )
    matches: QuerySet[Match] = Match.objects.order_by("number").prefetch_related(Prefetch("sides", sides))
    byes = Bye.objects.select_related("entry").order_by("entry__number")
    return list(
        Draw.objects.filter(round__event=event, state=Draw.State.PUBLISHED)
        .select_related("round")
        .order_by("round__number")
        .prefetch_related(Prefetch("matches", matches), Prefetch("tables", tables), Prefetch("byes", byes))
    )


def _deals(draws: Iterable[Draw]) -> dict[int, list[ExportDeal]]:
    """Deals by table, in the order of play. Three queries however many there are.

    Reads plain values: a long event has tens of thousands of versions, and objects for each cost seconds.
    """
    deals = Deal.objects.filter(table__draw__in=[draw.pk for draw in draws])
    rows = deals.values_list("pk", "table", "number", "order", "segment").order_by("table", "order")
    checks = dict(DealCheck.objects.filter(version__deal__in=deals).values_list("version", "relation"))
    versions: dict[int, list[Any]] = defaultdict(list)
    stored = DealVersion.objects.filter(deal__in=deals).order_by("deal", "number")
    for deal, *facts in stored.values_list("deal", "pk", "state", "record", "answer", "reason"):
        versions[deal].append(facts)
    found: dict[int, list[ExportDeal]] = defaultdict(list)
    for pk, table, number, order, segment in rows:
        for version, state, record, answer, reason in _shown(versions[pk]):
            deal = ExportDeal(number, order, segment, "void", reason=reason)
            if state == DealVersion.State.RECORDED:
                deal = _played(deal, record, answer, checks.get(version, ""))
            found[table].append(deal)
    return found


def _shown(versions: list[Any]) -> Iterable[Any]:
    """Every time the deal became void, and then the version in force if it was played."""
    for position, version in enumerate(versions, start=1):
        state = version[1]
        if state == DealVersion.State.VOID or (
            state == DealVersion.State.RECORDED and position == len(versions)
        ):
            yield version


def _played(deal: ExportDeal, record: Mapping[str, Any], answer: Mapping[str, Any], check: str) -> ExportDeal:
    zero_sum = "adjusted" in answer
    return replace(
        deal,
        state="checked" if check else "recorded",
        check=check,
        captures={seat: tuple(cards) for seat, cards in record.get("captures", {}).items()},
        exposed=tuple(record.get("exposed", ())),
        held=record.get("held", {}),
        scores=answer["scores"],
        credited={seat: points_of(value) or 0 for seat, value in answer["credited"].items()},
        sides=() if zero_sum else tuple(tuple(side["seats"]) for side in answer.get("sides", ())),
        formula=answer["formula"],
        reason="",
    )


def _marked(deals: Iterable[ExportDeal], counted: int | None) -> Iterable[ExportDeal]:
    """The deals, those marked that do not count."""
    recorded = 0
    for deal in deals:
        recorded += deal.state != "void"
        surplus = counted is not None and recorded > counted and deal.state != "void"
        yield replace(deal, counts=False) if surplus else deal


def _round(
    draw: Draw, deals: Mapping[int, list[ExportDeal]], stated: Mapping[int, WalkoverFacts]
) -> ExportRound:
    played: Round = draw.round
    sides = {match.pk: tuple(side.entry.number for side in match.sides.all()) for match in draw.matches.all()}
    return ExportRound(
        played.number,
        played.starts_at,
        played.state,
        tuple(
            _table(table, sides[table.match_id], deals.get(table.pk, ()), stated.get(table.match_id))
            for table in draw.tables.all()
        ),
        tuple(ExportBye(bye.entry.number, bye.points, bye.reason) for bye in draw.byes.all()),
    )


def _table(
    table: Table, sides: tuple[int, ...], deals: Iterable[ExportDeal], walkover: WalkoverFacts | None
) -> ExportTable:
    order = {number: place for place, number in enumerate(sides)}
    lines = [
        ExportLine(
            result.entry.number,
            result.value if result.deals or walkover else None,
            result.games_won,
            result.pigs,
            result.deals,
            result.complete,
            stated=walkover is not None,
            absent=walkover is not None and result.entry_id in walkover.absent,
        )
        for result in table.results.all()
    ]
    return ExportTable(
        table.number,
        table.match.number,
        sides,
        tuple(
            ExportSeat(seat.direction, seat.entry.number, seat.player.name, seat.segment)
            for seat in table.seats.all()
        ),
        tuple(_marked(deals, deals_that_count(table.results.all()))),
        tuple(sorted(lines, key=lambda line: (order.get(line.number, len(order)), line.number))),
        table.stop_reason if table.stopped_at else "",
    )


def _penalties(event: Event) -> Iterable[ExportPenalty]:
    given = Penalty.objects.filter(event=event).select_related("round", "table", "deal", "entry", "player")
    for one in given.order_by("round__number", "given_at", "id"):
        yield ExportPenalty(
            one.round.number,
            one.table.number if one.table else None,
            one.deal.number if one.deal else None,
            one.entry.number,
            one.player.name if one.player else "",
            one.rule,
            one.points,
            one.reason,
            one.given_at,
            one.cancelled_at,
            one.cancel_reason,
        )
