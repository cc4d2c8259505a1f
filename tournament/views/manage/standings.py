"""Standings for the desk, from everything recorded, published or not; and how ties are broken."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.forms.base import CommandForm
from tournament.forms.tie_breaks import TieBreaksForm
from tournament.models import Event
from tournament.queries.criteria import (
    CRITERIA,
    chosen_tie_breaks,
    lots_of,
    main_criterion,
)
from tournament.queries.plans import unlike_rounds
from tournament.queries.standings import group_standings, standings_from
from tournament.queries.standings_records import read_records
from tournament.ranking.tie_breaks import Criterion
from tournament.services.tie_breaks import choose_tie_breaks, draw_lots
from tournament.views.access import actor_of, director_required, organiser_required
from tournament.views.manage.common import carry_out, event_page, event_url


@director_required
def standings(request: HttpRequest, event: Event) -> HttpResponse:
    """The standings after the last round drawn, or after the round asked for; of the event or of a stage."""
    after = _number(request, "round", event.planned_rounds)
    stages = list(event.stages.order_by("number"))
    chosen = _number(request, "stage", len(stages))
    stage = stages[chosen - 1] if chosen else None
    records = read_records(event, after)
    found = standings_from(records, after, stage)
    grouped = stage or (stages[0] if len(stages) == 1 else None)
    groups = group_standings(records, grouped, after) if grouped else []
    return event_page(
        request,
        event,
        "tournament/standings.html",
        "standings",
        standings=found,
        unlike=[] if stage else unlike_rounds(event, found.rounds),
        stages=stages,
        stage=stage,
        groups=groups,
        after=after,
        all_rounds=range(1, event.planned_rounds + 1),
        penalties=any(row.penalties for row in found.rows),
        start_points=any(row.start_points for row in found.rows),
        main=CRITERIA[main_criterion(event)],
        tie_breaks=[CRITERIA[one] for one in chosen_tie_breaks(event)],
        lots_missing=_lots_missing(event),
    )


def _number(request: HttpRequest, name: str, most: int) -> int | None:
    """A number of the address, from 1; None where it is not given. Raises Http404 for anything else."""
    wanted = request.GET.get(name, "")
    if not wanted:
        return None
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) < 6 and 1 <= int(wanted) <= most):
        raise Http404
    return int(wanted)


@organiser_required
def tie_breaks(request: HttpRequest, event: Event) -> HttpResponse:
    """By what those with equal results are put in order."""
    form = TieBreaksForm(request.POST or None, event=event)
    stepped = form.is_valid() and form.is_step
    if stepped:
        form = TieBreaksForm(event=event, initial={"order": form.stepped()})
    elif form.is_bound and form.is_valid():
        sent = carry_out(
            request,
            form,
            "event.tie_breaks",
            lambda: _choose(request, event, form),
            _("The tie-breaks have been saved. Published standings change when they are published anew."),
        )
        if sent:
            return sent
    return event_page(
        request,
        event,
        "tournament/tie_breaks.html",
        "standings",
        _("Tie-breaks"),
        status=400 if form.is_bound else 200,
        form=form,
        main=CRITERIA[main_criterion(event)],
        stepped=stepped,
        lots=_lots(event),
        lots_form=CommandForm(),
        lots_chosen=Criterion.LOT in chosen_tie_breaks(event),
        lots_missing=_lots_missing(event),
    )


@organiser_required
@require_POST
def lots(request: HttpRequest, event: Event) -> HttpResponse:
    """Draws lots for those who have none."""
    form = CommandForm(request.POST)
    if form.is_valid():
        sent = carry_out(
            request,
            form,
            "event.lots",
            lambda: _draw(request, event),
            _("The lots have been drawn. They are on record and stay."),
        )
        if sent:
            return sent
    for fault in form.non_field_errors():
        messages.error(request, fault)
    return redirect(event_url("tie_breaks", event))


def _choose(request: HttpRequest, event: Event, form: TieBreaksForm) -> str:
    choose_tie_breaks(actor=actor_of(request), event=event, tie_breaks=form.tie_breaks())
    return event_url("tie_breaks", event)


def _draw(request: HttpRequest, event: Event) -> str:
    draw_lots(actor=actor_of(request), event=event)
    return event_url("tie_breaks", event)


def _lots(event: Event) -> list[dict[str, Any]]:
    """The drawn lots, the lowest first, with whom they belong to."""
    names = dict(event.entries.values_list("number", "name"))
    lots = sorted(lots_of(event), key=lambda one: one[1])
    return [{"lot": lot, "number": number, "name": names.get(number, "")} for number, lot in lots]


def _lots_missing(event: Event) -> int:
    """How many entries have no lot although lots break ties here."""
    if Criterion.LOT not in chosen_tie_breaks(event):
        return 0
    drawn = {number for number, _lot in lots_of(event)}
    return sum(
        number not in drawn for number in event.entries.filter(house=False).values_list("number", flat=True)
    )
