"""Events: creating, editing, finishing, and the overview with the next step."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from scoring.labels import ruleset_title
from tournament.forms.base import CommandForm
from tournament.forms.draw import CloseRoundForm, PublishDrawForm
from tournament.forms.event import EventForm
from tournament.models import Entry, Event, Tournament
from tournament.queries.access import can_organise
from tournament.queries.appeals import open_appeals
from tournament.queries.next_step import Step, current_publications, next_step
from tournament.queries.plans import describe_terms, event_terms
from tournament.queries.round_end import round_end
from tournament.queries.stages import stage_lines
from tournament.services.events import create_event, edit_event, finish_event, least_entries
from tournament.views.access import actor_of, director_required, organiser_required
from tournament.views.manage.common import (
    carry_out,
    confirmed,
    event_page,
    event_url,
    tournament_crumbs,
    tournament_url,
)
from tournament.views.manage.correction_view import Unfinished, unfinished_corrections
from tournament.views.manage.round_lines import round_lines
from tournament.views.manage.steps import StepView, end_view, step_view

#: The steps that end a round.
_ENDS = ("close", "publish_results", "publish_standings")


@organiser_required
def create(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A new event."""
    form = EventForm(request.POST or None)

    def work() -> str:
        made = create_event(actor=actor_of(request), tournament=tournament, **form.values())
        return event_url("event", made)

    if form.is_valid():
        answer = carry_out(request, form, "event.create", work, _("The event has been created."))
        if answer:
            return answer
    return render(
        request,
        "tournament/event_form.html",
        {
            "tournament": tournament,
            "form": form,
            "title": _("New event"),
            "button": _("Create event"),
            "back": tournament_url("tournament", tournament),
            "crumbs": [*tournament_crumbs(tournament), (_("New event"), None)],
        },
        status=400 if form.is_bound else 200,
    )


@organiser_required
def edit(request: HttpRequest, event: Event) -> HttpResponse:
    """Changes what may still be changed of an event."""
    form = EventForm(request.POST or None, event=event)
    form.freeze()

    def work() -> str:
        values = form.values()
        if form.frozen:
            values = {
                name: value
                for name, value in values.items()
                if name not in ("kind", "ruleset_version", "plan", "measure")
            }
        return event_url("event", edit_event(actor=actor_of(request), event=event, **values))

    if form.is_valid():
        answer = carry_out(request, form, "event.edit", work, _("The changes have been stored."))
        if answer:
            return answer
    return event_page(
        request,
        event,
        "tournament/event_form.html",
        "event",
        _("Settings of the event"),
        status=400 if form.is_bound else 200,
        form=form,
        button=_("Save"),
        back=event_url("event", event),
    )


@director_required
def detail(request: HttpRequest, event: Event) -> HttpResponse:
    """The overview: next step, rounds, settings."""
    published = current_publications(event)
    step = next_step(event, least_entries(event.kind))
    stages = stage_lines(event)
    active = event.entries.filter(status=Entry.Status.ACTIVE).count()
    unfinished = unfinished_corrections(event)
    shown, go = _step(event, step, unfinished)
    return event_page(
        request,
        event,
        "tournament/event.html",
        "event",
        step=shown,
        go=go,
        unfinished=unfinished,
        rounds=round_lines(event, published, organiser=can_organise(request.user, event.tournament)),
        active=active,
        withdrawn=event.entries.count() - active,
        plan=describe_terms(event_terms(event)),
        ruleset=ruleset_title(event.ruleset_version.data),
        stages=stages,
        clubs_apart=any(one.format.clubs_apart for one in stages),
        appeals=open_appeals(event.tournament).filter(event=event).count(),
    )


def _step(
    event: Event, step: Step, unfinished: Sequence[Unfinished]
) -> tuple[StepView, dict[str, Any] | None]:
    """The step in words, and what of it can be done from here at once.

    A round that a correction has opened again is ended by finishing that: the round's own button would leave
    the correction unfinished, the draws it wanted unmade and the public without its reason.
    """
    shown = step_view(event, step)
    if step.code in _ENDS:
        for one in unfinished:
            if one.ready and one.correction.round == step.round:
                return replace(shown, **one.step()), None
    return shown, _go(event, step)


def _go(event: Event, step: Step) -> dict[str, Any] | None:
    """The step of a round that can be taken from here at once: the button, what it does, the page to look
    first; None where there is none.
    """
    if step.round is None:
        return None
    if step.code == "publish_draw":
        return {
            "form": PublishDrawForm(prefix="publish"),
            "url": event_url("draw_publish", event, round=step.round.number),
            "button": _("Publish the draw"),
            "text": _("The button publishes the pairings and opens the tables for the referees."),
            "look": _("Look at the draw"),
        }
    if step.code in _ENDS:
        end = end_view(round_end(step.round), step.round)
        if end.button:
            return {
                "form": CloseRoundForm(prefix="close"),
                "url": event_url("round_end", event, round=step.round.number),
                "button": end.button,
                "text": end.text,
                "look": _("Look at the tables"),
            }
    return None


@organiser_required
def finish(request: HttpRequest, event: Event) -> HttpResponse:
    """Marks the event finished."""
    form = CommandForm(request.POST or None)

    return confirmed(
        request,
        event,
        "event",
        form,
        action="event.finish",
        work=lambda: finish_event(actor=actor_of(request), event=event),
        done=_("The event is finished."),
        title=_("Finish the event"),
        text=_("All rounds are closed. A round can still be reopened with a reason."),
        button=_("Finish the event"),
        back=event_url("event", event),
        danger=False,
    )
