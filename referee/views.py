"""The referee's pages: my tables, and the table itself."""

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie

from referee.models import Device
from referee.presenting import table_json
from referee.presenting_desk import call_texts, table_notices
from referee.presenting_rules import articles_json
from referee.queries import table_state, tables_now
from referee.queries.catalogue import catalogue_of, punished_before
from referee.tablets import at_table, device_of
from referee.texts import page_texts
from tournament.models import Table
from tournament.queries.penalty_units import counts_points, unit_help
from tournament.queries.plans import round_terms


@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """The tables that the user referees in rounds being played, those that wait for something first; a
    tablet on which nobody is logged in goes on to its own table.
    """
    if not request.user.is_authenticated:
        known = device_of(request) is not None
        return redirect("referee:tablet") if known else redirect_to_login(request.get_full_path())
    groups = tables_now(request.user)
    waiting = sum(line.waits for group in groups for line in group.lines)
    return render(request, "referee/home.html", {"groups": groups, "waiting": waiting})


@at_table
@never_cache
@ensure_csrf_cookie
def table_page(request: HttpRequest, table: Table, device: Device | None) -> HttpResponse:
    """One table: entry, check, score sheet."""
    state = table_state(table)
    terms = round_terms(state.round)
    boot = {
        "table": table_json(state, request.user),
        "api": reverse("referee:api_table", args=[table.pk]),
        "plan": state.play.plan.to_dict(),
        "worker": {"address": reverse("referee:service_worker"), "scope": reverse("referee:home")},
        "tablet": device.name if device else "",
        "ruleset": state.ruleset.to_full_dict(),
        "clocks": {
            "first": state.procedure.first_expose_seconds,
            "expose": state.procedure.expose_seconds,
        },
        "articles": articles_json(catalogue_of(state.event.tournament, state.event), counts_points(terms)),
        "punished": punished_before(state.event, state.seats),
    }
    context = {
        "table": table,
        "round": state.round,
        "event": state.event,
        "seats": state.seats,
        "boot": boot,
        "penalty_help": unit_help(terms),
        "counts_points": counts_points(terms),
        "texts": page_texts([seat.direction for seat in state.seats]),
        "call_texts": call_texts(),
        "notices": table_notices(state, request.user),
    }
    return render(request, "referee/table.html", context)
