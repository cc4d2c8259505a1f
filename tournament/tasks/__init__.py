"""Work done after a request: preparing public pages, publishing live. Nothing here may hold up a request."""

import logging
from typing import Any

from celery import shared_task
from django.conf import settings
from django.dispatch import receiver
from django.utils import timezone
from kombu.exceptions import KombuError

from referee.services.housekeeping import prune
from tournament.models import Event
from tournament.services.live import publish_marked, results_marked
from tournament.services.publish import pages_changed
from tournament.tasks.pages import prepare_main_pages
from tournament.tasks.soon import Soon

logger = logging.getLogger(__name__)

#: How long a burst of checked deals is waited for, in seconds: each is public a good second later at most.
GATHER = 0.3


@shared_task(name="tournament.prepare_pages", ignore_result=True)
def prepare_pages(event_id: int, round_number: int | None = None, live: bool = False) -> int:
    """Renders the event's main pages after a publication; may run twice, late or never without harm."""
    event = Event.objects.select_related("tournament", "ruleset_version__book").filter(pk=event_id).first()
    return prepare_main_pages(event, round_number, live=live) if event else 0


@receiver(pages_changed)
def prepare_later(event_id: int, round_number: int | None, live: bool, **_: Any) -> None:
    try:
        prepare_pages.delay(event_id, round_number, live)
    except (KombuError, OSError):
        # No broker: the first request for each page renders it.
        logger.warning("no broker: public pages of event %s will be rendered when asked for", event_id)


@shared_task(name="tournament.publish_live", ignore_result=True)
def publish_live(event_id: int) -> int:
    """Publishes what was checked meanwhile; the first of several does the work, the others find none."""
    return publish_marked(event_id=event_id)


@shared_task(name="tournament.prune", ignore_result=True)
def prune_daily() -> None:
    """Throws away what has had its time; `celery beat` asks for it once a day, `make run` at every start."""
    prune(now=timezone.now())


#: Without a broker this process does it, beside the requests.
soon = Soon(lambda event_id: publish_marked(event_id=event_id), wait=GATHER)


@receiver(results_marked)
def publish_soon(event_id: int, **_: Any) -> None:
    if settings.CELERY_TASK_ALWAYS_EAGER:
        soon.call(event_id)
        return
    try:
        publish_live.apply_async((event_id,), countdown=GATHER)
    except (KombuError, OSError):
        logger.warning("no broker: results of event %s are published by this process", event_id)
        soon.call(event_id)
