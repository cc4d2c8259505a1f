"""Rulings on an entry: disqualified 取消资格, results annulled 成绩作废 from a round on; lifted again.

What was played stays on record; standings and draws leave out what is annulled
(tournament.queries.entry_rulings).
"""

from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.models import EntryRuling
from referee.services.penalty_faults import storable
from tournament.models import Entry, Event
from tournament.points import show_points
from tournament.services.audit import Actor, record_audit
from tournament.services.entries import return_entry, withdraw_entry
from tournament.services.errors import Conflict, Refused
from tournament.services.live import mark_everything
from tournament.services.permissions import require_organiser
from tournament.services.validation import required_reason


def rule_on_entry(
    *,
    actor: Actor,
    entry: Entry,
    unranked: bool,
    annul_from: int | None,
    opponents: str = EntryRuling.Opponents.PLAYED,
    opponents_points: int | Fraction = 0,
    reason: str,
) -> EntryRuling:
    """Rules on an entry, in place of an earlier ruling. ``annul_from`` None keeps all its results.

    Whoever is ``unranked`` stands last without a rank and is drawn no more. ``opponents`` says what those who
    met it in an annulled round have: their results as played, or ``opponents_points`` each, in the event's
    measure. Raises NotAllowed; Refused if nothing is ruled, without a reason, or for a round the event does
    not have.
    """
    event = entry.event
    require_organiser(actor, event.tournament)
    kept = required_reason(reason)
    if not unranked and annul_from is None:
        raise Refused(
            "nothing_ruled",
            _("State what the ruling is: without a rank, results annulled, or both."),
            field="unranked",
        )
    if annul_from is not None and not event.rounds.filter(number=annul_from).exists():
        raise Refused(
            "no_such_round", _("There is no round %(round)s."), {"round": annul_from}, field="annul_from"
        )
    if not storable(opponents_points):
        raise Refused("points_fraction", _("This is not a number of points."), field="opponents_points")
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        current = Entry.objects.select_related("event__tournament").get(pk=entry.pk)
        before = ruling_in_force(current)
        withdrew = before.withdrew if before else False
        if before:
            _lift(actor, before, kept)
        if unranked and current.status == Entry.Status.ACTIVE:
            withdraw_entry(actor=actor, entry=current, reason=kept)
            withdrew = True
        made = EntryRuling.objects.create(
            entry=current,
            unranked=unranked,
            annul_from=annul_from,
            opponents=opponents,
            opponents_points=opponents_points,
            withdrew=withdrew,
            reason=kept,
            made_by=actor.user,
        )
        record_audit(
            actor=actor,
            action="entry.rule",
            subject=current,
            event=event,
            before=before and ruling_state(before),
            after=ruling_state(made),
            reason=kept,
        )
        mark_everything(event)
    return made


def lift_entry_ruling(*, actor: Actor, entry: Entry, reason: str) -> None:
    """The ruling in force no longer holds: the entry's results count, and it is ranked and drawn again.

    Raises NotAllowed; Conflict where no ruling is in force; Refused without a reason.
    """
    event = entry.event
    require_organiser(actor, event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        ruling = ruling_in_force(entry)
        if ruling is None:
            raise Conflict("no_ruling", _("No ruling on this entry is in force."))
        _lift(actor, ruling, kept)
        if ruling.withdrew and ruling.entry.status == Entry.Status.WITHDRAWN:
            # Unless somebody let it take part again before.
            return_entry(actor=actor, entry=ruling.entry, reason=kept)
        record_audit(
            actor=actor,
            action="entry.rule_lift",
            subject=ruling.entry,
            event=event,
            before=ruling_state(ruling),
            after=None,
            reason=kept,
        )
        mark_everything(event)


def restore_entry_ruling(*, actor: Actor, entry: Entry, made_at: datetime | None, reason: str) -> EntryRuling:
    """Rules again what was ruled at a time and lifted since. Raises as ``rule_on_entry`` does."""
    old = EntryRuling.objects.get(entry=entry, made_at=made_at)
    return rule_on_entry(
        actor=actor,
        entry=entry,
        unranked=old.unranked,
        annul_from=old.annul_from,
        opponents=old.opponents,
        opponents_points=old.opponents_points,
        reason=reason,
    )


def ruling_in_force(entry: Entry) -> EntryRuling | None:
    """The ruling on an entry that has not been lifted."""
    found = EntryRuling.objects.filter(entry=entry, lifted_at=None)
    return found.select_related("entry__event__tournament").first()


def ruling_state(ruling: EntryRuling) -> dict[str, Any]:
    """The ruling for the audit trail."""
    return {
        "unranked": ruling.unranked,
        "annul_from": ruling.annul_from,
        "opponents": str(ruling.opponents),
        "opponents_points": show_points(ruling.opponents_points),
    }


def _lift(actor: Actor, ruling: EntryRuling, reason: str) -> None:
    ruling.lifted_by, ruling.lifted_at, ruling.lift_reason = actor.user, timezone.now(), reason
    ruling.save(update_fields=["lifted_by", "lifted_at", "lift_reason"])
