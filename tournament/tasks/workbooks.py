"""Result workbooks made beside the requests: ordered, made with progress told, kept for a day, deleted."""

import logging
from datetime import timedelta

from celery import shared_task
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import KombuError

from referee.models import Deal
from tournament.excel.writing import result_workbook, tournament_workbook
from tournament.models import Event, Tournament, WorkbookOrder
from tournament.services.audit import Actor
from tournament.services.permissions import require_director

logger = logging.getLogger(__name__)
_State = WorkbookOrder.State

#: An event with more deals is not written while somebody waits for the answer.
MOST_DEALS_AT_ONCE = 3000
#: How long a finished file is kept.
KEPT = timedelta(days=1)
#: Without a sign of life for so long, whoever made it is gone.
LOST_AFTER = timedelta(minutes=10)


def is_large(event: Event) -> bool:
    """Whether the event's workbook takes longer than a request should."""
    return Deal.objects.filter(table__draw__round__event=event).count() > MOST_DEALS_AT_ONCE


def order_workbook(
    *, actor: Actor, tournament: Tournament, event: Event | None = None, language: str
) -> WorkbookOrder:
    """Orders the result workbook of an event, or of the whole tournament; one already under way is taken.

    Files that have expired are deleted on the way. Raises NotAllowed: neither chief referee nor organiser.
    """
    require_director(actor, tournament)
    now = timezone.now()
    WorkbookOrder.objects.filter(
        Q(expires_at__lte=now) | Q(expires_at=None, sign_of_life__lte=now - KEPT)
    ).delete()
    alike = {"tournament": tournament, "event": event, "language": language}
    under_way = WorkbookOrder.objects.filter(
        **alike, state__in=(_State.WAITING, _State.WORKING), sign_of_life__gt=now - LOST_AFTER
    )
    found = under_way.first()
    if found is not None:
        return found
    order = WorkbookOrder.objects.create(**alike, ordered_by=actor.user)
    transaction.on_commit(lambda: _hand_over(order.pk))
    return order


@shared_task(name="tournament.make_workbook", ignore_result=True)
def make_workbook(order_id: int) -> None:
    """Makes an ordered workbook; a second call for the same order does nothing."""
    orders = WorkbookOrder.objects.filter(pk=order_id)
    if not orders.filter(state=_State.WAITING).update(state=_State.WORKING, sign_of_life=timezone.now()):
        return
    order = orders.select_related("tournament", "event__tournament").get()

    def tell(done: int, steps: int) -> None:
        orders.update(done=done, steps=steps, sign_of_life=timezone.now())

    try:
        content = (
            result_workbook(order.event, order.language, tell)
            if order.event is not None
            else tournament_workbook(order.tournament, order.language, tell)
        )
    except Exception:
        # Whatever it was, whoever waits is told, and the fault is in the log.
        logger.exception("workbook order %s could not be carried out", order_id)
        orders.update(state=_State.FAILED, expires_at=timezone.now() + KEPT)
        return
    orders.update(state=_State.READY, content=content, expires_at=timezone.now() + KEPT)


def lost(order: WorkbookOrder) -> bool:
    """Whether nobody works on an unfinished order any more."""
    unfinished = order.state in (_State.WAITING, _State.WORKING)
    return unfinished and order.sign_of_life <= timezone.now() - LOST_AFTER


def _hand_over(order_id: int) -> None:
    try:
        make_workbook.delay(order_id)
    except (KombuError, OSError):
        logger.warning("no broker: workbook order %s is carried out by this process", order_id)
        make_workbook(order_id)
