"""Setting up an event 项目: its kind, rules, round plan and rounds; starting and finishing it."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from scoring.models import RulesetVersion
from tournament.models import Draw, Event, Round, Stage, Tournament
from tournament.queries.draw_formats import FORMATS, TWO_SIDED
from tournament.queries.format_options import with_defaults
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Problem, Refused
from tournament.services.permissions import require_organiser
from tournament.services.publish import touch_public_pages
from tournament.services.structure_options import STRUCTURE_OPTIONS, points_faults
from tournament.services.terms import faults_below, terms_faults
from tournament.services.validation import problems_of, text

#: The most rounds an event may have.
MOST_ROUNDS = 60

#: May be changed as long as nothing has been started; the others at any time.
_FROZEN_ONCE_STARTED = ("kind", "ruleset_version", "plan", "measure")
_FIELDS = (
    "name",
    "slug",
    "kind",
    "ruleset_version",
    "plan",
    "measure",
    "planned_rounds",
    "clubs_apart_rounds",
    "options",
)


def create_event(
    *,
    actor: Actor,
    tournament: Tournament,
    name: str,
    slug: str,
    kind: str,
    ruleset_version: RulesetVersion,
    plan: Mapping[str, Any],
    measure: str,
    planned_rounds: int,
    clubs_apart_rounds: int = 0,
    options: Mapping[str, Any] | None = None,
    first_format: str = "",
) -> Event:
    """Creates an event with its first stage and its planned rounds.

    ``plan`` is what scoring.engine.game.GamePlan.from_dict reads; ``first_format`` the first stage's, a key
    of FORMATS with its usual options, by lot where none is given. Raises NotAllowed, or Refused with every
    fault.
    """
    require_organiser(actor, tournament)
    event = Event(
        tournament=tournament,
        name=text(name),
        slug=slug,
        kind=kind,
        ruleset_version=ruleset_version,
        plan=dict(plan),
        measure=measure,
        planned_rounds=planned_rounds,
        clubs_apart_rounds=clubs_apart_rounds,
        options=dict(options or {}),
    )
    with transaction.atomic():
        _save(event, _format_faults(kind, first_format))
        stage = Stage.objects.create(event=event, number=1, **_in_format(first_format))
        Round.objects.bulk_create(
            Round(event=event, stage=stage, number=number) for number in range(1, planned_rounds + 1)
        )
        record_audit(
            actor=actor,
            action="event.create",
            subject=event,
            event=event,
            after={**event_state(event), "format": stage.format},
        )
    return event


def _format_faults(kind: str, key: str) -> list[Problem]:
    if not key or (key in FORMATS and kind in FORMATS[key].kinds):
        return []
    return [Problem("format_kind", _("This kind of event cannot be played in this format."), {}, "format")]


def _in_format(key: str) -> dict[str, Any]:
    if not key:
        return {}
    return {"format": key, "options": {**with_defaults(FORMATS[key].options, {}), "carry": True}}


def edit_event(*, actor: Actor, event: Event, **changes: Any) -> Event:
    """Changes some of the fields create_event takes.

    Kind, ruleset, plan and measure are frozen once the event has started (docs/rules.md §7); the kind
    also once there are entries, and rounds already drawn cannot be dropped. Raises NotAllowed or Refused.
    """
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        current = (
            Event.objects.select_for_update(of=("self",), no_key=True)
            .select_related("tournament")
            .get(pk=event.pk)
        )
        before = event_state(current)
        faults = list(_forbidden_changes(current, changes))
        if faults:
            raise Refused.for_problems(faults)
        for name in _FIELDS:
            if name in changes:
                value = changes[name]
                setattr(current, name, text(value) if name == "name" else value)
        _save(current)
        _match_rounds(current)
        after = event_state(current)
        if after != before:
            record_audit(
                actor=actor, action="event.edit", subject=current, event=current, before=before, after=after
            )
            touch_public_pages(event=current)
    return current


def start_event(*, actor: Actor, event: Event) -> Event:
    """Freezes kind, rules and plan. Starting again changes nothing. Raises Refused with too few entries."""
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        current = (
            Event.objects.select_for_update(of=("self",), no_key=True)
            .select_related("tournament")
            .get(pk=event.pk)
        )
        if current.state == Event.State.STARTED:
            return current
        least = least_entries(current.kind)
        if current.entries.filter(status="active").count() < least:
            raise Refused(
                "too_few_entries", _("The event needs at least %(least)s entries to start."), {"least": least}
            )
        _set_state(actor, current, Event.State.STARTED)
    event.state = current.state
    return current


def finish_event(*, actor: Actor, event: Event) -> Event:
    """Marks the event finished. Raises Refused while a round is not closed."""
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        current = (
            Event.objects.select_for_update(of=("self",), no_key=True)
            .select_related("tournament")
            .get(pk=event.pk)
        )
        if current.state == Event.State.FINISHED:
            return current
        unfinished = list(current.rounds.exclude(state=Round.State.CLOSED).values_list("number", flat=True))
        if unfinished or not current.rounds.exists():
            raise Refused(
                "rounds_open",
                _("These rounds are not closed: %(rounds)s."),
                {"rounds": ", ".join(map(str, unfinished))},
            )
        _set_state(actor, current, Event.State.FINISHED)
    return current


def least_entries(kind: str) -> int:
    """The fewest entries with which a round can be drawn."""
    if kind in TWO_SIDED:
        return 2
    return 3 if kind == Event.Kind.INDIVIDUAL else 4


def _set_state(actor: Actor, event: Event, state: str) -> None:
    before = event.state
    event.state = state
    event.save(update_fields=["state"])
    touch_public_pages(event=event)
    record_audit(
        actor=actor,
        action=f"event.{state}",
        subject=event,
        event=event,
        before={"state": before},
        after={"state": state},
    )


def _forbidden_changes(event: Event, changes: Mapping[str, Any]) -> list[Problem]:
    changed = [name for name in changes if changes[name] != getattr(event, name)]
    frozen = [name for name in _FROZEN_ONCE_STARTED if name in changed]
    if "options" in changes:
        frozen += [
            name for name in STRUCTURE_OPTIONS if changes["options"].get(name) != event.options.get(name)
        ]
    faults = []
    if event.state != Event.State.SETUP:
        faults = [
            Problem("event_started", _("The event has started: this can no longer be changed."), {}, name)
            for name in frozen
        ]
    elif "kind" in changed and event.entries.exists():
        faults.append(
            Problem(
                "has_entries", _("There are entries already: the kind can no longer be changed."), {}, "kind"
            )
        )
    elif frozen and _living_draws(event):
        faults = [
            Problem("round_drawn", _("A round is drawn: withdraw the draw before changing this."), {}, name)
            for name in frozen
        ]
    return faults


def _living_draws(event: Event) -> bool:
    return Draw.objects.filter(round__event=event).exclude(state=Draw.State.WITHDRAWN).exists()


def _match_rounds(event: Event) -> None:
    """Adds planned rounds, or drops those at the end that were never drawn. Raises Refused if one was."""
    numbers = list(event.rounds.values_list("number", flat=True))
    last = max(numbers, default=0)
    surplus = event.rounds.filter(number__gt=event.planned_rounds)
    used = surplus.exclude(draws=None) | surplus.exclude(penalties=None)
    if used.exists():
        raise Refused(
            "round_in_use",
            _("Round %(round)s has been drawn already; there cannot be fewer rounds."),
            {"round": max(used.values_list("number", flat=True))},
            field="planned_rounds",
        )
    surplus.delete()
    if event.planned_rounds > last:
        stage = event.stages.order_by("-number").first()
        Round.objects.bulk_create(
            Round(event=event, stage=stage, number=number)
            for number in range(last + 1, event.planned_rounds + 1)
        )


def _save(event: Event, faults: Iterable[Problem] = ()) -> None:
    faults = [*faults, *_faults(event)]
    try:
        event.full_clean(exclude=["plan"], validate_unique=False, validate_constraints=False)
    except ValidationError as fault:
        faults = [*problems_of(fault), *faults]
    if faults:
        raise Refused.for_problems(faults)
    try:
        with transaction.atomic():
            event.save()
    except IntegrityError as fault:
        raise Conflict(
            "address_taken",
            _("Another event of this tournament already has the address “%(slug)s”."),
            {"slug": event.slug},
            field="slug",
        ) from fault


def _faults(event: Event) -> list[Problem]:
    faults = [*terms_faults(event, {}), *points_faults(event.options)]
    ruleset = event.ruleset_version.ruleset()
    if event.kind == Event.Kind.PIG_SHEEP and ruleset.decks != 1:
        faults.append(
            Problem("pig_sheep_one_deck", _("Pig-and-sheep is played with one deck."), {}, "ruleset_version")
        )
    if event.pk and not faults:
        faults += faults_below(event)
    if not 1 <= event.planned_rounds <= MOST_ROUNDS:
        faults.append(
            Problem(
                "rounds_range",
                _("The number of rounds is from 1 to %(most)s."),
                {"most": MOST_ROUNDS},
                "planned_rounds",
            )
        )
    return faults


def event_state(event: Event) -> dict[str, Any]:
    return {
        **{name: getattr(event, name) for name in _FIELDS if name != "ruleset_version"},
        "ruleset_version": str(event.ruleset_version),
    }
