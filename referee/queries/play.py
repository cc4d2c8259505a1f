"""How far play at a table is: sides, deals, games, what comes next. Derived from the versions in force alone.

The pure engine decides everything about games (docs/rules.md §5); here its answers are tied to deals on
record.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.db.models import QuerySet

from referee.models import DealVersion, Penalty
from referee.queries.deals import current_versions, deal_state, seats_of
from referee.queries.timing import Timing, timing_of
from scoring.engine import score_deal
from scoring.engine.game import GamePlan, RoundState, round_state
from scoring.engine.game import Penalty as GamePenalty
from tournament.models import Event, Seat, Table
from tournament.queries.plans import round_terms
from tournament.queries.segments import segment_numbers, segment_of_number

Points = int | Fraction


@dataclass(frozen=True)
class Column:
    """A side of the games at a table: one entry's seat, or the two seats that play together.

    ``seats`` are those of the segment whose deal comes next, ``places`` the seats' letters by segment;
    ``key`` names the side in the engine.
    """

    key: str
    entries: frozenset[int]
    seats: tuple[Seat, ...]
    places: Mapping[int, tuple[str, ...]]


@dataclass(frozen=True)
class DealLine:
    """A deal on record: the version in force, where it stands, what it gives each side.

    ``game`` is the number of the game it counts in; None where it is void, undone, or came after the end.
    """

    version: DealVersion
    state: str
    amounts: Mapping[str, Points] | None
    game: int | None = None

    @property
    def number(self) -> int:
        return self.version.deal.number


@dataclass(frozen=True)
class Play:
    """Everything derived about play at a table.

    ``state`` is the engine's view of the games. ``outstanding`` are numbers of deals that were played and
    have no record in force (void, or their entry undone). ``next_number`` is the deal to be recorded next,
    None where none is; ``open_numbers`` all that may be. ``finished``: nothing more is to be played or
    recorded. ``segment`` is the one of ``segments`` (from 1) in which a new deal is played. ``timing`` is the
    clock of a timed round, once it was started.
    """

    plan: GamePlan
    columns: tuple[Column, ...]
    deals: tuple[DealLine, ...]
    state: RoundState
    outstanding: tuple[int, ...]
    next_number: int | None
    open_numbers: tuple[int, ...]
    finished: bool
    segment: int = 1
    segments: int = 1
    timing: Timing | None = None

    @property
    def segment_shown(self) -> int:
        """The segment of the deal to be recorded next: an earlier one while a deal of it is outstanding."""
        version = self.version(self.next_number) if self.next_number is not None else None
        return version.deal.segment if version else self.segment

    @property
    def subtotals(self) -> dict[int, dict[str, Points]]:
        """By segment that has a deal that counts, what each side has in it, by the side's key."""
        found: dict[int, dict[str, Points]] = {}
        for line in self.counted:
            sums = found.setdefault(
                line.version.deal.segment, dict.fromkeys((column.key for column in self.columns), 0)
            )
            for key, amount in (line.amounts or {}).items():
                sums[key] += amount
        return dict(sorted(found.items()))

    def version(self, number: int) -> DealVersion | None:
        """The version in force of the deal of that number, None where it is not on record."""
        return next((line.version for line in self.deals if line.number == number), None)

    @property
    def last_order(self) -> int:
        """The last deal's place in the order of play, 0 before any."""
        return max((line.version.deal.order for line in self.deals), default=0)

    @property
    def last_dealing(self) -> int:
        """How many times cards were dealt here for a deal on record, replays included."""
        return max((line.version.deal.dealing for line in self.deals), default=0)

    @property
    def complete(self) -> bool:
        """Played out, and every deal that counts is checked."""
        return self.finished and all(line.state == "checked" for line in self.deals if line.game is not None)

    @property
    def counted(self) -> tuple[DealLine, ...]:
        """The deals that count, in the order of play."""
        return tuple(line for line in self.deals if line.game is not None)


