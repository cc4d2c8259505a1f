"""Publication by itself 实时公布: what the public may see follows the checked deals, without anybody's hand.

A change at a table marks it within the transaction of that change. After the commit ``publish_marked`` is
called (by tournament.tasks), once for a burst of changes: tables that were marked are read anew, the rest of
the payload is carried over, and the round's live version is carried on in place.
"""

import logging
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.dispatch import Signal
from django.utils import timezone

from tournament.models import Draw, Event, Publication, Round, Table
from tournament.queries.page_parts import changed_parts
from tournament.queries.payloads import published_draw, results_payload
from tournament.queries.results_sheet import results_sheet
from tournament.services.audit import SYSTEM, record_audit
from tournament.services.errors import Refused
from tournament.services.locks import lock_event
from tournament.services.protest_time import stated_by_event
from tournament.services.publish import (
    latest_publication,
    parts_of_publication,
    payload_of,
    touch_public_pages,
)

logger = logging.getLogger(__name__)

What = Publication.What

#: Sent after the commit of a change that an event with live publication will show, with ``event_id``.
results_marked = Signal()

#: How often a payload is made anew because somebody published while it was made.
_ATTEMPTS = 5


def mark_table(table: Table) -> None:
    """Notes that something of a table has changed; within the transaction of that change. Costs nothing where
    the organiser publishes by hand.
    """
    round = table.draw.round
    if round.event.live != Event.Live.HAND:
        # Of the round nothing is written: its tables would wait for each other.
        Table.objects.filter(pk=table.pk).update(live_pending=uuid4())
        transaction.on_commit(partial(_announce, round.event_id), robust=True)


def mark_everything(event: Event) -> None:
    """Notes that nothing of the event has been published by itself yet, or not for a while."""
    rounds = list(
        event.rounds.select_for_update(no_key=True).order_by("number")
    )  # before their tables: services.locks
    tables = Table.objects.filter(draw__round__event=event, draw__state=Draw.State.PUBLISHED)
    tables.update(live_pending=uuid4())
    shown = set(tables.values_list("draw__round", flat=True))
    for round in [one for one in rounds if one.pk in shown]:
        round.event = event
        mark_round(round)


def mark_round(round: Round) -> None:
    """The same as for a table, for what belongs to the round and to no table, such as a penalty."""
    if round.event.live != Event.Live.HAND:
        Round.objects.filter(pk=round.pk).update(live_pending=uuid4())
        transaction.on_commit(partial(_announce, round.event_id), robust=True)


def publish_marked(*, event_id: int) -> int:
    """Publishes what was marked since the last time; returns how many matters have changed.

    Rounds that are held back, or of which there is nothing to show, are passed over. May run at the same time
    in several processes, twice or late: nothing is published that is not so, and no newer version is replaced
    by an older one.
    """
    events = Event.objects.select_related("tournament").exclude(live=Event.Live.HAND)
    event = events.filter(pk=event_id).first()
    if event is None:
        return 0
    published = 0
    tables = Table.objects.filter(draw__round=OuterRef("pk"), live_pending__isnull=False)
    marked = event.rounds.filter(Q(live_pending__isnull=False) | Exists(tables))
    for round in marked.order_by("number"):
        round.event = event
        published += _publish_round(round)
    return published


def announce_waiting() -> None:
    """Announces once more every event in which something waits for publication: whoever was to publish it
    may have died on the way. Does no harm where somebody is about to.
    """
    rounds = Round.objects.filter(event=OuterRef("pk"), live_pending__isnull=False)
    tables = Table.objects.filter(draw__round__event=OuterRef("pk"), live_pending__isnull=False)
    waiting = Event.objects.exclude(live=Event.Live.HAND).filter(Exists(rounds) | Exists(tables))
    for event_id in waiting.values_list("pk", flat=True):
        _announce(event_id)


def _announce(event_id: int) -> None:
    results_marked.send_robust(sender=Round, event_id=event_id)


