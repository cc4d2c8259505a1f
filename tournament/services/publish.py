"""Publishing the draw, results and standings of a round, each in numbered versions, and taking them off.

A publication holds what was true and checked at that moment; later changes reach the public with the next
version. Public pages are rendered from publications after the transaction (see tournament.tasks).
"""

from collections.abc import Collection
from datetime import datetime
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.dispatch import Signal
from django.utils.translation import gettext_lazy as _

from tournament.models import Event, Publication, PublicPart, Round
from tournament.queries.page_parts import ANY, FRAME, changed_parts, stated_parts
from tournament.queries.payloads import draw_payload, published_draw, results_payload
from tournament.queries.publication_digest import publication_digest
from tournament.queries.published import Published
from tournament.queries.results_sheet import results_sheet
from tournament.queries.standings_payload import standings_payload
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Refused
from tournament.services.locks import lock_event
from tournament.services.permissions import require_organiser
from tournament.services.protest_time import stated_by_event

What = Publication.What

#: Sent after the commit of anything that changes public pages, with ``event_id``, ``round_number`` (None:
#: all rounds) and ``live`` (published by itself: the next change may be a second away). Receivers may fail
#: freely: pages not prepared are rendered when first asked for.
pages_changed = Signal()

_NOTE_LENGTH = Publication._meta.get_field("note").max_length


def publish(
    *, actor: Actor, round: Round, what: str, note: str = "", final_at: datetime | None = None
) -> Publication:
    """Publishes a round's draw, results or standings as its next version.

    Unchecked deals are left out. Publishing what is already public, unchanged, adds no version and returns
    the one there is, so a request may arrive twice; what was published by itself (see services.live) becomes
    a version of the organiser's. ``note`` says what changed and why. Until ``final_at`` the version is
    called provisional, from then on final; None leaves it to the event's time
    for appeals, which begins anew with each version.

    Raises NotAllowed; Refused if the draw is not published, the round is held back, there is no checked deal
    (nor bye) to show, or results that the standings need are not published; Conflict if another version came
    in between.
    """
    event = round.event
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        lock_event(event)
        payload = payload_of(round, What(what))
        latest = latest_publication(round, what)
        by_hand = latest is not None and not latest.withdrawn and not latest.live
        if by_hand and latest.payload == payload and final_at in (None, latest.final_at):
            return latest
        until = final_at or stated_by_event(event, what)
        return _store(actor, round, what, payload, note=note, final_at=until)


def publish_round(
    *, actor: Actor, round: Round, note: str = "", final_at: datetime | None = None
) -> tuple[Publication, Publication]:
    """Publishes the results of a round and the standings after it, together or not at all."""
    with transaction.atomic():
        results = publish(actor=actor, round=round, what=What.RESULTS, note=note, final_at=final_at)
        standings = publish(actor=actor, round=round, what=What.STANDINGS, note=note, final_at=final_at)
        return results, standings


def withdraw_publication(*, actor: Actor, publication: Publication, reason: str) -> Publication:
    """Takes a matter off the public pages by a version that says so. The earlier versions stay on record.

    Does nothing if it is off already. Raises NotAllowed; Refused without a reason.
    """
    event = publication.event
    require_organiser(actor, event.tournament)
    if not reason.strip():
        raise Refused("reason_missing", _("State a reason."), field="reason")
    with transaction.atomic():
        lock_event(event)
        latest = latest_publication(publication.round, publication.what)
        if latest is None or latest.withdrawn:
            return latest or publication
        return _store(actor, publication.round, publication.what, {}, note=reason, withdrawn=True)


def withdraw_everything(*, actor: Actor, round: Round, reason: str) -> list[Publication]:
    """Takes draw, results and standings of a round off the public pages, as far as they are on."""
    with transaction.atomic():
        found = [latest_publication(round, what) for what in (What.STANDINGS, What.RESULTS, What.DRAW)]
        return [
            withdraw_publication(actor=actor, publication=one, reason=reason)
            for one in found
            if one is not None and not one.withdrawn
        ]


