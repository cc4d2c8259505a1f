"""A bracket whose later draws a correction has overtaken: keeping them, or withdrawing and drawing anew."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from tournament.forms.base import ReasonForm
from tournament.forms.draw import WithdrawDrawForm
from tournament.models import Draw, Event, Stage
from tournament.queries.draws import recorded_by_draw
from tournament.queries.stale_draws import StaleDraws, stale_draws
from tournament.services.bracket_corrections import keep_bracket, withdraw_overtaken
from tournament.views.access import actor_of, organiser_required
from tournament.views.manage.common import carry_out, event_page, event_url, round_url


@organiser_required
def corrected(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """What was overtaken, and the two ways on."""
    return _page(request, _stage(event, stage))


@organiser_required
def keep(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """Goes on as drawn."""
    found = _stage(event, stage)
    if request.method != "POST":
        return redirect(event_url("bracket_corrected", event, stage=stage))
    form = ReasonForm(request.POST, prefix="keep")

    def work() -> str:
        keep_bracket(actor=actor_of(request), stage=found, reason=form.cleaned_data["reason"])
        return event_url("bracket", event, stage=stage)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "bracket.keep", work, _("The bracket goes on as it was drawn."))
    return answer or _page(request, found, keep_form=form)


@organiser_required
def withdraw(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """Withdraws what was overtaken."""
    found = _stage(event, stage)
    if request.method != "POST":
        return redirect(event_url("bracket_corrected", event, stage=stage))
    form = WithdrawDrawForm(request.POST, prefix="withdraw", deals=_deals(event, stale_draws(found)))

    def work() -> str:
        round = withdraw_overtaken(
            actor=actor_of(request),
            stage=found,
            reason=form.cleaned_data["reason"],
            with_deals=form.cleaned_data.get("with_deals", False),
        )
        return round_url("draw", round)

    done = _("The draws are withdrawn: draw the round anew.")
    answer = carry_out(request, form, "bracket.withdraw", work, done) if form.is_valid() else None
    return answer or _page(request, found, withdraw_form=form)


def _page(
    request: HttpRequest,
    stage: Stage,
    *,
    keep_form: ReasonForm | None = None,
    withdraw_form: WithdrawDrawForm | None = None,
) -> HttpResponse:
    event = stage.event
    stale = stale_draws(stage)
    entries = event.entries.in_bulk()
    deals = _deals(event, stale)
    context: dict[str, Any] = {
        "stage": stage,
        "stale": stale,
        "turned": [
            {
                "round": one.round,
                "match": one.match,
                "sides": [entries[who] for who in one.sides],
                "was": entries.get(one.was),
                "now": entries.get(one.now),
            }
            for one in (stale.turned if stale else ())
        ],
        "overtaken": [
            {"round": one.round, "match": one.match, "sides": [entries[who] for who in one.sides]}
            for one in (stale.overtaken if stale else ())
        ],
        "deals": deals,
        "keep_form": keep_form or ReasonForm(prefix="keep"),
        "withdraw_form": withdraw_form or WithdrawDrawForm(prefix="withdraw", deals=deals),
        "back": event_url("bracket", event, stage=stage.number),
    }
    return event_page(
        request,
        event,
        "tournament/bracket_corrected.html",
        "stages",
        _("Corrected results in the bracket"),
        status=400 if keep_form or withdraw_form else 200,
        **context,
    )


def _deals(event: Event, stale: StaleDraws | None) -> int:
    """Deals recorded in the rounds that would be withdrawn."""
    if stale is None:
        return 0
    living = Draw.objects.filter(round__event=event, round__number__gte=stale.first_round)
    return recorded_by_draw(living.exclude(state=Draw.State.WITHDRAWN)).total()


def _stage(event: Event, number: int) -> Stage:
    return get_object_or_404(event.stages.select_related("event__tournament"), number=number)
