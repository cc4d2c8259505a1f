"""From which round on results count in a stage 阶段."""

from collections.abc import Mapping, Sequence

from tournament.models import Event, Stage


def counted_from(stages: Sequence[Stage], rounds: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """By stage id, the round from which results count in it: its own first, or that of the stage whose points
    it carries on. ``stages`` in their order, ``rounds`` the numbers of each stage's rounds by its id.
    """
    found: dict[int, int] = {}
    first = 1
    for place, stage in enumerate(stages):
        if place and not stage.options.get("carry", True):
            first = min(rounds[stage.pk], default=first)
        found[stage.pk] = first
    return found


def stage_counts_from(event: Event, stage: Stage) -> int:
    """The round from which results count in this stage; points at entry do if it is the first."""
    stages = list(event.stages.order_by("number"))
    rounds: dict[int, list[int]] = {one.pk: [] for one in stages}
    for pk, number in event.rounds.values_list("stage", "number"):
        rounds[pk].append(number)
    return counted_from(stages, rounds)[stage.pk]
