"""The organiser's pages of what the public sees, announcements and the schedule."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_user
from tests.played import drawn_round, played_event, played_round
from tournament.models import Announcement, Publication, ScheduleItem
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    made = played_event(list("甲乙丙丁"))
    draw = played_round(made, 1, deals=1)
    publish(actor=SYSTEM, round=draw.round, what=Publication.What.DRAW)
    drawn_round(made, 2)
    return made


@pytest.fixture
def client(client, event):
    client.force_login(make_user("organiser", event.tournament))
    return client


def _post(client, name, event, values, prefix="", **more):
    slugs = {"tournament": event.tournament.slug}
    if name in ("publicity", "round_hold_back", "round_release", "publish"):
        slugs["event"] = event.slug
    sent = {f"{prefix}{key}": value for key, value in {**values, "command_id": uuid4()}.items()}
    return client.post(reverse(f"manage:{name}", kwargs=slugs | more), sent)


def test_visibility_and_live_publication_are_chosen(client, event):
    assert _post(client, "publicity", event, {"visibility": "hidden", "live": "results"}).status_code == 302
    event.refresh_from_db()
    assert (event.visibility, event.live) == ("hidden", "results")
    assert _post(client, "publicity", event, {"visibility": "x", "live": "results"}).status_code == 400


def test_a_round_is_held_back_and_released(client, event):
    round = event.rounds.get(number=1)
    answer = _post(client, "round_hold_back", event, {"round": round.pk, "reason": "决赛"})
    assert answer.status_code == 302
    page = client.get(answer.headers["Location"]).content.decode()
    assert (
        reverse(
            "manage:round_release",
            kwargs={"tournament": event.tournament.slug, "event": event.slug, "round": 1},
        )
        in page
    )
    refused = _post(client, "publish", event, {}, prefix="results-", round=1, what="results")
    assert refused.status_code == 400
    _post(client, "round_release", event, {}, round=1)
    assert _post(client, "publish", event, {}, prefix="results-", round=1, what="results").status_code == 302


def test_results_are_published_provisionally_by_minutes_or_by_a_time_of_the_tournaments_zone(client, event):
    publication = Publication.objects.filter(event=event, what="results")
    _post(client, "publish", event, {"final_minutes": 30}, prefix="results-", round=1, what="results")
    assert timedelta(minutes=28) < publication.last().final_at - timezone.now() <= timedelta(minutes=30)
    local = (timezone.now() + timedelta(days=1)).astimezone(event.tournament.tz)
    values = {"final_at": local.strftime("%Y-%m-%dT18:30"), "note": "x"}
    _post(client, "publish", event, values, prefix="results-", round=1, what="results")
    assert publication.last().final_at.astimezone(event.tournament.tz).strftime("%d %H:%M") == (
        local.strftime("%d 18:30")
    )


def test_both_or_a_time_gone_by_are_refused_at_the_field(client, event):
    values = {"final_minutes": 30, "final_at": "2090-01-01T12:00"}
    answer = _post(client, "publish", event, values, prefix="results-", round=1, what="results")
    assert answer.status_code == 400
    answer = _post(
        client, "publish", event, {"final_at": "2001-01-01T12:00"}, prefix="results-", round=1, what="results"
    )
    assert answer.status_code == 400
    assert not Publication.objects.filter(event=event, what="results").exists()


def test_an_announcement_is_written_changed_and_withdrawn(client, event):
    answer = _post(client, "announcements", event, {"title": "开幕", "body": "九点", "pinned": "on"})
    assert answer.status_code == 302
    made = Announcement.objects.get()
    home = reverse("tournament", kwargs={"tournament": event.tournament.slug})
    assert "九点" in client.get(home).content.decode()
    _post(client, "announcement", event, {"title": "开幕", "body": "十点"}, announcement=made.pk)
    assert "十点" in client.get(home).content.decode()
    own = client.get(f"{home}{event.slug}/").content.decode()
    assert "十点" in own
    _post(client, "announcement_withdraw", event, {}, announcement=made.pk)
    assert "十点" not in client.get(home).content.decode()
    assert "十点" not in client.get(f"{home}{event.slug}/").content.decode()


def test_what_is_announced_is_text_and_no_markup(client, event):
    _post(client, "announcements", event, {"title": "<b>x</b>", "body": "<script>alert(1)</script>"})
    html = client.get(reverse("announcements", kwargs={"tournament": event.tournament.slug})).content.decode()
    assert "<script>alert" not in html
    assert "&lt;b&gt;" in html


def test_the_schedule_takes_rounds_and_other_lines(client, event):
    round = event.rounds.get(number=2)
    _post(client, "schedule_round", event, {"round": round.pk, "starts_at": "2026-12-05T14:00"})
    _post(client, "schedule", event, {"title": "午餐", "starts_at": "2026-12-05T12:00", "place": "二楼"})
    html = client.get(reverse("schedule", kwargs={"tournament": event.tournament.slug})).content.decode()
    assert "14:00" in html
    assert "午餐" in html
    assert html.index("午餐") < html.index("14:00")
    round.refresh_from_db()
    assert round.starts_at.astimezone(event.tournament.tz).hour == 14
    _post(client, "schedule_remove", event, {}, item=ScheduleItem.objects.get().pk)
    html = client.get(reverse("schedule", kwargs={"tournament": event.tournament.slug})).content.decode()
    assert "午餐" not in html


def test_a_round_of_another_tournament_cannot_be_planned(client, event):
    other = played_event(["甲"]).rounds.get(number=1)
    answer = _post(client, "schedule_round", event, {"round": other.pk, "starts_at": "2026-12-05T14:00"})
    assert answer.status_code == 400