def touch_public_pages(
    *,
    event: Event,
    round: Round | None = None,
    parts: Collection[str] = (FRAME,),
    live: bool = False,
) -> None:
    """Voids stored pages of the event: to be called within the transaction of any change that they show.

    ``parts`` (tournament.queries.page_parts) are what has changed; unless told otherwise, every page.
    ``round`` tells which round's pages are likely to be asked for first, ``live`` that nobody pressed a
    button.
    """
    Event.objects.filter(pk=event.pk).update(public_version=F("public_version") + 1)
    version = Event.objects.values_list("public_version", flat=True).get(pk=event.pk)
    PublicPart.objects.bulk_create(
        [PublicPart(event=event, name=name, version=version) for name in sorted({ANY, *parts})],
        update_conflicts=True,
        unique_fields=["event", "name"],
        update_fields=["version"],
    )
    number = round.number if round else None
    transaction.on_commit(partial(_announce, event.pk, number, live), robust=True)


def latest_publication(round: Round, what: str) -> Publication | None:
    """The newest version of a matter, also one that took it off the pages; None where there never was one."""
    return Publication.objects.filter(round=round, what=what).order_by("-version").first()


def parts_of_publication(publication: Publication, before: Publication | None) -> set[str]:
    """What a new version changes of the public pages, against the version before it."""
    if before is None or before.withdrawn or publication.withdrawn:
        return {FRAME}  # every page leads to what there is
    what, number = publication.what, publication.round.number
    parts = changed_parts(what, number, before.payload, publication.payload)
    return parts | stated_parts(what, number, publication.payload)


def _announce(event_id: int, round_number: int | None, live: bool) -> None:
    pages_changed.send_robust(sender=Publication, event_id=event_id, round_number=round_number, live=live)


def _store(
    actor: Actor,
    round: Round,
    what: str,
    payload: dict[str, Any],
    *,
    note: str,
    withdrawn: bool = False,
    final_at: datetime | None = None,
) -> Publication:
    event = round.event
    before = latest_publication(round, what)
    newest = before.version if before else None
    try:
        with transaction.atomic():
            publication = Publication.objects.create(
                event=event,
                round=round,
                what=what,
                version=(newest or 0) + 1,
                payload=payload,
                sheet=results_sheet(what, payload),
                note=note.strip()[:_NOTE_LENGTH],
                withdrawn=withdrawn,
                final_at=final_at,
                published_by=actor.user,
            )
    except IntegrityError as fault:
        raise Conflict(
            "published_meanwhile", _("Somebody else has published this meanwhile. Look again.")
        ) from fault
    record_audit(
        actor=actor,
        action="publication.withdraw" if withdrawn else "publication.publish",
        subject=publication,
        event=event,
        before={"version": newest},
        after={
            "what": what,
            "round": round.number,
            "version": publication.version,
            "final_at": final_at and final_at.isoformat(),
            "digest": publication_digest(payload, withdrawn),
        },
        reason=publication.note,
    )
    touch_public_pages(event=event, round=round, parts=parts_of_publication(publication, before))
    return publication


def payload_of(round: Round, what: What) -> dict[str, Any]:
    """What a publication of the matter would hold now. Raises Refused as ``publish`` does."""
    draw = published_draw(round)
    if draw is None:
        raise Refused(
            "draw_not_published",
            _("The pairings of round %(round)s are not published yet."),
            {"round": round.number},
        )
    if what == What.DRAW:
        return draw_payload(draw)
    if Round.objects.filter(pk=round.pk, held_back=True).exists():
        raise Refused(
            "held_back",
            _("Round %(round)s is held back: its results and standings are not published until released."),
            {"round": round.number},
        )
    if what == What.RESULTS:
        payload = results_payload(draw)
        known = any(table["deals"] or table["decided"] or table["walkover"] for table in payload["tables"])
        if not payload["byes"] and not known:
            raise Refused(
                "nothing_checked",
                _("Round %(round)s has no checked deal yet: there is nothing to publish."),
                {"round": round.number},
            )
        return payload
    _require_results(round)
    return standings_payload(round.event, round.number)


def _require_results(round: Round) -> None:
    """Standings are the sum of published results: the public can check every figure."""
    published = Published(round.event)
    drawn = published.rounds(What.DRAW)
    have = published.rounds(What.RESULTS)
    lacking = [number for number in drawn if number <= round.number and number not in have]
    if lacking:
        raise Refused(
            "results_not_published",
            _("First publish the results of these rounds: %(rounds)s."),
            {"rounds": ", ".join(map(str, lacking))},
        )
