"""Announcements 公告: written, changed, pinned, withdrawn, put up again; each act audited."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.models import Announcement, Event, Tournament
from tournament.queries.page_parts import HOME
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Refused
from tournament.services.permissions import require_organiser
from tournament.services.publish import touch_public_pages
from tournament.services.validation import problems_of, text


def post_announcement(
    *,
    actor: Actor,
    tournament: Tournament,
    event: Event | None = None,
    title: str,
    body: str = "",
    pinned: bool = False,
) -> Announcement:
    """Puts up an announcement of the tournament, or of one of its events. It is public at once.

    Raises NotAllowed; Refused without a title, or for an event of another tournament.
    """
    require_organiser(actor, tournament)
    if event is not None and event.tournament_id != tournament.pk:
        raise Refused("other_tournament", _("This event belongs to another tournament."), field="event")
    with transaction.atomic():
        made = Announcement(tournament=tournament, event=event, author=actor.user)
        _fill(made, title, body, pinned=pinned)
        _record(actor, made, "announcement.post", None)
    return made


def edit_announcement(
    *, actor: Actor, announcement: Announcement, title: str, body: str = "", pinned: bool = False
) -> Announcement:
    """Changes an announcement; its page says when it was last changed. Raises as ``post_announcement``, and
    Refused once it is withdrawn.
    """
    require_organiser(actor, announcement.tournament)
    with transaction.atomic():
        current = _locked(announcement)
        if current.withdrawn_at is not None:
            raise Refused("withdrawn", _("This announcement has been withdrawn."))
        before = _state(current)
        said = (current.title, current.text)
        _fill(current, title, body, pinned=pinned)
        if _state(current) != before:
            if (current.title, current.text) != said:  # pinning is no news
                current.edited_at = timezone.now()
                current.save(update_fields=["edited_at"])
            _record(actor, current, "announcement.edit", before)
    return current


def withdraw_announcement(*, actor: Actor, announcement: Announcement) -> Announcement:
    """Takes an announcement off the pages; it stays on record. Doing so again changes nothing."""
    require_organiser(actor, announcement.tournament)
    with transaction.atomic():
        current = _locked(announcement)
        if current.withdrawn_at is None:
            before = _state(current)
            current.withdrawn_at = timezone.now()
            current.save(update_fields=["withdrawn_at"])
            _record(actor, current, "announcement.withdraw", before)
    return current


def restore_announcement(*, actor: Actor, announcement: Announcement) -> Announcement:
    """Puts a withdrawn announcement up again as it was. Doing so again changes nothing."""
    require_organiser(actor, announcement.tournament)
    with transaction.atomic():
        current = _locked(announcement)
        if current.withdrawn_at is not None:
            before = _state(current)
            current.withdrawn_at = None
            current.save(update_fields=["withdrawn_at"])
            _record(actor, current, "announcement.restore", before)
    return current


def _locked(announcement: Announcement) -> Announcement:
    rows = Announcement.objects.select_for_update(of=("self",), no_key=True).select_related("tournament")
    return rows.get(pk=announcement.pk)


def _fill(announcement: Announcement, title: str, body: str, *, pinned: bool) -> None:
    announcement.title = text(title)
    # Paragraphs stay; everything else is made fit to store line by line.
    announcement.text = "\n".join(text(line) for line in body.strip().splitlines())
    announcement.pinned = pinned
    try:
        announcement.full_clean(exclude=["tournament", "event", "author", "edited_at", "withdrawn_at"])
    except ValidationError as fault:
        raise Refused.for_problems(problems_of(fault)) from fault
    announcement.save()


def _record(actor: Actor, announcement: Announcement, action: str, before: dict[str, Any] | None) -> None:
    record_audit(
        actor=actor,
        action=action,
        subject=announcement,
        tournament=announcement.tournament,
        event=announcement.event,
        before=before,
        after=_state(announcement),
    )
    for event in [announcement.event] if announcement.event else announcement.tournament.events.all():
        touch_public_pages(event=event, parts=(HOME,))


def _state(announcement: Announcement) -> dict[str, Any]:
    return {
        "title": announcement.title,
        "text": announcement.text,
        "pinned": announcement.pinned,
        "withdrawn": announcement.withdrawn_at is not None,
    }