def tables_in_play() -> QuerySet[Table]:
    """Tables with all that play at them depends on, but without what their draws were made from: that grows
    with the event.
    """
    return (
        Table.objects.select_related(
            "draw__round__stage",
            "draw__round__event__tournament",
            "draw__round__event__ruleset_version__book",
        )
        .defer("draw__inputs", "draw__quality")
        .prefetch_related("seats")
    )


def play_of(table: Table, *, rescore: bool = False, people_too: bool = False) -> Play:
    """How far play at the table is. ``rescore`` works every figure out of the records anew instead of
    trusting stored answers; ``people_too`` loads who entered and checked the deals.

    The table's round, stage and event should be loaded with it (see `tables_in_play`).
    """
    plan = round_terms(table.draw.round).plan
    columns = columns_of(table, table.draw.round.event)
    versions = current_versions(table, ruleset_too=rescore, people_too=people_too)
    lines = [_line(version, columns, rescore) for version in versions]
    return _play(table, plan, columns, lines, timing_of(table, plan))


def play_after(play: Play, table: Table, version: DealVersion) -> Play:
    """The play once this version, or its check, has been stored; no deal is read again."""
    lines = [line for line in play.deals if line.version.deal_id != version.deal_id]
    lines.append(_line(version, play.columns, rescore=False))
    in_order = sorted(lines, key=lambda line: line.version.deal.order)
    return _play(table, play.plan, play.columns, in_order, play.timing)


def _line(version: DealVersion, columns: Sequence[Column], rescore: bool) -> DealLine:
    amounts = None
    if version.state == DealVersion.State.RECORDED:
        credited = _credited(version, rescore)
        amounts = {column.key: credited[column.places[version.deal.segment][0]] for column in columns}
    return DealLine(version, deal_state(version), amounts)


def columns_of(table: Table, event: Event) -> tuple[Column, ...]:
    """The sides of the games at the table, in the order of their first seats.

    Where partners change between segments nobody has a side for the whole round: then each player is one,
    and is credited what the two have together.
    """
    seats = sorted(table.seats.all(), key=lambda one: (one.segment, one.order))
    first = [seat for seat in seats if seat.segment == 1]
    groups = [[seat] for seat in first]
    if event.scoring_mode == "partnership" and not _partners_change(seats):
        groups = [[seat for seat in first if seat.order % 2 == place] for place in (1, 0)]
    return tuple(_column(seats, group) for group in groups)


def _partners_change(seats: Sequence[Seat]) -> bool:
    sides: dict[int, set[frozenset[int]]] = {}
    for segment in {seat.segment for seat in seats}:
        here = [seat for seat in seats if seat.segment == segment]
        sides[segment] = {
            frozenset(seat.entry_id for seat in here if seat.order % 2 == place) for place in (1, 0)
        }
    return any(one != sides[1] for one in sides.values())


def _column(seats: Sequence[Seat], group: Sequence[Seat]) -> Column:
    entries = frozenset(seat.entry_id for seat in group)
    places: dict[int, tuple[str, ...]] = {}
    for seat in seats:
        if seat.entry_id in entries:
            places[seat.segment] = (*places.get(seat.segment, ()), seat.direction)
    return Column("+".join(map(str, sorted(entries))), entries, tuple(group), places)


def _seated(table: Table, column: Column, segment: int) -> Column:
    """The column with the seats it has in a segment."""
    seats = tuple(seat for seat in seats_of(table, segment) if seat.entry_id in column.entries)
    return replace(column, seats=seats)


