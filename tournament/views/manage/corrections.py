"""Corrections: the list, one with all that it would move, and the pages that propose one."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from referee.models import Appeal, Correction, Deal, DealVersion
from referee.queries import current_version, seats_at
from referee.services.appeals import link_correction
from referee.services.corrections import (
    apply_correction,
    drop_correction,
    finish_correction,
    look_ahead,
    moves_mark,
    propose_correction,
    propose_undo,
    waits_for,
)
from referee.services.entry_rulings import ruling_in_force
from scoring.engine import DealRecord
from tournament.forms.base import CommandForm, ReasonForm
from tournament.forms.corrections import CorrectionForm, DealCorrectionForm, EntryRulingForm
from tournament.models import Draw, Event, Round
from tournament.queries import access
from tournament.services.errors import Refused
from tournament.views.access import actor_of, director_required, organiser_required
from tournament.views.manage.common import carry_out, confirmed, event_page, event_url, sent_back
from tournament.views.manage.correction_view import change_text, deal_figures, entry_title, moves_view

State = Correction.State


def propose(
    request: HttpRequest,
    form: CommandForm,
    round: Round,
    *,
    kind: str,
    change: dict[str, Any],
    reason: str,
    appeal: Appeal | None = None,
) -> HttpResponse | None:
    """Puts a change on record as a proposal and goes on to what it would move; None where it is refused.
    ``appeal`` is the one it follows from.
    """

    def work() -> str:
        made = propose_correction(
            actor=actor_of(request), round=round, kind=kind, change=change, reason=reason
        )
        if appeal is not None:
            link_correction(actor=actor_of(request), appeal=appeal, correction=made)
        return event_url("correction", round.event, correction=made.number)

    return carry_out(request, form, "correction.propose", work)


@director_required
def corrections(request: HttpRequest, event: Event) -> HttpResponse:
    """All corrections, the latest first."""
    found = event.corrections.select_related("round", "proposed_by", "applied_by").order_by("-number")
    return event_page(
        request,
        event,
        "tournament/corrections.html",
        "rounds",
        _("Corrections"),
        corrections=[{"correction": one, "text": change_text(one)} for one in found],
    )


@director_required
def correction(request: HttpRequest, event: Event, correction: int) -> HttpResponse:
    """What a proposed correction would move, and making it; of one that was made, what it moved."""
    found = _found(event, correction)
    proposed = found.state == State.PROPOSED
    organiser = access.can_organise(request.user, event.tournament)
    refused = form = look = None
    moves = found.moves
    if proposed:
        try:
            look = look_ahead(actor=actor_of(request), correction=found)
            moves = look.moves
        except Refused as fault:
            refused = str(fault)
        else:
            form = CorrectionForm(
                request.POST or None,
                moves=moves,
                mark=moves_mark(moves),
                note=found.reason,
                organiser=organiser,
            )
    here = event_url("correction", event, correction=found.number)
    if form is not None and form.is_valid():

        def work() -> str:
            apply_correction(actor=actor_of(request), correction=found, look=look, **form.values())
            return here

        answer = carry_out(request, form, "correction.apply", work, _("The correction has been made."))
        if answer:
            return answer
    applied = found.state == State.APPLIED
    figures = deal_figures(found)
    return event_page(
        request,
        event,
        "tournament/correction.html",
        "rounds",
        _("Correction %(number)s") % {"number": found.number},
        status=400 if form is not None and form.is_bound else 200,
        correction=found,
        text=change_text(found),
        figures=figures,
        figure_seats=[one["seat"] for one in figures],
        moves=moves_view(found, moves) if moves else None,
        form=form,
        refused=refused,
        proposed=proposed,
        own=found.proposed_by_id == request.user.pk,
        waiting=waits_for(found) if applied and found.published_at is None else [],
        unfinished=applied and found.published_at is None,
        undoable=applied and found.kind != Correction.Kind.UNDO,
        undo_id=uuid4(),
        appeals=found.appeals.order_by("number"),
    )


@director_required
def drop(request: HttpRequest, event: Event, correction: int) -> HttpResponse:
    """The proposal is not made."""
    done = _("The proposal is dropped.")
    button = _("Drop it")
    return _step(
        request, event, correction, "correction.drop", step=drop_correction, done=done, button=button
    )


@director_required
def finish(request: HttpRequest, event: Event, correction: int) -> HttpResponse:
    """Closes the round again, draws anew and publishes, once nothing is waited for."""
    done = _("The correction is complete: what was published is published anew.")
    button = _("Finish and publish")
    return _step(
        request, event, correction, "correction.finish", step=finish_correction, done=done, button=button
    )


@director_required
def undo(request: HttpRequest, event: Event, correction: int) -> HttpResponse:
    """One press proposes to take a correction back; the next page says what that moves."""
    found = _found(event, correction)
    here = event_url("correction", event, correction=found.number)
    form = CommandForm(request.POST or None)

    def work() -> str:
        reason = _("Correction %(number)s taken back") % {"number": found.number}
        made = propose_undo(actor=actor_of(request), correction=found, reason=reason)
        return event_url("correction", event, correction=made.number)

    if form.is_valid():
        answer = carry_out(request, form, "correction.undo", work)
        if answer:
            return answer
    return sent_back(request, form, here)


@director_required
def deal(request: HttpRequest, event: Event, round: int, table: int, deal: int) -> HttpResponse:
    """A deal on record laid out, to be put right."""
    deals = Deal.objects.select_related("table__draw__round__event__tournament")
    found = get_object_or_404(
        deals.prefetch_related("table__seats__player", "table__substitutions__player_out"),
        table__draw__round__event=event,
        table__draw__round__number=round,
        table__draw__state=Draw.State.PUBLISHED,
        table__number=table,
        number=deal,
    )
    current = current_version(found)
    back = event_url("round", event, round=round)
    title = _("Correct: round %(round)s, table %(table)s, deal %(deal)s") % {
        "round": round,
        "table": table,
        "deal": deal,
    }
    if current is None or current.state != DealVersion.State.RECORDED:
        return event_page(
            request, event, "tournament/deal_correct.html", "rounds", title, form=None, back=back
        )
    seats = seats_at(found.table, found)
    form = DealCorrectionForm(
        request.POST or None,
        ruleset=event.ruleset_version.ruleset(),
        table=[seat.direction for seat in seats],
        record=DealRecord.from_json(current.record),
    )
    if form.is_valid():
        change = {"table": table, "deal": deal, "version": current.number, "record": form.whole_record()}
        reason = form.cleaned_data["reason"]
        answer = propose(
            request,
            form,
            found.table.draw.round,
            kind=Correction.Kind.DEAL,
            change=change,
            reason=reason,
            appeal=_appeal(request, found),
        )
        if answer:
            return answer
    return event_page(
        request,
        event,
        "tournament/deal_correct.html",
        "rounds",
        title,
        status=400 if form.is_bound else 200,
        form=form,
        seats=seats,
        back=back,
    )


@organiser_required
def ruling(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Rules on an entry: first what it would move."""
    entry = get_object_or_404(event.entries, number=number)
    form = EntryRulingForm(request.POST or None, event=event)
    if form.is_valid():
        change = {"entry": number, **form.change()}
        first = _round(event, change["annul_from"] or 1)
        reason = form.cleaned_data["reason"]
        answer = propose(request, form, first, kind=Correction.Kind.RULING, change=change, reason=reason)
        if answer:
            return answer
    return event_page(
        request,
        event,
        "tournament/entry_ruling.html",
        "entries",
        _("Ruling on %(entry)s") % {"entry": entry_title(entry)},
        status=400 if form.is_bound else 200,
        entry=entry,
        ruling=ruling_in_force(entry),
        form=form,
        back=event_url("entry", event, number=number),
    )


