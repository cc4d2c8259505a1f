"""Formats whose rounds all follow from one plan: round robin, planned movement, whist movement.

The first draw of the stage fixes who has which position in the plan; every later round takes it from there.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from tournament.pairing.four import draw_random_four
from tournament.pairing.history import Situation, explain
from tournament.pairing.model import Draw, Entrant, PairingError, Reason
from tournament.pairing.movement import Movement, plan_movement
from tournament.pairing.options import OddAnswer
from tournament.pairing.planned import assign_positions
from tournament.pairing.rest_of_plan import PlanRound
from tournament.pairing.round_robin import draw_positions, draw_round_robin
from tournament.pairing.whist import full_rounds, plan_whist
from tournament.queries.draw_inputs import DrawInputs

Seats = tuple[tuple[str, int], ...]

#: What is tried for those whose table of the plan is broken, after the answer chosen for the field.
_ANSWERS = (OddAnswer.THREES, OddAnswer.FIVES, OddAnswer.BYES)


@dataclass(frozen=True)
class PlannedRound:
    """A round as the plan has it: the tables, who sits out, and what may be done about broken tables."""

    method: str
    tables: tuple[Seats, ...]
    resting: tuple[int, ...]
    answers: tuple[OddAnswer, ...] = _ANSWERS


def seeds_first(inputs: DrawInputs, seed: int) -> tuple[int, ...]:
    """Positions in a plan: the seeded in their order, the others by lot. Late arrivals have theirs too."""
    return draw_positions([replace(one, present=True) for one in inputs.entrants if not one.house], seed)


def by_lot_and_wishes(inputs: DrawInputs, seed: int) -> tuple[int, ...]:
    """Positions in a movement: by lot, then exchanged while that keeps more of the organiser's wishes.

    House players have the last. Raises PairingError ``house_players_needed``.
    """
    field = [replace(one, present=True) for one in inputs.entrants if not one.house]
    plan = _plan(len(field), inputs.stage.rounds, inputs.answer, seed)
    house = [one for one in inputs.entrants if one.house and one.present][: plan.house]
    if len(house) < plan.house:
        raise PairingError("house_players_needed", needed=plan.house, given=len(house))
    return assign_positions(
        [*field, *house],
        plan.rounds,
        constraints=inputs.constraints,
        first_round=inputs.stage.first_round,
        seed=seed,
    )


def round_robin(inputs: DrawInputs, seed: int) -> Draw:
    """The round by Berger's tables. Raises PairingError, ``not_in_plan`` for somebody who came too late."""
    stage = inputs.stage
    refuse_newcomers(inputs)
    if anew := stage.rest_of(inputs.round):
        return matches_by_plan(inputs, seed, anew, "round_robin")
    drawn = draw_round_robin(
        inputs.entrants,
        inputs.history,
        round=inputs.round,
        positions=stage.positions,
        constraints=inputs.constraints,
        double=stage.options.get("double", False),
        first_round=stage.first_round,
    )
    return replace(drawn, seed=seed)


def movement_of_fours(inputs: DrawInputs, seed: int) -> Draw:
    """The round of the movement, for kinds that are played by four only."""
    return _movement(inputs, seed, (OddAnswer.BYES,))


def movement(inputs: DrawInputs, seed: int) -> Draw:
    """The round of the movement; who is left at a broken table may sit at one of three or five."""
    return _movement(inputs, seed, _ANSWERS)


def whist(inputs: DrawInputs, seed: int) -> Draw:
    """The round of the whist movement: everybody's partner once, everybody's opponent twice.

    Where none is known for so many: the best found for the stage's rounds.
    """
    stage = inputs.stage
    plan = plan_whist(len(stage.positions), stage.rounds)
    step = inputs.round - stage.first_round
    if not 0 <= step < len(plan):
        raise PairingError("round_not_in_plan", round=inputs.round, rounds=len(plan))
    tables = tuple(tuple((seat, stage.positions[place]) for seat, place in seats) for seats in plan[step])
    playing = {entry for seats in tables for _, entry in seats}
    resting = tuple(entry for entry in stage.positions if entry not in playing)
    return seated_by_plan(inputs, seed, PlannedRound("whist", tables, resting, (OddAnswer.BYES,)))


def whist_positions(inputs: DrawInputs, seed: int) -> tuple[int, ...]:
    """Positions in a whist movement: by lot, then exchanged while that keeps more of the organiser's wishes.

    In the whole movement all meet all; who meets in the first rounds, or in a part of it, can be chosen.
    House players have the last. Raises PairingError ``no_whist`` for less than four.
    """
    field = [replace(one, present=True) for one in inputs.entrants if not one.house]
    house = [one for one in inputs.entrants if one.house and one.present][: -len(field) % 4]
    # Of 4k + 1 players one sits out each round, another in the next: two rounds name every position.
    plan = plan_whist(len(field) + len(house), max(2, inputs.stage.rounds))
    return assign_positions(
        [*field, *house],
        plan,
        constraints=inputs.constraints,
        first_round=inputs.stage.first_round,
        seed=seed,
    )


