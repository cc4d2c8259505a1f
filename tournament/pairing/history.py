"""Counts that the generators take from the history: meetings, seats, sit-outs, short tables.

The checker does its own counting and must not import this module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from tournament.pairing.model import (
    FOUR_SEATS,
    SIDES,
    Constraints,
    DrawnTable,
    Entrant,
    History,
    PairingError,
    Points,
    Quality,
    Reason,
    SitOutKind,
    Value,
    pair,
)


def meetings(history: History) -> Counter[tuple[int, int]]:
    """How often any two entrants sat at one table."""
    met: Counter[tuple[int, int]] = Counter()
    for table in history.tables:
        for (_, a), (_, b) in combinations(table.seats, 2):
            met[pair(a, b)] += 1
    return met


def last_meeting(history: History) -> dict[tuple[int, int], int]:
    """The latest round in which any two entrants sat at one table."""
    last: dict[tuple[int, int], int] = {}
    for table in history.tables:
        for (_, a), (_, b) in combinations(table.seats, 2):
            key = pair(a, b)
            last[key] = max(table.round, last.get(key, 0))
    return last


def seat_counts(history: History, size: int) -> dict[int, Counter[str]]:
    """Per entrant, how often each seat was taken at tables of ``size``."""
    counts: dict[int, Counter[str]] = {}
    for table in history.tables:
        if len(table.seats) == size:
            for seat, entrant in table.seats:
                counts.setdefault(entrant, Counter())[seat] += 1
    return counts


def side_balance(history: History) -> Counter[int]:
    """Per entrant, how much more often on side A than on side B."""
    balance: Counter[int] = Counter()
    for table in history.tables:
        if len(table.seats) == len(SIDES):
            for side, entrant in table.seats:
                balance[entrant] += 1 if side == SIDES[0] else -1
    return balance


def odd_table_counts(history: History) -> Counter[int]:
    """Per entrant, how often at a table of three or five instead of four."""
    counts: Counter[int] = Counter()
    for table in history.tables:
        if len(table.seats) not in (2, len(FOUR_SEATS)):
            counts.update(entrant for _, entrant in table.seats)
    return counts


def sit_out_counts(history: History) -> Counter[int]:
    """Per entrant, how often the draw left them out; rounds missed by absence count as one sit-out in all.

    So a late arrival or a returned player gets no bye before those who have played every round, yet does not
    push several byes on them.
    """
    byes: Counter[int] = Counter()
    missed: set[int] = set()
    for sit_out in history.sit_outs:
        if sit_out.kind is SitOutKind.BYE:
            byes[sit_out.entrant] += 1
        else:
            missed.add(sit_out.entrant)
    byes.update(missed)
    return byes


def checked_field(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Those who play, in order of number; PairingError when an id or a number stands twice."""
    field = sorted(entrants, key=lambda e: (e.number, e.id))
    for what, values in (("id", [e.id for e in field]), ("number", [e.number for e in field])):
        twice = [value for value, count in Counter(values).items() if count > 1]
        if twice:
            raise PairingError(f"duplicate_{what}", value=twice[0])
    return [e for e in field if e.present]


def clash_codes(a: Entrant, b: Entrant, round: int, constraints: Constraints) -> tuple[str, ...]:
    """Which of the organiser's wishes a meeting of two entrants goes against, gravest first."""
    codes = []
    if pair(a.id, b.id) in constraints.forbidden:
        codes.append("forbidden")
    if constraints.teams_apart and a.team and a.team == b.team:
        codes.append("team")
    if round <= constraints.clubs_apart_rounds and a.club and a.club == b.club:
        codes.append("club")
    if round <= constraints.seeds_apart_rounds and a.seed is not None and b.seed is not None:
        codes.append("seeds")
    return tuple(codes)


def points_gap(players: Sequence[Entrant]) -> Points:
    """Most minus fewest points among those ranked."""
    points = [p.points for p in players if not p.house]
    return max(points) - min(points) if points else 0


@dataclass(frozen=True, slots=True)
class Situation:
    """What a generator knows when it draws: who plays, what was, which round it is, and the wishes."""

    field: tuple[Entrant, ...]
    history: History
    round: int
    constraints: Constraints


def explain(
    tables: Sequence[tuple[tuple[str, int], ...]], now: Situation, byes: Sequence[int] = ()
) -> tuple[tuple[DrawnTable, ...], Quality]:
    """Number the tables, state the reasons of each, and measure the whole draw."""
    by_id = {e.id: e for e in now.field}
    met = meetings(now.history)
    last = last_meeting(now.history)
    odd = odd_table_counts(now.history)
    drawn: list[DrawnTable] = []
    gaps: list[Points] = []
    clashes: Counter[str] = Counter()
    repeats = 0
    for number, seats in enumerate(tables, start=1):
        players = [by_id[entrant] for _, entrant in seats]
        gap = points_gap(players)
        gaps.append(gap)
        ranked = [p.points for p in players if not p.house] or [0]
        reasons = [_reason("points", (), high=max(ranked), low=min(ranked), gap=gap)]
        for a, b in combinations(players, 2):
            key = pair(a.id, b.id)
            if met[key]:
                repeats += 1
                reasons.append(_reason("repeat", key, times=met[key] + 1, last_round=last[key]))
            for code in clash_codes(a, b, now.round, now.constraints):
                clashes[code] += 1
                shared = {"club": a.club, "team": a.team}.get(code)
                reasons.append(_reason(code, key, name=shared) if shared else _reason(code, key))
        if len(seats) not in (2, len(FOUR_SEATS)):
            reasons += [
                _reason("odd_table_again", (p.id,), times=odd[p.id] + 1, size=len(seats))
                for p in players
                if odd[p.id]
            ]
        drawn.append(DrawnTable(number, seats, tuple(reasons)))
    quality = Quality(
        repeats=repeats,
        max_points_gap=max(gaps, default=0),
        mean_points_gap=Fraction(sum(gaps)) / len(gaps) if gaps else Fraction(0),
        # Whoever sits out this once has seats to look back on too.
        seat_spread=_seat_spread(tables, now.history, {*by_id, *byes}),
        club_clashes=clashes["club"],
        forbidden_meetings=clashes["forbidden"] + clashes["team"],
        byes=len(byes),
        short_tables=sum(len(seats) not in (2, len(FOUR_SEATS)) for seats in tables),
    )
    return tuple(drawn), quality


def _reason(code: str, entrants: tuple[int, ...], **params: Value) -> Reason:
    return Reason(code, entrants, tuple(params.items()))


def _seat_spread(tables: Sequence[tuple[tuple[str, int], ...]], history: History, present: set[int]) -> int:
    size = len(SIDES) if all(len(seats) == len(SIDES) for seats in tables) else len(FOUR_SEATS)
    names = SIDES if size == 2 else FOUR_SEATS
    counts = seat_counts(history, size)
    for seats in tables:
        if len(seats) == size:
            for seat, entrant in seats:
                counts.setdefault(entrant, Counter())[seat] += 1
    spreads = [max(c[n] for n in names) - min(c[n] for n in names) for e, c in counts.items() if e in present]
    return max(spreads, default=0)
