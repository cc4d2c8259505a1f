"""Penalties of an event: the list, giving one, cancelling one."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from referee.models import Correction, Penalty
from referee.queries.catalogue import catalogue_of
from referee.queries.gone_by import weighs
from referee.services.penalties import cancel_penalty, give_penalty
from referee.services.penalty_reasons import penalty_reason
from tournament.forms.base import ReasonForm
from tournament.forms.penalty import PenaltyForm
from tournament.models import Event
from tournament.services.errors import Refused
from tournament.views.access import actor_of, director_required
from tournament.views.manage.common import confirm_page, event_page, event_url
from tournament.views.manage.corrections import propose


@director_required
def penalties(request: HttpRequest, event: Event) -> HttpResponse:
    """All penalties, cancelled ones too, and the form that gives one."""
    form = PenaltyForm(request.POST or None, event=event)
    if form.is_valid():
        values = {
            name: form.cleaned_data[name]
            for name in ("entry", "round", "rule", "points", "reason", "command_id")
        }
        player = form.cleaned_data.get("player")
        if weighs(values["round"]):
            return _proposed(request, event, form) or _page(request, event, form)
        try:
            outcome = give_penalty(
                actor=actor_of(request),
                event=event,
                player=player,
                sure=form.cleaned_data.get("sure", False),
                **values,
            )
        except Refused as refused:
            form.add_refusal(refused)
            if refused.code == "command_id_reused":
                form.renew()
        else:
            if not outcome.repeated:
                messages.success(
                    request, _("The penalty has been given. The public sees it when results are published.")
                )
            return redirect(event_url("penalties", event))
    return _page(request, event, form)


def _proposed(request: HttpRequest, event: Event, form: PenaltyForm) -> HttpResponse | None:
    """Others go by the round already: first what the penalty would move."""
    given, player = form.cleaned_data, form.cleaned_data.get("player")
    change = {
        "entry": given["entry"].number,
        "rule": given["rule"],
        "points": str(given["points"]),
        "player": player.place if player else None,
        "sure": given.get("sure", False),
    }
    round = event.rounds.select_related("event__tournament").get(pk=given["round"].pk)
    reason = penalty_reason(event=event, rule=given["rule"], reason=given["reason"])
    return propose(request, form, round, kind=Correction.Kind.PENALTY, change=change, reason=reason)


def _page(request: HttpRequest, event: Event, form: PenaltyForm) -> HttpResponse:
    found = Penalty.objects.filter(event=event).select_related(
        "entry", "player", "round", "table", "deal", "given_by", "cancelled_by"
    )
    return event_page(
        request,
        event,
        "tournament/penalties.html",
        "penalties",
        status=400 if form.is_bound else 200,
        penalties=found.order_by("-given_at", "-id"),
        form=form,
        articles=catalogue_of(event.tournament, event),
    )


@director_required
def cancel(request: HttpRequest, event: Event, penalty: int) -> HttpResponse:
    """Cancels a penalty with a reason; it stays on record."""
    found = get_object_or_404(
        Penalty.objects.select_related("entry", "event__tournament", "round__event__tournament"),
        pk=penalty,
        event=event,
    )
    form = ReasonForm(request.POST or None)
    if form.is_valid():
        values = {name: form.cleaned_data[name] for name in ("reason", "command_id")}
        if weighs(found.round):
            answer = propose(
                request,
                form,
                found.round,
                kind=Correction.Kind.PENALTY_CANCEL,
                change={"given_at": found.given_at.isoformat()},
                reason=values["reason"],
            )
            return answer or _cancel_page(request, event, form, found)
        try:
            outcome = cancel_penalty(actor=actor_of(request), penalty=found, **values)
        except Refused as refused:
            form.add_refusal(refused)
        else:
            if not outcome.repeated:
                messages.success(request, _("The penalty has been cancelled."))
            return redirect(event_url("penalties", event))
    return _cancel_page(request, event, form, found)


def _cancel_page(request: HttpRequest, event: Event, form: ReasonForm, found: Penalty) -> HttpResponse:
    return confirm_page(
        request,
        event,
        "penalties",
        form,
        title=_("Cancel the penalty of %(number)s · %(name)s")
        % {"number": found.entry.number, "name": found.entry.name},
        text=_("%(rule)s: it no longer counts, and stays on record with your reason.") % {"rule": found.rule},
        button=_("Cancel the penalty"),
        back=event_url("penalties", event),
    )
