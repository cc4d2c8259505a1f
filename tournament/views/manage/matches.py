"""A match: its tables and segments, line-ups, substitutions, and duplicate deals compared."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from referee.models import Correction
from referee.queries.gone_by import weighs
from tournament.forms.lineup import LineupForm, SubstituteForm
from tournament.models import Draw, Event, Match, Round, Walkover
from tournament.queries.matches import MatchState, match_state
from tournament.queries.plans import round_terms
from tournament.services.lineups import set_lineup, substitute
from tournament.views.access import actor_of, director_required
from tournament.views.manage.common import carry_out, event_page, event_url
from tournament.views.manage.corrections import propose


@director_required
def match(request: HttpRequest, event: Event, round: int, match: int) -> HttpResponse:
    """The page of one match."""
    return _page(request, event, _state(event, round, match))


@director_required
def lineup(request: HttpRequest, event: Event, *, match: int, **place: int) -> HttpResponse:
    """Sets who of an entry sits where in a segment."""
    entry, segment = place["entry"], place["segment"]
    state = _state(event, place["round"], match)
    address = _address(event, state.match)
    forms = _lineup_forms(state, request.POST or None, (entry, segment))
    form = forms.get((entry, segment))
    if request.method != "POST" or form is None:
        return redirect(address)
    side = next(one for one in state.sides if one.entry.number == entry)

    def work() -> str:
        set_lineup(
            actor=actor_of(request),
            match=state.match,
            entry=side.entry,
            segment=segment,
            players=form.players(),
        )
        return address

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "lineup.set", work, _("The line-up has been stored."))
    return answer or _page(request, event, state, lineups=forms)


@director_required
def replace(request: HttpRequest, event: Event, round: int, match: int) -> HttpResponse:
    """Somebody takes another's seat."""
    state = _state(event, round, match)
    address = _address(event, state.match)
    if request.method != "POST":
        return redirect(address)
    form = SubstituteForm(request.POST, prefix="substitute", state=state)

    round_ = state.match.draw.round
    if form.is_valid() and weighs(round_):
        answer = propose(
            request,
            form,
            round_,
            kind=Correction.Kind.SUBSTITUTE,
            change=form.change(),
            reason=form.cleaned_data["reason"],
        )
        return answer or _page(request, event, state, substitution=form)

    def work() -> str:
        substitute(actor=actor_of(request), **form.values())
        return address

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "lineup.substitute", work, _("The substitution has been stored."))
    return answer or _page(request, event, state, substitution=form)


def _state(event: Event, round: int, number: int) -> MatchState:
    found = get_object_or_404(
        Match.objects.select_related("draw__round__event__tournament").defer("draw__inputs", "draw__quality"),
        draw__round__event=event,
        draw__round__number=round,
        draw__state=Draw.State.PUBLISHED,
        number=number,
    )
    return match_state(found)


def _address(event: Event, found: Match) -> str:
    return event_url("match", event, round=found.draw.round.number, match=found.number)


def _lineup_forms(
    state: MatchState, data: Any = None, sent: tuple[int, int] | None = None
) -> dict[tuple[int, int], LineupForm]:
    """A form for each side and segment whose line-up can still be changed; ``sent`` is the one filled in."""
    found = {}
    for side in state.sides:
        for segment in state.segments:
            seats = state.seats_of(side.entry, segment)
            key = (side.entry.number, segment)
            if len(seats) > 1 and not state.begun(segment):
                found[key] = LineupForm(
                    data if key == sent else None,
                    prefix=f"lineup-{side.entry.number}-{segment}",
                    state=state,
                    seats=seats,
                    players=side.players,
                )
    return found


def _page(
    request: HttpRequest,
    event: Event,
    state: MatchState,
    *,
    lineups: dict[tuple[int, int], LineupForm] | None = None,
    substitution: SubstituteForm | None = None,
) -> HttpResponse:
    round_ = state.match.draw.round
    playing = round_.state == Round.State.PLAYING
    bad = lineups is not None or substitution is not None
    forms = (lineups or _lineup_forms(state)) if playing else {}
    return event_page(
        request,
        event,
        "tournament/match.html",
        "rounds",
        _("Round %(round)s, match %(match)s") % {"round": round_.number, "match": state.match.number},
        status=400 if bad else 200,
        round=round_,
        terms=round_terms(round_),
        state=state,
        walkover=Walkover.objects.filter(match=state.match).prefetch_related("scores__entry").first(),
        several=len(state.segments) > 1,
        lineups=[
            {
                "side": side,
                "segments": [
                    {"number": segment, "form": forms[side.entry.number, segment]}
                    for segment in state.segments
                    if (side.entry.number, segment) in forms
                ],
            }
            for side in state.sides
        ],
        has_lineups=bool(forms),
        substitution=substitution or SubstituteForm(prefix="substitute", state=state),
        compared=_compared(state),
        back=event_url("round", event, round=round_.number),
    )


def _compared(state: MatchState) -> dict[str, Any] | None:
    """Duplicate deals as rows: for the first side its figure at each table and the difference they make."""
    if not state.compared or len(state.sides) != 2:
        return None
    keys = [str(side.entry.pk) for side in state.sides]
    rows = []
    for deal in state.compared:
        swing = deal.swing(keys[0])
        rows.append(
            {
                "number": deal.number,
                "tables": [at_table[keys[0]] - at_table[keys[1]] for at_table in deal.amounts],
                "ahead": (swing if swing > 0 else None, -swing if swing < 0 else None),
                "alike": deal.dealt_alike,
            }
        )
    totals = [sum((row["ahead"][place] or 0 for row in rows), start=0) for place in (0, 1)]
    return {"rows": rows, "totals": totals, "doubtful": [row["number"] for row in rows if not row["alike"]]}
