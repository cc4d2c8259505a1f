"""The stages of an event as their page shows them."""

from dataclasses import dataclass

from tournament.models import Draw, Event, Round, Stage
from tournament.queries.draw_formats import FORMATS, Format, formats_for, movement_fits
from tournament.queries.draw_sources import stage_entries
from tournament.queries.plans import Terms, describe_terms, round_terms, stage_terms


@dataclass(frozen=True)
class StageLine:
    """A stage with what can be done about it.

    ``needed`` is the number of rounds its format takes; ``special`` are those played otherwise than it says
    in ``terms``.
    """

    stage: Stage
    format: Format
    rounds: tuple[Round, ...]
    entries: int
    first: bool
    last: bool
    drawn: bool
    needed: int | None
    terms: Terms
    special: tuple[tuple[Round, Terms], ...]

    @property
    def name(self) -> str:
        return self.stage.name

    @property
    def waiting(self) -> bool:
        """Nobody has advanced to it yet."""
        return not self.first and not self.entries

    @property
    def has_overview(self) -> bool:
        """Whether there is a page of the stage as a whole: a bracket, groups or heats."""
        return self.format.eliminates or self.format.key == "groups"

    @property
    def rounds_differ(self) -> bool:
        return self.needed is not None and self.needed != len(self.rounds)

    @property
    def movement_fits(self) -> bool:
        """A planned movement would have no repeats where this format may, and can still be chosen."""
        return not self.drawn and movement_fits(
            self.format.key, self.stage.event.kind, self.entries, len(self.rounds)
        )

    @property
    def plan(self) -> str:
        """How its rounds are played, in words."""
        return describe_terms(self.terms)

    @property
    def special_plans(self) -> list[tuple[int, str]]:
        """The rounds played otherwise, by number, in words."""
        return [(one.number, describe_terms(terms)) for one, terms in self.special]

    @property
    def undrawn(self) -> int:
        return sum(one.state == Round.State.PLANNED for one in self.rounds)


def stage_lines(event: Event) -> list[StageLine]:
    """All stages in their order."""
    stages = list(event.stages.prefetch_related("rounds").order_by("number"))
    return [
        _line(stage, first=place == 0, last=place == len(stages) - 1) for place, stage in enumerate(stages)
    ]


def rounds_for(kind: str, entries: int) -> dict[str, int]:
    """For each format of the kind that takes a fixed number of rounds: how many for so many entries."""
    usual = {
        one.key: one.rounds(entries, {option.name: option.default for option in one.options})
        for one in formats_for(kind)
        if one.rounds is not None
    }
    return {key: number for key, number in usual.items() if number > 0}


def _line(stage: Stage, *, first: bool, last: bool) -> StageLine:
    form = FORMATS[stage.format]
    entries = sum(not one.house and one.status == "active" for one in stage_entries(stage))
    living = Draw.objects.filter(round__stage=stage).exclude(state=Draw.State.WITHDRAWN)
    rounds = tuple(sorted(stage.rounds.all(), key=lambda one: one.number))
    return StageLine(
        stage=stage,
        format=form,
        rounds=rounds,
        entries=entries,
        first=first,
        last=last,
        drawn=living.exists(),
        needed=(form.rounds(entries, stage.options) or None) if form.rounds and entries else None,
        terms=stage_terms(stage),
        special=tuple((one, round_terms(one)) for one in rounds if one.terms),
    )
