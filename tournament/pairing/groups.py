"""Groups 分组, each a round robin of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from random import Random

from tournament.pairing.history import Situation, checked_field, explain
from tournament.pairing.model import (
    NO_HISTORY,
    NO_WISHES,
    Constraints,
    Draw,
    Entrant,
    History,
    PairingError,
    Reason,
)
from tournament.pairing.round_robin import draw_round_robin, rounds_needed

Groups = tuple[tuple[int, ...], ...]


def draw_groups(entrants: Iterable[Entrant], count: int, *, clubs_apart: bool = True, seed: int) -> Groups:
    """Entrant ids by group, in the order of their places: seeds spread by turns to and fro, the others by
    lot.

    Groups differ by one in size at most. Clubs (and teams) are spread evenly as far as can be found. Raises
    PairingError ``groups`` unless every group gets two or more.
    """
    field = checked_field(entrants)
    if count < 1 or len(field) < 2 * count:
        raise PairingError("groups", groups=count, present=len(field))
    rng = Random(seed)
    rng.shuffle(field)
    field.sort(key=lambda e: (e.seed is None, e.seed or 0))
    groups: list[list[Entrant]] = [[] for _ in range(count)]
    for start in range(0, len(field), count):
        tier = field[start : start + count]
        order = list(range(count))
        if (start // count) % 2:
            order.reverse()
        for entrant, group in zip(tier, order, strict=False):
            groups[group].append(entrant)
    if clubs_apart:
        _spread_clubs(groups)
    return tuple(tuple(e.id for e in group) for group in groups)


def _spread_clubs(groups: list[list[Entrant]]) -> None:
    """Exchange unseeded entrants of the same place in two groups while that parts more of the same club."""
    improved = True
    while improved:
        improved = False
        for one in range(len(groups)):
            for other in range(one):
                improved |= _part_clubs(groups[one], groups[other])


def _part_clubs(left: list[Entrant], right: list[Entrant]) -> bool:
    """Whether an exchange of unseeded entrants of two groups parted more of the same club; it stays made."""
    improved = False
    for i, j in product(range(len(left)), range(len(right))):
        if left[i].seed is not None or right[j].seed is not None:
            continue
        before = _clashes(left) + _clashes(right)
        left[i], right[j] = right[j], left[i]
        if _clashes(left) + _clashes(right) < before:
            improved = True
        else:
            left[i], right[j] = right[j], left[i]
    return improved


def _clashes(group: Sequence[Entrant]) -> int:
    """How often two of a group share a club or a team, each pair counted twice."""
    labels = Counter(label for e in group for label in ({e.club} | {f"team {e.team}"}) - {"", "team "})
    return sum(n * (n - 1) for n in labels.values())


def group_rounds_needed(groups: Groups, *, double: bool = False) -> int:
    """How many rounds the largest group takes."""
    return max(rounds_needed(len(group), double=double) for group in groups)


def draw_group_round(
    entrants: Iterable[Entrant],
    history: History = NO_HISTORY,
    *,
    round: int,
    groups: Groups,
    constraints: Constraints = NO_WISHES,
    double: bool = False,
    first_round: int = 1,
) -> Draw:
    """One round of all groups at once, matches numbered group by group. A group that has finished rests.

    Raises PairingError ``round_not_in_plan`` or ``unknown_position``.
    """
    everybody = list(entrants)
    total = group_rounds_needed(groups, double=double)
    if not 0 <= round - first_round < total:
        raise PairingError("round_not_in_plan", round=round, rounds=total)
    tables: list[tuple[tuple[str, int], ...]] = []
    byes: list[int] = []
    reasons: list[Reason] = []
    for group in groups:
        if round - first_round < rounds_needed(len(group), double=double):
            part = draw_round_robin(
                everybody, history, round=round, positions=group, double=double, first_round=first_round
            )
            tables += [table.seats for table in part.tables]
            byes += part.byes
            reasons += part.bye_reasons
        else:
            byes += [e.id for e in everybody if e.id in group and e.present]
    members = {who for group in groups for who in group}
    field = tuple(e for e in checked_field(everybody) if e.id in members)
    drawn, quality = explain(tables, Situation(field, history, round, constraints), byes)
    return Draw(round, drawn, tuple(byes), tuple(reasons), quality, "groups", 0)
