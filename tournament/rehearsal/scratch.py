"""A database that exists only in memory, in the place of the site's, while something is tried out."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.utils import load_backend

from tournament import tasks
from tournament.services.publish import pages_changed

_ENGINE = "django.db.backends.sqlite3"


_empty: list[bytes] = []
"""The migrated database before anything is in it: a process that tries out more migrates once."""


@contextmanager
def scratch_database() -> Iterator[None]:
    """An empty, migrated database in memory is this thread's database within the block; then it is gone.

    No page is prepared meanwhile: a worker that was told to would look for the event in the site's database.
    """
    site = connections[DEFAULT_DB_ALIAS]
    settings = {
        **site.settings_dict,
        "ENGINE": _ENGINE,
        "NAME": ":memory:",
        "OPTIONS": {},
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": False,
    }
    scratch = load_backend(_ENGINE).DatabaseWrapper(settings, DEFAULT_DB_ALIAS)
    connections[DEFAULT_DB_ALIAS] = scratch
    pages_changed.disconnect(tasks.prepare_later)
    # Ids of content types are remembered by process; here they may be others than the site's.
    ContentType.objects.clear_cache()
    try:
        _make_tables(scratch)
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = site
        pages_changed.connect(tasks.prepare_later)
        ContentType.objects.clear_cache()
        scratch.close()
        # Django keeps a database in memory open through close(), for its tests' sake.
        if scratch.connection is not None:
            scratch.connection.close()


def _make_tables(scratch: Any) -> None:
    scratch.ensure_connection()
    if _empty:
        scratch.connection.deserialize(_empty[0])
        return
    call_command("migrate", verbosity=0, interactive=False)
    _empty.append(scratch.connection.serialize())
