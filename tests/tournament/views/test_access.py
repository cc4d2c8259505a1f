"""The organiser's pages: what is not there, and no way shown that is closed (who may: tests/who_may.py)."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_user
from tests.test_access_walk import ADDRESSES, scene  # noqa: F401
from tests.who_may import WHO_MAY

pytestmark = pytest.mark.django_db


def test_event_of_another_tournament_is_not_found(scene):  # noqa: F811
    other = make_event(slug="elsewhere")

    answer = scene.client("organiser").get(
        reverse("manage:event", kwargs={"tournament": "cup", "event": other.slug})
    )

    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("entry", {"number": 99}), ("round", {"round": 99}), ("penalty_cancel", {"penalty": 9999})],
)
def test_what_does_not_exist_is_not_found(scene, name, wrong):  # noqa: F811
    arguments = dict(ADDRESSES)[f"manage:{name}"]
    values = {key: {**scene.values, **wrong}[key] for key in arguments}

    assert scene.client("organiser").get(reverse(f"manage:{name}", kwargs=values)).status_code == 404


@pytest.mark.parametrize(
    "name", ["tournament", "event", "entries", "rounds", "round", "penalties", "standings"]
)
def test_chief_referee_sees_no_button_that_is_refused(scene, name):  # noqa: F811
    arguments = dict(ADDRESSES)
    page = scene.client("chief").get(scene.address(f"manage:{name}", arguments[f"manage:{name}"]))
    assert page.status_code == 200
    text = page.content.decode()
    refused = [
        other
        for other, its in ADDRESSES
        if other.startswith("manage:") and "chief" not in WHO_MAY[other]
        if f'"{scene.address(other, its)}"' in text
    ]
    assert not refused


@pytest.mark.parametrize("name", ["event", "rounds"])
def test_chief_referee_is_led_to_the_round_where_the_draw_is_the_organisers(name):
    event = make_event(planned_rounds=2)
    client = Client()
    client.force_login(make_user("chief_referee", event.tournament))
    at = [event.tournament.slug, event.slug]
    page = client.get(reverse(f"manage:{name}", args=at)).content.decode()
    for number in (1, 2):
        assert reverse("manage:draw", args=[*at, number]) not in page
        assert client.get(reverse("manage:round", args=[*at, number])).status_code == 200
