"""The clock of a timed round: whether time is up at a table, and which deal is its last (docs/rules.md §5).

A deal is begun in time if it was first entered before the end, or, where the plan lets the deal in play be
finished, if it is the first one entered after it. The desk may let further ones count.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max
from django.utils import timezone

from referee.models import DealVersion
from scoring.engine.game import GamePlan
from tournament.models import LateDeal, Round, RoundClock, Table
from tournament.queries.plans import round_terms


@dataclass(frozen=True)
class Timing:
    """The clock as it bears on one table.

    ``allowed`` is how many deals first entered after ``ends_at`` count; ``late`` are the numbers of those
    that were, ``begun`` of all deals on record.
    """

    ends_at: datetime
    up: bool
    allowed: int
    late: tuple[int, ...] = ()
    begun: frozenset[int] = frozenset()

    @property
    def over(self) -> bool:
        """Whether no new deal may be recorded any more."""
        return self.up and len(self.late) >= self.allowed

    @property
    def further(self) -> int:
        """How many more new deals may be recorded from the end on."""
        return max(self.allowed - len(self.late), 0)

    @property
    def left(self) -> int | None:
        """How many new deals may still be recorded; None while time is not up."""
        return self.further if self.up else None

    @property
    def last(self) -> int | None:
        """The number of the last deal that may be recorded and is not; None where no end is in sight, or
        nothing may follow.
        """
        if not self.left:
            return None
        free = (number for number in range(1, len(self.begun) + self.left + 1) if number not in self.begun)
        return list(free)[: self.left][-1]

    def was_begun(self, number: int, first_entered: datetime) -> bool:
        """Whether a deal on record was begun in time, or counts as if it were: its replay, or its entry made
        anew, then counts too.
        """
        return number in self.late or first_entered < self.ends_at

    def with_deals(self, deals: Iterable[tuple[int, datetime]]) -> "Timing":
        """The same clock for these deals: number and time of the first entry, without those undone."""
        found = tuple(deals)
        late = tuple(sorted(number for number, at in found if at >= self.ends_at))
        return Timing(self.ends_at, self.up, self.allowed, late, frozenset(number for number, _at in found))


def timing_of(table: Table, plan: GamePlan) -> Timing | None:
    """The clock at a table, no deals counted yet; None where the round is not timed or no clock was started.

    Only timed rounds are asked about: no query otherwise.
    """
    if plan.kind != "time":
        return None
    clock = RoundClock.objects.filter(draw=table.draw_id).first()
    if clock is None:
        return None
    allowed = LateDeal.objects.filter(table=table).aggregate(most=Max("deals"))["most"]
    return _timing(clock, plan, allowed or 0)


def round_timings(tables: Sequence[Table], round: Round) -> dict[int, Timing]:
    """By id of the table, the clock at each table of one draw with its deals counted; empty where there is
    none. Three queries, whatever the number of tables, and none where the round is not timed. Its stage and
    event should be loaded with it.
    """
    plan = round_terms(round).plan
    if plan.kind != "time" or not tables:
        return {}
    clock = RoundClock.objects.filter(draw=tables[0].draw_id).first()
    if clock is None:
        return {}
    allowed = dict(
        LateDeal.objects.filter(table__in=tables).values_list("table").annotate(most=Max("deals")).order_by()
    )
    states: dict[int, tuple[int, int, datetime, str]] = {}
    rows = DealVersion.objects.filter(deal__table__in=tables).order_by("deal", "number")
    for deal, *facts in rows.values_list("deal", "deal__table", "deal__number", "deal__created_at", "state"):
        states[deal] = (facts[0], facts[1], facts[2], facts[3])
    begun: defaultdict[int, list[tuple[int, datetime]]] = defaultdict(list)
    for table, number, at, state in states.values():
        if state != DealVersion.State.WITHDRAWN:
            begun[table].append((number, at))
    return {
        table.pk: _timing(clock, plan, allowed.get(table.pk, 0)).with_deals(begun[table.pk])
        for table in tables
    }


def _timing(clock: RoundClock, plan: GamePlan, allowed: int) -> Timing:
    up = clock.ends_at <= timezone.now()
    return Timing(clock.ends_at, up, max(allowed, int(plan.finish_current_deal)))
