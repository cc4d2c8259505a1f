"""Draws of a bracket that a later correction has overtaken: which matches no longer belong, and why.

A draw keeps the results it was made from. What those results say now is held against what they said then.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tournament.models import Draw, Match, Stage
from tournament.queries.brackets import BRACKETS
from tournament.queries.draw_brackets import playable
from tournament.queries.draw_inputs import Outcome, StageInputs
from tournament.queries.draw_sources import stage_outcomes


@dataclass(frozen=True)
class Overtaken:
    """A match of a living draw whose sides would not meet there by the results on record now."""

    round: int
    match: Match
    sides: tuple[int, ...]


@dataclass(frozen=True)
class Turned:
    """A played match whose winner is another than when a later round was drawn; None is no winner.

    Entries by their ids.
    """

    round: int
    match: Match
    sides: tuple[int, ...]
    was: int | None
    now: int | None


@dataclass(frozen=True)
class StaleDraws:
    """What a correction has overtaken in a stage.

    ``keepable``: deciding the turned matches as they were known leaves every draw as it is.
    """

    overtaken: tuple[Overtaken, ...]
    turned: tuple[Turned, ...]
    keepable: bool

    @property
    def first_round(self) -> int:
        """The first round whose draw is overtaken."""
        return min(one.round for one in self.overtaken)

    def in_round(self, number: int) -> tuple[Overtaken, ...]:
        """The overtaken matches of a round."""
        return tuple(one for one in self.overtaken if one.round == number)


def stale_draws(stage: Stage) -> StaleDraws | None:
    """What is overtaken; None where every draw stands, and for formats without a bracket."""
    if stage.format not in BRACKETS:
        return None
    living = Draw.objects.filter(round__stage=stage).exclude(state=Draw.State.WITHDRAWN)
    draws = list(living.select_related("round").order_by("round__number"))
    if len(draws) < 2:
        return None
    matches = _matches(draws)
    fixed = [StageInputs.from_json(draw.inputs["stage"]) for draw in draws]
    now = stage_outcomes(stage)
    overtaken = tuple(_overtaken(draws, fixed, matches, now))
    if not overtaken:
        return None
    known = {key: one for stored in fixed for one in stored.outcomes if (key := _key(one))}
    turned = tuple(_turned(draws, matches, now, known))
    kept = {_key_of(one): one.was for one in turned}
    as_known = tuple(replace(one, winner=kept[_key(one)]) if _key(one) in kept else one for one in now)
    keepable = (
        bool(turned)
        and all(one.was is not None for one in turned)
        and not any(_overtaken(draws, fixed, matches, as_known))
    )
    return StaleDraws(overtaken, turned, keepable)


def _matches(draws: Iterable[Draw]) -> dict[int, dict[tuple[int, ...], Match]]:
    """By the id of the draw, its matches by their sides."""
    found: dict[int, dict[tuple[int, ...], Match]] = {draw.pk: {} for draw in draws}
    for match in Match.objects.filter(draw__in=found).prefetch_related("sides").order_by("number"):
        found[match.draw_id][tuple(side.entry_id for side in match.sides.all())] = match
    return found


def _overtaken(
    draws: Iterable[Draw],
    fixed: Iterable[StageInputs],
    matches: Mapping[int, Mapping[tuple[int, ...], Match]],
    outcomes: Iterable[Outcome],
) -> Iterable[Overtaken]:
    for draw, stored in zip(draws, fixed, strict=True):
        number = draw.round.number
        before = tuple(one for one in outcomes if one.round < number)
        meant = playable(replace(stored, outcomes=before))
        for sides, match in matches[draw.pk].items():
            if frozenset(sides) not in meant:
                yield Overtaken(number, match, sides)


def _turned(
    draws: Iterable[Draw],
    matches: Mapping[int, Mapping[tuple[int, ...], Match]],
    outcomes: Iterable[Outcome],
    known: Mapping[tuple[int, frozenset[int]], Outcome],
) -> Iterable[Turned]:
    of_round = {draw.round.number: matches[draw.pk] for draw in draws}
    for one in outcomes:
        then = known.get(_key(one))
        match = of_round.get(one.round, {}).get(one.entries)
        if then is not None and match is not None and then.leader != one.leader:
            yield Turned(one.round, match, one.entries, then.leader, one.leader)


def _key(outcome: Outcome) -> tuple[int, frozenset[int]]:
    return outcome.round, frozenset(outcome.entries)


def _key_of(one: Turned) -> tuple[int, frozenset[int]]:
    return one.round, frozenset(one.sides)
