"""Tablets: joining by a card's code, taking over, being shut out, and what a tablet may do."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from referee.models import DealVersion, Device, JoinAttempt, TableCard
from referee.queries.tablets import tablets_of
from referee.services import deals, devices
from referee.services.penalties import give_penalty
from tests.factories import make_user
from tests.referee.conftest import Hall, simple_record
from tournament.models import AuditRow, Draw, Round, Seat
from tournament.services.audit import Actor
from tournament.services.errors import NotAllowed, Refused
from tournament.services.permissions import require_director, require_founder, require_organiser

pytestmark = pytest.mark.django_db


@pytest.fixture
def card(hall: Hall) -> TableCard:
    return devices.make_cards(actor=hall.chief, event=hall.event, tables=2)[0]


@contextmanager
def refused(code: str) -> Iterator[None]:
    with pytest.raises(Refused) as found:
        yield
    assert found.value.code == code


def joined_client(card: TableCard, take_over: bool = False) -> Client:
    """A tablet that went the whole way: scanned the card and pressed the button."""
    client = Client(headers={"accept-language": "en"})
    body = {"code": card.code, "bind": "1", **({"take_over": "yes"} if take_over else {})}
    response = client.post("/referee/join/", body)
    assert response.status_code == 302, response.content
    return client


def send(client: Client, hall: Hall, table=None, number: int = 1, **values):
    table = table or hall.table
    body = {"record": simple_record(), "entered_seat": "N", "command_id": str(uuid4()), **values}
    address = f"/referee/api/tables/{table.pk}/deals/{number}/record/"
    return client.post(address, body, content_type="application/json")


def codes(response) -> list[str]:
    return [error["code"] for error in response.json()["errors"]]


def test_cards_are_made_once_and_only_for_those_who_direct(hall: Hall) -> None:
    first = devices.make_cards(actor=hall.chief, event=hall.event, tables=2)
    again = devices.make_cards(actor=hall.chief, event=hall.event, tables=3)
    assert [card.pk for card in again[:2]] == [card.pk for card in first]
    assert len({card.code for card in again}) == 3
    assert all(set(card.code) <= set(devices.ALPHABET) for card in again)
    with pytest.raises(NotAllowed):
        devices.make_cards(actor=hall.referee, event=hall.event, tables=2)
    for wrong in (0, 501):
        with refused("table_count"):
            devices.make_cards(actor=hall.chief, event=hall.event, tables=wrong)


def test_code_is_found_however_it_is_typed(card: TableCard) -> None:
    for typed in (
        card.code,
        card.code.lower(),
        devices.shown_code(card.code),
        f" {card.code[:4]} {card.code[4:]}",
    ):
        assert devices.find_card(code=typed, address="192.0.2.9") == card


def test_secret_is_in_a_cookie_for_no_script_and_stored_as_a_digest(hall: Hall, card: TableCard) -> None:
    client = joined_client(card)
    cookie = client.cookies["tablet"]
    assert cookie["httponly"]
    assert cookie["path"] == "/referee/"
    device = Device.objects.get()
    assert cookie.value not in (device.digest, device.name)
    assert devices.find_device(cookie.value) == device
    row = AuditRow.objects.get(action="tablet.join")
    assert (row.actor, row.actor_name, row.after["table"]) == (None, f"tablet {device.name}", 1)


def test_tablet_records_and_checks_at_its_table_and_the_audit_names_it(hall: Hall, card: TableCard) -> None:
    client = joined_client(card)
    assert client.get("/referee/tablet/", follow=True).status_code == 200
    assert send(client, hall).status_code == 200
    version = DealVersion.objects.get()
    device = Device.objects.get()
    assert (version.entered_by, version.device, version.entered_seat) == (None, device, "N")
    address = f"/referee/api/tables/{hall.table.pk}/deals/1/check/"
    body = {"version": 1, "relation": "next", "seat": "W", "command_id": str(uuid4())}
    assert client.post(address, body, content_type="application/json").status_code == 200
    rows = AuditRow.objects.filter(action__startswith="deal.")
    assert {(row.actor, row.actor_name) for row in rows} == {(None, f"tablet {device.name}")}


def test_tablet_has_no_rights_elsewhere(hall: Hall, card: TableCard) -> None:
    client = joined_client(card)
    other = hall.tables[1]
    assert codes(send(client, hall, other)) == ["not_your_table"]
    assert client.get(f"/referee/table/{other.pk}/").status_code == 403
    assert client.get("/manage/").status_code == 302
    assert not DealVersion.objects.exists()
    tablet = Actor(None, tablet=devices.as_tablet(Device.objects.get()))
    for ask in (require_organiser, require_director):
        with pytest.raises(NotAllowed):
            ask(tablet, hall.event.tournament)
    with pytest.raises(NotAllowed):
        require_founder(tablet)


def test_tablet_without_a_person_is_no_referee(hall: Hall, card: TableCard) -> None:
    client = joined_client(card)
    send(client, hall)
    base = f"/referee/api/tables/{hall.table.pk}/"
    wrong = {
        "deals/1/check/": {"version": 1, "relation": "referee"},
        "stop/": {"reason": "late"},
        "resume/": {"reason": "late"},
        "penalties/": {"seat": "N", "rule": "x", "points": -5, "reason": "y"},
    }
    for path, body in wrong.items():
        answer = client.post(
            base + path, {**body, "command_id": str(uuid4())}, content_type="application/json"
        )
        assert (answer.status_code, codes(answer)) == (403, ["person_needed"]), path
    tablet = Actor(None, tablet=devices.as_tablet(Device.objects.get()))
    seat = hall.table.seats.first()
    with pytest.raises(NotAllowed):
        give_penalty(
            actor=tablet,
            event=hall.event,
            round=hall.table.draw.round,
            entry=seat.entry,
            rule="x",
            points=-5,
            reason="y",
            table=hall.table,
            command_id=uuid4(),
        )
    with pytest.raises(NotAllowed):
        deals.correct_deal(
            actor=tablet,
            deal=hall.deal(),
            version=1,
            record=simple_record(),
            reason="z",
            command_id=uuid4(),
        )


def test_second_tablet_is_warned_may_take_over_and_the_first_says_so(hall: Hall, card: TableCard) -> None:
    first = joined_client(card)
    first.get(f"/referee/api/tables/{hall.table.pk}/", headers={"X-Unsent": "2"})
    second = Client(headers={"accept-language": "en"})
    warned = second.post("/referee/join/", {"code": card.code, "bind": "1"})
    name = Device.objects.get().name
    assert warned.status_code == 409
    assert f"Tablet {name} serves this table already" in warned.content.decode()
    assert "It holds 2 entries that are not sent" in warned.content.decode()
    assert send(first, hall).status_code == 200

    second = joined_client(card, take_over=True)
    answer = send(first, hall, number=2)
    assert (answer.status_code, codes(answer)) == (409, ["tablet_taken_over"])
    assert "taken over" in first.get("/referee/tablet/").content.decode()
    assert send(second, hall, number=2).status_code == 200
    ends = list(Device.objects.order_by("pk").values_list("end", flat=True))
    assert ends == ["taken_over", ""]


def test_tablet_that_scans_again_is_the_same_tablet(card: TableCard) -> None:
    client = joined_client(card)
    before = client.cookies["tablet"].value
    assert client.post("/referee/join/", {"code": card.code, "bind": "1"}).status_code == 302
    assert Device.objects.count() == 1
    assert client.cookies["tablet"].value != before
    assert devices.find_device(before) is None


def test_revoked_tablet_is_out_at_once(hall: Hall, card: TableCard) -> None:
    client = joined_client(card)
    device = Device.objects.get()
    with pytest.raises(NotAllowed):
        devices.revoke_device(actor=hall.referee, device=device, reason="lost")
    with refused("reason_missing"):
        devices.revoke_device(actor=hall.chief, device=device, reason=" ")
    devices.revoke_device(actor=hall.chief, device=device, reason="lost")
    answer = send(client, hall)
    assert (answer.status_code, codes(answer)) == (403, ["tablet_revoked"])
    assert not DealVersion.objects.exists()


def test_expired_card_and_expired_tablet_are_refused(hall: Hall, card: TableCard) -> None:
    client = joined_client(card)
    past = timezone.now() - timedelta(minutes=1)
    Device.objects.update(expires_at=past)
    assert codes(send(client, hall)) == ["tablet_expired"]
    joined_client(card)  # an expired tablet is in nobody's way
    TableCard.objects.filter(pk=card.pk).update(expires_at=past)
    with refused("join_expired"):
        devices.find_card(code=card.code, address=None)
    fresh = devices.make_cards(actor=hall.chief, event=hall.event, tables=2)[0]
    assert fresh.code != card.code


def test_renewed_card_makes_the_old_code_worthless(hall: Hall, card: TableCard) -> None:
    client = joined_client(card)
    fresh = devices.renew_card(actor=hall.chief, card=card, reason="photographed")
    with refused("join_unknown"):
        devices.find_card(code=card.code, address=None)
    assert devices.find_card(code=fresh.code, address=None) == fresh
    assert send(client, hall).status_code == 200


def test_guessing_codes_is_slowed_down_by_address(card: TableCard) -> None:
    client = Client(headers={"accept-language": "en"})
    for place in range(devices.WRONG_PER_ADDRESS):
        assert client.post("/referee/join/", {"code": f"WRONG{place}"}).status_code == 400
    answer = client.post("/referee/join/", {"code": card.code})
    assert answer.status_code == 429
    assert "Too many attempts" in answer.content.decode()
    JoinAttempt.objects.update(at=timezone.now() - devices.WINDOW - timedelta(seconds=1))
    assert client.post("/referee/join/", {"code": card.code}).status_code == 200


def test_one_code_is_not_used_without_end(card: TableCard) -> None:
    for place in range(devices.USES_PER_CODE):
        devices.find_card(code=card.code, address=f"192.0.2.{place}")
    with refused("join_too_often"):
        devices.find_card(code=card.code, address="192.0.2.200")


def test_tablet_needs_the_page_s_token(hall: Hall, card: TableCard) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies.load(joined_client(card).cookies.output(header="", sep=";"))
    assert send(client, hall).status_code == 403
    assert not DealVersion.objects.exists()


def test_desk_sees_the_last_sign_of_life_and_what_waits(hall: Hall, card: TableCard) -> None:
    client = joined_client(card)
    client.get(f"/referee/api/tables/{hall.table.pk}/", headers={"X-Unsent": "3"})
    line = tablets_of(hall.event)[0]
    assert (line.device.waiting, line.silent) == (3, False)
    Device.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
    assert tablets_of(hall.event)[0].silent
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(hall.chief.user)
    address = f"/referee/tablets/{hall.event.tournament.slug}/{hall.event.slug}/"
    text = desk.get(address).content.decode()
    assert "silent" in text
    assert "3 entries not sent" in text
    desk.post(address, {"device": line.device.pk, "reason": "lost"})
    assert Device.objects.get().end == "revoked"


def test_cards_page_shows_codes_and_pictures_of_their_addresses(hall: Hall) -> None:
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(hall.organiser.user)
    address = f"/referee/cards/{hall.event.tournament.slug}/{hall.event.slug}/"
    assert desk.post(address, {"tables": "x"}).status_code == 400
    assert desk.post(address, {"tables": "2"}).status_code == 302
    text = desk.get(address).content.decode()
    for card in TableCard.objects.all():
        assert devices.shown_code(card.code) in text
    assert text.count('<svg xmlns="http://www.w3.org/2000/svg"') == 2


def test_person_logged_in_on_a_bound_tablet_acts_as_themselves(hall: Hall, card: TableCard) -> None:
    client = joined_client(card)
    client.force_login(hall.referee.user)
    assert send(client, hall).status_code == 200
    assert DealVersion.objects.get().entered_by == hall.referee.user
    client.force_login(make_user())
    assert send(client, hall, number=2).status_code == 200
    assert DealVersion.objects.get(deal__number=2).entered_by is None


def test_next_round_leads_the_tablet_to_its_new_table(hall: Hall, card: TableCard) -> None:
    client = joined_client(card)
    assert client.get("/referee/tablet/").headers["Location"] == f"/referee/table/{hall.table.pk}/"
    Round.objects.filter(pk=hall.table.draw.round_id).update(state=Round.State.CLOSED)
    waiting = client.get("/referee/tablet/")
    assert "No round is being played" in waiting.content.decode()


def test_what_is_still_sent_for_a_withdrawn_draw_is_refused_with_the_reason(
    hall: Hall, card: TableCard
) -> None:
    client = joined_client(card)
    Draw.objects.update(state=Draw.State.WITHDRAWN)
    answer = send(client, hall)
    assert (answer.status_code, codes(answer)) == (409, ["draw_not_published"])
    Draw.objects.update(state=Draw.State.PREVIEW)
    assert send(client, hall).status_code == 404


def test_what_is_sent_after_the_round_closed_is_refused_and_accepted_once_reopened(
    hall: Hall, card: TableCard
) -> None:
    client = joined_client(card)
    command = str(uuid4())
    rounds = Round.objects.filter(pk=hall.table.draw.round_id)
    rounds.update(state=Round.State.CLOSED)
    assert codes(send(client, hall, command_id=command)) == ["round_closed"]
    rounds.update(state=Round.State.PLAYING)
    assert send(client, hall, command_id=command).status_code == 200
    again = send(client, hall, command_id=command)
    assert again.json()["repeated"]
    assert DealVersion.objects.count() == 1


def test_deal_entered_for_others_than_sit_there_now_is_not_taken_unasked(hall: Hall, card: TableCard) -> None:
    client = joined_client(card)
    state = client.get(f"/referee/api/tables/{hall.table.pk}/").json()["table"]
    seating = state["offline"]["seating"]["1"]
    north = hall.table.seats.get(direction="N")
    stranger = hall.tables[1].seats.get(direction="N").player
    Seat.objects.filter(pk=north.pk).update(player=stranger, entry=stranger.entry)
    answer = send(client, hall, seating=seating)
    assert (answer.status_code, codes(answer)) == (409, ["seats_changed"])
    assert f"North {stranger.name}" in answer.json()["errors"][0]["message"]
    assert not DealVersion.objects.exists()
    assert send(client, hall, seating="").status_code == 200


def test_deals_sent_out_of_order_wait_for_the_one_before(hall: Hall, card: TableCard) -> None:
    client = joined_client(card)
    commands = [str(uuid4()) for _number in range(2)]
    assert codes(send(client, hall, number=2, command_id=commands[1])) == ["deal_number"]
    assert send(client, hall, number=1, command_id=commands[0]).status_code == 200
    assert send(client, hall, number=2, command_id=commands[1]).status_code == 200
    assert list(DealVersion.objects.values_list("deal__number", "number")) == [(1, 1), (2, 1)]


def test_taken_over_is_a_conflict_of_its_own(card: TableCard) -> None:
    devices.join(card=card, address=None)
    with pytest.raises(devices.Occupied):
        devices.join(card=card, address=None)
    devices.join(card=card, address=None, take_over=True)
    with refused("tablet_taken_over"):
        devices.require_living(Device.objects.order_by("pk")[0])


def test_printed_cards_lead_where_tablets_can_follow(hall: Hall, card: TableCard, settings: Any) -> None:
    client = Client(headers={"accept-language": "en"})
    client.force_login(hall.chief.user)
    address = reverse("referee:cards", args=[hall.event.tournament.slug, hall.event.slug])

    def printed(host: str, site: str) -> tuple[str, bool]:
        settings.SITE_ADDRESS, settings.ALLOWED_HOSTS = site, ["*"]
        page = client.get(address, headers={"host": host})
        return page.context["cards"][0]["site"], "only it can follow" in page.content.decode()

    assert printed("hall.example", "https://results.example") == ("http://hall.example", False)
    assert printed("127.0.0.1:8000", "http://192.0.2.7:8000") == ("http://192.0.2.7:8000", False)
    assert printed("localhost:8000", "") == ("http://localhost:8000", True)
