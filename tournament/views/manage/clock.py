"""The clock of a timed round: starting it, moving its end, letting a late deal count."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from tournament.forms.base import CommandForm, ReasonForm
from tournament.forms.clock import MoveClockForm
from tournament.models import Draw, Event, Round, Table
from tournament.queries.plans import round_terms
from tournament.services.clock import let_deal_count, move_clock, start_clock
from tournament.views.access import actor_of, director_required
from tournament.views.manage.common import confirmed, round_url


@director_required
def start(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Starts the clock."""
    found = _round(event, round)
    form = CommandForm(request.POST or None)

    def work() -> None:
        start_clock(actor=actor_of(request), round=found)

    plan = round_terms(found).plan
    if plan.kind != "time":
        return redirect(round_url("round", found))
    return confirmed(
        request,
        event,
        "rounds",
        form,
        action="clock.start",
        work=work,
        done=_("The clock runs."),
        title=_("Start the clock of round %(round)s") % {"round": round},
        text=_("Time is up in %(minutes)s minutes at all tables.") % {"minutes": plan.minutes},
        button=_("Start the clock"),
        back=round_url("round", found),
        danger=False,
    )


@director_required
def move(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Gives more time, or takes some."""
    found = _round(event, round)
    form = MoveClockForm(request.POST or None)

    def work() -> None:
        move_clock(
            actor=actor_of(request),
            round=found,
            minutes=form.cleaned_data["minutes"],
            reason=form.cleaned_data["reason"],
        )

    return confirmed(
        request,
        event,
        "rounds",
        form,
        action="clock.move",
        work=work,
        done=_("The end has been moved."),
        title=_("Move the end of round %(round)s") % {"round": round},
        text=_("Every table has the new end. Deals entered before are judged by it too."),
        button=_("Move the end"),
        back=round_url("round", found),
        danger=False,
    )


@director_required
def late(request: HttpRequest, event: Event, round: int, number: int) -> HttpResponse:
    """Lets one more deal of a table count."""
    found = _round(event, round)
    tables = Table.objects.select_related("draw__round__event__tournament")
    table = get_object_or_404(tables, draw__round=found, draw__state=Draw.State.PUBLISHED, number=number)
    form = ReasonForm(request.POST or None)

    def work() -> None:
        let_deal_count(actor=actor_of(request), table=table, reason=form.cleaned_data["reason"])

    done = _("Table %(table)s may enter one more deal.") % {"table": number}
    return confirmed(
        request,
        event,
        "rounds",
        form,
        action="clock.late_deal",
        work=work,
        done=done,
        title=_("Let one more deal of table %(table)s count") % {"table": number},
        text=_("For a deal that was played in time and could not be entered, for example."),
        button=_("Let it count"),
        back=round_url("round", found),
        danger=False,
    )


def _round(event: Event, number: int) -> Round:
    return get_object_or_404(event.rounds.select_related("event__tournament", "stage"), number=number)
