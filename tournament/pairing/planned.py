"""Who gets which position in a plan of tables of four made beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

import numpy as np

from tournament.pairing.history import checked_field, clash_codes
from tournament.pairing.model import (
    NO_WISHES,
    Constraints,
    Entrant,
    PairingError,
)
from tournament.pairing.swap_search import Ints

Seats = tuple[tuple[str, int], ...]
PlannedRounds = Sequence[Sequence[Seats]]

_NEVER = 1 << 20
_SWEEPS = 30


def assign_positions(
    entrants: Iterable[Entrant],
    plan: PlannedRounds,
    *,
    constraints: Constraints = NO_WISHES,
    first_round: int = 1,
    seed: int,
) -> tuple[int, ...]:
    """Entrant ids by position of the plan: by lot, then exchanged while that keeps more of the wishes.

    Clubs and seeds are to be apart in the first rounds, forbidden pairs and team-mates in all. House players
    take the last positions. Raises PairingError ``positions`` when the field does not fit the plan.
    """
    field = checked_field(entrants)
    places = 1 + max(p for tables in plan for seats in tables for _, p in seats)
    players = [e for e in field if not e.house]
    Random(seed).shuffle(players)
    field = players + [e for e in field if e.house]
    if len(field) != places:
        raise PairingError("positions", present=len(field), needed=places)
    kinds = [
        _kind_of_wish(field, plan, constraints, kind, first_round) for kind in ("never", "club", "seeds")
    ]
    kinds = [(weight, meet, wish) for weight, meet, wish in kinds if meet.any() and wish.any()]
    order = np.arange(places)
    for _ in range(_SWEEPS):
        changed = False
        for a in range(len(players)):
            if not any((meet[a] * wish[order[a], order]).any() for _, meet, wish in kinds):
                continue
            gain = np.zeros(places, dtype=np.int64)
            for weight, meet, wish in kinds:
                gain += weight * _gains(a, order, meet, wish)
            b = int(np.argmin(gain[: len(players)]))
            if gain[b] < 0:
                order[a], order[b] = order[b], order[a]
                changed = True
        if not changed:
            break
    return tuple(field[k].id for k in order)


def _kind_of_wish(
    field: Sequence[Entrant], plan: PlannedRounds, constraints: Constraints, kind: str, first_round: int
) -> tuple[int, Ints, Ints]:
    """Weight of a kind of wish, how often two positions meet while it holds, and which entrants it keeps
    apart.
    """
    last = {
        "never": len(plan),
        "club": constraints.clubs_apart_rounds - first_round + 1,
        "seeds": constraints.seeds_apart_rounds - first_round + 1,
    }[kind]
    meet = np.zeros((len(field), len(field)), dtype=np.int64)
    for tables in plan[: max(0, last)]:
        for seats in tables:
            at_table = [p for _, p in seats]
            meet[np.ix_(at_table, at_table)] += 1
    np.fill_diagonal(meet, 0)
    wish = np.zeros_like(meet)
    codes = {"never": {"forbidden", "team"}, "club": {"club"}, "seeds": {"seeds"}}[kind]
    if meet.any():
        for (a, one), (b, other) in combinations(enumerate(field), 2):
            if codes & set(clash_codes(one, other, first_round, constraints)):
                wish[a, b] = wish[b, a] = 1
    return (_NEVER if kind == "never" else 1), meet, wish


def _gains(a: int, order: Ints, meet: Ints, wish: Ints) -> Ints:
    """Change of the number of clashes if the entrant at position a changed places with each other one."""
    mine = wish[order[a], order]
    between = wish[np.ix_(order, order)]
    own = (meet * between).sum(axis=1)
    gains: Ints = between @ meet[a] + meet @ mine - own[a] - own + 2 * meet[a] * mine
    return gains
