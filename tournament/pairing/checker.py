"""Verifies a draw, whoever or whatever made it.

Shares no code with the generators: it imports the data classes alone and counts everything for itself, so
a mistake in a generator cannot hide in the check. All violations are reported, not just the first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tournament.pairing.model import (
    NO_HISTORY,
    NO_WISHES,
    Constraints,
    Draw,
    Entrant,
    History,
    Points,
    Quality,
    SitOutKind,
    Value,
)


class Severity(StrEnum):
    """``impossible``: the draw is no draw and cannot be published. ``needs_reason``: it breaks a wish, and
    the organiser must say why it stands."""

    IMPOSSIBLE = "impossible"
    NEEDS_REASON = "needs_reason"


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing wrong with a draw: a code for the translated message, whom and which table it concerns,
    figures.
    """

    code: str
    severity: Severity
    entrants: tuple[int, ...] = ()
    table: int | None = None
    params: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Expected:
    """What kind of draw is checked: how many at a table, which other sizes are allowed, how many may sit out.

    ``size`` is 4 or 2. ``repeats_allowed`` is set for formats in which everybody meets more than once by
    plan (a double round robin, a best-of-N bracket).
    """

    size: int = 4
    other_sizes: frozenset[int] = frozenset()
    byes_allowed: bool = True
    repeats_allowed: bool = False


TABLES_OF_FOUR = Expected()


@dataclass(frozen=True, slots=True)
class Report:
    """Every violation, the impossible first, and the quality as the checker counts it."""

    violations: tuple[Violation, ...]
    quality: Quality

    @property
    def possible(self) -> bool:
        """Whether the draw could be played at all."""
        return all(v.severity is not Severity.IMPOSSIBLE for v in self.violations)


def check_draw(
    draw: Draw,
    entrants: Iterable[Entrant],
    history: History = NO_HISTORY,
    *,
    constraints: Constraints = NO_WISHES,
    expected: Expected = TABLES_OF_FOUR,
) -> Report:
    """Check ``draw`` against everybody entered (absent ones included), the rounds before it and the wishes.

    Impossible: an entrant seated twice, unknown, absent, left out, or both playing and sitting out; a table
    of a wrong size; a seat missing, unknown or given twice; a table number used twice; a house player
    sitting out. Needs a reason: a repeat, a forbidden or same-team meeting, a club clash while clubs are
    apart, seeds together, two house players at a table, a bye for somebody who had more than another, byes
    that fill a table.
    """
    people = {e.id: e for e in entrants}
    found: list[Violation] = []
    found += _attendance(draw, people)
    found += _tables(draw, expected)
    before = _encounters(history)
    found += _meetings(draw, people, before, constraints, expected)
    found += _byes(draw, people, history, expected)
    found.sort(key=lambda v: v.severity is not Severity.IMPOSSIBLE)
    spread = _spread_of_seats(draw, people, history, expected)
    return Report(
        tuple(found), _measure(draw, people, before, constraints, seat_spread=spread, size=expected.size)
    )


def _encounters(history: History) -> dict[frozenset[int], list[int]]:
    """The rounds in which each two met."""
    rounds: defaultdict[frozenset[int], list[int]] = defaultdict(list)
    for played in history.tables:
        who = [entrant for _, entrant in played.seats]
        for k, one in enumerate(who):
            for other in who[k + 1 :]:
                rounds[frozenset((one, other))].append(played.round)
    return rounds


def _impossible(code: str, who: Sequence[int] = (), table: int | None = None, **params: Value) -> Violation:
    return Violation(code, Severity.IMPOSSIBLE, tuple(who), table, tuple(params.items()))


def _questionable(code: str, who: Sequence[int] = (), table: int | None = None, **params: Value) -> Violation:
    return Violation(code, Severity.NEEDS_REASON, tuple(who), table, tuple(params.items()))


def _attendance(draw: Draw, people: dict[int, Entrant]) -> list[Violation]:
    found = []
    seated = Counter(who for table in draw.tables for _, who in table.seats)
    resting = Counter(draw.byes)
    where = {who: table.number for table in draw.tables for _, who in table.seats}
    for who, times in seated.items():
        if times > 1:
            found.append(_impossible("seated_twice", [who], where[who], times=times))
        found += _known_and_present(people, who, where[who])
    for who, times in resting.items():
        if times > 1:
            found.append(_impossible("bye_twice", [who], times=times))
        if who in seated:
            found.append(_impossible("bye_and_seated", [who], where[who]))
        if who in people and people[who].house:
            found.append(_impossible("house_player_bye", [who]))
        found += _known_and_present(people, who, None)
    found += [
        _impossible("left_out", [who])
        for who, person in people.items()
        if person.present and not person.house and who not in seated and who not in resting
    ]
    return found


def _known_and_present(people: dict[int, Entrant], who: int, table: int | None) -> list[Violation]:
    if who not in people:
        return [_impossible("unknown_entrant", [who], table)]
    if not people[who].present:
        return [_impossible("absent_drawn", [who], table)]
    return []


