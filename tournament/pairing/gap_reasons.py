"""Why the points at tables of a Swiss draw by four lie further apart than neighbours by points would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournament.pairing.four import looks_ahead
from tournament.pairing.history import clash_codes, meetings, odd_table_counts, points_gap
from tournament.pairing.model import Constraints, Entrant, History, Points, pair


@dataclass(frozen=True, slots=True)
class GapReasons:
    """``gap`` is the largest at a table as drawn, ``alone`` the one at tables filled strictly by points.

    ``against`` counts what stood against those tables, by code: pairs of them who had "met" before, who were
    "forbidden" or of one "team", of one "club" or both "seeds" while these are apart; players who would have
    sat at an "odd_table" more often than others; rounds to come that are looked "ahead" to. Where there is
    nothing of it, seats that are to come round are the reason ("seats": 1). Empty where the gap is no larger.
    """

    gap: Points
    alone: Points
    against: tuple[tuple[str, int], ...] = ()


def gap_reasons(
    entrants: Iterable[Entrant],
    tables: Sequence[Sequence[int]],
    history: History,
    *,
    round: int,
    constraints: Constraints,
    planned_rounds: int,
) -> GapReasons:
    """What outranked points in a draw; ``tables`` are ids of entrants, the leaders' table first.

    House players are at no distance from anybody and fill any table.
    """
    by_id = {one.id: one for one in entrants}
    seated = [[by_id[one] for one in table] for table in tables]
    gap = max((points_gap(table) for table in seated), default=0)
    near = _by_points(seated)
    alone = max((points_gap(table) for table in near), default=0)
    if gap <= alone:
        return GapReasons(gap, alone)
    met, odd = meetings(history), odd_table_counts(history)
    against: Counter[str] = Counter()
    for table in near:
        for a, b in combinations(table, 2):
            against["met"] += bool(met[pair(a.id, b.id)])
            against.update(clash_codes(a, b, round, constraints))
        if len(table) != 4:
            fewest = min(odd[one.id] for group in near for one in group)
            against["odd_table"] += sum(odd[one.id] > fewest for one in table)
    if met and looks_ahead(sum(map(len, near)), round, planned_rounds):
        against["ahead"] = planned_rounds - round
    found = tuple((code, against[code]) for code in _ORDER if against[code])
    return GapReasons(gap, alone, found or (("seats", 1),))


#: The gravest first, as the draw weighs them (`tournament.pairing.four`).
_ORDER = ("forbidden", "team", "met", "odd_table", "club", "seeds", "ahead")


def _by_points(seated: Sequence[Sequence[Entrant]]) -> list[list[Entrant]]:
    """Tables of the same sizes, filled by points; house players stay where they were drawn."""
    rest = iter(
        sorted(
            (one for table in seated for one in table if not one.house), key=lambda e: (-e.points, e.number)
        )
    )
    return [[one if one.house else next(rest) for one in table] for table in seated]
