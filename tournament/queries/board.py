"""The board of a round: how far each table is and what is missing before the round can be closed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import F

from referee.models import DealVersion, Dispute, TableCall
from referee.queries.timing import Timing, round_timings
from tournament.models import Draw, EntryResult, MatchDecision, Round, Seat, Table, Walkover


@dataclass(frozen=True)
class Missing:
    """One thing that keeps a table from being done; ``deals`` are the numbers of the deals concerned.

    Codes: ``disputed`` deals on which the desk has not ruled, ``called`` a call for a referee without a
    ruling, ``no_deal`` nothing recorded, ``unchecked`` deals without a second person's check, ``void`` deals
    to be replayed, ``unfinished`` all recorded deals are checked but the plan is not played out.
    """

    code: str
    deals: tuple[int, ...] = ()


@dataclass(frozen=True)
class TableLine:
    """One table of the board: its seats in the segment being played, in the order of play, and how many deals
    are recorded, and checked of these. ``timing`` is the clock of a timed round. ``walkover``: the match is
    not played.
    """

    table: Table
    seats: tuple[Seat, ...]
    recorded: int
    checked: int
    missing: tuple[Missing, ...] = ()
    timing: Timing | None = None
    walkover: bool = False

    @property
    def number(self) -> int:
        return self.table.number

    @property
    def complete(self) -> bool:
        return not self.missing

    @property
    def state(self) -> str:
        """One of waiting, playing, unchecked, done: what a glance at the board should show."""
        if self.complete:
            return "done"
        if not self.recorded:
            return "waiting"
        return "unchecked" if self.checked < self.recorded else "playing"


@dataclass(frozen=True)
class Board:
    """All tables of a round, by number. ``drawn``: its draw is published, if only for byes."""

    round: Round
    lines: tuple[TableLine, ...] = field(default=())
    drawn: bool = False

    @property
    def timing(self) -> Timing | None:
        """The clock of a timed round, as its first table has it; None where none was started."""
        return self.lines[0].timing if self.lines else None

    @property
    def complete(self) -> bool:
        return self.drawn and all(line.complete for line in self.lines)

    @property
    def done(self) -> int:
        """How many tables are complete."""
        return sum(line.complete for line in self.lines)

    @property
    def missing(self) -> tuple[TableLine, ...]:
        """The tables that keep the round open."""
        return tuple(line for line in self.lines if not line.complete)


def round_board(round: Round) -> Board:
    """How far the round is. A constant number of queries, whatever the number of tables and deals."""
    return round_boards([round])[round.pk]


def round_boards(rounds: Sequence[Round]) -> dict[int, Board]:
    """By id of the round, how far each is: as many queries for all rounds of a plan as for one of them, but
    for the clocks of timed ones. Their stage and event, with its ruleset, should be loaded with them.
    """
    read = [one.pk for one in rounds if one.state in (Round.State.PLAYING, Round.State.CLOSED)]
    living = Draw.objects.filter(round__in=read).exclude(state=Draw.State.WITHDRAWN)
    draws = dict(living.values_list("round", "pk").order_by())
    if not draws:
        return {one.pk: Board(one) for one in rounds}
    each = list(draws.values())
    tables: defaultdict[int, list[Table]] = defaultdict(list)
    for table in Table.objects.filter(draw__in=each).select_related("match").order_by("number"):
        tables[table.draw_id].append(table)
    seats = _seats(each)
    deals = _deals(each)
    complete = _complete(each)
    disputed = _disputed(each)
    called = _called(each)
    decided = set(MatchDecision.objects.filter(match__draw__in=each).values_list("match", flat=True))
    walkovers = set(Walkover.objects.filter(match__draw__in=each).values_list("match", flat=True))

    def board(round: Round) -> Board:
        if round.pk not in draws:
            return Board(round)
        own = tables[draws[round.pk]]
        timings = round_timings(own, round)
        lines = (
            _line(
                table,
                seats[table.pk],
                deals[table.pk],
                complete=complete[table.pk],
                disputed=disputed[table.pk],
                called=table.pk in called,
                timing=timings.get(table.pk),
                decided=table.match_id in decided,
                walkover=table.match_id in walkovers,
            )
            for table in own
        )
        return Board(round, tuple(lines), drawn=True)

    return {one.pk: board(one) for one in rounds}


def _line(
    table: Table,
    seats: list[Seat],
    deals: Mapping[int, str],
    *,
    complete: bool,
    disputed: set[int],
    called: bool,
    timing: Timing | None,
    decided: bool,
    walkover: bool,
) -> TableLine:
    by_state: defaultdict[str, list[int]] = defaultdict(list)
    for number, state in sorted(deals.items()):
        by_state[state].append(number)
    unchecked, checked, void = by_state["recorded"], by_state["checked"], by_state["void"]
    # Nothing has to be played, or checked, that does not count.
    waiting = () if walkover else (("unchecked", unchecked), ("void", void))
    missing = [
        Missing(code, tuple(numbers))
        for code, numbers in (("disputed", sorted(disputed)), *waiting)
        if numbers
    ]
    if called:
        missing.append(Missing("called"))
    # Time that passes rewrites no result: they are brought up to date when the round is closed.
    timed_out = timing is not None and timing.over and bool(checked)
    settled = complete or timed_out or decided or walkover
    if not unchecked and not void and not settled:
        missing.append(Missing("unfinished" if checked else "no_deal"))
    return TableLine(
        table=table,
        seats=tuple(seats),
        recorded=len(unchecked) + len(checked),
        checked=len(checked),
        missing=tuple(missing),
        timing=timing,
        walkover=walkover,
    )


def _seats(draws: Sequence[int]) -> defaultdict[int, list[Seat]]:
    found: defaultdict[int, list[Seat]] = defaultdict(list)
    seats = Seat.objects.filter(table__draw__in=draws, segment=F("table__segment"))
    for seat in seats.select_related("entry", "player").order_by("order"):
        found[seat.table_id].append(seat)
    return found


def _deals(draws: Sequence[int]) -> defaultdict[int, dict[int, str]]:
    """Per table, the state of each deal that has not been undone: recorded, checked or void."""
    versions = (
        DealVersion.objects.filter(deal__table__draw__in=draws)
        .order_by("deal", "number")
        .values_list("deal__table", "deal__number", "state", "check_row")
    )
    found: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for table, number, state, check in versions:
        # Later versions come later and replace earlier ones.
        if state == DealVersion.State.WITHDRAWN:
            found[table].pop(number, None)
        elif state == DealVersion.State.VOID:
            found[table][number] = "void"
        else:
            found[table][number] = "recorded" if check is None else "checked"
    return found


def _disputed(draws: Sequence[int]) -> defaultdict[int, set[int]]:
    """Per table, the numbers of deals on which the desk has not ruled."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    disputes = Dispute.objects.filter(
        version__deal__table__draw__in=draws, closed_at=None, kind__in=Dispute.BLOCKING
    )
    for table, number in disputes.values_list("version__deal__table", "version__deal__number"):
        found[table].add(number)
    return found


def _called(draws: Sequence[int]) -> set[int]:
    """The tables that wait for a referee, or for a ruling."""
    return set(
        TableCall.objects.filter(table__draw__in=draws, closed_at=None).values_list("table", flat=True)
    )


def _complete(draws: Sequence[int]) -> defaultdict[int, bool]:
    """Per table, whether the plan is played out for everybody at it."""
    found: defaultdict[int, bool] = defaultdict(bool)
    results = EntryResult.objects.filter(table__draw__in=draws).values_list("table", "complete")
    states: defaultdict[int, list[bool]] = defaultdict(list)
    for table, complete in results:
        states[table].append(complete)
    found.update({table: all(each) for table, each in states.items()})
    return found
