"""The desk's pages: the live board, calls, the review queue, a deal's history, and players put right."""

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie

from referee.forms import DisputeForm, ReseatForm
from referee.models import Correction, Deal, Dispute, Reseating, TableRuling
from referee.presenting_desk import beside_captures, board_texts, both_versions, compared_history
from referee.presenting_rules import correction_look, ruling_json
from referee.queries import current_versions, seats_at, seats_of, segment_shown, tables_in_play
from referee.queries.board import Need, live_board
from referee.queries.gone_by import weighs
from referee.queries.proposed import proposed_by_rulings, proposed_for
from referee.queries.review import review_queue
from referee.services.reseating import reseat, undo_reseating
from referee.services.table_corrections import rule_dispute_or_propose
from tournament.forms.base import CommandForm, ReasonForm
from tournament.models import Draw, Round, Seat, Table, Tournament
from tournament.queries import access
from tournament.queries.appeals import open_appeals
from tournament.services.errors import NotAllowed, Refused
from tournament.views.access import actor_of, director_required, login_needed, member_required
from tournament.views.manage.corrections import propose

View = Callable[..., HttpResponse]


def at_desk(view: View) -> View:
    """Chief referees and organisers, at the table named by ``table`` (its id): of a published draw only."""

    @wraps(view)
    def checked(request: HttpRequest, table: int, **kwargs: Any) -> HttpResponse:
        tables = tables_in_play().prefetch_related("seats__player", "seats__entry")
        found = get_object_or_404(tables, pk=table, draw__state=Draw.State.PUBLISHED)
        if not access.can_direct(request.user, found.draw.round.event.tournament):
            raise PermissionDenied
        return view(request, table=found, **kwargs)

    return login_needed(checked)


# -- the board


