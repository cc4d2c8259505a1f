"""What the public may see of an event: shown or hidden, by hand or by itself, rounds held back."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from tournament.forms.base import CommandForm
from tournament.forms.publicity import HoldBackForm, PublicityForm
from tournament.models import Event
from tournament.services.publicity import hold_round_back, release_round, set_publicity
from tournament.views.access import actor_of, organiser_required
from tournament.views.manage.common import carry_out, event_page, event_url, sent_back


@organiser_required
def publicity(request: HttpRequest, event: Event) -> HttpResponse:
    """The choices of an event, and its rounds that are held back."""
    form = PublicityForm(request.POST or None, initial={"visibility": event.visibility, "live": event.live})

    def work() -> str:
        values = form.cleaned_data
        set_publicity(
            actor=actor_of(request), event=event, visibility=values["visibility"], live=values["live"]
        )
        return event_url("publicity", event)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "event.publicity", work, _("The changes have been stored."))
    return answer or _page(request, event, form=form)


@organiser_required
def hold_back(request: HttpRequest, event: Event) -> HttpResponse:
    """Keeps the results of a round from the public until released."""
    if request.method != "POST":
        return redirect(event_url("publicity", event))
    form = HoldBackForm(request.POST, event=event)

    def work() -> str:
        values = form.cleaned_data
        hold_round_back(actor=actor_of(request), round=values["round"], reason=values["reason"])
        return event_url("publicity", event)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "round.hold_back", work, _("The round is held back."))
    return answer or _page(request, event, hold_form=form)


@organiser_required
def release(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Ends the holding back of a round."""
    found = get_object_or_404(event.rounds.select_related("event__tournament"), number=round)
    form = CommandForm(request.POST or None)

    def work() -> str:
        release_round(actor=actor_of(request), round=found)
        return event_url("publicity", event)

    answer = None
    if form.is_valid():
        done = _("Round %(round)s is released.") % {"round": round}
        answer = carry_out(request, form, "round.release", work, done)
    return answer or sent_back(request, form, event_url("publicity", event))


def _page(
    request: HttpRequest,
    event: Event,
    form: PublicityForm | None = None,
    hold_form: HoldBackForm | None = None,
) -> HttpResponse:
    bound = hold_form if hold_form is not None else form
    return event_page(
        request,
        event,
        "tournament/publicity.html",
        "rounds",
        _("What the public sees"),
        status=400 if bound is not None and bound.is_bound else 200,
        form=form or PublicityForm(initial={"visibility": event.visibility, "live": event.live}),
        hold_form=hold_form or HoldBackForm(event=event),
        held=[
            {"round": round, "form": CommandForm()}
            for round in event.rounds.filter(held_back=True).order_by("number")
        ],
    )