def whist_rounds(entries: int) -> int:
    """How many rounds a whole whist movement takes, or go by before somebody must have a partner again."""
    return full_rounds(entries)


def movement_plan(inputs: DrawInputs) -> Movement:
    """The whole plan of a stage whose positions are fixed."""
    stage = inputs.stage
    house = {one.id for one in inputs.entrants if one.house}
    players = sum(entry not in house for entry in stage.positions)
    return _plan(players, stage.rounds, stage.answer, stage.seed or 0)


@lru_cache(maxsize=16)
def _plan(players: int, rounds: int, answer: OddAnswer | None, seed: int) -> Movement:
    return plan_movement(players, rounds, answer=None if players % 4 == 0 else answer, seed=seed)


def _movement(inputs: DrawInputs, seed: int, answers: tuple[OddAnswer, ...]) -> Draw:
    stage = inputs.stage
    if anew := stage.rest_of(inputs.round):
        return seated_by_plan(inputs, seed, PlannedRound("movement", anew.tables, anew.byes, answers))
    plan = movement_plan(inputs)
    step = inputs.round - stage.first_round
    if not 0 <= step < len(plan.rounds):
        raise PairingError("round_not_in_plan", round=inputs.round, rounds=len(plan.rounds))
    who = stage.positions
    planned = PlannedRound(
        "movement",
        tuple(tuple((seat, who[place]) for seat, place in seats) for seats in plan.rounds[step]),
        tuple(who[place] for place in plan.byes[step]),
        answers,
    )
    return seated_by_plan(inputs, seed, planned)


def seated_by_plan(inputs: DrawInputs, seed: int, plan: PlannedRound) -> Draw:
    """The tables of a plan as far as all who belong there are present.

    Those left at broken tables, and those who came after the plan was made, are seated by lot with as few
    repeats as can be, or sit out.
    """
    present = {one.id: one for one in inputs.entrants if one.present}
    whole = [seats for seats in plan.tables if all(entry in present for _, entry in seats)]
    byes = [entry for entry in plan.resting if entry in present]
    placed = {entry for seats in whole for _, entry in seats} | set(byes)
    spare = [one for one in present.values() if one.house and one.id not in placed]
    loose = [one for one in present.values() if not one.house and one.id not in placed]
    reasons = [Reason("bye_by_plan", (entry,)) for entry in byes]
    if loose:
        again, also = _seat_loose(inputs, seed, loose, spare, plan.answers)
        whole += again
        byes += also
        reasons += [Reason("bye_table_broken", (entry,)) for entry in also]
    seated = {entry for seats in whole for _, entry in seats} | set(byes)
    field = tuple(one for one in present.values() if one.id in seated)
    drawn, quality = explain(whole, Situation(field, inputs.history, inputs.round, inputs.constraints), byes)
    return Draw(inputs.round, drawn, tuple(byes), tuple(reasons), quality, plan.method, seed)


def _seat_loose(
    inputs: DrawInputs,
    seed: int,
    loose: list[Entrant],
    house: list[Entrant],
    answers: tuple[OddAnswer, ...],
) -> tuple[list[Seats], list[int]]:
    """Tables for those without one, and who of them sits out."""
    wanted = [inputs.answer] if inputs.answer else []
    for answer in dict.fromkeys([*wanted, *answers]):
        try:
            drawn = draw_random_four(
                [*loose, *house],
                inputs.history,
                round=inputs.round,
                constraints=inputs.constraints,
                answer=answer,
                seed=seed,
            )
        except PairingError:
            continue
        return [table.seats for table in drawn.tables], list(drawn.byes)
    return [], [one.id for one in loose]


def matches_by_plan(inputs: DrawInputs, seed: int, plan: PlanRound, method: str) -> Draw:
    """The matches of a plan for both of whose sides somebody is there; whoever is without one sits out."""
    present = {one.id: one for one in inputs.entrants if one.present}
    matches = [seats for seats in plan.tables if all(entry in present for _, entry in seats)]
    playing = {entry for seats in matches for _, entry in seats}
    planned = [*(entry for seats in plan.tables for _, entry in seats), *plan.byes]
    byes = tuple(entry for entry in planned if entry in present and entry not in playing)
    # Whoever has returned since has a place in the stage, but none in rounds that were made without them.
    byes += tuple(who for who, one in present.items() if not one.house and who not in {*planned, *playing})
    field = tuple(one for one in present.values() if one.id in playing or one.id in byes)
    drawn, quality = explain(
        matches, Situation(field, inputs.history, inputs.round, inputs.constraints), byes
    )
    reasons = tuple(Reason("bye_by_plan", (entry,)) for entry in byes)
    return Draw(inputs.round, drawn, byes, reasons, quality, method, seed)


def refuse_newcomers(inputs: DrawInputs) -> None:
    """Raises PairingError ``not_in_plan`` for those present whom the stage's plan does not know."""
    known = set(inputs.stage.positions)
    late = [one.number for one in inputs.present() if one.id not in known and not one.house]
    if late:
        raise PairingError("not_in_plan", numbers=", ".join(map(str, late)))