def _publish_round(round: Round) -> int:
    # Marks are read before the facts and go when all is stored, those that are still the same: whatever is
    # changed meanwhile is marked anew, and a process that dies on the way leaves them for the next turn.
    tables = Table.objects.filter(draw__round=round, live_pending__isnull=False)
    marks = {pk: (number, mark) for pk, number, mark in tables.values_list("pk", "number", "live_pending")}
    published = _carry_on_all(round, {number for number, _mark in marks.values()})
    with transaction.atomic():
        for pk, (_number, mark) in marks.items():
            _unmark(Table.objects.filter(pk=pk), mark)
        _unmark(Round.objects.filter(pk=round.pk), round.live_pending)
    return published


def _unmark(rows: QuerySet[Any], mark: UUID | None) -> None:
    """Takes a mark off unless there is a newer one, also one whose transaction goes on."""
    if mark is not None:
        still = rows.filter(live_pending=mark).select_for_update(no_key=True, skip_locked=True)
        rows.filter(pk__in=list(still.values_list("pk", flat=True))).update(live_pending=None)


def _carry_on_all(round: Round, changed: set[int]) -> int:
    draw = published_draw(round)
    if draw is None or Round.objects.filter(pk=round.pk, held_back=True).exists():
        return 0
    published = 0
    try:
        published += _carry_on(round, draw, What.RESULTS, changed)
        if round.event.live == Event.Live.STANDINGS:
            published += _carry_on(round, draw, What.STANDINGS, changed)
    except Refused as refused:
        logger.info("event %s, round %s: not published by itself: %s", round.event_id, round.number, refused)
    return published


def _carry_on(round: Round, draw: Draw, what: What, changed: set[int]) -> bool:
    for _attempt in range(_ATTEMPTS):
        latest = latest_publication(round, what)
        living = latest is not None and not latest.withdrawn
        if what == What.RESULTS and living and latest.live:
            payload = results_payload(draw, changed=changed, before=latest.payload)
        else:
            payload = payload_of(round, what)
        if living and latest.payload == payload:
            return False
        with transaction.atomic():
            lock_event(round.event)
            if not _stands(round, draw):
                return False
            if _newest_state(round, what) == (latest and (latest.version, latest.minor)):
                _store(round, what, payload, latest)
                return True
    raise RuntimeError(f"round {round.pk}: published by others {_ATTEMPTS} times while its results were read")


def _newest_state(round: Round, what: What) -> tuple[int, int] | None:
    """Version and minor of the newest version, without its payload."""
    rows = Publication.objects.filter(round=round, what=what).order_by("-version")
    return rows.values_list("version", "minor").first()


def _stands(round: Round, draw: Draw) -> bool:
    """Whether what the payload was made from may still be published."""
    return (
        Round.objects.filter(pk=round.pk, held_back=False).exclude(event__live=Event.Live.HAND).exists()
        and Draw.objects.filter(pk=draw.pk, state=Draw.State.PUBLISHED).exists()
    )


def _store(round: Round, what: What, payload: dict, latest: Publication | None) -> None:
    event = round.event
    if latest is not None and latest.live and not latest.withdrawn:
        before = latest.payload
        latest.payload = payload
        latest.sheet = results_sheet(what, payload)
        latest.minor += 1
        latest.published_at = timezone.now()
        latest.final_at = _final_at(event, what, latest)
        latest.save(update_fields=["payload", "sheet", "minor", "published_at", "final_at"])
        parts = changed_parts(what, round.number, before, payload)
    else:
        made = Publication.objects.create(
            event=event,
            round=round,
            what=what,
            version=(latest.version if latest else 0) + 1,
            payload=payload,
            sheet=results_sheet(what, payload),
            live=True,
            final_at=_final_at(event, what, latest),
        )
        # One row for the live version; what it says follows the deals, and each of these has its own rows.
        record_audit(
            actor=SYSTEM,
            action="publication.live",
            subject=made,
            event=event,
            before={"version": latest.version if latest else None},
            after={"what": what, "round": round.number, "version": made.version},
        )
        parts = parts_of_publication(made, latest)
    touch_public_pages(event=event, round=round, parts=parts, live=True)


def _final_at(event: Event, what: What, latest: Publication | None) -> datetime | None:
    """Nothing is said of results in the middle of play. What changes after the round was ended with a time of
    which it was said is a correction: the time for appeals begins anew.
    """
    said = latest is not None and not latest.withdrawn and latest.final_at is not None
    return stated_by_event(event, what) if said else None
