"""Entries that joined after a plan was made: what can be done, what comes of it, and doing it."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from tournament.forms.newcomers import NewcomersForm
from tournament.models import Entry, Event
from tournament.queries.draw_formats import seating_options
from tournament.queries.draw_newcomers import Admission, FreePlace, Joining, Outlook, joining
from tournament.services.newcomers import take_in_newcomers
from tournament.views.access import actor_of, organiser_required
from tournament.views.manage.common import carry_out, event_page, event_url


@dataclass(frozen=True)
class Choice:
    """One way to take them in: its radio button, whether it can be done, and what comes of it."""

    how: Admission
    radio: Any
    outlook: Outlook | None


@organiser_required
def newcomers(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """Takes everybody who joined late into the plan of a stage."""
    found = get_object_or_404(event.stages.select_related("event__tournament"), number=stage)
    waiting = joining(found)
    if waiting is None:
        # Done already, perhaps by this very request sent twice.
        return redirect(event_url("stages", event))
    outlooks = {how: waiting.outlook(how) for how in Admission}
    form = NewcomersForm(
        request.POST or None,
        possible=tuple(how for how, outlook in outlooks.items() if outlook),
        options=_options(waiting),
        answer=waiting.answer,
    )

    def work() -> str:
        draws = take_in_newcomers(
            actor=actor_of(request),
            stage=found,
            how=Admission(form.cleaned_data["how"]),
            seed=form.cleaned_data["seed"],
            answer=form.cleaned_data.get("answer") or None,
        )
        return event_url("draw", event, round=draws[0].round.number)

    if form.is_valid():
        answer = carry_out(
            request, form, "stage.newcomers", work, _("They are in the plan now. Look at the preview.")
        )
        if answer:
            return answer
    radios = {Admission(str(one.data["value"])): one for one in form["how"]}
    return event_page(
        request,
        event,
        "tournament/newcomers.html",
        "stages",
        _("Late entries: round %(round)s") % {"round": waiting.round.number},
        status=400 if form.is_bound else 200,
        form=form,
        joining=waiting,
        choices=[Choice(how, radios.get(how), outlook) for how, outlook in outlooks.items()],
        places=_places(event, waiting),
        last=waiting.waiting[-1],
        two_sided=waiting.two_sided,
        back=event_url("draw", event, round=waiting.round.number),
    )


def _options(waiting: Joining) -> tuple[Any, ...]:
    there = sum(first <= waiting.round.number for first in waiting.first_rounds.values())
    return seating_options(waiting.kind, waiting.format, there)


def _places(event: Event, waiting: Joining) -> list[tuple[Entry, FreePlace, Entry | None]]:
    """Which newcomer would take which place, and whose it was."""
    before = {place.entry for place in waiting.places if place.entry}
    entries = {entry.pk: entry for entry in event.entries.filter(pk__in=before)}
    return [
        (newcomer, place, entries.get(place.entry))
        for newcomer, place in zip(waiting.newcomers, waiting.places, strict=False)
    ]
