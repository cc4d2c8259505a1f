"""Tokens of the open interface: the list with their last use, making one, revoking one."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from tournament.forms.base import CommandForm
from tournament.forms.tokens import TokenForm
from tournament.models import ApiToken, Tournament
from tournament.services.tokens import create_token, revoke_token
from tournament.views.access import actor_of, organiser_required
from tournament.views.manage.common import carry_out, sent_back, tournament_crumbs, tournament_url


@organiser_required
def tokens(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All tokens of the tournament, and the form that makes one; its secret is shown once, in the answer."""
    form = TokenForm(request.POST or None, tournament=tournament)
    shown: dict[str, str] = {}

    def work() -> str:
        values = {name: value for name, value in form.cleaned_data.items() if name != "command_id"}
        token, secret = create_token(actor=actor_of(request), tournament=tournament, **values)
        shown.update(name=token.name, secret=secret)
        return tournament_url("tokens", tournament)

    if form.is_valid():
        answer = carry_out(request, form, "token.create", work)
        if shown:
            return _secret_page(request, tournament, shown)
        if answer:
            # Sent twice: the secret went out with the first answer.
            messages.info(
                request, _("This has been done already. If the token was not noted, make a new one.")
            )
            return answer
    return render(
        request,
        "tournament/tokens.html",
        {
            "tournament": tournament,
            "title": _("Tokens"),
            "tokens": _lines(tournament),
            "form": form,
            "crumbs": [*tournament_crumbs(tournament), (_("Tokens"), None)],
        },
        status=400 if form.is_bound else 200,
    )


@organiser_required
def revoke(request: HttpRequest, tournament: Tournament, token: int) -> HttpResponse:
    """Ends a token at once."""
    found = get_object_or_404(tournament.api_tokens.select_related("tournament"), pk=token)
    form = CommandForm(request.POST or None)

    def work() -> str:
        revoke_token(actor=actor_of(request), token=found)
        return tournament_url("tokens", tournament)

    if form.is_valid():
        answer = carry_out(request, form, "token.revoke", work, _("The token opens nothing any more."))
        if answer:
            return answer
    return sent_back(request, form, tournament_url("tokens", tournament))


def _lines(tournament: Tournament) -> list[dict[str, object]]:
    found: list[ApiToken] = list(tournament.api_tokens.select_related("event", "user"))
    return [{"token": one, "form": CommandForm() if one.living else None} for one in found]


def _secret_page(request: HttpRequest, tournament: Tournament, shown: dict[str, str]) -> HttpResponse:
    response = render(
        request,
        "tournament/token_secret.html",
        {
            "tournament": tournament,
            "shown": shown,
            "crumbs": [
                *tournament_crumbs(tournament),
                (_("Tokens"), tournament_url("tokens", tournament)),
                (_("New token"), None),
            ],
        },
    )
    response.headers["Cache-Control"] = "no-store"
    return response