@director_required
@never_cache
@ensure_csrf_cookie
def board(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every table in play; the page asks for the tables again every few seconds."""
    context = {
        **_board_context(tournament),
        "texts": board_texts(),
        "crumbs": [(_("My tables"), reverse("referee:home")), (_("Board"), None)],
    }
    return render(request, "referee/board.html", context)


@director_required
@never_cache
def board_tables(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The tables alone; 304 while nothing about them has changed."""
    body = render_to_string("referee/board_tables.html", _board_context(tournament), request)
    etag = f'"{hashlib.sha256(body.encode()).hexdigest()[:32]}"'
    response = HttpResponse(body, headers={"ETag": etag})
    return get_conditional_response(request, etag=etag, response=response) or response


def _board_context(tournament: Tournament) -> dict[str, Any]:
    lines = live_board(tournament)
    return {
        "tournament": tournament,
        "appeals": open_appeals(tournament),
        "lines": lines,
        "counts": {
            "tables": len(lines),
            "done": sum(line.complete for line in lines),
            "calls": sum(line.call is not None for line in lines),
            "waiting_calls": sum(line.need == Need.CALL for line in lines),
            "disputes": sum(bool(line.disputed) for line in lines),
            "silent": sum(line.silent for line in lines),
            "unsigned": sum(len(line.unsigned) for line in lines),
        },
        "events": len({line.event.pk for line in lines}),
    }


# -- the review queue and a deal's history


@member_required
@never_cache
def review(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Deals that wait for a check, a ruling or a second look, by table or by who entered them."""
    by_person = request.GET.get("by") == "person"
    everything = request.GET.get("show") == "all"
    groups = review_queue(request.user, tournament, by_person=by_person, everything=everything)
    directing = access.can_direct(request.user, tournament)
    context = {
        "tournament": tournament,
        "groups": groups,
        "by_person": by_person,
        "everything": everything,
        "mine": sum(line.mine for group in groups for line in group.lines),
        "directing": directing,
        "crumbs": crumbs_to(tournament, _("Review"))
        if directing
        else [(_("My tables"), reverse("referee:home")), (_("Review"), None)],
    }
    return render(request, "referee/review.html", context)


@login_needed
@never_cache
def deal(request: HttpRequest, deal: int) -> HttpResponse:
    """All versions of a deal, the newest first, with what each changed, and what was said about it."""
    deals = Deal.objects.select_related("table__draw__round__event__tournament")
    found = get_object_or_404(
        deals.prefetch_related(
            "table__seats__player", "table__seats__entry", "table__substitutions__player_out"
        ),
        pk=deal,
        table__draw__state=Draw.State.PUBLISHED,
    )
    if not access.can_referee_table(request.user, found.table):
        raise PermissionDenied
    tournament = found.table.draw.round.event.tournament
    directing = access.can_direct(request.user, tournament)
    context = {
        "deal": found,
        "table": found.table,
        "round": found.table.draw.round,
        "event": found.table.draw.round.event,
        "tournament": tournament,
        "seats": seats_at(found.table, found),
        "versions": compared_history(found),
        "rulings": _rulings(found, directing=directing),
        "directing": directing,
        "playing": found.table.draw.round.state == Round.State.PLAYING,
        "crumbs": [
            *(crumbs_to(tournament, "")[:2] if directing else [(_("My tables"), reverse("referee:home"))]),
            (_("Review"), reverse("referee:review", args=[tournament.slug])),
            (_("Deal %(number)s") % {"number": found.number}, None),
        ],
    }
    return render(request, "referee/review_deal.html", context)


def _rulings(deal: Deal, *, directing: bool) -> list[dict[str, Any]]:
    """What was ruled about a deal beside its cards."""
    event = deal.table.draw.round.event
    rulings = TableRuling.objects.filter(table=deal.table, deal_number=deal.number)
    found = list(rulings.exclude(kind=TableRuling.Kind.TRICK_LOG).order_by("pk"))
    letters = [seat.direction for seat in seats_at(deal.table, deal)]
    proposed = proposed_by_rulings(event, found)
    look = correction_look(event) if directing else None
    return [ruling_json(one, None, letters, proposed=proposed, look=look) for one in found]


@login_needed
@never_cache
def dispute(request: HttpRequest, dispute: int) -> HttpResponse:
    """A dispute with both versions, and the desk's ruling."""
    found = get_object_or_404(
        Dispute.objects.select_related(
            "version__deal__table__draw__round__event__tournament",
            "version__entered_by",
            "version__device",
            "raised_by",
            "closed_by",
        ),
        pk=dispute,
        version__deal__table__draw__state=Draw.State.PUBLISHED,
    )
    deal = found.version.deal
    tournament = deal.table.draw.round.event.tournament
    if not access.can_direct(request.user, tournament):
        raise PermissionDenied
    form = DisputeForm(request.POST or None, dispute=found)
    if form.is_valid():
        numbers: list[int] = []

        def work(actor: Any) -> None:
            outcome = rule_dispute_or_propose(
                actor=actor,
                dispute=found,
                outcome=form.cleaned_data["outcome"],
                ruling=form.cleaned_data["ruling"],
                command_id=form.cleaned_data["command_id"],
            )
            numbers.extend(one for one in (outcome.body.get("correction"),) if one)

        if carried_out(request, form, work):
            if numbers:
                # Others go by the record: what taking the other one moves is looked at first.
                event = deal.table.draw.round.event
                return redirect("manage:correction", tournament.slug, event.slug, numbers[0])
            messages.success(request, _("The ruling is on record."))
            return redirect("referee:review", tournament.slug)
    context = _dispute_context(found, form)
    return render(request, "referee/review_dispute.html", context, status=400 if form.errors else 200)


def _dispute_context(found: Dispute, form: DisputeForm) -> dict[str, Any]:
    deal = found.version.deal
    event = deal.table.draw.round.event
    seats = seats_at(deal.table, deal)
    return {
        "dispute": found,
        "deal": deal,
        "table": deal.table,
        "round": deal.table.draw.round,
        "event": event,
        "tournament": event.tournament,
        "seats": seats,
        "seat": next((one for one in seats if one.direction == found.version.entered_seat), None),
        "rows": both_versions(found, seats),
        "is_record": found.kind != Dispute.Kind.FIGURE,
        "proposed": proposed_for(found),
        "beside": beside_captures(found, [seat.direction for seat in seats]),
        "form": form,
        "crumbs": [
            *crumbs_to(event.tournament, "")[:2],
            (_("Review"), reverse("referee:review", args=[event.tournament.slug])),
            (_("Dispute"), None),
        ],
    }


# -- players at wrong seats


@at_desk
@never_cache
def seats(request: HttpRequest, table: Table) -> HttpResponse:
    """Players found at wrong seats are put right in one step, their deals moving with them."""
    segment, around = _segment_asked(request, table)
    versions = [
        one
        for one in current_versions(table)
        if one.state == one.State.RECORDED and one.deal.segment == segment
    ]
    form = ReseatForm(request.POST or None, seats=around, versions=versions)
    if form.is_valid() and weighs(table.draw.round):
        answer = propose(
            request,
            form,
            table.draw.round,
            kind=Correction.Kind.SEATS,
            change={
                "table": table.number,
                "segment": segment,
                "sat": dict(form.sat),
                "deals": {str(number): version for number, version in form.deals.items()},
            },
            reason=form.cleaned_data["reason"],
        )
        if answer:
            return answer
    elif form.is_valid():

        def work(actor: Any) -> None:
            reseat(
                actor=actor,
                table=table,
                segment=segment,
                sat=form.sat,
                deals=form.deals,
                reason=form.cleaned_data["reason"],
                command_id=form.cleaned_data["command_id"],
            )

        if carried_out(request, form, work):
            messages.success(request, _("The deals are at the seats of those who played them."))
            return redirect("referee:seats", table.pk)
    event = table.draw.round.event
    context = {
        "table": table,
        "round": table.draw.round,
        "event": event,
        "tournament": event.tournament,
        "segment": segment,
        "segments": sorted({seat.segment for seat in table.seats.all()}),
        "versions": versions,
        "playing": table.draw.round.state in (Round.State.PLAYING, Round.State.CLOSED),
        "form": form,
        "reseatings": table.reseatings.select_related("made_by", "undone_by")
        .prefetch_related("deals__before__deal")
        .order_by("-pk"),
        "crumbs": crumbs_to(event.tournament, _("Exchange of seats")),
    }
    return render(request, "referee/board_seats.html", context, status=400 if form.errors else 200)


def _segment_asked(request: HttpRequest, table: Table) -> tuple[int, list[Seat]]:
    """The segment that the address names and who sits there in it; the one shown, if it names none."""
    asked = request.GET.get("segment", "")
    if asked.isascii() and asked.isdigit() and len(asked) < 3:
        around = seats_of(table, int(asked))
        if around:
            return int(asked), around
    shown = segment_shown(table)
    return shown, seats_of(table, shown)


@login_needed
@never_cache
def seats_undo(request: HttpRequest, reseating: int) -> HttpResponse:
    """Takes an exchange of seats back."""
    found = get_object_or_404(
        Reseating.objects.select_related("table__draw__round__event__tournament"), pk=reseating
    )
    event = found.table.draw.round.event
    if not access.can_direct(request.user, event.tournament):
        raise PermissionDenied
    form = ReasonForm(request.POST or None)
    if form.is_valid() and weighs(found.table.draw.round):
        moved = found.deals.select_related("after__deal")
        answer = propose(
            request,
            form,
            found.table.draw.round,
            kind=Correction.Kind.SEATS,
            change={
                "table": found.table.number,
                "segment": found.segment,
                # Who had been taken to have sat elsewhere sat there after all.
                "sat": dict(found.moved),
                "deals": {str(one.after.deal.number): one.after.number for one in moved},
            },
            reason=form.cleaned_data["reason"],
        )
        if answer:
            return answer
    elif form.is_valid():

        def work(actor: Any) -> None:
            undo_reseating(
                actor=actor,
                reseating=found,
                reason=form.cleaned_data["reason"],
                command_id=form.cleaned_data["command_id"],
            )

        if carried_out(request, form, work):
            messages.success(request, _("The deals are back where they were."))
            return redirect("referee:seats", found.table_id)
    context = {
        "reseating": found,
        "table": found.table,
        "round": found.table.draw.round,
        "event": event,
        "tournament": event.tournament,
        "form": form,
        "crumbs": [
            *crumbs_to(event.tournament, "")[:2],
            (_("Exchange of seats"), reverse("referee:seats", args=[found.table_id])),
            (_("Undo"), None),
        ],
    }
    return render(request, "referee/board_seats_undo.html", context, status=400 if form.errors else 200)


# -- what they share


def carried_out(request: HttpRequest, form: CommandForm, work: Callable[[Any], None]) -> bool:
    """Whether the services did it; where they refused, the form shows why."""
    try:
        work(actor_of(request))
    except NotAllowed as refused:
        raise PermissionDenied from refused
    except Refused as refused:
        form.add_refusal(refused)
        if refused.code == "command_id_reused":
            form.renew()
        return False
    return True


def crumbs_to(tournament: Tournament, here: str) -> list[tuple[str, str | None]]:
    """The way to a page of the desk."""
    return [
        (_("My tables"), reverse("referee:home")),
        (_("Board"), reverse("referee:board", args=[tournament.slug])),
        (here, None),
    ]
