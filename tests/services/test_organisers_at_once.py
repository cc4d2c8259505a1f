"""Organisers, referees and tablets who write of one event at the same moment, on PostgreSQL with real
threads: nobody is failed, and what is stored holds together.
"""

import threading
from random import Random

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from tests.played import random_record
from tests.services.threads import start
from tests.tournament.api.conftest import Sender, make_scene
from tournament import tasks
from tournament.api.schema import whole_schema
from tournament.models import Event
from tournament.queries.audit_chain import check_chain
from tournament.services.live import publish_marked, results_marked
from tournament.services.publish import pages_changed

pytestmark = pytest.mark.django_db(transaction=True)

THREADS, TURNS = 8, 12
WHY = {"reason": "x"}
FIRST, NEXT, TABLE = "/rounds/1", "/rounds/2", "/rounds/1/tables/"
#: What begins with the event, a round, a table, an entry, a stage or the tournament, and goes on to others.
WRITES = [
    ("post", f"{TABLE}2/deals/1/record", {"record": random_record(Random(5)), "entered_seat": "N"}),
    ("post", f"{TABLE}1/call", {"seat": "E"}),
    ("post", f"{TABLE}1/stop", WHY),
    ("post", f"{TABLE}1/resume", WHY),
    ("post", "/penalties", {"entry": 1, "round": 1, "rule": "x", "points": -5, "reason": "x"}),
    ("post", f"{FIRST}/publish", {"what": "results"}),
    ("post", f"{FIRST}/release", {}),
    ("post", f"{FIRST}/close", {"override_reason": "x"}),
    ("post", f"{FIRST}/reopen", WHY),
    ("post", f"{NEXT}/draw", {}),
    ("post", f"{NEXT}/draw/withdraw", WHY),
    ("put", f"{NEXT}/terms", {}),
    ("post", "/bulk/clear", {"from_round": 2, "with_deals": True, **WHY}),
    ("post", "/entries/3/rulings", {"annul_from": 1, **WHY}),
    ("patch", "/entries/5", {"club": "c"}),
    ("put", "/stages/1", {"name": "y"}),
    ("post", "/stages", {"format": "random", "rounds": 1, "name": "x"}),
]


@pytest.fixture
def scene():
    """What is published by itself, the tests' own threads publish."""
    assert connection.vendor == "postgresql", "DATABASE_URL must name a PostgreSQL server for this test"
    whole_schema()  # what the senders hold answers to
    made = make_scene(planned_rounds=3)
    Event.objects.update(live=Event.Live.STANDINGS)
    results_marked.disconnect(tasks.publish_soon)
    pages_changed.disconnect(tasks.prepare_later)
    yield made
    results_marked.connect(tasks.publish_soon)
    pages_changed.connect(tasks.prepare_later)


def test_all_who_write_of_one_event_at_once_are_answered_and_what_is_stored_holds_together(scene):
    secret = scene.token()[1]
    gate = threading.Barrier(THREADS)

    def write(number):
        chance = Random(number)
        desk = Sender(secret, scene.of_event, Client())
        gate.wait()
        for _turn in range(TURNS):
            if chance.random() < 0.1:  # of the tournament, and of every event of it
                whole = Sender(secret, scene.base.rstrip("/"), desk.client)
                whole.send("patch", "", {"venue": str(chance.random())}, headers={"if-match": "*"})
                continue
            if chance.random() < 0.1:
                publish_marked(event_id=scene.event.pk)
                continue
            method, path, body = chance.choice(WRITES)
            desk.send(method, path, body, headers={"if-match": "*"})

    # A deadlock is raised by the client of the thread that met it.
    assert start(*(lambda number=number: write(number) for number in range(THREADS)))() == []
    assert check_chain(scene.tournament).findings == ()
    call_command("recompute", all=True)