def _tables(draw: Draw, expected: Expected) -> list[Violation]:
    found = []
    numbers = Counter(table.number for table in draw.tables)
    found += [_impossible("table_number_twice", table=n) for n, times in numbers.items() if times > 1]
    allowed = {expected.size} | expected.other_sizes
    for table in draw.tables:
        seats = [seat for seat, _ in table.seats]
        if len(seats) not in allowed:
            found.append(_impossible("table_size", table=table.number, size=len(seats)))
        should_be = ["N", "W", "S", "E"] if len(seats) == 4 else [chr(65 + k) for k in range(len(seats))]
        if sorted(seats) != sorted(should_be):
            found.append(_impossible("seats", table=table.number, seats=" ".join(seats)))
    return found


def _meetings(
    draw: Draw,
    people: dict[int, Entrant],
    before: dict[frozenset[int], list[int]],
    constraints: Constraints,
    expected: Expected,
) -> list[Violation]:
    found = []
    never = {frozenset(two) for two in constraints.forbidden}
    for table in draw.tables:
        who = [entrant for _, entrant in table.seats]
        for k, one in enumerate(who):
            for other in who[k + 1 :]:
                two = frozenset((one, other))
                both = (one, other)
                if before.get(two) and not expected.repeats_allowed:
                    times = len(before[two]) + 1
                    found.append(
                        _questionable("repeat", both, table.number, times=times, last_round=max(before[two]))
                    )
                if two in never:
                    found.append(_questionable("forbidden", both, table.number))
                if one in people and other in people and one != other:
                    found += _wishes(people[one], people[other], table.number, draw.round, constraints)
    return found


def _wishes(a: Entrant, b: Entrant, table: int, round: int, constraints: Constraints) -> list[Violation]:
    found = []
    both = (a.id, b.id)
    if constraints.teams_apart and a.team != "" and a.team == b.team:
        found.append(_questionable("team", both, table, name=a.team))
    if constraints.clubs_apart_rounds >= round and a.club != "" and a.club == b.club:
        found.append(_questionable("club", both, table, name=a.club))
    if constraints.seeds_apart_rounds >= round and not (a.seed is None or b.seed is None):
        found.append(_questionable("seeds", both, table))
    if a.house and b.house:
        found.append(_questionable("house_players", both, table))
    return found


def _rests(history: History) -> Counter[int]:
    """Sit-outs per entrant: each bye, and all missed rounds together as one."""
    rests = Counter(s.entrant for s in history.sit_outs if s.kind is SitOutKind.BYE)
    for who in {s.entrant for s in history.sit_outs if s.kind is SitOutKind.MISSED}:
        rests[who] += 1
    return rests


def _byes(draw: Draw, people: dict[int, Entrant], history: History, expected: Expected) -> list[Violation]:
    found: list[Violation] = []
    rests = _rests(history)
    playing = [
        who for table in draw.tables for _, who in table.seats if who in people and not people[who].house
    ]
    fewest = min((rests[who] for who in playing), default=None)
    found += [
        _questionable("bye_again", [who], earlier=rests[who], fewest=fewest)
        for who in draw.byes
        if fewest is not None and rests[who] > fewest
    ]
    if draw.byes and not expected.byes_allowed:
        found.append(_questionable("byes_not_allowed", draw.byes))
    elif len(draw.byes) >= expected.size:
        found.append(_questionable("byes_fill_a_table", draw.byes, byes=len(draw.byes)))
    return found


def _measure(
    draw: Draw,
    people: dict[int, Entrant],
    before: dict[frozenset[int], list[int]],
    constraints: Constraints,
    *,
    seat_spread: int,
    size: int,
) -> Quality:
    gaps: list[Points] = []
    repeats = clubs = forbidden = 0
    never = {frozenset(two) for two in constraints.forbidden}
    for table in draw.tables:
        who = [entrant for _, entrant in table.seats]
        points = [people[w].points for w in who if w in people and not people[w].house]
        gaps.append(max(points) - min(points) if points else 0)
        for k, one in enumerate(who):
            for other in who[k + 1 :]:
                repeats += bool(before.get(frozenset((one, other))))
                forbidden += frozenset((one, other)) in never
                if one in people and other in people:
                    codes = {v.code for v in _wishes(people[one], people[other], 0, draw.round, constraints)}
                    clubs += "club" in codes
                    forbidden += "team" in codes
    return Quality(
        repeats=repeats,
        max_points_gap=max(gaps, default=0),
        mean_points_gap=Fraction(sum(gaps)) / len(gaps) if gaps else Fraction(0),
        seat_spread=seat_spread,
        club_clashes=clubs,
        forbidden_meetings=forbidden,
        byes=len(draw.byes),
        short_tables=sum(len(table.seats) != size for table in draw.tables),
    )


def _spread_of_seats(draw: Draw, people: dict[int, Entrant], history: History, expected: Expected) -> int:
    names = "NWSE" if expected.size == 4 else "AB"
    taken: defaultdict[int, list[int]] = defaultdict(lambda: [0] * len(names))
    for seats in [played.seats for played in history.tables] + [table.seats for table in draw.tables]:
        if len(seats) == expected.size:
            for seat, who in seats:
                if seat in names:
                    taken[who][names.index(seat)] += 1
    return max(
        (max(t) - min(t) for who, t in taken.items() if who in people and people[who].present), default=0
    )
