"""What becomes public of an event, and when: hidden or shown, by hand or by itself, rounds held back."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import Event, Publication, Round
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Problem, Refused
from tournament.services.live import mark_everything, mark_round
from tournament.services.locks import lock_round
from tournament.services.permissions import require_organiser
from tournament.services.publish import latest_publication, touch_public_pages
from tournament.services.validation import required_reason

What = Publication.What


def set_publicity(*, actor: Actor, event: Event, visibility: str, live: str) -> Event:
    """Decides whether the public may know of the event, and what is published by itself as deals are checked.

    Turning the latter on publishes what has been checked so far in any round. Raises NotAllowed; Refused for
    a choice that does not exist.
    """
    require_organiser(actor, event.tournament)
    faults = [
        Problem("no_such_choice", _("There is no such choice."), {}, name)
        for name, value, choices in (
            ("visibility", visibility, Event.Visibility),
            ("live", live, Event.Live),
        )
        if value not in choices
    ]
    if faults:
        raise Refused.for_problems(faults)
    with transaction.atomic():
        current = (
            Event.objects.select_for_update(of=("self",), no_key=True)
            .select_related("tournament")
            .get(pk=event.pk)
        )
        before = _state(current)
        current.visibility, current.live = visibility, live
        if _state(current) == before:
            return current
        current.save(update_fields=["visibility", "live"])
        record_audit(
            actor=actor,
            action="event.publicity",
            subject=current,
            event=current,
            before=before,
            after=_state(current),
        )
        touch_public_pages(event=current)
        if live not in (before["live"], Event.Live.HAND):
            mark_everything(current)
    return current


def hold_round_back(*, actor: Actor, round: Round, reason: str) -> Round:
    """Keeps results and standings of a round from the public until released, e.g. before a final.

    Raises NotAllowed; Refused without a reason, or where they are public already.
    """
    require_organiser(actor, round.event.tournament)
    reason = required_reason(reason)
    with transaction.atomic():
        current = _locked(round)
        if current.held_back:
            return current
        if any(_is_public(current, what) for what in (What.RESULTS, What.STANDINGS)):
            raise Refused(
                "public_already",
                _("Results or standings of round %(round)s are public: take them off the pages first."),
                {"round": current.number},
            )
        return _set_held_back(actor, current, held_back=True, reason=reason)


def release_round(*, actor: Actor, round: Round) -> Round:
    """Ends the holding back. Nothing is published by it, except in an event that publishes by itself."""
    require_organiser(actor, round.event.tournament)
    with transaction.atomic():
        current = _locked(round)
        if not current.held_back:
            return current
        _set_held_back(actor, current, held_back=False)
        mark_round(current)
    return current


def _locked(round: Round) -> Round:
    lock_round(round)
    return Round.objects.select_related("event__tournament").get(pk=round.pk)


def _is_public(round: Round, what: str) -> bool:
    latest = latest_publication(round, what)
    return latest is not None and not latest.withdrawn


def _set_held_back(actor: Actor, round: Round, *, held_back: bool, reason: str = "") -> Round:
    round.held_back = held_back
    round.save(update_fields=["held_back"])
    record_audit(
        actor=actor,
        action="round.hold_back" if held_back else "round.release",
        subject=round,
        event=round.event,
        before={"held_back": not held_back},
        after={"held_back": held_back, "round": round.number},
        reason=reason,
    )
    touch_public_pages(event=round.event, round=round)
    return round


def _state(event: Event) -> dict[str, Any]:
    return {"visibility": event.visibility, "live": event.live}
