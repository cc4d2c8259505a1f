"""Rounds: the list, the board of one, closing, reopening, and publishing its results and standings."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.forms.base import ReasonForm
from tournament.forms.draw import CloseRoundForm, PublishForm
from tournament.models import Event, Publication, Round
from tournament.queries.access import can_organise
from tournament.queries.board import round_board
from tournament.queries.next_step import current_publications
from tournament.queries.plans import describe_terms, round_terms
from tournament.queries.round_end import round_end
from tournament.services import publish
from tournament.services.protest_time import final_time
from tournament.services.round_end import end_round
from tournament.services.rounds import close_round, missing_text, reopen_round
from tournament.views.access import actor_of, director_required, organiser_required
from tournament.views.manage.common import carry_out, confirmed, event_page, event_url, round_url
from tournament.views.manage.correction_view import unfinished_corrections
from tournament.views.manage.round_lines import round_lines
from tournament.views.manage.steps import end_view

What = Publication.What


@director_required
def rounds(request: HttpRequest, event: Event) -> HttpResponse:
    """All rounds with their states."""
    organiser = can_organise(request.user, event.tournament)
    lines = round_lines(event, current_publications(event), organiser=organiser)
    return event_page(request, event, "tournament/rounds.html", "rounds", rounds=lines)


@director_required
def board(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Every table of the round: how far it is and what is missing."""
    return _board_page(request, _round(event, round))


@director_required
def close(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Closes the round; with anything missing only with a reason."""
    found = _round(event, round)
    if request.method != "POST":
        return redirect(round_url("round", found))
    form = CloseRoundForm(request.POST, prefix="close", missing=not round_board(found).complete)

    def work() -> str:
        reason = form.cleaned_data.get("override_reason", "")
        close_round(actor=actor_of(request), round=found, override_reason=reason)
        return round_url("round", found)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "round.close", work, _("The round is closed."))
    return answer or _board_page(request, found, close_form=form)


@organiser_required
def end(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Closes the round and publishes its results and the standings, as far as that is left to do and allowed;
    with anything missing only with a reason. On to the overview, where the next step is.
    """
    found = _round(event, round)
    if request.method != "POST":
        return redirect(round_url("round", found))
    left = round_end(found)
    missing = left.close and not round_board(found).complete
    form = CloseRoundForm(request.POST, prefix="close", missing=missing)

    def work() -> str:
        end_round(
            actor=actor_of(request),
            round=found,
            override_reason=form.cleaned_data.get("override_reason", ""),
        )
        return event_url("event", event)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "round.end", work, end_view(left, found).done)
    return answer or _board_page(request, found, close_form=form)


@director_required
def reopen(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Opens a closed round again, with a reason."""
    found = _round(event, round)
    form = ReasonForm(request.POST or None)

    def work() -> None:
        reopen_round(actor=actor_of(request), round=found, reason=form.cleaned_data["reason"])

    return confirmed(
        request,
        event,
        "rounds",
        form,
        action="round.reopen",
        work=work,
        done=_("The round is open again."),
        title=_("Reopen round %(round)s") % {"round": round},
        text=_("Deals can be entered and corrected again. What is published stays until you publish anew."),
        button=_("Reopen the round"),
        back=round_url("round", found),
    )


@organiser_required
def publish_matter(request: HttpRequest, event: Event, round: int, what: str) -> HttpResponse:
    """Publishes the results of the round, or the standings after it, as a new version."""
    found = _round(event, round)
    matter = What(what)
    if request.method != "POST":
        return redirect(round_url("round", found))
    again = (found.pk, matter) in current_publications(event)
    form = PublishForm(request.POST, prefix=what, again=again)

    def work() -> str:
        note = form.cleaned_data.get("note", "")
        final_at = final_time(minutes=form.cleaned_data["final_minutes"], at=form.cleaned_data["final_at"])
        publish.publish(actor=actor_of(request), round=found, what=matter, note=note, final_at=final_at)
        return round_url("round", found)

    done = {
        What.DRAW: _("The pairings are public."),
        What.RESULTS: _("The results are public."),
        What.STANDINGS: _("The standings are public."),
    }[matter]
    answer = None
    with timezone.override(event.tournament.tz):
        valid = form.is_valid()
    if valid:
        answer = carry_out(request, form, f"publish.{what}", work, done)
    return answer or _board_page(request, found, publish_form=form, publish_what=matter)


@organiser_required
def unpublish(request: HttpRequest, event: Event, round: int, what: str) -> HttpResponse:
    """Takes results or standings off the public pages, with a reason."""
    found = _round(event, round)
    matter = What(what)
    current = current_publications(event).get((found.pk, matter))
    form = ReasonForm(request.POST or None)
    if current is None:
        return redirect(round_url("round", found))

    def work() -> None:
        reason = form.cleaned_data["reason"]
        publish.withdraw_publication(actor=actor_of(request), publication=current, reason=reason)

    return confirmed(
        request,
        event,
        "rounds",
        form,
        action=f"unpublish.{what}",
        work=work,
        done=_("Taken off the public pages."),
        title=_("Take off the public pages: %(what)s, round %(round)s")
        % {"what": matter.label, "round": round},
        text=_("The versions published so far stay on record."),
        button=_("Take off"),
        back=round_url("round", found),
    )


def _round(event: Event, number: int) -> Round:
    rounds = event.rounds.select_related("event__tournament", "stage", "closed_by")
    return get_object_or_404(rounds, number=number)


def _board_page(
    request: HttpRequest,
    round: Round,
    close_form: CloseRoundForm | None = None,
    publish_form: PublishForm | None = None,
    publish_what: str = "",
) -> HttpResponse:
    event = round.event
    found = round_board(round)
    terms = round_terms(round)
    lines = [{"line": line, "missing": [missing_text(one) for one in line.missing]} for line in found.lines]
    published = current_publications(event)
    matters = []
    for what in What:
        current = published.get((round.pk, what))
        form = publish_form if what == publish_what else PublishForm(prefix=what.value, again=bool(current))
        matters.append({"what": what, "current": current, "form": form})
    return event_page(
        request,
        event,
        "tournament/board.html",
        "rounds",
        _("Round %(round)s") % {"round": round.number},
        status=400 if close_form or publish_form else 200,
        round=round,
        board=found,
        lines=lines,
        close_form=close_form or CloseRoundForm(prefix="close", missing=not found.complete),
        matters=matters,
        unfinished=unfinished_corrections(event, round),
        end=end_view(round_end(round), round),
        neighbours=_neighbours(event, round),
        plan=terms.plan,
        played_as=describe_terms(terms),
        terms=terms,
    )


def _neighbours(event: Event, round: Round) -> dict[str, Any]:
    """Addresses of neighbouring rounds."""
    numbers = set(event.rounds.values_list("number", flat=True))
    return {
        name: event_url("round", event, round=number) if number in numbers else None
        for name, number in (("previous", round.number - 1), ("next", round.number + 1))
    }
