"""Result workbooks that take a while: ordered, watched, downloaded."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournament.forms.base import CommandForm
from tournament.models import Event, Tournament, WorkbookOrder
from tournament.tasks.workbooks import lost, order_workbook
from tournament.views.access import actor_of, director_required
from tournament.views.manage.common import (
    carry_out,
    confirm_page,
    event_url,
    tournament_crumbs,
    tournament_url,
)
from tournament.views.manage.downloads import workbook_response

_State = WorkbookOrder.State


@director_required
@never_cache
def workbooks(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What can be ordered, and what has been ordered."""
    form = CommandForm(request.POST or None)
    if form.is_valid():
        answer = carry_out(request, form, "workbook.order", lambda: _ordered(request, tournament, None))
        if answer:
            return answer
    orders = list(tournament.workbook_orders.select_related("event", "ordered_by").defer("content"))
    return render(
        request,
        "tournament/workbooks.html",
        {
            "tournament": tournament,
            "form": form,
            "orders": [(order, lost(order)) for order in orders],
            "working": any(not lost(one) for one in orders if one.state in (_State.WAITING, _State.WORKING)),
            "events": tournament.events.order_by("id"),
            "crumbs": [*tournament_crumbs(tournament), (_("Result workbooks"), None)],
        },
        status=400 if form.errors else 200,
    )


@director_required
def order_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Orders the workbook of one event."""
    form = CommandForm(request.POST or None)
    if form.is_valid():
        answer = carry_out(
            request, form, "workbook.order", lambda: _ordered(request, event.tournament, event)
        )
        if answer:
            return answer
    return confirm_page(
        request,
        event,
        "event",
        form,
        title=_("Result workbook"),
        text=_("The event has many deals. Its workbook is made while you go on working, and kept for a day."),
        button=_("Make the workbook"),
        back=event_url("event", event),
        danger=False,
    )


@director_required
def download(request: HttpRequest, tournament: Tournament, workbook: int) -> HttpResponse:
    """The file of an order that is ready and has not expired."""
    living = tournament.workbook_orders.filter(state=_State.READY, expires_at__gt=timezone.now())
    found = get_object_or_404(living.select_related("event"), pk=workbook)
    if found.content is None:
        raise Http404
    name = _("Results %(event)s") % {"event": (found.event or tournament).name}
    return workbook_response(bytes(found.content), f"{name}.xlsx")


def _ordered(request: HttpRequest, tournament: Tournament, event: Event | None) -> str:
    order_workbook(
        actor=actor_of(request), tournament=tournament, event=event, language=get_language() or "zh-hans"
    )
    return tournament_url("workbooks", tournament)