def _play(
    table: Table,
    plan: GamePlan,
    columns: tuple[Column, ...],
    lines: Sequence[DealLine],
    clock: Timing | None,
) -> Play:
    recorded = [line for line in lines if line.amounts is not None]
    timing = clock and clock.with_deals(
        (line.number, line.version.deal.created_at) for line in lines if line.state != "withdrawn"
    )
    ended_here = table.stopped_at is not None
    timed_out = timing is not None and timing.over and not ended_here
    stopped = ended_here or timed_out
    state = round_state(
        [line.amounts for line in recorded if line.amounts is not None],
        plan,
        sides=[column.key for column in columns],
        penalties=_game_penalties(table, plan, columns, recorded),
        stopped=stopped,
    )
    places = {line.version.deal_id: place for place, line in enumerate(recorded, start=1)}
    deals = tuple(
        DealLine(line.version, line.state, line.amounts, state.game_of(places.get(line.version.deal_id, 0)))
        for line in lines
    )
    counted = [line.version.deal.order for line in deals if line.game is not None]
    last = max(counted, default=0)
    outstanding = tuple(
        line.number
        for line in deals
        if line.amounts is None
        and (
            line.version.deal.order < last
            or (timed_out and timing.was_begun(line.number, line.version.deal.created_at))
            or (line.state == "void" and not state.finished and not stopped)
        )
    )
    finished = (state.finished or stopped) and not outstanding
    segments = max(seat.segment for seat in table.seats.all())
    segment = _segment_now(table, plan, segments, deals, state)
    numbers = segment_numbers(plan.deals, segments, segment) if plan.kind == "set" else None
    open_numbers = _open_numbers(numbers, deals, outstanding, state.finished or stopped)
    play = Play(
        plan=plan,
        columns=columns,
        deals=deals,
        state=state,
        outstanding=outstanding,
        next_number=open_numbers[0] if open_numbers else None,
        open_numbers=open_numbers,
        finished=finished,
        segment=segment,
        segments=segments,
        timing=timing,
    )
    return replace(play, columns=tuple(_seated(table, one, play.segment_shown) for one in columns))


def _segment_now(
    table: Table, plan: GamePlan, segments: int, deals: Iterable[DealLine], state: RoundState
) -> int:
    """The segment in which a new deal is played: in a set its number tells, games change between segments,
    and in timed play the referee says when.
    """
    if plan.kind == "time":
        return min(table.segment, segments)
    if plan.kind == "game":
        ended = sum(game.finished for game in state.games)
        return min(segments, ended if state.finished else ended + 1)
    used = {line.number for line in deals if line.amounts is not None}
    missing = next((number for number in range(1, plan.deals + 1) if number not in used), plan.deals)
    return segment_of_number(plan.deals, segments, missing)


def _open_numbers(
    numbers: Iterable[int] | None, deals: Iterable[DealLine], outstanding: tuple[int, ...], over: bool
) -> tuple[int, ...]:
    """Numbers that may be recorded now; the first is the one proposed.

    In a set, the deals of a segment (``numbers``) may be played in any order (docs/rules.md §1: deal numbered
    1 and deal played first differ); elsewhere the next one follows.
    """
    first = tuple(sorted(outstanding))
    if over:
        return first
    used = {line.number for line in deals if line.amounts is not None}
    if numbers is not None:
        free = [number for number in numbers if number not in used]
    else:
        free = [next(number for number in range(1, len(used) + 2) if number not in used)]
    return first + tuple(number for number in free if number not in first)


def _credited(version: DealVersion, rescore: bool) -> Mapping[str, Points]:
    if rescore:
        return score_deal(version.record, version.ruleset_version.ruleset()).credited
    return {seat: points_of(value) for seat, value in version.answer["credited"].items()}


def points_of(value: int | str) -> Points:
    """Points as stored in an answer: whole, or a text such as "-880/3"."""
    if isinstance(value, int):
        return value
    fraction = Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def _game_penalties(
    table: Table, plan: GamePlan, columns: Sequence[Column], recorded: Sequence[DealLine]
) -> list[GamePenalty]:
    """Penalties in a deal, where the plan lets them end a game; the standings add all others (docs/rules.md
    §5).
    """
    if not plan.penalties_count:
        return []
    places = {line.version.deal_id: place for place, line in enumerate(recorded, start=1)}
    given: Any = Penalty.objects.filter(table=table, deal__isnull=False, cancelled_at__isnull=True)
    found = []
    for penalty in given.order_by("id"):
        column = next((one for one in columns if penalty.entry_id in one.entries), None)
        if column is not None and penalty.deal_id in places:
            found.append(GamePenalty(column.key, penalty.points, places[penalty.deal_id]))
    return found
