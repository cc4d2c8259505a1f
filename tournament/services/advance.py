"""Advancing to a further stage: confirmed once, in the order of the seeds."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import Draw, Entry, Event, Stage, StageEntry
from tournament.queries.advancement import advancement_preview, stage_before
from tournament.queries.draw_sources import stage_entries
from tournament.services.audit import Actor, record_audit
from tournament.services.constraints import entries_by_number
from tournament.services.errors import Problem, Refused
from tournament.services.events import least_entries
from tournament.services.permissions import require_organiser
from tournament.services.publish import touch_public_pages
from tournament.services.validation import required_reason, text


def confirm_advancement(
    *, actor: Actor, stage: Stage, numbers: Sequence[int], reason: str = ""
) -> list[StageEntry]:
    """These entries, by their numbers, play in the stage; the first has the first seed.

    Takes the place of an earlier confirmation. A reason is needed where they are not those, or not in the
    order, that the standings give, and while a tie or a missing result leaves somebody's place open.

    Raises NotAllowed; Refused with every fault, or once a round of the stage is drawn.
    """
    event = stage.event
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        current = _locked(stage)
        entries = entries_by_number(event, numbers, "numbers")
        faults = _faults(current, numbers, entries)
        if faults:
            raise Refused.for_problems(faults)
        preview = advancement_preview(current, len(entries))
        as_ranked = preview.numbers == tuple(entry.number for entry in entries)
        if not (as_ranked and preview.settled) and not text(reason):
            raise Refused(
                "advance_reason",
                _("State a reason: a place is open, or these are not those whom the standings give.")
                if not preview.settled
                else _("State a reason: these are not those, or not in the order, that the standings give."),
                field="reason",
            )
        kept = required_reason(reason) if text(reason) else ""
        before = _members(current)
        current.members.all().delete()
        rows = StageEntry.objects.bulk_create(
            StageEntry(stage=current, entry=entry, place=place)
            for place, entry in enumerate(entries, start=1)
        )
        record_audit(
            actor=actor,
            action="stage.advance",
            subject=current,
            event=event,
            before={"numbers": before},
            after={"numbers": _members(current), "as_ranked": as_ranked, "settled": preview.settled},
            reason=kept,
        )
        touch_public_pages(event=event)
    return rows


def withdraw_advancement(*, actor: Actor, stage: Stage, reason: str) -> None:
    """Nobody has advanced to the stage any more. Raises Refused without a reason or once a round is drawn."""
    event = stage.event
    require_organiser(actor, event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        current = _locked(stage)
        before = _members(current)
        if not before:
            return
        current.members.all().delete()
        record_audit(
            actor=actor,
            action="stage.advance_withdraw",
            subject=current,
            event=event,
            before={"numbers": before},
            after={"numbers": []},
            reason=kept,
        )
        touch_public_pages(event=event)


def _locked(stage: Stage) -> Stage:
    Event.objects.select_for_update(no_key=True).get(pk=stage.event_id)
    current = (
        Stage.objects.select_for_update(of=("self",), no_key=True)
        .select_related("event__tournament")
        .get(pk=stage.pk)
    )
    if stage_before(current) is None:
        raise Refused("first_stage", _("Everybody plays in the first stage: nobody advances to it."))
    drawn = Draw.objects.filter(round__stage=current).exclude(state=Draw.State.WITHDRAWN)
    if drawn.exists():
        raise Refused(
            "stage_drawn", _("A round of this stage is drawn: withdraw its draws before changing who plays.")
        )
    return current


def _faults(stage: Stage, numbers: Sequence[int], entries: Sequence[Entry]) -> list[Problem]:
    faults = []
    if len(set(numbers)) < len(numbers):
        twice = sorted({number for number in numbers if list(numbers).count(number) > 1})
        faults.append(
            Problem(
                "number_twice",
                _("These numbers stand twice: %(numbers)s."),
                {"numbers": ", ".join(map(str, twice))},
                "numbers",
            )
        )
    before = stage_before(stage)
    eligible = {
        entry.pk
        for entry in (stage_entries(before) if before else ())
        if entry.status == Entry.Status.ACTIVE and not entry.house
    }
    strangers = [entry.number for entry in entries if entry.pk not in eligible]
    if strangers:
        faults.append(
            Problem(
                "not_eligible",
                _("These did not play in the stage before, or have withdrawn: %(numbers)s."),
                {"numbers": ", ".join(map(str, strangers))},
                "numbers",
            )
        )
    least = least_entries(stage.event.kind)
    if len(entries) < least:
        faults.append(
            Problem("too_few_advance", _("At least %(least)s must advance."), {"least": least}, "numbers")
        )
    return faults


def _members(stage: Stage) -> list[int]:
    return list(stage.members.order_by("place").values_list("entry__number", flat=True))
