"""How rounds are played and what they are worth: checked for an event, and stated by a stage or a round for
itself.

A stage or round that states its own states all of it, so that a later change of the event's plan cannot leave
it with segments that no longer fit.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.engine import RulesetError
from scoring.engine.game import GamePlan
from scoring.labels import ruleset_fault_text
from tournament.models import Draw, Event, Round, Stage
from tournament.queries.plans import OF_A_ROUND, OF_A_STAGE, plan_from, stage_measure, stated_terms
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Problem, Refused
from tournament.services.permissions import require_organiser
from tournament.services.publish import touch_public_pages
from tournament.services.structure_options import structure_faults

_TWO_SIDED = (Event.Kind.PAIRS, Event.Kind.TEAMS)
_MEASURES_OF_TWO = (
    Event.Measure.GAMES,
    Event.Measure.DIFFERENCE,
    Event.Measure.VICTORY_POINTS,
    Event.Measure.POINTS,
)
_MEASURES_OF_FOUR = (Event.Measure.POINTS, Event.Measure.GAMES, Event.Measure.PLACE_POINTS)

#: What a table of an event can be worth in the standings, by kind; the first is the usual one.
MEASURES: Mapping[str, tuple[str, ...]] = {
    kind: _MEASURES_OF_TWO if kind in _TWO_SIDED else _MEASURES_OF_FOUR for kind in Event.Kind
}

#: Measures in which a penalty cannot be compared with the lines of a game, which are in points.
_NOT_IN_POINTS = (Event.Measure.GAMES, Event.Measure.VICTORY_POINTS, Event.Measure.PLACE_POINTS)


def default_measure(kind: str, plan_kind: str) -> str:
    """The usual measure: two sides playing games count games won, sets count the difference;
    others total points.
    """
    if kind not in _TWO_SIDED:
        return Event.Measure.POINTS
    return Event.Measure.GAMES if plan_kind == "game" else Event.Measure.DIFFERENCE


def set_stage_terms(*, actor: Actor, stage: Stage, terms: Mapping[str, Any]) -> Stage:
    """States how the rounds of a stage are played, as `stated_terms` has it of an event; empty: as the event
    says.

    Raises NotAllowed, or Refused with every fault; also once a round of the stage is drawn.
    """
    require_organiser(actor, stage.event.tournament)
    with transaction.atomic():
        event = Event.objects.select_for_update(no_key=True).get(pk=stage.event_id)
        current = event.stages.select_for_update(no_key=True).get(pk=stage.pk)
        before = current.terms
        current.terms = _known(terms, OF_A_STAGE)
        if current.terms == before:
            return current
        if _drawn(round__stage=current):
            raise Refused(
                "stage_drawn",
                _("A round of this stage is drawn: withdraw its draws before changing how it is played."),
            )
        faults = [*stage_faults(current), *_later_faults(current), *_penalties_given(current, before)]
        for round in current.rounds.exclude(terms={}).select_related("event", "stage"):
            faults += _named(terms_faults(event, current.terms | round.terms), round)
        if faults:
            raise Refused.for_problems(faults)
        current.save(update_fields=["terms"])
        _record(actor, "stage.terms", current, event, before)
    return current


def set_round_terms(*, actor: Actor, round: Round, terms: Mapping[str, Any]) -> Round:
    """States how one round is played, e.g. a longer final; empty: as its stage says. What it is worth stays
    the stage's.

    Raises NotAllowed, or Refused with every fault; also once the round is drawn.
    """
    require_organiser(actor, round.event.tournament)
    with transaction.atomic():
        event = Event.objects.select_for_update(no_key=True).get(pk=round.event_id)
        current = (
            event.rounds.select_for_update(of=("self",), no_key=True).select_related("stage").get(pk=round.pk)
        )
        before = current.terms
        current.terms = _known(terms, OF_A_ROUND)
        if current.terms == before:
            return current
        if _drawn(round=current):
            raise Refused(
                "round_drawn", _("The round is drawn: withdraw its draw before changing how it is played.")
            )
        faults = list(terms_faults(event, current.stage.terms | current.terms))
        if faults:
            raise Refused.for_problems(faults)
        current.save(update_fields=["terms"])
        _record(actor, "round.terms", current, event, before)
    return current


def terms_faults(event: Event, stated: Mapping[str, Any]) -> Iterator[Problem]:
    """Everything wrong with an event's terms where these are stated otherwise."""
    chosen = stated_terms(event) | stated
    if chosen["measure"] not in MEASURES.get(event.kind, ()):
        yield Problem("measure_kind", _("This measure does not fit this kind of event."), {}, "measure")
    try:
        plan = plan_from(event, chosen["plan"])
    except RulesetError as found:
        for fault in found.faults:
            yield Problem(fault.code, ruleset_fault_text(fault), {}, fault.params.get("field", "plan"))
        return
    yield from structure_faults(event.kind, plan, chosen)
    yield from _measure_faults(plan, chosen["measure"])


