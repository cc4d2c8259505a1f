"""The desk's pages of table rules: a tournament's or event's penalty catalogue, and an event's sign-off."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from referee.forms_rules import CatalogueForm, SignoffForm
from referee.queries.catalogue import catalogue_of, stored_articles
from referee.queries.signoffs import policy_of
from referee.services.catalogue import save_catalogue
from referee.services.commands import Outcome
from referee.services.table_rules import set_signoff
from tournament.forms.base import CommandForm
from tournament.models import Event, Tournament
from tournament.queries import access
from tournament.services.errors import Refused
from tournament.views.access import actor_of, director_required
from tournament.views.manage.common import event_crumbs, tournament_crumbs


@director_required
def tournament_rules(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The penalty catalogue of all events that have none of their own."""
    return _page(request, tournament, None)


@director_required
def event_rules(request: HttpRequest, event: Event) -> HttpResponse:
    """An event's own penalty catalogue, and how its deals are signed off."""
    return _page(request, event.tournament, event)


def _page(request: HttpRequest, tournament: Tournament, event: Event | None) -> HttpResponse:
    what = request.POST.get("form", "")
    articles = catalogue_of(tournament, event)
    catalogue = CatalogueForm(request.POST if what in ("catalogue", "drop") else None, articles=articles)
    may_choose = event is not None and access.can_organise(request.user, tournament)
    signoff = None
    if event is not None:
        chosen = {"policy": policy_of(event)}
        signoff = SignoffForm(request.POST if what == "signoff" else None, initial=chosen)
    if catalogue.is_valid():
        kept = [] if what == "drop" else catalogue.cleaned_data["articles"]

        def save() -> Outcome:
            return save_catalogue(
                actor=actor_of(request),
                tournament=tournament,
                event=event,
                articles=kept,
                command_id=catalogue.cleaned_data["command_id"],
            )

        if _done(request, catalogue, save, _("The penalty catalogue has been saved.")):
            return redirect(request.path)
    if event is not None and signoff is not None and signoff.is_valid():

        def choose() -> Outcome:
            return set_signoff(actor=actor_of(request), event=event, **signoff.cleaned_data)

        if _done(request, signoff, choose, _("The sign-off has been chosen.")):
            return redirect(request.path)
    context = {
        "tournament": tournament,
        "event": event,
        "crumbs": [
            *(event_crumbs(event) if event else tournament_crumbs(tournament)),
            (_("Table rules"), None),
        ],
        "title": _("Table rules"),
        "catalogue": catalogue,
        "own": bool(stored_articles(tournament, event)),
        "signoff": signoff,
        "may_choose": may_choose,
    }
    failed = catalogue.is_bound or (signoff is not None and signoff.is_bound)
    return render(request, "referee/rules.html", context, status=400 if failed else 200)


def _done(request: HttpRequest, form: CommandForm, work: Any, message: str) -> bool:
    """Whether it was carried out; else the form says why not."""
    try:
        outcome = work()
    except Refused as refused:
        form.add_refusal(refused)
        if refused.code == "command_id_reused":
            form.renew()
        return False
    if not outcome.repeated:
        messages.success(request, message)
    return True
