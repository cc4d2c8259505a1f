"""How a round is played and what it is worth: the one place that says so, and in words.

A round follows its stage, and a stage its event, in all that it does not state itself. What is stated stands
in ``Round.terms`` and ``Stage.terms``, as `stated_terms` has it of an event; nothing of it changes once the
round, or a round of the stage, is drawn.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.engine.game import GamePlan
from tournament.models import Event, Round, Stage
from tournament.points import show_points
from tournament.queries.segments import Segments, segments_of

#: The terms that rounds of one stage may differ in; what they are worth is the same in all of them.
OF_A_ROUND = ("plan", "segments", "duplicate")
#: All terms a stage may state.
OF_A_STAGE = (*OF_A_ROUND, "measure")


@dataclass(frozen=True)
class Terms:
    """How a round is played, and what it is worth: one of Event.Measure.

    The plan has the ruleset's lines and the like where none are stated.
    ``victory_points`` and ``place_points`` are the event's own tables, None where the usual ones are used.
    """

    plan: GamePlan
    measure: str
    segments: Segments
    duplicate: bool
    victory_points: list[list[int]] | None = None
    place_points: list[int] | None = None

    @property
    def tables_depend(self) -> bool:
        """Whether what one table of a match gives depends on the match's other table."""
        return self.measure == Event.Measure.VICTORY_POINTS or self.duplicate

    @property
    def measure_name(self) -> Any:
        """What the round is worth, in the reader's language."""
        return Event.Measure(self.measure).label


def stated_terms(event: Event) -> dict[str, Any]:
    """What the event says of all rounds, JSON-ready."""
    return {
        "plan": event.plan,
        "measure": event.measure,
        "segments": event.options.get("segments"),
        "duplicate": bool(event.options.get("duplicate")),
    }


def plan_from(event: Event, plan: Mapping[str, Any]) -> GamePlan:
    """A stored plan, with the lines and the like of the event's ruleset where it states none of its own.

    Raises RulesetError where it is no plan.
    """
    return GamePlan.from_dict(plan, event.ruleset_version.ruleset())


def terms_from(event: Event, stated: Mapping[str, Any]) -> Terms:
    """The event's terms with what is stated otherwise. Raises RulesetError where the plan is none."""
    chosen = stated_terms(event) | stated
    return Terms(
        plan=plan_from(event, chosen["plan"]),
        measure=chosen["measure"],
        segments=segments_of(chosen["segments"]),
        duplicate=bool(chosen["duplicate"]),
        victory_points=event.options.get("victory_points"),
        place_points=event.options.get("place_points"),
    )


def event_terms(event: Event) -> Terms:
    """How rounds are played where neither they nor their stage say otherwise."""
    return terms_from(event, {})


def stage_terms(stage: Stage) -> Terms:
    """How the rounds of a stage are played where they do not say otherwise."""
    return terms_from(stage.event, stage.terms)


def round_terms(round: Round) -> Terms:
    """How a round is played: as it says, else as its stage does, else as the event does."""
    return terms_from(round.event, round.stage.terms | round.terms)


def measures_by_round(event: Event) -> dict[int, str]:
    """What each round of the event is worth, by its number. One query."""
    rows = event.rounds.order_by("number").values_list("number", "stage__terms")
    return {number: terms.get("measure", event.measure) for number, terms in rows}


def unlike_rounds(event: Event, rounds: Iterable[int]) -> list[tuple[str, Any]]:
    """Those of the rounds that are worth something else than the event says, as text, with what that is."""
    measures = measures_by_round(event)
    found: dict[str, list[int]] = {}
    for number in rounds:
        if measures[number] != event.measure:
            found.setdefault(measures[number], []).append(number)
    return [(", ".join(map(str, those)), Event.Measure(one).label) for one, those in found.items()]


def stage_measure(stage: Stage) -> str:
    """What the rounds of a stage are worth."""
    return stage.terms.get("measure", stage.event.measure)


def describe_terms(terms: Terms) -> str:
    """The plan in words, e.g. “one game to −1000 or 1000”, with its segments and duplicate deals."""
    parts = [_describe_length(terms.plan)]
    if terms.plan.kind == "time":
        parts.append(
            _("the deal in play is finished and counts")
            if terms.plan.finish_current_deal
            else _("the deal in play does not count")
        )
    count = terms.segments.count
    if count > 1:
        parts.append(ngettext("%(n)s segment", "%(n)s segments", count) % {"n": count})
    if terms.duplicate:
        parts.append(_("the same deals at both tables"))
    return " · ".join(parts)


def _describe_length(plan: GamePlan) -> str:
    if plan.kind == "set":
        return ngettext("%(n)s deal", "%(n)s deals", plan.deals) % {"n": plan.deals}
    lines = _(" or ").join(show_points(line) for line in (plan.lose_line, plan.win_line) if line is not None)
    if plan.kind == "time":
        return _("%(minutes)s minutes, games to %(lines)s") % {"minutes": plan.minutes, "lines": lines}
    if plan.best_of == 1:
        return _("one game to %(lines)s") % {"lines": lines}
    return _("best of %(n)s games to %(lines)s") % {"n": plan.best_of, "lines": lines}
