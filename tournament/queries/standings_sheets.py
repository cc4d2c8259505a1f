"""What standings are made from: everything recorded, or what has been published alone.

Entries are named by their number in the event. All tables of a match count as one encounter.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from referee.models import Penalty
from tournament.models import Bye, Draw, EntryResult, Event, Match, MatchDecision, Seat
from tournament.queries.criteria import MAIN
from tournament.queries.draw_formats import TWO_SIDED
from tournament.queries.payloads import points_of
from tournament.queries.plans import measures_by_round
from tournament.queries.published import Published
from tournament.queries.walkovers import WalkoverFacts, walkovers_of
from tournament.ranking.points import Points
from tournament.ranking.results import Adjustment, Encounter, Measure, Played

#: Winners named by the organiser, by the round and the sides of their match.
Decided = Mapping[tuple[int, frozenset[int]], int]

#: Match points of a match won, of an equal one and of one lost.
WON, EQUAL, LOST = 2, 1, 0


@dataclass(frozen=True)
class Sheet:
    """Encounters and penalties of these rounds.

    ``mains`` says what each round of the event is worth. ``decided`` are matches whose winner the organiser
    has named: by round and sides, the winner.
    """

    rounds: tuple[int, ...]
    encounters: tuple[Encounter, ...]
    penalties: tuple[Adjustment, ...]
    mains: Mapping[int, Measure]
    decided: Decided = field(default_factory=dict)

    def until(self, after_round: int) -> "Sheet":
        """The same without the rounds after this one."""
        return replace(
            self,
            rounds=tuple(number for number in self.rounds if number <= after_round),
            encounters=tuple(one for one in self.encounters if one.round <= after_round),
            penalties=tuple(one for one in self.penalties if one.round <= after_round),
            decided={key: winner for key, winner in self.decided.items() if key[0] <= after_round},
        )


@dataclass(frozen=True)
class _Line:
    """What one entry has at one table, or at all tables of its match; None where nothing is known."""

    points: Points | None = None
    opponents: Points | None = None
    value: Points | None = None
    games_won: Points | None = None
    grand_slams: Points | None = None
    complete: bool = False
    walkover: bool = False
    absent: bool = False
    met: bool = True

    def plus(self, other: "_Line") -> "_Line":
        """Both tables of a match together; complete only if both are."""
        return _Line(
            *(
                _sum(getattr(self, name), getattr(other, name))
                for name in ("points", "opponents", "value", "games_won", "grand_slams")
            ),
            complete=self.complete and other.complete,
            walkover=self.walkover,
            absent=self.absent,
            met=self.met,
        )


def recorded_sheet(event: Event, after_round: int | None) -> Sheet:
    """Everything recorded, checked or not. A constant number of queries."""
    draws = Draw.objects.filter(round__event=event, state=Draw.State.PUBLISHED)
    given = Penalty.objects.filter(event=event, cancelled_at__isnull=True).select_related("entry", "round")
    if after_round is not None:
        draws = draws.filter(round__number__lte=after_round)
        given = given.filter(round__number__lte=after_round)
    rounds = tuple(draws.order_by("round__number").values_list("round__number", flat=True))
    results = {
        (result.table_id, result.entry_id): result
        for result in EntryResult.objects.filter(table__draw__in=draws)
    }
    stated = walkovers_of(Match.objects.filter(draw__in=draws).values("pk"))
    matches: defaultdict[tuple[int, int], dict[int, _Line]] = defaultdict(dict)
    seen: set[tuple[int, int]] = set()
    seats = Seat.objects.filter(table__draw__in=draws).order_by("table", "segment", "order")
    for number, match, table, pk, entry in seats.values_list(
        "table__draw__round__number", "table__match", "table", "entry", "entry__number"
    ):
        if (table, pk) in seen:
            continue
        seen.add((table, pk))
        lines = matches[number, match]
        line = _recorded(event, results.get((table, pk)), pk, stated.get(match))
        lines[entry] = lines[entry].plus(line) if entry in lines else line
    byes = Bye.objects.filter(draw__in=draws).select_related("draw__round", "entry")
    named = MatchDecision.objects.filter(match__draw__in=draws).values_list(
        "match__draw__round__number", "match", "winner__number"
    )
    decided = {(number, frozenset(matches[number, match])): winner for number, match, winner in named}
    mains = _mains(event)
    return Sheet(
        rounds,
        (
            *_encounters(event, matches, mains, decided),
            *(_bye(mains, one.draw.round.number, one.entry.number, one.points) for one in byes),
        ),
        tuple(_penalty(mains, one.round.number, one.entry.number, one.points) for one in given),
        mains,
        decided,
    )


def published_sheet(event: Event, after_round: int | None) -> Sheet:
    """The published results alone."""
    sheets = Published(event).sheets()
    rounds = tuple(number for number in sheets if after_round is None or number <= after_round)
    matches: defaultdict[tuple[int, int], dict[int, _Line]] = defaultdict(dict)
    others: list[Encounter] = []
    penalties: list[Adjustment] = []
    decided: dict[tuple[int, frozenset[int]], int] = {}
    mains = _mains(event)
    for number in rounds:
        sheet = sheets[number]
        for table in sheet["tables"]:
            lines = matches[number, table["match"]]
            for shown in table["lines"]:
                entry, line = shown["entry"], _published(shown, table["walkover"])
                lines[entry] = lines[entry].plus(line) if entry in lines else line
            if table["decided"]:
                decided[number, frozenset(lines)] = table["decided"]["winner"]
        others += [_bye(mains, number, one["entry"], points_of(one["points"]) or 0) for one in sheet["byes"]]
        penalties += [
            _penalty(mains, number, one["entry"], points_of(one["points"]) or 0)
            for one in sheet["penalties"]
            if not one["cancelled"]
        ]
    encounters = (*_encounters(event, matches, mains, decided), *others)
    return Sheet(rounds, encounters, tuple(penalties), mains, decided)


def _mains(event: Event) -> dict[int, Measure]:
    """What each round is worth, in the words of the rankings."""
    return {number: MAIN[measure] for number, measure in measures_by_round(event).items()}


def _recorded(event: Event, result: EntryResult | None, entry: int, walkover: WalkoverFacts | None) -> _Line:
    if result is None or not (result.deals or walkover):
        return _Line()
    return _Line(
        points=result.points,
        opponents=result.opponents_points if event.kind in TWO_SIDED else None,
        value=result.value,
        games_won=result.games_won,
        grand_slams=result.grand_slams,
        complete=result.complete,
        walkover=walkover is not None,
        absent=walkover is not None and entry in walkover.absent,
        met=walkover is None or walkover.met,
    )


def _published(line: Mapping[str, Any], walkover: Mapping[str, Any] | None) -> _Line:
    return _Line(
        points=points_of(line["points"]),
        opponents=points_of(line["opponents"]),
        value=points_of(line["value"]),
        games_won=points_of(line["games_won"]),
        grand_slams=line["grand_slams"],
        complete=line["complete"],
        walkover=walkover is not None,
        absent=walkover is not None and line["entry"] in walkover["absent"],
        met=walkover is None or walkover["met"],
    )


def _encounters(
    event: Event,
    matches: Mapping[tuple[int, int], Mapping[int, _Line]],
    mains: Mapping[int, Measure],
    decided: Decided,
) -> Iterable[Encounter]:
    for (number, _match), lines in matches.items():
        winner = decided.get((number, frozenset(lines)))
        for entry, line in lines.items():
            amounts = {
                Measure.TOTAL: line.points,
                Measure.GAMES_WON: line.games_won,
                Measure.GRAND_SLAMS: line.grand_slams,
                **(_against(mains[number], entry, lines) if event.kind in TWO_SIDED else {}),
                mains[number]: line.value,
            }
            if winner is not None:
                # What the organiser decided stands, whatever the score says or lacks.
                amounts[Measure.MATCH_POINTS] = WON if entry == winner else LOST
            yield Encounter(
                entry,
                number,
                tuple(other for other in lines if other != entry),
                tuple((measure, amount) for measure, amount in amounts.items() if amount is not None),
                _state(line),
                line.met,
            )


def _state(line: _Line) -> Played:
    if line.walkover:
        return Played.WALKOVER
    return Played.PLAYED if line.complete else Played.PENDING


def _against(main: Measure, entry: int, lines: Mapping[int, _Line]) -> dict[Measure, Points | None]:
    """What only a match of two sides has: the difference, and points for winning the match."""
    if len(lines) != 2:
        return {}
    own = lines[entry]
    other = next(line for number, line in lines.items() if number != entry)
    found: dict[Measure, Points | None] = {}
    if own.points is not None and own.opponents is not None:
        found[Measure.DIFFERENCE] = own.points - own.opponents
    if own.complete and other.complete:
        # Victory points may be alike in a narrow win: who won is told by the points.
        won = "games_won" if main is Measure.GAMES_WON else "points"
        mine, theirs = getattr(own, won), getattr(other, won)
        if own.walkover:
            # Whoever did not come has lost, whatever the score stated.
            found[Measure.MATCH_POINTS] = LOST if own.absent else WON
        elif mine is not None and theirs is not None:
            found[Measure.MATCH_POINTS] = WON if mine > theirs else EQUAL if mine == theirs else LOST
    return found


def _bye(mains: Mapping[int, Measure], number: int, entry: int, points: Points) -> Encounter:
    amounts: dict[Measure, Points] = {Measure.MATCH_POINTS: WON, mains[number]: points}
    return Encounter(entry, number, (), tuple(amounts.items()), Played.BYE)


def _penalty(mains: Mapping[int, Measure], number: int, entry: int, points: Points) -> Adjustment:
    return Adjustment(entry, points, round=number, measure=mains[number])


def _sum(one: Points | None, other: Points | None) -> Points | None:
    """What is known of two amounts; None only where neither is."""
    if one is None or other is None:
        return other if one is None else one
    total = Fraction(one) + Fraction(other)
    return total.numerator if total.denominator == 1 else total
