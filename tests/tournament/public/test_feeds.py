"""Announcements for feed readers and the schedule for calendars: what is public, and only that."""

from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from django.utils import timezone

from tournament.models import Announcement, Event, ScheduleItem

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


def _unfolded(client, slug):
    response = client.get(f"/schedule/{slug}.ics", headers={"accept-language": "en"})
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    text = response.content.decode()
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert "\n" not in text.replace("\r\n", "")
    return text.replace("\r\n ", "").split("\r\n")


@pytest.fixture
def tournament(public_event):
    return public_event.tournament


@pytest.fixture
def hidden(public_event):
    return Event.objects.create(
        tournament=public_event.tournament,
        name="未公布",
        slug="hidden",
        kind=public_event.kind,
        measure=public_event.measure,
        plan={},
        ruleset_version=public_event.ruleset_version,
        visibility=Event.Visibility.HIDDEN,
    )


def test_the_feed_has_the_living_announcements_of_public_events(client, tournament, public_event, hidden):
    Announcement.objects.create(tournament=tournament, title="开饭 <b>", text="五楼 & 六楼")
    Announcement.objects.create(tournament=tournament, event=public_event, title="下一轮")
    Announcement.objects.create(tournament=tournament, event=hidden, title="秘密")
    Announcement.objects.create(tournament=tournament, title="撤回", withdrawn_at=timezone.now())
    response = client.get(f"/announcements/{tournament.slug}.atom")
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(response.content)
    titles = {entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")}
    assert titles == {"开饭 <b>", f"{public_event.name}：下一轮"}
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert len(set(ids)) == 2
    assert all(one.startswith("http://testserver/announcements/") for one in ids)


def test_the_calendar_has_rounds_and_free_items_in_utc(client, tournament, public_event, hidden):
    public_event.rounds.filter(number=2).update(starts_at=datetime(2026, 10, 1, 6, 0, tzinfo=UTC))
    ScheduleItem.objects.create(
        tournament=tournament,
        title="开幕式，请全体选手提前一刻钟到场；" * 3 + "a,b;c\\d\ne",
        place="大礼堂",
        starts_at=datetime(2026, 10, 1, 1, 0, tzinfo=UTC),
        ends_at=datetime(2026, 10, 1, 1, 30, tzinfo=UTC),
    )
    ScheduleItem.objects.create(
        tournament=tournament, event=hidden, title="秘密", starts_at=datetime(2026, 10, 1, 2, 0, tzinfo=UTC)
    )
    lines = _unfolded(client, tournament.slug)
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == 2
    starts = [line for line in lines if line.startswith("DTSTART:")]
    assert starts == ["DTSTART:20261001T010000Z", "DTSTART:20261001T060000Z"]
    assert "DTEND:20261001T013000Z" in lines
    assert any(line.endswith("a\\,b\\;c\\\\d\\ne") for line in lines)
    assert f"SUMMARY:Round 2 · {public_event.name}" in lines
    assert not any("秘密" in line for line in lines)
    ids = [line for line in lines if line.startswith("UID:")]
    assert len(set(ids)) == 2
    assert [line for line in _unfolded(client, tournament.slug) if line.startswith("UID:")] == ids


@pytest.mark.parametrize("address", ["/announcements/nobody.atom", "/schedule/nobody.ics"])
def test_an_unknown_tournament_has_neither(client, address):
    assert client.get(address).status_code == 404
