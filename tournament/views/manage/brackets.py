"""Stages that eliminate: their bracket, groups or heats, and matches decided by the organiser."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from referee.models import Correction
from referee.queries.gone_by import winner_weighs
from tournament.forms.base import ReasonForm
from tournament.forms.brackets import DecideForm
from tournament.models import Draw, Event, Match, Stage
from tournament.queries.brackets import heats_of, stage_standing
from tournament.queries.draw_sources import stage_groups
from tournament.queries.stale_draws import stale_draws
from tournament.services.decisions import decide_match, undo_decision
from tournament.views.access import actor_of, director_required
from tournament.views.manage.bracket_view import open_decisions, sections
from tournament.views.manage.common import confirmed, event_page, event_url
from tournament.views.manage.corrections import propose


@director_required
def bracket(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """The bracket, the groups or the heats as they stand after the last closed round."""
    found = _stage(event, stage)
    entries = {entry.pk: entry for entry in event.entries.all()}
    standing = stage_standing(found)
    champion = entries.get(standing.state.champion) if standing and standing.state.champion else None
    return event_page(
        request,
        event,
        "tournament/bracket.html",
        "stages",
        found.name or _("Stage %(number)s") % {"number": found.number},
        stage=found,
        standing=standing,
        stale=stale_draws(found),
        sections=sections(standing, entries) if standing else [],
        decisions=open_decisions(found, standing, entries) if standing else [],
        champion=champion,
        groups=[[entries[who] for who in group] for group in stage_groups(found)],
        heats=heats_of(found, entries),
    )


@director_required
def decide(request: HttpRequest, event: Event, stage: int, bracket_match: int) -> HttpResponse:
    """Names the winner of a match."""
    found = _stage(event, stage)
    current = _match(found, bracket_match)
    sides = [side.entry for side in current.sides.select_related("entry").order_by("position")]
    form = DecideForm(request.POST or None, sides=sides)
    back = event_url("bracket", event, stage=stage)
    if form.is_valid() and winner_weighs(current):
        number = next(entry.number for entry in sides if entry.pk == form.cleaned_data["winner"])
        change = {"match": current.number, "winner": number}
        answer = _proposed(request, form, current, Correction.Kind.WINNER, change)
        if answer:
            return answer

    def work() -> None:
        winner = next(entry for entry in sides if entry.pk == form.cleaned_data["winner"])
        decide_match(
            actor=actor_of(request), match=current, winner=winner, reason=form.cleaned_data["reason"]
        )

    return confirmed(
        request,
        event,
        "stages",
        form,
        action="match.decide",
        work=work,
        done=_("The match is decided."),
        title=_("Decide the match %(sides)s") % {"sides": " – ".join(str(entry.number) for entry in sides)},
        text=_("For an equal result, or a side that did not come. It counts whatever the deals say."),
        button=_("Decide"),
        back=back,
    )


@director_required
def undecide(request: HttpRequest, event: Event, stage: int, bracket_match: int) -> HttpResponse:
    """Takes a decision back."""
    current = _match(_stage(event, stage), bracket_match)
    form = ReasonForm(request.POST or None)
    back = event_url("bracket", event, stage=stage)
    if form.is_valid() and winner_weighs(current):
        change = {"match": current.number}
        answer = _proposed(request, form, current, Correction.Kind.WINNER_UNDO, change)
        if answer:
            return answer

    def work() -> None:
        undo_decision(actor=actor_of(request), match=current, reason=form.cleaned_data["reason"])

    if not hasattr(current, "decision") and request.method != "POST":
        return redirect(back)
    return confirmed(
        request,
        event,
        "stages",
        form,
        action="match.undecide",
        work=work,
        done=_("The deals decide again."),
        title=_("Take the decision back"),
        text=_("The deals decide the match again."),
        button=_("Take back"),
        back=back,
    )


def _proposed(
    request: HttpRequest, form: ReasonForm, match: Match, kind: str, change: dict[str, Any]
) -> HttpResponse | None:
    reason = form.cleaned_data["reason"]
    return propose(request, form, match.draw.round, kind=kind, change=change, reason=reason)


def _stage(event: Event, number: int) -> Stage:
    return get_object_or_404(event.stages.select_related("event__tournament"), number=number)


def _match(stage: Stage, pk: int) -> Match:
    matches = Match.objects.filter(draw__round__stage=stage, draw__state=Draw.State.PUBLISHED)
    return get_object_or_404(matches.select_related("draw__round__event__tournament"), pk=pk)
