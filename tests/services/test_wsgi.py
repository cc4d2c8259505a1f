"""The entry point of the web server: ready before the first request, and safe to be copied into workers."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

LOADED = """
import json, sys
import config.wsgi
from django.db import connections
print(json.dumps({
    "pages": all(name in sys.modules for name in ("referee.api", "referee.views", "tournament.urls.public")),
    "connected": connections["default"].connection is not None,
}))
"""


def _run(code: str, data: Path) -> str:
    """What a process of its own says: settings of a real site, a data folder of its own and no broker."""
    elsewhere = {"DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL"}
    own = {name: value for name, value in os.environ.items() if name not in elsewhere}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=ROOT,
        env=own
        | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "HUAPAI_DATA": str(data),
            "HUAPAI_SECRETS": str(data),
            "SITE_HTTPS": "0",
            "ALLOWED_HOSTS": "testserver",
            "DEBUG": "1",  # static files without collectstatic
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout


def test_pages_are_read_before_the_first_request_and_no_connection_is_left_for_workers_to_share(
    tmp_path: Path,
) -> None:
    assert json.loads(_run(LOADED, tmp_path)) == {"pages": True, "connected": False}


LEFT = """
import json, sys, threading
import config.wsgi
from django.core.management import call_command
from django.test import RequestFactory
call_command("migrate", verbosity=0)
from tests.tournament.public.live_event import checked, live_event, results_of, tables_of
from tournament import tasks
from tournament.services.live import results_marked
results_marked.disconnect(tasks.publish_soon)  # the process that is to publish it is killed before it does
event = live_event()
checked(tables_of(event)[0], 1)
results_marked.connect(tasks.publish_soon)
found = [results_of(event).count()]
environment = RequestFactory().get("/").environ
for _ in range(2):
    answer = config.wsgi.application(environment, lambda status, headers: None)
    answer.close()
    turns = [one for one in threading.enumerate() if one.name.startswith("soon-")]
    for one in turns:
        one.join(10)
    found += [len(turns), results_of(event).count()]
print(json.dumps(found))
"""


def test_a_checked_deal_that_a_killed_worker_left_is_published_with_the_next_ones_first_request(
    tmp_path: Path,
) -> None:
    assert json.loads(_run(LEFT, tmp_path)) == [0, 1, 1, 0, 1]
