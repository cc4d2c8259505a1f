"""The chief referee's board: every table in play, what it does, and who has to go where first."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from referee.models import DealVersion, Device, Dispute, TableCall
from referee.queries.outliers import IDLE, paces
from referee.queries.signs import DealEntry, Sign, deal_signs, paper_among
from referee.queries.tablets import SILENT_AFTER
from referee.queries.timing import Timing, round_timings
from scoring.engine.game import GamePlan
from tournament.models import Draw, EntryResult, Event, Round, Seat, Table, TableGrant, Tournament
from tournament.queries.plans import round_terms


class Need(IntEnum):
    """What a table needs somebody for; lower is more pressing."""

    CALL = 0  # nobody has taken it yet
    DISPUTE = 1
    ALARM = 2  # tablet and server differ about a figure
    SILENT = 3  # nothing heard of the tablet
    CALL_TAKEN = 4
    REPLAY = 5
    LOOK = 6  # a score or a time of entry that is hard to believe
    CHECK = 7
    PACE = 8
    NOTHING = 9
    DONE = 10


@dataclass(frozen=True)
class BoardLine:
    """One table. ``since`` is when something was last recorded there, or else when play began.

    ``seats`` are those of the segment being played. ``unsigned``, ``void`` and ``disputed`` are numbers of
    deals; ``planned`` how many a set has; ``timing`` is the clock of a timed round.
    """

    table: Table
    seats: tuple[Seat, ...]
    referees: tuple[str, ...]
    recorded: int
    planned: int | None
    unsigned: tuple[int, ...]
    void: tuple[int, ...]
    disputed: tuple[int, ...]
    complete: bool
    since: datetime | None
    call: TableCall | None
    device: Device | None
    silent: bool
    signs: tuple[Sign, ...]
    timing: Timing | None = None

    @property
    def event(self) -> Event:
        return self.table.draw.round.event

    @property
    def state(self) -> str:
        """One of unsigned, replay, done, stopped, playing, empty."""
        if self.unsigned:
            return "unsigned"
        if self.void:
            return "replay"
        if self.complete:
            return "done"
        if self.table.stopped_at is not None or (self.timing is not None and self.timing.over):
            return "stopped"
        return "playing" if self.recorded else "empty"

    @property
    def sign_groups(self) -> list[tuple[str, tuple[int, ...]]]:
        """The signs by code, each with the numbers of its deals."""
        found: dict[str, list[int]] = {}
        for sign in self.signs:
            found.setdefault(sign.code, []).extend(() if sign.deal is None else (sign.deal,))
        return [(code, tuple(deals)) for code, deals in found.items()]

    @property
    def going(self) -> bool:
        """Whether deals are still to be played here, so that its clock runs."""
        full = self.planned is not None and self.recorded >= self.planned
        timed_out = self.timing is not None and self.timing.over
        return not (self.complete or full or timed_out) and self.table.stopped_at is None

    @property
    def need(self) -> Need:
        """The most pressing of what needs somebody here."""
        codes = {sign.code for sign in self.signs}
        pressing = {
            Need.CALL: self.call is not None and self.call.taken_at is None,
            Need.DISPUTE: bool(self.disputed),
            Need.ALARM: "figure" in codes,
            Need.SILENT: self.silent and not self.complete,
            Need.CALL_TAKEN: self.call is not None,
            Need.REPLAY: bool(self.void),
            Need.LOOK: bool(codes & {"beyond", "quick"}),
            Need.CHECK: bool(self.unsigned),
            Need.PACE: bool(codes & {"ahead", "behind", "idle"}),
        }
        quiet = Need.DONE if self.complete else Need.NOTHING
        return next((need for need, pressed in pressing.items() if pressed), quiet)

    @property
    def tone(self) -> str:
        """How loud the line is: bad, warn, note, good or plain."""
        if self.need <= Need.SILENT:
            return "bad"
        if self.need <= Need.LOOK:
            return "warn"
        return {Need.CHECK: "note", Need.PACE: "note", Need.DONE: "good"}.get(self.need, "plain")


def live_board(tournament: Tournament, *, now: datetime | None = None) -> list[BoardLine]:
    """Every table of the rounds being played in the tournament, those that need somebody first.

    The number of queries does not depend on the number of tables, deals or events.
    """
    now = now or timezone.now()
    tables = list(_tables(tournament))
    if not tables:
        return []
    deals = _deals(tables)
    complete = _complete(tables)
    calls = _open_calls(tables)
    disputes = _open_disputes(tables)
    devices = _devices(tables)
    referees = _referees(tables)
    timings = _timings(tables)
    plans = {round.pk: round_terms(round).plan for round in {table.draw.round for table in tables}}
    paper = paper_among([(deals[table.pk], _began(table, now)) for table in tables], tables)
    lines = []
    for table in tables:
        key = (table.draw.round.event_id, table.number)
        lines.append(
            _line(
                table,
                deals[table.pk],
                complete=complete[table.pk],
                call=calls.get(table.pk),
                disputes=disputes[table.pk],
                device=devices.get(key),
                referees=tuple(referees[key]),
                timing=timings.get(table.pk),
                plan=plans[table.draw.round_id],
                paper=paper,
                now=now,
            )
        )
    return sorted(_with_paces(lines), key=_urgency)


def _urgency(line: BoardLine) -> Any:
    waiting = line.call.called_at if line.call else line.since
    return (
        line.need,
        waiting.timestamp() if waiting else 0.0,
        line.event.pk,
        line.table.draw.round.number,
        line.table.number,
    )


def _tables(tournament: Tournament) -> QuerySet[Table]:
    return (
        Table.objects.filter(
            draw__round__event__tournament=tournament,
            draw__state=Draw.State.PUBLISHED,
            draw__round__state=Round.State.PLAYING,
        )
        .select_related(
            "draw__round__stage", "draw__round__event__tournament", "draw__round__event__ruleset_version"
        )
        .defer("draw__inputs", "draw__quality")
        .prefetch_related(
            Prefetch("seats", Seat.objects.select_related("player", "entry").order_by("segment", "order"))
        )
        .order_by("draw__round__event", "draw__round__number", "number")
    )


def _deals(tables: Sequence[Table]) -> defaultdict[int, list[DealEntry]]:
    """By table, its deals in the order of play, without those whose entry was undone."""
    rows = (
        DealVersion.objects.filter(deal__table__in=tables)
        .order_by("deal__table", "deal__order", "number")
        .values_list(
            "deal__table",
            "deal",
            "deal__number",
            "deal__order",
            "state",
            "check_row",
            "created_at",
            "tablet_at",
            "answer__credited",
        )
    )
    first: dict[int, tuple[datetime, datetime | None]] = {}
    latest: dict[int, tuple[int, DealEntry | None]] = {}
    for table, deal, number, order, state, check, at, tablet_at, credited in rows:
        first.setdefault(deal, (at, tablet_at))
        undone = state == DealVersion.State.WITHDRAWN
        stands = "checked" if state == DealVersion.State.RECORDED and check else state
        entry = DealEntry(deal, number, order, stands, *first[deal], at, credited)
        latest[deal] = (table, None if undone else entry)
    found: defaultdict[int, list[DealEntry]] = defaultdict(list)
    for table, entry in latest.values():
        if entry is not None:
            found[table].append(entry)
    return found


def _complete(tables: Sequence[Table]) -> defaultdict[int, bool]:
    found: defaultdict[int, list[bool]] = defaultdict(list)
    for table, complete in EntryResult.objects.filter(table__in=tables).values_list("table", "complete"):
        found[table].append(complete)
    return defaultdict(bool, {table: all(each) for table, each in found.items()})


def _open_calls(tables: Sequence[Table]) -> dict[int, TableCall]:
    calls = TableCall.objects.filter(table__in=tables, closed_at=None).select_related("taken_by")
    return {call.table_id: call for call in calls}


def _open_disputes(tables: Sequence[Table]) -> defaultdict[int, list[tuple[int, str]]]:
    """By table, number of the deal and kind of every dispute that the desk has not settled."""
    rows = Dispute.objects.filter(version__deal__table__in=tables, closed_at=None)
    found: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    for table, number, kind in rows.values_list("version__deal__table", "version__deal__number", "kind"):
        found[table].append((number, kind))
    return found


def _devices(tables: Iterable[Table]) -> dict[tuple[int, int], Device]:
    events = {table.draw.round.event_id for table in tables}
    bound = Device.objects.filter(event__in=events, ended_at=None)
    return {(device.event_id, device.table_number): device for device in bound}


def _referees(tables: Iterable[Table]) -> defaultdict[tuple[int, int], list[str]]:
    events = {table.draw.round.event_id for table in tables}
    found: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for grant in TableGrant.objects.filter(event__in=events).select_related("user").order_by("user"):
        name = grant.user.get_full_name() or grant.user.get_username()
        found[grant.event_id, grant.table_number].append(name)
    return found


def _timings(tables: Sequence[Table]) -> dict[int, Timing]:
    """By table, the clock of each timed round."""
    draws: defaultdict[int, list[Table]] = defaultdict(list)
    for table in tables:
        draws[table.draw_id].append(table)
    found: dict[int, Timing] = {}
    for group in draws.values():
        found |= round_timings(group, group[0].draw.round)
    return found


def _began(table: Table, now: datetime) -> datetime | None:
    """When play began at a table; None before it has."""
    began = max(filter(None, (table.draw.published_at, table.draw.round.starts_at)), default=None)
    return None if began is not None and began > now else began


def _line(
    table: Table,
    deals: Sequence[DealEntry],
    *,
    complete: bool,
    call: TableCall | None,
    disputes: Sequence[tuple[int, str]],
    device: Device | None,
    referees: tuple[str, ...],
    timing: Timing | None,
    plan: GamePlan,
    paper: Collection[int],
    now: datetime,
) -> BoardLine:
    seats = list(table.seats.all())
    began = _began(table, now)
    by_state = {
        state: tuple(sorted(one.number for one in deals if one.state == state))
        for state in ("recorded", "checked", "void")
    }
    line = BoardLine(
        table=table,
        seats=tuple(seat for seat in seats if seat.segment == table.segment),
        referees=referees,
        recorded=len(by_state["recorded"]) + len(by_state["checked"]),
        planned=plan.deals if plan.kind == "set" else None,
        unsigned=by_state["recorded"],
        void=by_state["void"],
        disputed=tuple(sorted({number for number, kind in disputes if kind in Dispute.BLOCKING})),
        complete=complete,
        since=max((one.last_at for one in deals), default=began),
        call=call,
        device=device,
        silent=device is not None and now - device.seen_at > SILENT_AFTER,
        signs=(),
        timing=timing,
    )
    signs = [
        *deal_signs(table, deals, began, paper),
        *(Sign("figure", number) for number, kind in disputes if kind == Dispute.Kind.FIGURE),
    ]
    if line.going and line.since is not None and now - line.since > IDLE:
        signs.append(Sign("idle"))
    return replace(line, signs=tuple(signs))


def _with_paces(lines: Sequence[BoardLine]) -> list[BoardLine]:
    rounds: defaultdict[int, list[BoardLine]] = defaultdict(list)
    for line in lines:
        rounds[line.table.draw.round_id].append(line)
    found: dict[int, str] = {}
    for group in rounds.values():
        found |= paces(
            {line.table.pk: line.recorded for line in group},
            [line.table.pk for line in group if line.going],
        )
    return [
        replace(line, signs=(*line.signs, Sign(found[line.table.pk]))) if line.table.pk in found else line
        for line in lines
    ]
