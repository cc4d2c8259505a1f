"""WSGI entry point (gunicorn config.wsgi --preload)."""

import logging
import os
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.signals import request_started
from django.core.wsgi import get_wsgi_application
from django.db import DatabaseError

logger = logging.getLogger(__name__)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
# Django reads the pages' code with the first request: seconds in which a whole hall would wait. Read here, it
# is there before anybody asks, and a worker replaced in the middle of a round has it from its parent.
import_module(settings.ROOT_URLCONF)


def _take_up(**_: Any) -> None:
    """With a worker's first request: publishes what one that was killed has left unpublished.

    Not earlier: a thread or a connection of the parent's would not survive the fork.
    """
    from tournament.services.live import announce_waiting

    try:
        announce_waiting()
    except DatabaseError:
        logger.exception("what waits for publication could not be read; the next request tries again")
        return
    request_started.disconnect(_take_up)


request_started.connect(_take_up)
