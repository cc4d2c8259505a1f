"""Groups, each a round robin of its own; and heats to a final."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournament.pairing.four import draw_random_four
from tournament.pairing.groups import draw_group_round, draw_groups
from tournament.pairing.heats import HeatAdvance, advance_from_heats, plan_heats
from tournament.pairing.model import Draw, Entrant, PairingError, Points
from tournament.pairing.round_robin import draw_positions, rounds_needed
from tournament.queries.draw_inputs import DrawInputs, StageInputs
from tournament.queries.draw_plans import matches_by_plan, refuse_newcomers

Options = Mapping[str, Any]


def begin_groups(inputs: DrawInputs, seed: int) -> StageInputs:
    """Draws the groups: seeds spread by turns to and fro, the others by lot, clubs as evenly as can be.

    Raises PairingError ``groups`` for too few entries.
    """
    field = [replace(one, present=True) for one in inputs.entrants if not one.house]
    count = inputs.stage.options.get("groups", 2)
    apart = inputs.constraints.clubs_apart_rounds >= inputs.round
    groups = draw_groups(field, count, clubs_apart=apart, seed=seed)
    return replace(inputs.stage, groups=groups, positions=tuple(one for group in groups for one in group))


def group_round(inputs: DrawInputs, seed: int) -> Draw:
    """A round of all groups. Raises PairingError, ``not_in_plan`` for somebody who came too late."""
    stage = inputs.stage
    refuse_newcomers(inputs)
    if anew := stage.rest_of(inputs.round):
        return matches_by_plan(inputs, seed, anew, "groups")
    drawn = draw_group_round(
        inputs.entrants,
        inputs.history,
        round=inputs.round,
        groups=stage.groups,
        constraints=inputs.constraints,
        double=stage.options.get("double", False),
        first_round=stage.first_round,
    )
    return replace(drawn, seed=seed)


def group_rounds(entries: int, options: Options) -> int:
    """How many rounds the largest group takes."""
    largest = -(-entries // options.get("groups", 2))
    return rounds_needed(largest, double=options.get("double", False))


def begin_heats(inputs: DrawInputs, seed: int) -> StageInputs:
    """Keeps who began; the seed of the first draw also draws the lots among equals."""
    return replace(inputs.stage, positions=tuple(sorted(one.id for one in inputs.entrants if not one.house)))


@dataclass(frozen=True)
class HeatResult:
    """Who goes on from a round of heats; ``by_lot`` are all equals at the line among whom the lot decided."""

    advance: HeatAdvance
    by_lot: tuple[int, ...]

    @property
    def entries(self) -> frozenset[int]:
        return frozenset(self.advance.qualified)


def heat_result(entrants: tuple[Entrant, ...], stage: StageInputs, played_round: int) -> HeatResult:
    """Who goes on from a round, those who have left set aside: the next best come in for them.

    Raises PairingError ``finished`` after the final.
    """
    there = {one.id for one in entrants if one.present and not one.house}
    house = {one.id for one in entrants if one.house}
    tables: list[Mapping[int, Points]] = []
    seated = 0
    for outcome in stage.outcomes:
        if outcome.round == played_round:
            seated += len(set(outcome.entries) - house)
            tables.append({entry: value for entry, value in outcome.values if entry in there})
    plan = plan_heats(seated, first=stage.options.get("first", 2)) if seated >= _FINAL else ()
    if not plan or plan[0].advance == 0:
        raise PairingError("finished")
    heat = plan[0]
    going = min(heat.advance, len(there & {entry for table in tables for entry in table}))
    direct = min(heat.first, going // max(len(tables), 1))
    lots = _lots(entrants, stage)
    open_ties = advance_from_heats(tables, direct, going - direct * len(tables)).ties
    found = advance_from_heats(tables, direct, going - direct * len(tables), lots)
    equals = sorted({who for tie in open_ties for who in tie.entrants})
    return HeatResult(found, tuple(equals))


_FINAL = 4


def out_of_heats(entrants: tuple[Entrant, ...], stage: StageInputs, round_number: int) -> frozenset[int]:
    """Everybody who did not go on to a round."""
    if round_number == stage.first_round or not stage.positions:
        return frozenset()
    try:
        going = heat_result(entrants, stage, round_number - 1).entries
    except PairingError:
        # Nothing can be drawn now: the draw itself will say why.
        return frozenset()
    return frozenset(one.id for one in entrants if one.id not in going and not one.house)


def draw_heat(inputs: DrawInputs, seed: int) -> Draw:
    """A round of heats: those who went on, by lot. Raises PairingError ``finished`` after the final."""
    if inputs.round != inputs.stage.first_round:
        heat_result(inputs.entrants, inputs.stage, inputs.round - 1)
    drawn = draw_random_four(
        inputs.entrants,
        inputs.history,
        round=inputs.round,
        constraints=inputs.constraints,
        answer=inputs.answer,
        seed=seed,
    )
    return replace(drawn, method="heats")


def heat_rounds(entries: int, options: Options) -> int:
    """How many rounds there are up to the final; 0 for too few entries."""
    return len(plan_heats(entries, first=options.get("first", 2))) if entries >= _FINAL else 0


def _lots(entrants: tuple[Entrant, ...], stage: StageInputs) -> dict[int, int]:
    """The lot of everybody who began, drawn with the seed of the stage's first draw."""
    began = set(stage.positions)
    field = [replace(one, present=True, seed=None) for one in entrants if one.id in began]
    return {entry: lot for lot, entry in enumerate(draw_positions(field, stage.seed or 0))}
