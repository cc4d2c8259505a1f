"""Changes of many things at once, each shown beforehand, on record as one, and undone as one."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import AuditRow, Draw, Entry, Event, Publication, Round
from tournament.queries.draws import living_draw
from tournament.queries.next_step import current_publications
from tournament.services import publish
from tournament.services.audit import Actor, record_audit
from tournament.services.constraints import entries_by_number
from tournament.services.draw import withdraw_draw
from tournament.services.entries import return_entry, withdraw_entry
from tournament.services.errors import Conflict, Problem, Refused
from tournament.services.permissions import require_organiser
from tournament.services.results import update_draw_results
from tournament.services.validation import required_reason

WITHDRAW = "bulk.withdraw"
CLEAR = "bulk.clear"
UNDO = "bulk.undo"


def withdraw_many(*, actor: Actor, event: Event, numbers: Sequence[int], reason: str) -> AuditRow:
    """Withdraws all these entries, by their numbers, or none. The row it returns can be undone.

    Those withdrawn already stay so, and are not brought back by undoing. Raises NotAllowed; Refused without a
    reason, for numbers not entered, or if all have withdrawn already.
    """
    require_organiser(actor, event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        entries = [
            entry
            for entry in entries_by_number(event, numbers, "numbers")
            if entry.status == Entry.Status.ACTIVE
        ]
        if not entries:
            raise Refused("nothing_to_do", _("All of these have withdrawn already."), field="numbers")
        for entry in entries:
            withdraw_entry(actor=actor, entry=entry, reason=kept)
        return record_audit(
            actor=actor,
            action=WITHDRAW,
            subject=event,
            event=event,
            after={"numbers": [entry.number for entry in entries]},
            reason=kept,
        )


def clear_rounds(
    *, actor: Actor, event: Event, from_round: int, reason: str, with_deals: bool = False
) -> AuditRow:
    """Withdraws the draws of a round and of all that follow. The row it returns can be undone.

    Penalties stay. Deals recorded there no longer count, for which ``with_deals`` must be set. Raises
    NotAllowed; Refused without a reason, naming every closed round, or if nothing is drawn.
    """
    require_organiser(actor, event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        rounds = list(event.rounds.filter(number__gte=from_round).order_by("-number"))
        closed = [one.number for one in rounds if one.state == Round.State.CLOSED]
        if closed:
            raise Refused.for_problems(
                Problem("round_closed", _("Round %(round)s is closed: reopen it first."), {"round": number})
                for number in sorted(closed)
            )
        published = current_publications(event)
        done = []
        for round in rounds:
            draw = living_draw(round)
            if draw is None:
                continue
            done.append(
                {
                    "round": round.number,
                    "draw": draw.number,
                    "state": draw.state,
                    "round_state": round.state,
                    "reason": draw.reason,
                    "public": sorted(what for (pk, what) in published if pk == round.pk),
                }
            )
            withdraw_draw(actor=actor, draw=draw, reason=kept, with_deals=with_deals)
        if not done:
            raise Refused(
                "nothing_to_do", _("From round %(round)s on nothing is drawn."), {"round": from_round}
            )
        return record_audit(
            actor=actor, action=CLEAR, subject=event, event=event, after={"draws": done}, reason=kept
        )


def undo_bulk(*, actor: Actor, event: Event, row: AuditRow, reason: str) -> AuditRow:
    """Takes back a change of many things. Raises NotAllowed; Refused without a reason; Conflict if it was
    taken back before, or if things have moved on.
    """
    require_organiser(actor, event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        if row.event_id != event.pk or row.action not in (WITHDRAW, CLEAR):
            raise Refused("not_bulk", _("This change cannot be undone here."))
        if is_undone(row):
            raise Conflict("undone_already", _("This has been undone already."))
        if row.action == WITHDRAW:
            _take_back(actor, event, row.after["numbers"], kept)
        else:
            # The earlier round first: a draw knows those before it.
            for one in sorted(row.after["draws"], key=lambda one: one["round"]):
                _restore(actor, event, one, kept)
        return record_audit(
            actor=actor,
            action=UNDO,
            subject=row,
            event=event,
            before={"action": row.action, "at": row.at.isoformat()},
            reason=kept,
        )


def is_undone(row: AuditRow) -> bool:
    """Whether a change of many things was taken back.

    Found by its time, which an archive keeps; on another site the row has another id.
    """
    return AuditRow.objects.filter(event=row.event, action=UNDO, before__at=row.at.isoformat()).exists()


def bulk_changes(event: Event, most: int = 10) -> list[tuple[AuditRow, bool]]:
    """The latest changes of many things, each with whether it was undone."""
    rows = AuditRow.objects.filter(event=event, action__in=(WITHDRAW, CLEAR)).order_by("-id")[:most]
    undone = set(AuditRow.objects.filter(event=event, action=UNDO).values_list("before__at", flat=True))
    return [(row, row.at.isoformat() in undone) for row in rows]


def _take_back(actor: Actor, event: Event, numbers: Sequence[int], reason: str) -> None:
    for entry in event.entries.filter(number__in=numbers, status=Entry.Status.WITHDRAWN).order_by("number"):
        return_entry(actor=actor, entry=entry, reason=reason)


def _restore(actor: Actor, event: Event, one: dict[str, Any], reason: str) -> None:
    """Brings a withdrawn draw back to the state it had, with its results and what was public of it."""
    round = Round.objects.select_for_update(no_key=True).get(event=event, number=one["round"])
    draw = Draw.objects.get(round=round, number=one["draw"])
    if living_draw(round) is not None:
        raise Conflict(
            "drawn_since", _("Round %(round)s has been drawn anew since."), {"round": round.number}
        )
    if draw.state != Draw.State.WITHDRAWN:
        raise Conflict("draw_not_withdrawn", _("The draw of round %(round)s is not withdrawn."), one)
    draw.state, draw.reason, draw.withdrawn_at = one["state"], one["reason"], None
    draw.save(update_fields=["state", "reason", "withdrawn_at"])
    round.state = one["round_state"]
    round.save(update_fields=["state"])
    record_audit(
        actor=actor,
        action="draw.restore",
        subject=draw,
        event=event,
        before={"state": Draw.State.WITHDRAWN},
        after={"state": draw.state},
        reason=reason,
    )
    if draw.state == Draw.State.PUBLISHED:
        update_draw_results(draw)
        order = [what for what in Publication.What if what in one["public"]]
        for what in order:
            publish.publish(actor=actor, round=round, what=what, note=reason)
