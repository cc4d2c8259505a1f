"""What the draws of two sides have in common: the field, which side each takes, and the draw made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from tournament.pairing.history import Situation, checked_field, explain, side_balance, sit_out_counts
from tournament.pairing.model import SIDES, Constraints, Draw, Entrant, History, PairingError, Reason
from tournament.pairing.side_matching import match_sides


@dataclass(frozen=True, slots=True)
class SideDraw:
    """How one kind of draw orders the field, and the order in which its matches are shown."""

    method: str
    order: Callable[[list[Entrant], Random], list[Entrant]]
    by_points: bool


def draw_sides(
    kind: SideDraw,
    entrants: Iterable[Entrant],
    history: History,
    round: int,
    constraints: Constraints,
    *,
    seed: int,
    planned_rounds: int | None,
) -> Draw:
    """A round of matches, with the rest of ``planned_rounds`` in mind. In an odd field a house side plays if
    there is one, else somebody sits out.

    Raises PairingError ``too_few_entrants``, ``duplicate_id`` or ``duplicate_number``.
    """
    rng = Random(seed)
    present = checked_field(entrants)
    field = [e for e in present if not e.house]
    if len(field) % 2:
        field += [e for e in present if e.house][:1]
    if len(field) < 2:
        raise PairingError("too_few_entrants", present=len(field), needed=2)
    order = kind.order(field, rng)
    now = Situation(tuple(order), history, round, constraints)
    level = now if kind.by_points else Situation(tuple(_without_points(order)), history, round, constraints)
    pairs, resting = match_sides(level.field, level, (planned_rounds or round) - round)
    place = {e.id: k for k, e in enumerate(order)}
    pairs.sort(key=lambda two: sorted(place[e.id] for e in two))
    seats = _choose_sides(pairs, history, rng)
    byes = (resting.id,) if resting else ()
    drawn, quality = explain(seats, now, byes)
    return Draw(round, drawn, byes, _why_rest(kind, now, byes), quality, kind.method, seed)


def _without_points(order: Iterable[Entrant]) -> Iterable[Entrant]:
    for e in order:
        yield Entrant(e.id, e.number, e.club, e.team, 0, e.seed, e.present, e.house)


def _why_rest(kind: SideDraw, now: Situation, byes: tuple[int, ...]) -> tuple[Reason, ...]:
    earlier = sit_out_counts(now.history)
    points = {e.id: e.points for e in now.field}
    code = "bye_lowest" if kind.by_points else "bye_by_lot"
    return tuple(Reason(code, (who,), (("earlier", earlier[who]), ("points", points[who]))) for who in byes)


def _choose_sides(
    pairs: Iterable[tuple[Entrant, Entrant]], history: History, rng: Random
) -> list[tuple[tuple[str, int], ...]]:
    """Side A to the one who had it less often, then to the one who had B last, then by lot."""
    balance = side_balance(history)
    last = {who: side for played in history.tables for side, who in played.seats}
    chosen = []
    for pair in pairs:
        first = [e.id for e in pair]
        rng.shuffle(first)
        first.sort(key=lambda who: (balance[who], last.get(who) == SIDES[0]))
        chosen.append(tuple(zip(SIDES, first, strict=True)))
    return chosen
