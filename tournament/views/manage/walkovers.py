"""A match of a published draw that is not played, and taking that back."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from referee.models import Correction
from referee.queries.gone_by import weighs
from tournament.forms.base import ReasonForm
from tournament.forms.walkover import WalkoverForm
from tournament.models import Draw, Event, Match
from tournament.queries.walkovers import entries_in
from tournament.services.walkovers import record_walkover, undo_walkover
from tournament.views.access import actor_of, director_required
from tournament.views.manage.common import carry_out, confirmed, event_page, event_url
from tournament.views.manage.corrections import propose


@director_required
def walkover(request: HttpRequest, event: Event, round: int, match: int) -> HttpResponse:
    """States who did not come and what everybody in the match has for it."""
    found = _match(event, round, match)
    form = WalkoverForm(request.POST or None, event=event, entries=entries_in(found))
    back = event_url("match", event, round=round, match=match)

    if form.is_valid() and weighs(found.draw.round):
        answer = propose(
            request,
            form,
            found.draw.round,
            kind=Correction.Kind.WALKOVER,
            change={"match": match, **form.change()},
            reason=form.cleaned_data["reason"],
        )
        return answer or _page(request, event, form, round, match)

    def work() -> str:
        record_walkover(actor=actor_of(request), match=found, **form.values())
        return back

    if form.is_valid():
        answer = carry_out(request, form, "match.walkover", work, _("The walkover is on record."))
        if answer:
            return answer
    return _page(request, event, form, round, match)


def _page(request: HttpRequest, event: Event, form: WalkoverForm, round: int, match: int) -> HttpResponse:
    return event_page(
        request,
        event,
        "tournament/walkover.html",
        "rounds",
        _("Walkover: round %(round)s, match %(match)s") % {"round": round, "match": match},
        status=400 if form.is_bound else 200,
        form=form,
        back=event_url("match", event, round=round, match=match),
    )


@director_required
def undo(request: HttpRequest, event: Event, round: int, match: int) -> HttpResponse:
    """The match is played after all."""
    found = _match(event, round, match)
    form = ReasonForm(request.POST or None)
    back = event_url("match", event, round=round, match=match)

    if form.is_valid() and weighs(found.draw.round):
        answer = propose(
            request,
            form,
            found.draw.round,
            kind=Correction.Kind.WALKOVER_UNDO,
            change={"match": match},
            reason=form.cleaned_data["reason"],
        )
        if answer:
            return answer

    def work() -> None:
        undo_walkover(actor=actor_of(request), match=found, reason=form.cleaned_data["reason"])

    return confirmed(
        request,
        event,
        "rounds",
        form,
        action="match.walkover_undo",
        work=work,
        done=_("The match is played after all."),
        title=_("Take the walkover back"),
        text=_("The deals on record count again, and play at its tables goes on."),
        button=_("Take back"),
        back=back,
    )


def _match(event: Event, round: int, number: int) -> Match:
    matches = Match.objects.filter(draw__round__event=event, draw__state=Draw.State.PUBLISHED)
    return get_object_or_404(
        matches.select_related("draw__round__event__tournament").defer("draw__inputs", "draw__quality"),
        draw__round__number=round,
        number=number,
    )
