"""The stages of an event: formats and rounds, who advances, drawing a whole plan."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from tournament.forms.base import CommandForm, ReasonForm
from tournament.forms.stages import AdvanceForm, PlacesForm, StageForm, format_help
from tournament.models import Event, Round, Stage
from tournament.queries.advancement import Preview, advancement_preview, stage_before
from tournament.queries.draw_formats import FORMATS
from tournament.queries.draw_newcomers import joining
from tournament.queries.draw_sources import is_first
from tournament.queries.stages import rounds_for, stage_lines
from tournament.services.advance import confirm_advancement, withdraw_advancement
from tournament.services.draw_plan import draw_whole_plan
from tournament.services.stages import add_stage, configure_stage, remove_stage
from tournament.views.access import actor_of, organiser_required
from tournament.views.manage.common import carry_out, confirmed, event_page, event_url
from tournament.views.manage.draws import draw_form


@organiser_required
def stages(request: HttpRequest, event: Event) -> HttpResponse:
    """All stages in their order."""
    return event_page(request, event, "tournament/stages.html", "stages", stages=stage_lines(event))


@organiser_required
def add(request: HttpRequest, event: Event) -> HttpResponse:
    """One more stage after the last."""
    form = StageForm(request.POST or None, event=event, first=not event.stages.exists())

    def work() -> str:
        add_stage(actor=actor_of(request), event=event, data=form.data_for_service())
        return event_url("stages", event)

    if form.is_valid():
        answer = carry_out(request, form, "stage.add", work, _("The stage has been added."))
        if answer:
            return answer
    return _form_page(request, event, form, _("New stage"))


@organiser_required
def edit(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """Changes a stage: name, format, options, rounds."""
    found = _stage(event, stage)
    form = StageForm(request.POST or None, event=event, stage=found, first=is_first(found))

    def work() -> str:
        configure_stage(actor=actor_of(request), stage=found, data=form.data_for_service())
        return event_url("stages", event)

    if form.is_valid():
        answer = carry_out(request, form, "stage.edit", work, _("The changes have been stored."))
        if answer:
            return answer
    return _form_page(request, event, form, _stage_title(found), found)


@organiser_required
def remove(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """Removes the last stage."""
    found = event.stages.filter(number=stage).first()
    if found is None:
        # Removed already, perhaps by this very request sent twice.
        return redirect(event_url("stages", event))
    form = CommandForm(request.POST or None)

    def work() -> None:
        remove_stage(actor=actor_of(request), stage=found)

    return confirmed(
        request,
        event,
        "stages",
        form,
        action="stage.remove",
        work=work,
        done=_("The stage has been removed."),
        title=_("Remove: %(stage)s") % {"stage": _stage_title(found)},
        text=_("The stage and its rounds are removed. It can only be done as long as none of them is drawn."),
        button=_("Remove"),
        back=event_url("stages", event),
    )


@organiser_required
def advance(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """Who advances to a stage: looked at by the standings, then confirmed."""
    found = _stage(event, stage)
    before = stage_before(found)
    if before is None:
        return redirect(event_url("stages", event))
    members = list(found.members.order_by("place").values_list("entry__number", flat=True))
    preview = advancement_preview(found, _places(request, found, len(members)))
    initial = {"numbers": ", ".join(map(str, preview.numbers))}
    form = AdvanceForm(request.POST or None, initial=initial)

    def work() -> str:
        confirm_advancement(
            actor=actor_of(request),
            stage=found,
            numbers=form.cleaned_data["numbers"],
            reason=form.cleaned_data["reason"],
        )
        return event_url("stages", event)

    if form.is_valid():
        answer = carry_out(request, form, "stage.advance", work, _("It is confirmed who advances."))
        if answer:
            return answer
    return _advance_page(request, found, preview, form, members)


@organiser_required
def advance_withdraw(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """Takes the confirmation of who advances back."""
    found = _stage(event, stage)
    form = ReasonForm(request.POST or None)

    def work() -> None:
        withdraw_advancement(actor=actor_of(request), stage=found, reason=form.cleaned_data["reason"])

    return confirmed(
        request,
        event,
        "stages",
        form,
        action="stage.advance_withdraw",
        work=work,
        done=_("It is open again who advances."),
        title=_("Take back who advances: %(stage)s") % {"stage": _stage_title(found)},
        text=_("It is open again who plays in this stage, until it is confirmed anew."),
        button=_("Take back"),
        back=event_url("stages", event),
    )


@organiser_required
def draw_all(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """Draws all rounds of a plan as previews."""
    found = _stage(event, stage)
    waiting = found.rounds.filter(state=Round.State.PLANNED).select_related("event__tournament", "stage")
    first = waiting.order_by("number").first()
    if first is None or not FORMATS[found.format].planned:
        return redirect(event_url("stages", event))
    form = draw_form(first, request.POST or None)
    late = joining(found)

    def work() -> str:
        draws = draw_whole_plan(
            actor=actor_of(request),
            stage=found,
            seed=form.cleaned_data["seed"],
            answer=form.cleaned_data.get("answer") or None,
            bye_points=form.cleaned_data.get("bye_points"),
        )
        return event_url("draw", event, round=draws[0].round.number)

    if form.is_valid():
        answer = carry_out(request, form, "draw.plan", work, _("All rounds are drawn as previews."))
        if answer:
            return answer
    return event_page(
        request,
        event,
        "tournament/draw_all.html",
        "stages",
        _("Draw all rounds: %(stage)s") % {"stage": _stage_title(found)},
        status=400 if form.is_bound else 200,
        form=form,
        stage=found,
        rounds=waiting.count(),
        joining=late,
        kept_waiting=late is not None and late.keep_waiting(late.ids),
        back=event_url("stages", event),
    )


def _stage(event: Event, number: int) -> Stage:
    return get_object_or_404(event.stages.select_related("event__tournament"), number=number)


def _stage_title(stage: Stage) -> str:
    return stage.name or _("Stage %(number)s") % {"number": stage.number}


def _form_page(
    request: HttpRequest, event: Event, form: StageForm, title: str, stage: Stage | None = None
) -> HttpResponse:
    entries = event.entries.filter(status="active", house=False).count()
    return event_page(
        request,
        event,
        "tournament/stage_form.html",
        "stages",
        title,
        status=400 if form.is_bound else 200,
        form=form,
        stage=stage,
        formats=format_help(form.formats),
        needed=rounds_for(event.kind, entries),
        entries=entries,
        button=_("Save") if stage else _("Add the stage"),
        back=event_url("stages", event),
    )


def _places(request: HttpRequest, stage: Stage, members: int) -> int:
    """How many are looked at: as asked for in the address, else as many as advanced, else half."""
    form = PlacesForm(request.GET)
    if "places" in request.GET and form.is_valid():
        return form.cleaned_data["places"]
    if members:
        return members
    before = stage_before(stage)
    number = advancement_preview(stage, 0).lines if before else ()
    return max(len(number) // 2, 1)


def _advance_page(
    request: HttpRequest, stage: Stage, preview: Preview, form: AdvanceForm, members: list[int]
) -> HttpResponse:
    context: dict[str, Any] = {
        "stage": stage,
        "before": preview.before,
        "preview": preview,
        "places_form": PlacesForm(initial={"places": len(preview.numbers)}),
        "form": form,
        "members": members,
        "same": members == list(preview.numbers),
        "back": event_url("stages", stage.event),
    }
    return event_page(
        request,
        stage.event,
        "tournament/advance.html",
        "stages",
        _("Who advances: %(stage)s") % {"stage": _stage_title(stage)},
        status=400 if form.is_bound else 200,
        **context,
    )
