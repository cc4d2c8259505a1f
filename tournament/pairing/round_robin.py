"""Everybody against everybody: the Berger tables, once or twice round.

Positions are 1 … n in the order drawn or seeded; an odd field gets one more position, whose opponent sits
out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from tournament.pairing.history import Situation, checked_field, explain
from tournament.pairing.model import (
    NO_HISTORY,
    NO_WISHES,
    SIDES,
    Constraints,
    Draw,
    Entrant,
    History,
    PairingError,
    Reason,
)

Schedule = tuple[tuple[tuple[int, int], ...], ...]


def berger_rounds(positions: int, *, double: bool = False) -> Schedule:
    """The rounds of a round robin by Berger's tables: for each, the matches as (side A, side B) of positions
    from 1.

    ``positions`` must be even and at least 2, else PairingError ``berger_positions``. With ``double`` every
    match is played a second time with sides exchanged, in the same order of rounds.

    >>> berger_rounds(4)
    (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1)))
    """
    if positions < 2 or positions % 2:
        raise PairingError("berger_positions", positions=positions)
    circle = positions - 1
    rounds = []
    for number in range(circle):
        # The first position of each round moves on by half the circle; the last position changes sides.
        first = number * (positions // 2) % circle
        matches = [(first + 1, positions) if number % 2 == 0 else (positions, first + 1)]
        matches += [
            ((first + step) % circle + 1, (first - step) % circle + 1) for step in range(1, positions // 2)
        ]
        rounds.append(tuple(matches))
    if double:
        rounds += [tuple((b, a) for a, b in matches) for matches in rounds]
    return tuple(rounds)


def rounds_needed(entrants: int, *, double: bool = False) -> int:
    """How many rounds a round robin of so many entrants takes."""
    return (entrants - 1 + entrants % 2) * (2 if double else 1) if entrants > 1 else 0


def draw_positions(entrants: Iterable[Entrant], seed: int) -> tuple[int, ...]:
    """Entrant ids by position: seeds in their order first, the others by lot."""
    field = checked_field(entrants)
    Random(seed).shuffle(field)
    field.sort(key=lambda e: (e.seed is None, e.seed or 0))
    return tuple(e.id for e in field)


def draw_round_robin(
    entrants: Iterable[Entrant],
    history: History = NO_HISTORY,
    *,
    round: int,
    positions: Sequence[int],
    constraints: Constraints = NO_WISHES,
    double: bool = False,
    first_round: int = 1,
) -> Draw:
    """The draw of one round of a round robin that began in ``first_round`` of the event.

    ``positions`` are the entrant ids as drawn once for the stage; the opponent of somebody absent sits out.
    Raises PairingError ``round_not_in_plan``, or ``unknown_position`` for an id that is not entered.
    """
    everybody = {e.id: e for e in entrants}
    for who in positions:
        if who not in everybody:
            raise PairingError("unknown_position", entrant=who)
    seated: list[int | None] = [who if everybody[who].present else None for who in positions]
    seated += [None] * (len(seated) % 2)
    schedule = berger_rounds(len(seated), double=double)
    if not 0 <= round - first_round < len(schedule):
        raise PairingError("round_not_in_plan", round=round, rounds=len(schedule))
    matches = [(seated[a - 1], seated[b - 1]) for a, b in schedule[round - first_round]]
    tables = [tuple(zip(SIDES, (a, b), strict=True)) for a, b in matches if a is not None and b is not None]
    byes = tuple(who for a, b in matches for who in (a, b) if who is not None and (a is None or b is None))
    field = tuple(e for e in checked_field(everybody.values()) if e.id in positions)
    drawn, quality = explain(tables, Situation(field, history, round, constraints), byes)
    reasons = tuple(Reason("bye_by_plan", (who,)) for who in byes)
    return Draw(round, drawn, byes, reasons, quality, "double_round_robin" if double else "round_robin", 0)