def stage_faults(stage: Stage) -> Iterator[Problem]:
    """Everything wrong with how a stage is played, and with points that count on from the stages before."""
    yield from terms_faults(stage.event, stage.terms)
    before = stage.event.stages.filter(number__lt=stage.number).order_by("-number").first()
    measure = stage_measure(stage)
    if before is None:
        if measure != stage.event.measure:
            yield Problem(
                "first_measure",
                _("The first stage is worth what the event says: change it in the event's settings."),
                {},
                "measure",
            )
    elif stage.options.get("carry", True) and measure in Event.Measure and measure != stage_measure(before):
        yield Problem(
            "carry_measure",
            _(
                "Stage %(before)s counts %(one)s and this one %(other)s: they cannot be added up. Let the "
                "points start from 0 in this stage."
            ),
            {
                "before": before.number,
                "one": Event.Measure(stage_measure(before)).label,
                "other": Event.Measure(measure).label,
            },
            "measure",
        )


def faults_below(event: Event) -> Iterator[Problem]:
    """What stages and rounds state that no longer fits the event's own kind, ruleset or measure."""
    for stage in event.stages.order_by("number"):
        stage.event = event
        if stage.terms or stage.number > 1:
            yield from _named(stage_faults(stage), stage)
    for round in event.rounds.exclude(terms={}).select_related("stage"):
        yield from _named(terms_faults(event, round.stage.terms | round.terms), round)


def _later_faults(stage: Stage) -> Iterator[Problem]:
    """A later stage may carry the points of this one on, and then counts as it does."""
    following = stage.event.stages.filter(number__gt=stage.number).order_by("number").first()
    if following is None or not following.options.get("carry", True):
        return
    if stage_measure(following) != stage_measure(stage):
        yield Problem(
            "carry_measure_after",
            _(
                "Stage %(after)s carries the points of this one on and counts something else: let its "
                "points start from 0 first."
            ),
            {"after": following.number},
            "measure",
        )


def _penalties_given(stage: Stage, before: Mapping[str, Any]) -> Iterator[Problem]:
    """Penalties are stated in what a round is worth, and would mean something else."""
    was = before.get("measure", stage.event.measure)
    if was != stage_measure(stage) and stage.rounds.filter(penalties__isnull=False).exists():
        yield Problem(
            "penalties_given",
            _("Penalties were given in this stage, in what its rounds are worth: that stays as it is."),
            {},
            "measure",
        )


def _measure_faults(plan: GamePlan, measure: str) -> Iterator[Problem]:
    if measure == Event.Measure.GAMES and plan.kind == "set":
        yield Problem(
            "measure_plan",
            _("A set of deals has no games to be won: choose another measure."),
            {},
            "measure",
        )
    if plan.penalties_count and plan.kind != "set" and measure in _NOT_IN_POINTS:
        yield Problem(
            "penalties_measure",
            _(
                "By this ruleset penalties help to end a game, in points; but where rounds are worth "
                "%(measure)s penalties are stated in these. Choose points or the difference, or a ruleset by "
                "which penalties end no game."
            ),
            {"measure": Event.Measure(measure).label},
            "measure",
        )


def _known(terms: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """All of these terms, or none. Raises Refused for anything else."""
    if terms and set(terms) != set(names):
        raise Refused("terms_incomplete", _("State all of how a round is played, or nothing."))
    return dict(terms)


def _drawn(**of: Any) -> bool:
    return Draw.objects.filter(**of).exclude(state=Draw.State.WITHDRAWN).exists()


def _named(faults: Iterator[Problem], where: Stage | Round) -> Iterator[Problem]:
    """The faults as those of a stage or round, told where something else is changed."""
    text = _("Stage %(number)s: %(fault)s") if isinstance(where, Stage) else _("Round %(number)s: %(fault)s")
    for one in faults:
        yield Problem(one.code, text, {"number": where.number, "fault": str(one)}, "")


def _record(
    actor: Actor, action: str, subject: Stage | Round, event: Event, before: Mapping[str, Any]
) -> None:
    record_audit(
        actor=actor,
        action=action,
        subject=subject,
        event=event,
        before={"terms": dict(before)},
        after={"terms": subject.terms},
    )
    touch_public_pages(event=event)
