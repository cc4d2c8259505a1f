"""One Idempotency-Key sent several times at the same moment, on PostgreSQL with real threads: done once."""

import json
import threading

import pytest
from django.db import connection
from django.test import Client

from tests.services.threads import start
from tests.tournament.api.conftest import make_scene
from tournament.models import ApiAnswer

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = 4


@pytest.fixture
def scene():
    assert connection.vendor == "postgresql", "DATABASE_URL must name a PostgreSQL server for this test"
    return make_scene()


def _all_at_once(scene, bodies, key="registration-1"):
    """Sends the bodies as new entries under one key; the answers, in the order given."""
    secret = scene.token()[1]
    gate = threading.Barrier(len(bodies))
    answers = [None] * len(bodies)

    def send(place, body):
        gate.wait()
        answers[place] = Client().post(
            f"{scene.of_event}/entries",
            json.dumps(body),
            content_type="application/json",
            headers={"authorization": f"Bearer {secret}", "idempotency-key": key},
        )

    works = [lambda place=place, body=body: send(place, body) for place, body in enumerate(bodies)]
    assert start(*works)() == []
    return answers


def test_one_request_sent_several_times_at_once_is_done_once_and_answered_every_time(scene):
    known = scene.event.entries.count()
    answers = _all_at_once(scene, [{"name": "王小明"}] * TIMES)
    assert [one.status_code for one in answers] == [201] * TIMES
    assert len({one.json()["number"] for one in answers}) == 1
    assert sum("Idempotency-Replayed" in one.headers for one in answers) == TIMES - 1
    assert scene.event.entries.count() == known + 1
    assert ApiAnswer.objects.count() == 1


def test_of_different_requests_with_one_key_at_once_one_is_done_and_the_others_are_refused(scene):
    known = scene.event.entries.count()
    answers = _all_at_once(scene, [{"name": f"王{number}"} for number in range(TIMES)])
    assert sorted(one.status_code for one in answers) == [201] + [422] * (TIMES - 1)
    assert {one.json()["errors"][0]["code"] for one in answers if one.status_code == 422} == {"key_reused"}
    assert scene.event.entries.count() == known + 1


def test_a_key_whose_first_request_is_refused_is_free_for_those_that_waited(scene):
    known = scene.event.entries.count()
    answers = _all_at_once(scene, [{"name": ""}, {"name": "王小明"}])
    assert [one.status_code for one in answers] == [422, 201]
    assert scene.event.entries.count() == known + 1