@organiser_required
def ruling_lift(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Lifts the ruling on an entry: first what that would move."""
    entry = get_object_or_404(event.entries, number=number)
    form = ReasonForm(request.POST or None)
    in_force = ruling_in_force(entry)
    if form.is_valid() and in_force is not None:
        first = _round(event, in_force.annul_from or 1)
        answer = propose(
            request,
            form,
            first,
            kind=Correction.Kind.RULING_LIFT,
            change={"entry": number},
            reason=form.cleaned_data["reason"],
        )
        if answer:
            return answer
    return event_page(
        request,
        event,
        "tournament/confirm.html",
        "entries",
        _("Lift the ruling on %(entry)s") % {"entry": entry_title(entry)},
        status=400 if form.is_bound else 200,
        form=form,
        text=_("You will see what this moves before it is done."),
        button=_("See what this would move"),
        danger=False,
        back=event_url("entry_ruling", event, number=number),
    )


def _found(event: Event, number: int) -> Correction:
    found = get_object_or_404(
        event.corrections.select_related("round", "proposed_by", "applied_by"), number=number
    )
    found.event = found.round.event = event
    return found


def _appeal(request: HttpRequest, deal: Deal) -> Appeal | None:
    """The appeal from whose page one came, if it is against this deal."""
    asked = request.GET.get("appeal", "")
    if not (asked.isascii() and asked.isdigit() and len(asked) < 8):
        return None
    return (
        Appeal.objects.filter(version__deal=deal, number=int(asked))
        .select_related("event__tournament")
        .first()
    )


def _round(event: Event, number: int) -> Round:
    return get_object_or_404(event.rounds.select_related("event__tournament"), number=number)


def _step(
    request: HttpRequest,
    event: Event,
    number: int,
    action: str,
    *,
    step: Callable[..., object],
    done: str,
    button: str,
) -> HttpResponse:
    found = _found(event, number)
    here = event_url("correction", event, correction=found.number)
    return confirmed(
        request,
        event,
        "rounds",
        CommandForm(request.POST or None),
        action=action,
        work=lambda: step(actor=actor_of(request), correction=found),
        done=done,
        title=_("Correction %(number)s") % {"number": found.number},
        text=change_text(found),
        button=button,
        back=here,
        danger=False,
    )
