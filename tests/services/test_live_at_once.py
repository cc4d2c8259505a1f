"""Live publication on PostgreSQL with real threads, and through a real broker: nothing old, nothing lost."""

import io
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from openpyxl import load_workbook

from config.celery import app
from tests.factories import actor, make_user
from tests.services.threads import start
from tests.tournament.public.live_event import checked, live_event, results_of, tables_of
from tournament import tasks
from tournament.models import Event, PublishedPage, Table, WorkbookOrder
from tournament.queries.published import Published
from tournament.services.live import publish_marked, results_marked
from tournament.services.publish import pages_changed
from tournament.tasks import workbooks
from tournament.tasks.pages import LANGUAGES, render_page

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parent.parent.parent
DEALS, READERS = 6, 3


@pytest.fixture
def event():
    """Whatever is published here, the tests' own threads publish."""
    assert connection.vendor == "postgresql", "DATABASE_URL must name a PostgreSQL server for this test"
    results_marked.disconnect(tasks.publish_soon)
    pages_changed.disconnect(tasks.prepare_later)
    yield live_event()
    results_marked.connect(tasks.publish_soon)
    pages_changed.connect(tasks.prepare_later)


def test_nobody_is_served_less_than_was_public_before_they_asked(event):
    public = {1: 0, 2: 0}
    over = threading.Event()
    address = f"/t/{event.tournament.slug}/{event.slug}/round/1/deals.json"

    def play(table):
        for number in range(1, DEALS + 1):
            checked(table, number)
            publish_marked(event_id=event.pk)
            public[table.number] = number  # by us or by the other thread
        if set(public.values()) == {DEALS}:
            over.set()

    answers = []

    def read():
        client = Client()
        until = time.monotonic() + 60
        while not over.is_set() and time.monotonic() < until:
            least = dict(public)
            response = client.get(address)
            shown = {1: 0, 2: 0}
            for row in response.json()["rows"] if response.status_code == 200 else ():
                shown[row["table"]] += 1
            answers.append(response.status_code)
            assert all(shown[table] >= count for table, count in least.items()), (shown, least)

    first, second = tables_of(event)
    assert start(lambda: play(first), lambda: play(second), *[read] * READERS, seconds=120)() == []
    assert answers.count(200) > READERS
    assert not Table.objects.filter(draw__round__event=event, live_pending__isnull=False).exists()


def test_a_page_stored_while_somebody_published_is_never_an_old_one(event):
    first, second = tables_of(event)
    base = f"/t/{event.tournament.slug}/{event.slug}/"
    over = threading.Event()

    def play():
        try:
            for number in range(1, DEALS + 1):
                for table in (first, second):
                    checked(table, number)
                    publish_marked(event_id=event.pk)
        finally:
            over.set()

    def read(language):
        client = Client(headers={"accept-language": language})
        while not over.is_set():
            client.get(f"{base}round/1/")

    assert start(play, *(lambda one=one: read(one) for one in LANGUAGES), seconds=120)() == []
    fresh = Event.objects.select_related("tournament", "ruleset_version__book").get(pk=event.pk)
    for language in LANGUAGES:
        served = Client(headers={"accept-language": language}).get(f"{base}round/1/").content.decode()
        assert served == render_page(Published(fresh), "round", {"number": 1}, language)
    assert PublishedPage.objects.filter(path=f"{base}round/1/").count() == len(LANGUAGES)


# --- through a broker -----------------------------------------------------------------------------------


@pytest.fixture
def worker(tmp_path):
    """A Celery worker of its own process, on the tests' database and broker."""
    assert not settings.CELERY_TASK_ALWAYS_EAGER, "CELERY_BROKER_URL must name a Redis server for this test"
    given = connection.settings_dict
    address = f"postgres://{given['USER']}@{given['HOST']}:{given['PORT'] or 5432}/{given['NAME']}"
    app.control.purge()
    log = tmp_path / "worker.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "config.celery", "worker", "--pool=solo", "-l", "info"],
            cwd=ROOT,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "DATABASE_URL": address},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    yield log
    process.terminate()
    process.wait(timeout=30)


def _wait_for(shown, event, count, seconds):
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        if shown(event) == count:
            return time.monotonic() - began
        time.sleep(0.02)
    return None


def test_a_checked_deal_is_published_by_a_worker_within_two_seconds(worker, monkeypatch):
    assert connection.vendor == "postgresql", "DATABASE_URL must name a PostgreSQL server for this test"
    monkeypatch.setattr(tasks.soon, "call", lambda _event: pytest.fail("published without the broker"))
    event = live_event()
    table = tables_of(event)[0]

    def shown(event):
        found = results_of(event).first()
        return len(found.payload["tables"][0]["deals"]) if found else 0

    checked(table, 1)
    assert _wait_for(shown, event, 1, seconds=60), worker.read_text()  # the worker starts
    waited = []
    for number in range(2, 6):
        checked(table, number)
        waited.append(_wait_for(shown, event, number, seconds=20))
    assert None not in waited, worker.read_text()
    assert min(waited) < 2, waited
    assert results_of(event).get().minor == 4


def test_a_workbook_is_made_by_a_worker_and_a_checked_deal_published_by_the_same(worker, monkeypatch):
    """What is ordered while the worker starts waits for it; nothing is done by the process that asks."""
    monkeypatch.setattr(tasks.soon, "call", lambda _event: pytest.fail("published without the broker"))
    event = live_event()
    table = tables_of(event)[0]
    order = workbooks.order_workbook(
        actor=actor(make_user("organiser", event.tournament)), tournament=event.tournament, language="en"
    )
    assert WorkbookOrder.objects.get(pk=order.pk).state in ("waiting", "working")

    def state(_event):
        return WorkbookOrder.objects.values_list("state", flat=True).get(pk=order.pk)

    assert _wait_for(state, event, "ready", seconds=60), worker.read_text()
    made = WorkbookOrder.objects.get(pk=order.pk)
    assert load_workbook(io.BytesIO(bytes(made.content))).sheetnames[:3] == [
        "Events",
        "Medals",
        "Prize winners",
    ]
    assert (made.done, made.steps) == (9, 10)
    checked(table, 1)
    assert _wait_for(lambda one: results_of(one).count(), event, 1, seconds=60), worker.read_text()
