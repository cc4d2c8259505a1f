"""What has had its time is thrown away; nothing younger, and nothing that bears on a result."""

from datetime import timedelta
from importlib import import_module
from io import StringIO
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from config.celery import app
from referee.models import Device, JoinAttempt, ReceivedCommand, TableCard
from referee.services.housekeeping import KEPT, prune
from tests.factories import make_user
from tournament import tasks
from tournament.models import ApiAnswer, ApiToken, WorkbookOrder

pytestmark = pytest.mark.django_db


def _answer(hall, at):
    token, _made = ApiToken.objects.get_or_create(
        tournament=hall.event.tournament,
        name="报名系统",
        defaults={"purpose": "read", "user": hall.organiser.user, "digest": "d", "expires_at": at},
    )
    ApiAnswer.objects.create(token=token, key=str(uuid4()), digest="x", made_at=at)


def _command(hall, at):
    made = ReceivedCommand.objects.create(id=uuid4(), action="a", digest="x", status=200, answer={})
    ReceivedCommand.objects.filter(pk=made.pk).update(received_at=at)


def _attempt(hall, at):
    made = JoinAttempt.objects.create(code="x", good=False)
    JoinAttempt.objects.filter(pk=made.pk).update(at=at)


def _card(hall, at):
    return TableCard.objects.create(
        event=hall.event, table_number=9, code=uuid4().hex[:12], expires_at=at, revoked_at=at
    )


def _workbook(hall, at):
    WorkbookOrder.objects.create(
        tournament=hall.event.tournament, language="en", ordered_by=hall.organiser.user, sign_of_life=at
    )


MAKE = {
    "api_answers": (ApiAnswer, _answer),
    "commands": (ReceivedCommand, _command),
    "attempts": (JoinAttempt, _attempt),
    "table_cards": (TableCard, _card),
    "workbooks": (WorkbookOrder, _workbook),
}


def test_every_kind_that_is_kept_for_a_time_is_tested():
    assert MAKE.keys() == KEPT.keys()


@pytest.mark.parametrize("kind", MAKE)
def test_what_has_had_its_time_goes_and_what_is_younger_stays(kind, hall):
    model, make = MAKE[kind]
    now = timezone.now()
    model.objects.all().delete()
    for age in (KEPT[kind] + timedelta(hours=1), KEPT[kind] - timedelta(hours=1)):
        make(hall, now - age)
    assert prune(now=now)[kind] == 1
    assert model.objects.count() == 1
    assert prune(now=now) == dict.fromkeys(KEPT, 0)


def test_a_card_that_a_tablet_joined_by_stays(hall):
    now = timezone.now()
    card = _card(hall, now - timedelta(days=900))
    Device.objects.create(
        event=hall.event, table_number=9, card=card, name="A1", digest="d", expires_at=now, seen_at=now
    )
    prune(now=now)
    assert TableCard.objects.filter(pk=card.pk).exists()


def test_a_finished_workbook_goes_when_it_expires_and_not_before(hall):
    now = timezone.now()
    for seconds in (-1, 1):
        WorkbookOrder.objects.create(
            tournament=hall.event.tournament,
            language="en",
            ordered_by=hall.organiser.user,
            state=WorkbookOrder.State.READY,
            expires_at=now + timedelta(seconds=seconds),
            sign_of_life=now - timedelta(days=2),
        )
    assert prune(now=now)["workbooks"] == 1


def test_expired_sessions_go_and_living_ones_stay(client, hall):
    client.force_login(make_user("organiser", hall.event.tournament))
    store = import_module(settings.SESSION_ENGINE).SessionStore
    old = store()
    old.set_expiry(-1)
    old.save()
    prune(now=timezone.now())
    assert store().exists(client.session.session_key)
    assert not store().exists(old.session_key)


def test_the_command_says_what_was_deleted_and_beat_asks_for_the_task_that_does_the_same(hall):
    _attempt(hall, timezone.now() - timedelta(days=9))
    told = StringIO()
    call_command("prune", stdout=told)
    assert "attempts: 1" in told.getvalue()
    _attempt(hall, timezone.now() - timedelta(days=9))
    tasks.prune_daily()
    assert not JoinAttempt.objects.exists()
    assert {one["task"] for one in app.conf.beat_schedule.values()} == {tasks.prune_daily.name}
