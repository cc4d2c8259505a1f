"""People of a tournament: accounts, roles, and the tables given to table referees."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from tournament.forms.base import CommandForm
from tournament.forms.people import AccountForm, RoleForm, TablesForm, show_numbers
from tournament.models import Event, Membership, Role, Tournament
from tournament.queries.access import given_tables
from tournament.services.members import (
    create_account,
    give_role,
    give_tables,
    may_reset_password,
    reset_password,
    take_role,
)
from tournament.views.access import actor_of, organiser_required
from tournament.views.manage.common import (
    carry_out,
    event_page,
    event_url,
    tournament_crumbs,
    tournament_url,
)


@organiser_required
def people(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Who has which role; new accounts and roles."""
    return _people_page(request, tournament)


@organiser_required
def account(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Creates an account; its password is shown once, in the answer, and stored nowhere in clear."""
    if request.method != "POST":
        return redirect(tournament_url("people", tournament))
    form = AccountForm(request.POST, prefix="account")
    shown: dict[str, str] = {}

    def work() -> str:
        values = {name: form.cleaned_data[name] for name in ("username", "full_name", "role")}
        user, password = create_account(actor=actor_of(request), tournament=tournament, **values)
        shown.update(username=user.get_username(), password=password)
        return tournament_url("people", tournament)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "account.create", work)
        if shown:
            return _password_page(request, tournament, shown)
        if answer:
            _say_shown_before(request)
    return answer or _people_page(request, tournament, account_form=form)


@organiser_required
def password(request: HttpRequest, tournament: Tournament, membership: int) -> HttpResponse:
    """A fresh password for a referee who has lost theirs, shown once."""
    found = get_object_or_404(Membership.objects.select_related("user"), pk=membership, tournament=tournament)
    form = CommandForm(request.POST or None)
    shown: dict[str, str] = {}

    def work() -> str:
        fresh = reset_password(actor=actor_of(request), tournament=tournament, user=found.user)
        shown.update(username=found.user.get_username(), password=fresh)
        return tournament_url("people", tournament)

    if form.is_valid():
        answer = carry_out(request, form, "account.password", work)
        if shown:
            return _password_page(request, tournament, shown)
        if answer:
            _say_shown_before(request)
            return answer
    return _confirm(
        request,
        tournament,
        form,
        title=_("New password for %(name)s") % {"name": found.user.get_username()},
        text=_("The old password no longer works then. The new one is shown once."),
        button=_("Make a new password"),
    )


@organiser_required
def role(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Gives a role to somebody who has an account."""
    if request.method != "POST":
        return redirect(tournament_url("people", tournament))
    form = RoleForm(request.POST, prefix="role")

    def work() -> str:
        values = {name: form.cleaned_data[name] for name in ("username", "role")}
        give_role(actor=actor_of(request), tournament=tournament, **values)
        return tournament_url("people", tournament)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "role.give", work, _("The role has been given."))
    return answer or _people_page(request, tournament, role_form=form)


@organiser_required
def role_take(request: HttpRequest, tournament: Tournament, membership: int) -> HttpResponse:
    """Takes a role away."""
    found = Membership.objects.select_related("user", "tournament").filter(
        pk=membership, tournament=tournament
    )
    one = found.first()
    form = CommandForm(request.POST or None)
    if one is None:
        # Taken already, perhaps by this very request sent twice.
        return redirect(tournament_url("people", tournament))

    def work() -> str:
        take_role(actor=actor_of(request), membership=one)
        return tournament_url("people", tournament)

    if form.is_valid():
        answer = carry_out(request, form, "role.take", work, _("The role has been taken away."))
        if answer:
            return answer
    return _confirm(
        request,
        tournament,
        form,
        title=_("Take the role from %(name)s") % {"name": one.user.get_username()},
        text=_("The account stays, but no longer acts as %(role)s in this tournament.")
        % {"role": one.get_role_display()},
        button=_("Take the role away"),
    )


@organiser_required
def tables(request: HttpRequest, event: Event) -> HttpResponse:
    """The tables of an event given to each table referee."""
    members = list(
        event.tournament.memberships.filter(role=Role.TABLE_REFEREE)
        .select_related("user")
        .order_by("user__username")
    )
    sent = request.POST.get("user", "")
    forms = []
    for member in members:
        bound = request.method == "POST" and str(member.user_id) == sent
        numbers = show_numbers(given_tables(member.user, event))
        form = TablesForm(
            request.POST if bound else None,
            auto_id=f"tables-{member.user_id}-%s",
            initial={"tables": numbers},
        )
        if bound and form.is_valid():

            def work(form: TablesForm = form, member: Membership = member) -> str:
                numbers = form.cleaned_data["tables"]
                give_tables(actor=actor_of(request), event=event, user=member.user, numbers=numbers)
                return event_url("tables", event)

            answer = carry_out(request, form, "tables.give", work, _("The tables have been given."))
            if answer:
                return answer
        forms.append({"user": member.user, "form": form})
    failed = any(one["form"].is_bound for one in forms)
    return event_page(
        request,
        event,
        "tournament/tables.html",
        "event",
        _("Tables of the referees"),
        status=400 if failed else 200,
        referees=forms,
    )


def _people_page(
    request: HttpRequest,
    tournament: Tournament,
    account_form: AccountForm | None = None,
    role_form: RoleForm | None = None,
) -> HttpResponse:
    members = [
        {"membership": one, "resettable": may_reset_password(tournament, one.user)}
        for one in tournament.memberships.select_related("user")
        .prefetch_related("user__memberships")
        .order_by("role", "user__username")
    ]
    return render(
        request,
        "tournament/people.html",
        {
            "tournament": tournament,
            "members": members,
            "account_form": account_form or AccountForm(prefix="account"),
            "role_form": role_form or RoleForm(prefix="role"),
            "crumbs": [*tournament_crumbs(tournament), (_("People and roles"), None)],
        },
        status=400 if account_form or role_form else 200,
    )


def _password_page(request: HttpRequest, tournament: Tournament, shown: dict[str, str]) -> HttpResponse:
    response = render(
        request,
        "tournament/password.html",
        {
            "tournament": tournament,
            "shown": shown,
            "crumbs": [
                *tournament_crumbs(tournament),
                (_("People and roles"), tournament_url("people", tournament)),
                (_("Password"), None),
            ],
        },
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def _say_shown_before(request: HttpRequest) -> None:
    """For a request that arrived twice: the password went out with the first answer."""
    messages.info(request, _("This has been done already. If the password was not noted, make a new one."))


def _confirm(
    request: HttpRequest, tournament: Tournament, form: CommandForm, *, title: str, text: str, button: str
) -> HttpResponse:
    return render(
        request,
        "tournament/confirm.html",
        {
            "tournament": tournament,
            "form": form,
            "title": title,
            "text": text,
            "button": button,
            "danger": True,
            "back": tournament_url("people", tournament),
            "crumbs": [
                *tournament_crumbs(tournament),
                (_("People and roles"), tournament_url("people", tournament)),
                (title, None),
            ],
        },
        status=400 if form.is_bound else 200,
    )
