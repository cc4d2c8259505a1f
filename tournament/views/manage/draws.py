"""The draw of a round: drawing, preview with its quality report, swapping, publishing, withdrawing."""

from fractions import Fraction
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from tournament.forms.draw import DrawForm, PublishDrawForm, SwapForm, WithdrawDrawForm
from tournament.models import Draw, Event, Round
from tournament.queries.draw_formats import (
    FORMATS,
    TWO_SIDED,
    movement_fits,
    seating_options,
    somebody_rests,
)
from tournament.queries.draw_newcomers import joining
from tournament.queries.draw_sources import (
    collect_inputs,
    stage_entries,
    stage_field,
    stage_inputs,
    violations_now,
)
from tournament.queries.draws import living_draw, recorded_deals, same_as_stored
from tournament.queries.stale_draws import stale_draws
from tournament.services.draw import make_draw, publish_draw, swap_seats, withdraw_draw
from tournament.views.access import actor_of, organiser_required
from tournament.views.manage.common import carry_out, event_page, round_url
from tournament.views.manage.draw_view import draw_view


@organiser_required
def draw(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """The round's draw, or the form that makes one."""
    found = _round(event, round)
    current = living_draw(found)
    return _not_drawn_page(request, found) if current is None else _draw_page(request, current)


@organiser_required
def make(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Draws the round as a preview."""
    found = _round(event, round)
    if request.method != "POST":
        return redirect(round_url("draw", found))
    form = draw_form(found, request.POST)

    def work() -> str:
        cleaned = form.cleaned_data
        make_draw(
            actor=actor_of(request),
            round=found,
            seed=cleaned["seed"],
            answer=cleaned.get("answer") or None,
            bye_points=cleaned.get("bye_points"),
        )
        return round_url("draw", found)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "draw.make", work)
    if answer is None and living_draw(found) is not None:
        # Somebody else was first: what the refusal says, above the draw that there is now.
        for text in form.non_field_errors():
            messages.warning(request, text)
        return redirect(round_url("draw", found))
    return answer or _not_drawn_page(request, found, form)


@organiser_required
def swap(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Exchanges two entries of the preview."""
    current = _living_or_none(event, round)
    form = SwapForm(request.POST or None, prefix="swap")
    if current is None or request.method != "POST":
        return redirect(round_url("draw", _round(event, round)))

    def work() -> str:
        numbers = {name: form.cleaned_data[name] for name in ("first", "second")}
        swap_seats(actor=actor_of(request), draw=current, **numbers)
        return round_url("draw", current.round)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "draw.swap", work, _("The two have changed places."))
    return answer or _draw_page(request, current, swap_form=form)


@organiser_required
def publish(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Publishes the preview; with violations only with a reason."""
    current = _living_or_none(event, round)
    if current is None or request.method != "POST":
        return redirect(round_url("draw", _round(event, round)))
    form = PublishDrawForm(request.POST, prefix="publish", violations=bool(_found(current)))

    def work() -> str:
        publish_draw(actor=actor_of(request), draw=current, reason=form.cleaned_data.get("reason", ""))
        return round_url("round", current.round)

    answer = None
    if form.is_valid():
        answer = carry_out(
            request,
            form,
            "draw.publish",
            work,
            _("The draw is public, and the tables are open for the referees."),
        )
    return answer or _draw_page(request, current, publish_form=form)


@organiser_required
def withdraw(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Takes the draw back, with a reason."""
    current = _living_or_none(event, round)
    if current is None:
        return redirect(round_url("draw", _round(event, round)))
    deals = recorded_deals(current)
    form = WithdrawDrawForm(request.POST or None, deals=deals)

    def work() -> str:
        withdraw_draw(
            actor=actor_of(request),
            draw=current,
            reason=form.cleaned_data["reason"],
            with_deals=form.cleaned_data.get("with_deals", False),
        )
        return round_url("draw", current.round)

    if form.is_valid():
        answer = carry_out(request, form, "draw.withdraw", work, _("The draw has been withdrawn."))
        if answer:
            return answer
    return event_page(
        request,
        event,
        "tournament/draw_withdraw.html",
        "rounds",
        _("Withdraw the draw of round %(round)s") % {"round": round},
        status=400 if form.is_bound else 200,
        round=current.round,
        draw=current,
        deals=deals,
        form=form,
        back=round_url("draw", current.round),
    )


@organiser_required
def verify(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """Draws again from the stored inputs and seed, and says whether it gives what is stored."""
    current = _living_or_none(event, round)
    if current is None:
        return redirect(round_url("draw", _round(event, round)))
    return _draw_page(request, current, verified=same_as_stored(current))


def _found(draw: Draw) -> list[dict[str, Any]]:
    """What the checker says: of a preview as things are now, of a published draw as they were."""
    if draw.state == Draw.State.PREVIEW:
        return violations_now(draw)
    return draw.quality.get("violations", [])


def _round(event: Event, number: int) -> Round:
    return get_object_or_404(event.rounds.select_related("event__tournament", "stage"), number=number)


def _living_or_none(event: Event, number: int) -> Draw | None:
    return living_draw(_round(event, number))


def draw_form(round: Round, data: Any = None) -> DrawForm:
    """The form that draws a round: with the possible answers side by side where the field does not fit."""
    event, form = round.event, FORMATS[round.stage.format]
    there = len(stage_field(round))
    options = seating_options(event.kind, form.key, there)
    fixed = form.fixes_positions and bool(stage_inputs(round).positions)
    initial = {"answer": event.options.get("odd"), "bye_points": event.options.get("bye_points", 0)}
    if form.seats_field:
        byes = any(option.byes for option in options)
    else:
        byes = somebody_rests(form.key, event.kind, collect_inputs(round))
    return DrawForm(data, options=() if fixed else options, byes=byes, initial=initial)


def _not_drawn_page(request: HttpRequest, round: Round, form: DrawForm | None = None) -> HttpResponse:
    event = round.event
    field = stage_field(round)
    belong = stage_entries(round.stage)
    playing = {entry.pk for entry in field}
    rounds = round.stage.rounds.count()
    begun = Draw.objects.filter(round__stage=round.stage).exclude(state=Draw.State.WITHDRAWN).exists()
    waiting = joining(round.stage)
    return event_page(
        request,
        event,
        "tournament/draw_make.html",
        "rounds",
        _("Draw of round %(round)s") % {"round": round.number},
        status=400 if form else 200,
        round=round,
        form=form or draw_form(round),
        present=len(field),
        absent=[entry for entry in belong if entry.pk not in playing and not entry.house],
        absences=dict(round.absences.values_list("entry", "reason")),
        format=FORMATS[round.stage.format],
        two_sided=event.kind in TWO_SIDED,
        rounds=rounds,
        movement_fits=not begun and movement_fits(round.stage.format, event.kind, len(field), rounds),
        former=round.draws.filter(state=Draw.State.WITHDRAWN).select_related("made_by"),
        joining=waiting,
        kept_waiting=waiting is not None and waiting.keep_waiting(playing),
        undecided=not belong and round.stage.number > 1,
        drawn_at_once=not begun and FORMATS[round.stage.format].planned and rounds > 1,
    )


def _draw_page(
    request: HttpRequest,
    draw: Draw,
    swap_form: SwapForm | None = None,
    publish_form: PublishDrawForm | None = None,
    verified: bool | None = None,
) -> HttpResponse:
    round = draw.round
    found = _found(draw)
    stale = stale_draws(round.stage)
    return event_page(
        request,
        round.event,
        "tournament/draw.html",
        "rounds",
        _("Draw of round %(round)s") % {"round": round.number},
        status=400 if swap_form or publish_form else 200,
        round=round,
        draw=draw,
        view=draw_view(draw, found),
        preview=draw.state == Draw.State.PREVIEW,
        joining=joining(round.stage) if draw.state == Draw.State.PREVIEW else None,
        bye_points=Fraction(draw.inputs.get("bye_points", "0")),
        swap_form=swap_form or SwapForm(prefix="swap"),
        publish_form=publish_form or PublishDrawForm(prefix="publish", violations=bool(found)),
        verified=verified,
        stale=stale,
        stale_here=stale.in_round(round.number) if stale else (),
        former=round.draws.filter(state=Draw.State.WITHDRAWN).select_related("made_by"),
    )
