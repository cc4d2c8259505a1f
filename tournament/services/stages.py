"""The stages of an event: their formats, options and rounds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Q
from django.utils.translation import gettext_lazy as _

from tournament.models import Draw, Event, Round, Stage
from tournament.queries.draw_formats import FORMATS, Format
from tournament.queries.draw_sources import is_first
from tournament.queries.format_options import option_faults, with_defaults
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Problem, Refused
from tournament.services.events import MOST_ROUNDS
from tournament.services.permissions import require_organiser
from tournament.services.publish import touch_public_pages
from tournament.services.terms import stage_faults
from tournament.services.validation import text

_NAME_LENGTH = Stage._meta.get_field("name").max_length
#: Field of a form for an option of the format.
OPTION_FIELD = "option_"


@dataclass(frozen=True)
class StageData:
    """What an organiser states of a stage.

    ``format`` is a key of FORMATS, ``options`` those of the format (the usual ones where not
    given). ``carry``: points of the stages before count on.
    """

    format: str
    rounds: int
    name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    carry: bool = True


def add_stage(*, actor: Actor, event: Event, data: StageData) -> Stage:
    """A further stage after the last, with its rounds. Who plays in it is confirmed later.

    Raises NotAllowed, or Refused with every fault.
    """
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        current = (
            Event.objects.select_for_update(of=("self",), no_key=True)
            .select_related("tournament")
            .get(pk=event.pk)
        )
        last = current.stages.aggregate(last=Max("number"))["last"] or 0
        stage = Stage(event=current, number=last + 1)
        _fill(stage, data)
        stage.save()
        _set_rounds(stage, data.rounds)
        _record(actor, "stage.add", stage, None)
    return stage


def configure_stage(*, actor: Actor, stage: Stage, data: StageData) -> Stage:
    """Changes a stage. Raises NotAllowed, or Refused with every fault.

    Once a round is drawn, a format that plans ahead or eliminates cannot be left or entered, nor its
    options changed; rounds that were drawn cannot be dropped.
    """
    require_organiser(actor, stage.event.tournament)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=stage.event_id)
        current = (
            Stage.objects.select_for_update(of=("self",), no_key=True)
            .select_related("event__tournament")
            .get(pk=stage.pk)
        )
        before = stage_state(current)
        was, had = current.format, _own_options(current)
        _fill(current, data)
        _refuse_change_under_way(current, was, had)
        current.save()
        _set_rounds(current, data.rounds)
        if stage_state(current) != before:
            _record(actor, "stage.edit", current, before)
    return current


def remove_stage(*, actor: Actor, stage: Stage) -> None:
    """Removes the last stage with its rounds. Raises Refused if it is the only one, not the last, or used."""
    event = stage.event
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        current = (
            Stage.objects.select_for_update(of=("self",), no_key=True)
            .select_related("event__tournament")
            .get(pk=stage.pk)
        )
        if is_first(current) or current.event.stages.filter(number__gt=current.number).exists():
            raise Refused("not_last_stage", _("Only the last of several stages can be removed."))
        before = stage_state(current)
        _set_rounds(current, 0)
        record_audit(actor=actor, action="stage.remove", subject=current, event=event, before=before)
        current.delete()
        touch_public_pages(event=event)


def stage_state(stage: Stage) -> dict[str, Any]:
    """The stage for the audit trail."""
    return {
        "number": stage.number,
        "name": stage.name,
        "format": stage.format,
        "options": stage.options,
        "rounds": stage.rounds.count() if stage.pk else 0,
    }


def _record(actor: Actor, action: str, stage: Stage, before: dict[str, Any] | None) -> None:
    record_audit(
        actor=actor,
        action=action,
        subject=stage,
        event=stage.event,
        before=before,
        after=stage_state(stage),
    )
    touch_public_pages(event=stage.event)


def _fill(stage: Stage, data: StageData) -> None:
    """Sets the fields. Raises Refused with every fault of them."""
    stage.name = text(data.name)
    faults = []
    if len(stage.name) > _NAME_LENGTH:
        faults.append(
            Problem(
                "name_too_long", _("This is longer than %(most)s characters."), {"most": _NAME_LENGTH}, "name"
            )
        )
    form = FORMATS.get(data.format)
    if form is None or stage.event.kind not in form.kinds:
        faults.append(
            Problem("format_kind", _("This kind of event cannot be played in this format."), {}, "format")
        )
    else:
        faults += [
            Problem(one.code, one.message, one.params, OPTION_FIELD + one.option)
            for one in option_faults(form.options, data.options)
        ]
    others = stage.event.rounds.exclude(stage=stage if stage.pk else None).count()
    most = max(MOST_ROUNDS - others, 0)
    if not 1 <= data.rounds <= most:
        faults.append(
            Problem(
                "rounds_range", _("The number of rounds is from 1 to %(most)s."), {"most": most}, "rounds"
            )
        )
    if form is None or faults:
        raise Refused.for_problems(faults)
    stage.format = data.format
    stage.options = {**with_defaults(form.options, data.options), "carry": data.carry}
    # The terms were sound when they were stated; only whether points count on may be wrong now.
    carried = [one for one in stage_faults(stage) if one.code == "carry_measure"]
    if carried:
        raise Refused.for_problems(Problem(one.code, one.message, one.params, "carry") for one in carried)


def _own_options(stage: Stage) -> dict[str, Any]:
    form = FORMATS[stage.format]
    return with_defaults(form.options, {k: v for k, v in stage.options.items() if k in form.option_names})


def _refuse_change_under_way(stage: Stage, was: str, had: dict[str, Any]) -> None:
    living = Draw.objects.filter(round__stage=stage).exclude(state=Draw.State.WITHDRAWN)
    if not living.exists():
        return
    if stage.format != was and any(_bound(FORMATS[key]) for key in (was, stage.format)):
        raise Refused(
            "format_under_way",
            _(
                "A round of this stage is drawn, and one of the two formats plans all rounds: "
                "withdraw its draws first."
            ),
            field="format",
        )
    if stage.format == was and _own_options(stage) != had:
        changed = [name for name, value in _own_options(stage).items() if had[name] != value]
        raise Refused.for_problems(
            Problem(
                "options_under_way",
                _("A round of this stage is drawn: withdraw its draws before changing this."),
                {},
                OPTION_FIELD + name,
            )
            for name in changed
        )


def _bound(form: Format) -> bool:
    """Whether its rounds depend on how the stage began."""
    return form.fixes_positions or form.eliminates


def _set_rounds(stage: Stage, wanted: int) -> None:
    """Gives the stage so many rounds; those of later stages move up or down. Raises Refused where one is in
    use.
    """
    event = stage.event
    own = list(stage.rounds.order_by("number"))
    change = wanted - len(own)
    before = event.stages.filter(number__lt=stage.number)
    first = event.rounds.filter(stage__in=before).count() + 1
    later = event.rounds.filter(stage__in=event.stages.filter(number__gt=stage.number)).order_by("number")
    if change:
        used = _first_in_use([*own[wanted:], *later])
        if used is not None:
            raise Refused(
                "round_in_use",
                _("Round %(round)s has been drawn or has a penalty: the number of rounds before it stays."),
                {"round": used.number},
                field="rounds",
            )
    if change < 0:
        Round.objects.filter(pk__in=[one.pk for one in own[wanted:]]).delete()
        for one in later:
            Round.objects.filter(pk=one.pk).update(number=F("number") + change)
    if change > 0:
        for one in later.reverse():
            Round.objects.filter(pk=one.pk).update(number=F("number") + change)
        Round.objects.bulk_create(
            Round(event=event, stage=stage, number=first + place) for place in range(len(own), wanted)
        )
    Event.objects.filter(pk=event.pk).update(planned_rounds=event.rounds.count())


def _first_in_use(rounds: list[Round]) -> Round | None:
    used = Q(draws__isnull=False) | Q(penalties__isnull=False)
    return Round.objects.filter(used, pk__in=[one.pk for one in rounds]).order_by("number").first()
