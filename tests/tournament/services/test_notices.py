"""Announcements and the schedule: who may, what is kept, what the public reads."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.factories import actor, make_event, make_tournament, make_user
from tournament.models import Announcement, AuditRow, Event, ScheduleItem
from tournament.queries.notices import public_announcements, public_schedule, whole_schedule
from tournament.services.audit import SYSTEM
from tournament.services.errors import NotAllowed, Refused
from tournament.services.notices import (
    edit_announcement,
    post_announcement,
    restore_announcement,
    withdraw_announcement,
)
from tournament.services.publicity import set_publicity
from tournament.services.schedule import add_schedule_item, plan_round, remove_schedule_item

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 12, 5, 4, 0, tzinfo=UTC)  # 12:00 in Shanghai


@pytest.fixture
def event():
    made = make_event(entries=4)
    return set_publicity(actor=SYSTEM, event=made, visibility="shown", live="hand")


def _post(place, title="开幕", **fields):
    return post_announcement(actor=SYSTEM, tournament=place.tournament, title=title, **fields)


def test_pinned_ones_stand_first_then_the_newest(event):
    _post(event, "一")
    pinned = _post(event, "二", pinned=True)
    last = _post(event, "三")
    shown = public_announcements(event.tournament)
    assert [one.title for one in shown] == ["二", "三", "一"]
    edit_announcement(actor=SYSTEM, announcement=pinned, title="二", pinned=False)
    withdraw_announcement(actor=SYSTEM, announcement=last)
    assert [one.title for one in public_announcements(event.tournament)] == ["二", "一"]


def test_an_event_shows_its_own_and_the_tournaments(event):
    other = make_event(tournament=event.tournament)
    _post(event, "all")
    _post(event, "own", event=event)
    _post(event, "other", event=other)
    assert {one.title for one in public_announcements(event.tournament, event)} == {"all", "own"}
    # The other event is being set up: the public does not know of it.
    assert {one.title for one in public_announcements(event.tournament)} == {"all", "own"}


def test_only_organisers_announce_and_plan(event):
    stranger = actor(make_user("chief_referee", event.tournament))
    with pytest.raises(NotAllowed):
        post_announcement(actor=stranger, tournament=event.tournament, title="x")
    with pytest.raises(NotAllowed):
        add_schedule_item(actor=stranger, tournament=event.tournament, title="x", starts_at=NOON)
    with pytest.raises(NotAllowed):
        plan_round(actor=stranger, round=event.rounds.first(), starts_at=NOON)
    assert not Announcement.objects.exists()
    assert not ScheduleItem.objects.exists()


@pytest.mark.parametrize("title", ["", "  ", "\u200b"])
def test_an_announcement_has_a_title(event, title):
    with pytest.raises(Refused) as caught:
        _post(event, title)
    assert caught.value.field == "title"


def test_an_event_of_another_tournament_is_refused(event):
    with pytest.raises(Refused):
        post_announcement(actor=SYSTEM, tournament=make_tournament(), event=event, title="x")
    with pytest.raises(Refused):
        add_schedule_item(actor=SYSTEM, tournament=make_tournament(), event=event, title="x", starts_at=NOON)


def test_paragraphs_stay_and_pinning_is_no_news(event):
    made = _post(event, body="第一段\n\n第二段")
    assert made.text == "第一段\n\n第二段"
    made = edit_announcement(actor=SYSTEM, announcement=made, title=made.title, body=made.text, pinned=True)
    assert made.edited_at is None
    made = edit_announcement(actor=SYSTEM, announcement=made, title="改期", body=made.text, pinned=True)
    assert made.edited_at is not None


def test_what_is_withdrawn_is_not_changed_any_more(event):
    made = _post(event)
    withdraw_announcement(actor=SYSTEM, announcement=made)
    withdraw_announcement(actor=SYSTEM, announcement=made)
    with pytest.raises(Refused):
        edit_announcement(actor=SYSTEM, announcement=made, title="x")
    actions = list(AuditRow.objects.order_by("id").values_list("action", flat=True))
    assert actions[-2:] == ["announcement.post", "announcement.withdraw"]


def test_what_was_taken_down_can_be_put_up_again(event):
    made = _post(event, body="第一段", pinned=True)
    restore_announcement(actor=SYSTEM, announcement=made)  # it is up: nothing changes
    withdraw_announcement(actor=SYSTEM, announcement=made)
    stranger = actor(make_user("chief_referee", event.tournament))
    with pytest.raises(NotAllowed):
        restore_announcement(actor=stranger, announcement=made)
    assert public_announcements(event.tournament) == []
    restore_announcement(actor=SYSTEM, announcement=made)
    (shown,) = public_announcements(event.tournament)
    assert (shown.pk, shown.text, shown.pinned) == (made.pk, "第一段", True)
    actions = list(AuditRow.objects.order_by("id").values_list("action", flat=True))
    assert actions[-2:] == ["announcement.withdraw", "announcement.restore"]


def test_the_schedule_goes_by_the_tournaments_days(event):
    plan_round(actor=SYSTEM, round=event.rounds.get(number=1), starts_at=NOON + timedelta(hours=1))
    for title, hours in (("午餐", 0), ("夜间复盘", 12)):  # 24:00 in Shanghai is the next day there
        add_schedule_item(
            actor=SYSTEM, tournament=event.tournament, title=title, starts_at=NOON + timedelta(hours=hours)
        )
    days = public_schedule(event.tournament)
    assert [(day.day.day, [line.title or line.round.number for line in day.lines]) for day in days] == [
        (5, ["午餐", 1]),
        (6, ["夜间复盘"]),
    ]


def test_times_of_a_hidden_event_are_the_organisers_alone(event):
    plan_round(actor=SYSTEM, round=event.rounds.get(number=1), starts_at=NOON)
    set_publicity(actor=SYSTEM, event=event, visibility=Event.Visibility.HIDDEN, live="hand")
    assert public_schedule(event.tournament) == []
    assert len(whole_schedule(event.tournament)) == 1


def test_a_time_is_taken_off_by_none_and_repeating_adds_no_row(event):
    round = event.rounds.get(number=1)
    for when in (NOON, NOON, None, None):
        plan_round(actor=SYSTEM, round=round, starts_at=when)
    assert AuditRow.objects.filter(action="round.plan").count() == 2
    assert public_schedule(event.tournament) == []


def test_an_end_before_the_beginning_is_refused(event):
    with pytest.raises(Refused) as caught:
        add_schedule_item(
            actor=SYSTEM,
            tournament=event.tournament,
            title="x",
            starts_at=NOON,
            ends_at=NOON - timedelta(minutes=1),
        )
    assert caught.value.field == "ends_at"


def test_a_removed_line_stays_in_the_audit_trail(event):
    item = add_schedule_item(actor=SYSTEM, tournament=event.tournament, title="午餐", starts_at=NOON)
    remove_schedule_item(actor=SYSTEM, item=item)
    remove_schedule_item(actor=SYSTEM, item=item)
    row = AuditRow.objects.get(action="schedule.remove")
    assert (row.before["title"], row.after) == ("午餐", None)
