"""Desk: players who sat at each other's tables are exchanged, after a look at what that changes."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from referee.forms_exchange import TableExchangeForm
from referee.models import Correction
from referee.queries.gone_by import weighs
from referee.services.table_exchange import exchange_tables, preview_exchange
from referee.views_desk import at_desk, carried_out, crumbs_to
from tournament.models import Event, Round, Seat, Table
from tournament.views.manage.corrections import propose


@at_desk
@never_cache
def exchange(request: HttpRequest, table: Table) -> HttpResponse:
    """The first post shows what would change, the second does it."""
    event = table.draw.round.event
    seats = (
        Seat.objects.filter(table__draw=table.draw, segment=1)
        .select_related("player", "entry", "table__draw__round__event__tournament")
        .order_by("table__number", "order")
    )
    here = [one for one in seats if one.table_id == table.pk]
    there = [one for one in seats if one.table_id != table.pk]
    form = TableExchangeForm(request.POST or None, here=here, there=there)
    lines = None
    if form.is_valid() and weighs(table.draw.round):
        first, second = form.chosen
        answer = propose(
            request,
            form,
            table.draw.round,
            kind=Correction.Kind.TABLES,
            change={
                "first": [first.table.number, first.direction],
                "second": [second.table.number, second.direction],
                "deals": {
                    str(line.goes_to.number): list(line.deals) for line in preview_exchange(first, second)
                },
            },
            reason=form.cleaned_data["reason"],
        )
        if answer:
            return answer
    elif form.is_valid() and form.cleaned_data["seen"]:

        def work(actor: Any) -> None:
            first, second = form.chosen
            exchange_tables(
                actor=actor,
                first=first,
                second=second,
                deals=form.deals_seen,
                reason=form.cleaned_data["reason"],
                command_id=form.cleaned_data["command_id"],
            )

        if carried_out(request, form, work):
            messages.success(request, _("The players are exchanged, and the deals are theirs."))
            return redirect("referee:seats", table.pk)
    elif form.is_valid():
        lines = preview_exchange(*form.chosen)
        form.show({line.goes_to.pk: line.deals for line in lines})
    context = {
        "table": table,
        "round": table.draw.round,
        "event": event,
        "tournament": event.tournament,
        "possible": event.kind == Event.Kind.INDIVIDUAL
        and table.draw.round.state in (Round.State.PLAYING, Round.State.CLOSED),
        "form": form,
        "lines": lines,
        "crumbs": crumbs_to(event.tournament, _("Exchange of players between tables")),
    }
    return render(request, "referee/board_exchange.html", context, status=400 if form.errors else 200)
