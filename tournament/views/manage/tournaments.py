"""Tournaments: the list, creating and editing one, its home page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.forms.people import TournamentForm
from tournament.models import Tournament
from tournament.queries import access
from tournament.queries.next_step import next_step
from tournament.services.events import least_entries
from tournament.services.tournaments import create_tournament, edit_tournament
from tournament.views.access import (
    actor_of,
    director_required,
    founder_required,
    login_needed,
    organiser_required,
)
from tournament.views.manage.common import carry_out, home_crumbs, tournament_crumbs, tournament_url
from tournament.views.manage.steps import step_view


@login_needed
def home(request: HttpRequest) -> HttpResponse:
    """The tournaments in which the user has a role; pages of the desk only for those of the desk."""
    directed = set(access.directed_by(request.user).values_list("pk", flat=True))
    found = [
        {"tournament": one, "desk": one.pk in directed, "events": one.events.all()}
        for one in access.tournaments_of(request.user).prefetch_related("events")
    ]
    return render(
        request,
        "tournament/home.html",
        {"tournaments": found, "may_create": access.can_create_tournaments(request.user)},
    )


@founder_required
def create(request: HttpRequest) -> HttpResponse:
    """A new tournament."""
    form = TournamentForm(request.POST or None)

    def work() -> str:
        made = create_tournament(actor=actor_of(request), **form.values())
        return tournament_url("tournament", made)

    if form.is_valid():
        answer = carry_out(request, form, "tournament.create", work, _("The tournament has been created."))
        if answer:
            return answer
    return _form_page(
        request,
        form,
        crumbs=[*home_crumbs(), (_("New tournament"), None)],
        title=_("New tournament"),
        button=_("Create tournament"),
        back=reverse("manage:home"),
    )


@organiser_required
def edit(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Name, place and time of a tournament."""
    form = TournamentForm(request.POST or None, initial=TournamentForm.initial_of(tournament))

    def work() -> str:
        changed = edit_tournament(actor=actor_of(request), tournament=tournament, **form.values())
        return tournament_url("tournament", changed)

    if form.is_valid():
        answer = carry_out(request, form, "tournament.edit", work, _("The changes have been stored."))
        if answer:
            return answer
    return _form_page(
        request,
        form,
        crumbs=[*tournament_crumbs(tournament), (_("Settings"), None)],
        title=_("Settings of the tournament"),
        button=_("Save"),
        back=tournament_url("tournament", tournament),
    )


@director_required
def detail(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A tournament's events, each with its next step, and its people."""
    events = [
        {"event": event, "step": step_view(event, next_step(event, least_entries(event.kind)))}
        for event in tournament.events.select_related("tournament", "ruleset_version__book").order_by("id")
    ]
    return render(
        request,
        "tournament/tournament.html",
        {
            "tournament": tournament,
            "events": events,
            "memberships": tournament.memberships.select_related("user").order_by("role", "user__username"),
            "organiser": access.can_organise(request.user, tournament),
            "crumbs": [*home_crumbs(), (tournament.name, None)],
        },
    )


def _form_page(request: HttpRequest, form: TournamentForm, **context: object) -> HttpResponse:
    status = 400 if form.is_bound else 200
    return render(request, "tournament/tournament_form.html", {"form": form, **context}, status=status)
