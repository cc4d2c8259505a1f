"""Calls for a referee: one tap at the table, taken, and closed with a ruling."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from referee.models import Device, TableCall, TableCard
from referee.queries.calls import calls_of, open_call
from referee.services.calls import call_referee, close_call, take_call, withdraw_call
from tests.referee.conftest import Hall
from tournament.models import AuditRow
from tournament.services.audit import Actor, Tablet
from tournament.services.errors import Conflict, NotAllowed, Refused
from tournament.services.rounds import close_round


def _call(hall: Hall, **values):
    values = {"actor": hall.referee, "table": hall.table, "command_id": uuid4(), **values}
    return call_referee(**values)


def _open(hall: Hall) -> TableCall:
    found = open_call(hall.table)
    assert found is not None
    return found


def _tablet(hall: Hall, number: int = 1) -> Tablet:
    later = timezone.now() + timedelta(days=1)
    card = TableCard.objects.create(event=hall.event, table_number=number, code="ABCD2345", expires_at=later)
    device = Device.objects.create(
        event=hall.event,
        table_number=number,
        card=card,
        name="T1",
        digest="x",
        expires_at=later,
        seen_at=timezone.now(),
    )
    return Tablet(device.pk, "T1", hall.event.pk, number)


def test_a_call_sent_twice_is_one_call(hall: Hall) -> None:
    command = uuid4()
    first = _call(hall, command_id=command)
    again = _call(hall, command_id=command)
    other = _call(hall)

    assert (first.repeated, again.repeated) == (False, True)
    assert first.body == again.body == other.body
    assert TableCall.objects.count() == 1
    assert AuditRow.objects.filter(action="call.make").count() == 1


def test_a_tablet_calls_for_its_own_table_only(hall: Hall) -> None:
    actor = Actor(user=None, tablet=_tablet(hall))
    _call(hall, actor=actor, seat="W")
    call = _open(hall)
    assert (call.seat, call.called_by, call.device.name) == ("W", None, "T1")
    with pytest.raises(NotAllowed):
        _call(hall, actor=actor, table=hall.tables[1])
    with pytest.raises(NotAllowed):
        take_call(actor=actor, call=call)
    with pytest.raises(NotAllowed):
        close_call(actor=actor, call=call, ruling="nothing", command_id=uuid4())


def test_a_call_of_a_seat_that_is_not_there_is_refused(hall: Hall) -> None:
    with pytest.raises(Refused) as refusal:
        _call(hall, seat="X")
    assert refusal.value.code == "unknown_seat"
    assert not TableCall.objects.exists()


def test_a_call_is_taken_by_one_referee(hall: Hall) -> None:
    _call(hall)
    taken = take_call(actor=hall.chief, call=_open(hall))
    assert taken.taken_by == hall.chief.user
    assert take_call(actor=hall.chief, call=taken).taken_at == taken.taken_at
    with pytest.raises(Conflict) as refusal:
        take_call(actor=hall.organiser, call=taken)
    assert refusal.value.code == "call_taken_by"
    with pytest.raises(NotAllowed):
        take_call(actor=hall.other_referee, call=taken)


def test_a_call_is_closed_with_a_ruling_that_stays(hall: Hall) -> None:
    _call(hall)
    call = _open(hall)
    with pytest.raises(Refused) as refusal:
        close_call(actor=hall.chief, call=call, ruling="  ", command_id=uuid4())
    assert (refusal.value.code, refusal.value.field) == ("ruling_missing", "ruling")
    command = uuid4()
    for _ in range(2):
        close_call(actor=hall.chief, call=call, ruling="藏牌，罚 20 分", command_id=command)

    call.refresh_from_db()
    assert (call.outcome, call.ruling) == ("ruled", "藏牌，罚 20 分")
    # Who closes a call that nobody took has taken it.
    assert call.taken_by == call.closed_by == hall.chief.user
    row = AuditRow.objects.get(action="call.close")
    assert (row.before["ruling"], row.after["ruling"]) == ("", "藏牌，罚 20 分")
    with pytest.raises(Conflict):
        close_call(actor=hall.chief, call=call, ruling="other", command_id=uuid4())
    assert _call(hall).body["call"] != call.pk


def test_a_table_takes_its_call_back_until_a_referee_has_taken_it(hall: Hall) -> None:
    _call(hall)
    withdraw_call(actor=hall.referee, table=hall.table, command_id=uuid4())
    assert open_call(hall.table) is None
    with pytest.raises(Conflict) as refusal:
        withdraw_call(actor=hall.referee, table=hall.table, command_id=uuid4())
    assert refusal.value.code == "no_call"
    _call(hall)
    take_call(actor=hall.chief, call=_open(hall))
    with pytest.raises(Conflict) as refusal:
        withdraw_call(actor=hall.referee, table=hall.table, command_id=uuid4())
    assert refusal.value.code == "call_taken"


def test_no_call_comes_from_a_round_that_is_closed(hall: Hall) -> None:
    close_round(actor=hall.chief, round=hall.table.draw.round, override_reason="x")
    with pytest.raises(Conflict) as refusal:
        _call(hall)
    assert refusal.value.code == "round_closed"


def test_the_store_itself_refuses_a_second_open_call_and_a_ruling_without_words(hall: Hall) -> None:
    TableCall.objects.create(table=hall.table)
    with pytest.raises(IntegrityError), transaction.atomic():
        TableCall.objects.create(table=hall.table)
    with pytest.raises(IntegrityError), transaction.atomic():
        TableCall.objects.update(outcome="ruled", closed_at=timezone.now())


def test_calls_are_listed_open_ones_first(hall: Hall) -> None:
    _call(hall)
    close_call(actor=hall.chief, call=_open(hall), ruling="a", command_id=uuid4())
    _call(hall)
    _call(hall, table=hall.tables[1], actor=hall.chief)
    found = [(call.table.number, bool(call.closed_at)) for call in calls_of(hall.event.tournament)]
    assert found == [(1, False), (2, False), (1, True)]


def test_the_table_page_calls_and_takes_back_over_its_interface(hall: Hall) -> None:
    client = Client(headers={"accept-language": "en"})
    client.force_login(hall.referee.user)
    path = reverse("referee:api_call", args=[hall.table.pk])
    assert client.get(path).json() == {"call": None}
    answer = client.post(path, {"command_id": str(uuid4())}, content_type="application/json").json()
    assert answer["table"]["call"]["taken"] is False
    take_call(actor=hall.chief, call=_open(hall))
    said = client.get(path).json()["call"]
    assert said["taken"] is True
    assert hall.chief.name in said["text"]
    back = client.post(f"{path}withdraw/", {"command_id": str(uuid4())}, content_type="application/json")
    assert (back.status_code, back.json()["errors"][0]["code"]) == (409, "call_taken")


def test_the_desk_takes_and_closes_a_call_on_its_pages(hall: Hall) -> None:
    _call(hall, seat="W")
    call = _open(hall)
    client = Client(headers={"accept-language": "en"})
    client.force_login(hall.chief.user)
    page = reverse("referee:call", args=[call.pk])
    assert client.post(reverse("referee:call_take", args=[call.pk])).headers["Location"] == page
    form = client.get(page).context["form"]
    command = str(form["command_id"].value())
    refused = client.post(page, {"command_id": command, "ruling": ""})
    assert refused.status_code == 400
    assert "Please write down the ruling." in refused.content.decode()
    for _ in range(2):
        done = client.post(page, {"command_id": command, "ruling": "明牌无效"})
        assert done.headers["Location"] == reverse("referee:board", args=[hall.event.tournament.slug])
    call.refresh_from_db()
    assert call.ruling == "明牌无效"
    log = client.get(reverse("referee:calls", args=[hall.event.tournament.slug])).content.decode()
    assert "明牌无效" in log
