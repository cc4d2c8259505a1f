"""The schedule 日程: when rounds are to begin, and what else happens when."""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import Event, Round, ScheduleItem, Tournament
from tournament.queries.page_parts import ANY
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Refused
from tournament.services.locks import lock_round
from tournament.services.permissions import require_organiser
from tournament.services.publish import touch_public_pages
from tournament.services.validation import problems_of, text


def plan_round(*, actor: Actor, round: Round, starts_at: datetime | None) -> Round:
    """Sets when a round is to begin, or takes the time off with None. Saying so twice is no change."""
    event = round.event
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        lock_round(round)
        current = Round.objects.get(pk=round.pk)
        if current.starts_at == starts_at:
            return current
        before = {"round": current.number, "starts_at": _iso(current.starts_at)}
        current.starts_at = starts_at
        current.save(update_fields=["starts_at"])
        record_audit(
            actor=actor,
            action="round.plan",
            subject=current,
            event=event,
            before=before,
            after={"round": current.number, "starts_at": _iso(starts_at)},
        )
        touch_public_pages(event=event, parts=(ANY,))
    return current


def add_schedule_item(
    *,
    actor: Actor,
    tournament: Tournament,
    event: Event | None = None,
    title: str,
    starts_at: datetime,
    ends_at: datetime | None = None,
    place: str = "",
) -> ScheduleItem:
    """Adds a line that is no round, such as the opening or lunch; with ``event`` it is that event's alone.

    Raises NotAllowed; Refused with every fault: no title, an end before the beginning, a foreign event.
    """
    require_organiser(actor, tournament)
    if event is not None and event.tournament_id != tournament.pk:
        raise Refused("other_tournament", _("This event belongs to another tournament."), field="event")
    if ends_at is not None and ends_at < starts_at:
        raise Refused("ends_before", _("It cannot end before it begins."), field="ends_at")
    item = ScheduleItem(
        tournament=tournament,
        event=event,
        title=text(title),
        place=text(place),
        starts_at=starts_at,
        ends_at=ends_at,
    )
    try:
        item.full_clean(exclude=["tournament", "event"], validate_constraints=False)
    except ValidationError as fault:
        raise Refused.for_problems(problems_of(fault)) from fault
    with transaction.atomic():
        item.save()
        _record(actor, item, "schedule.add", before=None, after=_state(item))
    return item


def remove_schedule_item(*, actor: Actor, item: ScheduleItem) -> None:
    """Takes a line off the schedule; what it said stays in the audit trail."""
    require_organiser(actor, item.tournament)
    with transaction.atomic():
        current = ScheduleItem.objects.select_for_update(no_key=True).filter(pk=item.pk).first()
        if current is None:
            return
        _record(actor, current, "schedule.remove", before=_state(current), after=None)
        current.delete()


def _record(actor: Actor, item: ScheduleItem, action: str, *, before: Any, after: Any) -> None:
    record_audit(
        actor=actor,
        action=action,
        subject=item,
        tournament=item.tournament,
        event=item.event,
        before=before,
        after=after,
    )
    for event in [item.event] if item.event else item.tournament.events.all():
        touch_public_pages(event=event, parts=(ANY,))


def _state(item: ScheduleItem) -> dict[str, Any]:
    return {
        "title": item.title,
        "place": item.place,
        "starts_at": _iso(item.starts_at),
        "ends_at": _iso(item.ends_at),
    }


def _iso(when: datetime | None) -> str | None:
    return when and when.isoformat()
