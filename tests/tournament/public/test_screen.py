"""The screen in the hall: what is published, in slices, and the clock and the announcements of the moment."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.played import drawn_round, played_event, played_round
from tournament.models import Announcement, Event, RoundClock
from tournament.queries.public_screen import hall_now, screen_page
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("entries", [4, 36, 40, 76, 80])
def test_slices_hold_everybody_once_and_none_is_left_nearly_empty(entries):
    event = played_event([f"选手{number}" for number in range(entries)])
    publish(actor=SYSTEM, round=drawn_round(event, 1).round, what="draw")
    slices = screen_page(Published(event))["pairings"]["slices"]
    numbers = [table["number"] for one in slices for table in one["rows"]]
    assert numbers == list(range(1, entries // 4 + 1))
    sizes = [len(one["rows"]) for one in slices]
    assert max(sizes) <= 9
    assert len(sizes) == -(-entries // 36)
    assert all(
        [one["number"], one["of"]] == [place, len(slices)] for place, one in enumerate(slices, start=1)
    )


def test_pairings_give_way_to_standings_once_all_results_are_there():
    event = played_event(["甲", "乙", "丙", "丁"])
    draw = played_round(event, 1, complete=False)
    publish(actor=SYSTEM, round=draw.round, what="draw")
    publish_round(actor=SYSTEM, round=draw.round)
    both = screen_page(Published(event))
    assert both["pairings"] is not None
    assert both["standings"]["after"] == 1
    draw.tables.get().results.update(complete=True)
    publish_round(actor=SYSTEM, round=draw.round)
    after = screen_page(Published(event))
    assert after["pairings"] is None
    assert after["standings"]["complete"]


def test_a_screen_can_be_opened_before_anything_is_published(client):
    event = played_event(["甲", "乙", "丙", "丁"])
    page = client.get(f"/t/{event.tournament.slug}/{event.slug}/screen/")
    assert page.status_code == 200
    assert client.get(f"/t/{event.tournament.slug}/nobody/screen/").status_code == 404


def test_the_clock_is_that_of_the_newest_published_round(client, public_event, base):
    ends = timezone.now() + timedelta(minutes=20)
    for number in (1, 2):
        draw = public_event.rounds.get(number=number).draws.get()
        RoundClock.objects.create(draw=draw, ends_at=ends + timedelta(minutes=number))
    now = client.get(f"{base}screen/now.json")
    assert now.status_code == 200
    assert now["Cache-Control"] == "no-store"
    assert now.json()["round"] == 2
    assert now.json()["ends_at"] == (ends + timedelta(minutes=2)).isoformat()


def test_a_round_not_published_shows_no_clock(public_event):
    drawn = drawn_round(public_event, 3, seed=3, byes=1)
    RoundClock.objects.create(draw=drawn, ends_at=timezone.now())
    assert hall_now(public_event)["round"] == 2
    assert hall_now(public_event)["ends_at"] is None


def test_announcements_are_the_living_ones_of_this_event(public_event):
    tournament = public_event.tournament
    other = Event.objects.create(
        tournament=tournament,
        name="另一项",
        slug="other",
        kind=public_event.kind,
        measure=public_event.measure,
        plan={},
        ruleset_version=public_event.ruleset_version,
    )
    Announcement.objects.create(tournament=tournament, title="开饭", text="五楼" * 200)
    Announcement.objects.create(tournament=tournament, event=public_event, title="下一轮")
    Announcement.objects.create(tournament=tournament, event=other, title="别的项目")
    Announcement.objects.create(tournament=tournament, title="撤了", withdrawn_at=timezone.now())
    found = hall_now(public_event)["announcements"]
    assert {one["title"] for one in found} == {"开饭", "下一轮"}
    assert all(len(one["text"]) <= 240 for one in found)
