"""Which tables a user referees now, how far each is and what waits there."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, Q

from referee.models import DealVersion
from tournament.models import Draw, EntryResult, Event, Membership, Role, Round, Seat, Table, TableGrant


@dataclass(frozen=True)
class TableLine:
    """One table: its seats in the order of play, and counts of its deals.

    ``unchecked`` and ``void`` are numbers of deals that wait for somebody: for a check, and for a replay.
    """

    table: Table
    seats: tuple[Seat, ...]
    recorded: int
    unchecked: tuple[int, ...]
    void: tuple[int, ...]
    complete: bool

    @property
    def waits(self) -> bool:
        """Somebody has to do something about a deal that is on record already."""
        return bool(self.unchecked or self.void)

    @property
    def state(self) -> str:
        """One of waiting, stopped, done, playing, empty."""
        if self.waits:
            return "waiting"
        if self.complete:
            return "done"
        if self.table.stopped_at is not None:
            return "stopped"
        return "playing" if self.recorded else "empty"


@dataclass(frozen=True)
class RoundTables:
    """The tables of one round that the user referees, those that wait first."""

    round: Round
    lines: tuple[TableLine, ...]

    @property
    def event(self) -> Event:
        return self.round.event


def tables_now(user: Any) -> list[RoundTables]:
    """The user's tables in rounds that are being played: chief referees and organisers have all of them.

    The number of queries does not depend on the number of tables.
    """
    rows = list(
        _tables_of(user)
        .filter(draw__state=Draw.State.PUBLISHED, draw__round__state=Round.State.PLAYING)
        .select_related("draw__round__event__tournament")
        .prefetch_related(
            Prefetch("seats", Seat.objects.select_related("player", "entry").order_by("segment", "order"))
        )
        .order_by("draw__round__event__tournament", "draw__round__event", "draw__round__number", "number")
    )
    deals = _deal_states(rows)
    complete = _complete(rows)
    grouped: defaultdict[Round, list[TableLine]] = defaultdict(list)
    for table in rows:
        grouped[table.draw.round].append(_line(table, deals[table.pk], complete[table.pk]))
    return [
        RoundTables(round_, tuple(sorted(lines, key=lambda one: (not one.waits, one.table.number))))
        for round_, lines in grouped.items()
    ]


def _tables_of(user: Any) -> Any:
    if user.is_superuser:
        return Table.objects.all()
    roles = Membership.objects.filter(user=user)
    directed = roles.filter(role__in=(Role.ORGANISER, Role.CHIEF_REFEREE)).values("tournament")
    served = roles.filter(role=Role.TABLE_REFEREE).values("tournament")
    wanted = Q(draw__round__event__tournament__in=directed)
    for event, number in TableGrant.objects.filter(user=user, event__tournament__in=served).values_list(
        "event", "table_number"
    ):
        wanted |= Q(draw__round__event=event, number=number)
    return Table.objects.filter(wanted)


def _deal_states(tables: list[Table]) -> defaultdict[int, dict[int, str]]:
    versions = (
        DealVersion.objects.filter(deal__table__in=tables)
        .order_by("deal", "number")
        .values_list("deal__table", "deal__number", "state", "check_row")
    )
    found: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for table, number, state, check in versions:
        # Later versions replace earlier ones.
        found[table][number] = "checked" if state == DealVersion.State.RECORDED and check else state
    return found


def _complete(tables: list[Table]) -> dict[int, bool]:
    found: defaultdict[int, list[bool]] = defaultdict(list)
    for table, complete in EntryResult.objects.filter(table__in=tables).values_list("table", "complete"):
        found[table].append(complete)
    return defaultdict(bool, {table: all(each) for table, each in found.items()})


def _line(table: Table, deals: dict[int, str], complete: bool) -> TableLine:
    by_state = {
        wanted: tuple(sorted(number for number, state in deals.items() if state == wanted))
        for wanted in ("recorded", "checked", "void")
    }
    return TableLine(
        table=table,
        seats=tuple(seat for seat in table.seats.all() if seat.segment == table.segment),
        recorded=len(by_state["recorded"]) + len(by_state["checked"]),
        unchecked=by_state["recorded"],
        void=by_state["void"],
        complete=complete,
    )
