"""Pages about tables' calls for a referee: all of them, and one to be taken and closed."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from referee.forms import RulingForm
from referee.models import TableCall
from referee.queries.calls import calls_of
from referee.services.calls import close_call, take_call
from referee.views_desk import carried_out, crumbs_to
from tournament.models import Tournament
from tournament.queries import access
from tournament.services.errors import Refused
from tournament.views.access import actor_of, director_required, login_needed


@director_required
@never_cache
def calls(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All calls of the tournament with their rulings, the open ones first."""
    context = {
        "tournament": tournament,
        "calls": calls_of(tournament),
        "crumbs": crumbs_to(tournament, _("Calls")),
    }
    return render(request, "referee/calls.html", context)


@login_needed
@never_cache
def call(request: HttpRequest, call: int) -> HttpResponse:
    """One call: take it, and close it with a ruling."""
    found = _call_for(request, call)
    form = RulingForm(request.POST or None)
    if form.is_valid():

        def work(actor: Any) -> None:
            close_call(
                actor=actor,
                call=found,
                ruling=form.cleaned_data["ruling"],
                command_id=form.cleaned_data["command_id"],
            )

        if carried_out(request, form, work):
            messages.success(request, _("The call is closed."))
            return redirect(_after_call(request, found))
    tournament = found.table.draw.round.event.tournament
    context = {
        "call": found,
        "table": found.table,
        "round": found.table.draw.round,
        "event": found.table.draw.round.event,
        "tournament": tournament,
        "form": form,
        "crumbs": crumbs_to(tournament, _("Call"))
        if access.can_direct(request.user, tournament)
        else [(_("My tables"), reverse("referee:home")), (_("Call"), None)],
    }
    return render(request, "referee/calls_one.html", context, status=400 if form.errors else 200)


@login_needed
@require_POST
def call_take(request: HttpRequest, call: int) -> HttpResponse:
    """I am going to that table."""
    found = _call_for(request, call)
    try:
        take_call(actor=actor_of(request), call=found)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("referee:call", found.pk)


def _call_for(request: HttpRequest, pk: int) -> TableCall:
    calls = TableCall.objects.select_related(
        "table__draw__round__event__tournament", "taken_by", "called_by", "closed_by", "device"
    )
    found = get_object_or_404(calls.prefetch_related("table__seats__player", "table__seats__entry"), pk=pk)
    if not access.can_referee_table(request.user, found.table):
        raise PermissionDenied
    return found


def _after_call(request: HttpRequest, call: TableCall) -> str:
    tournament = call.table.draw.round.event.tournament
    if access.can_direct(request.user, tournament):
        return reverse("referee:board", args=[tournament.slug])
    return reverse("referee:home")
