"""The table's interface: commands in, the table out, refusals as faults in the reader's language."""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from referee.models import DealCheck, DealVersion, Penalty
from tests.referee.conftest import Hall, open_hall, simple_record
from tournament.models import Draw, Round, Table


def client_of(person: Any, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    client.force_login(person.user)
    return client


@pytest.fixture
def client(hall: Hall) -> Client:
    """The first table's referee at a tablet, in English."""
    return client_of(hall.referee)


def post(client: Client, name: str, *args: Any, **body: Any) -> Any:
    body.setdefault("command_id", str(uuid.uuid4()))
    body = {key: value for key, value in body.items() if value is not ...}
    return client.post(reverse(f"referee:{name}", args=args), body, content_type="application/json")


def record(client: Client, hall: Hall, number: int = 1, **body: Any) -> Any:
    body = {"record": simple_record(), "entered_seat": "N", **body}
    return post(client, "api_record", hall.table.pk, number, **body)


def codes(response: Any) -> list[str]:
    return [error["code"] for error in response.json()["errors"]]


def test_record_answers_the_outcome_and_the_table(client: Client, hall: Hall) -> None:
    response = record(client, hall)
    assert response.status_code == 200
    body = response.json()
    assert (body["outcome"]["version"], body["repeated"]) == (1, False)
    assert body["table"]["next"] == 2
    (deal,) = body["table"]["deals"]
    assert deal["state"] == "recorded"
    assert [line["score"] for line in deal["scores"]] == ["−190", "0", "−20", "0"]


def test_record_twice_answers_the_same_and_stores_once(client: Client, hall: Hall) -> None:
    command = str(uuid.uuid4())
    first, again = (record(client, hall, command_id=command).json() for _ in range(2))
    assert first["outcome"] == again["outcome"]
    assert again["repeated"]
    assert DealVersion.objects.count() == 1


def test_record_same_id_with_another_payload_is_refused(client: Client, hall: Hall) -> None:
    command = str(uuid.uuid4())
    record(client, hall, command_id=command)
    response = record(client, hall, command_id=command, entered_seat="W")
    assert (response.status_code, codes(response)) == (400, ["command_id_reused"])


@pytest.mark.parametrize(
    ("command", "code"), [(..., "command_id_missing"), ("", "invalid"), ("7", "invalid"), (None, "null")]
)
def test_record_without_a_proper_id_is_refused(client: Client, hall: Hall, command: Any, code: str) -> None:
    response = record(client, hall, command_id=command)
    assert (response.status_code, codes(response)) == (400, [code])
    assert response.json()["errors"][0]["field"] == "command_id"
    assert not DealVersion.objects.exists()


def test_record_faults_name_card_and_seat(client: Client, hall: Hall) -> None:
    captures = {**simple_record()["captures"], "W": ["SQ", "H7"]}
    response = record(client, hall, record=simple_record(captures=captures))
    assert response.status_code == 400
    faults = {(one["code"], one["card"]) for one in response.json()["errors"]}
    assert faults == {("card_captured_twice", "SQ"), ("card_captured_twice", "H7")}


def test_record_stale_answers_409_with_both_records(client: Client, hall: Hall) -> None:
    record(client, hall)
    mine = simple_record(held={"SQ": "N", "DJ": "N", "C10": "N", "HA": "N"})
    response = record(client, hall, record=mine)
    body = response.json()
    assert (response.status_code, codes(response)) == (409, ["stale_deal"])
    assert body["current"]["record"]["held"]["SQ"] == "W"
    assert body["current"]["version"] == 1
    assert body["offered"] == mine
    assert body["table"]["deals"][0]["version"] == 1


def test_refusals_are_in_the_readers_language(hall: Hall) -> None:
    record(client_of(hall.referee), hall)
    wording = {
        language: record(client_of(hall.referee, language), hall).json()["errors"][0]["message"]
        for language in ("en", "zh-hans")
    }
    assert "changed meanwhile" in wording["en"]
    assert wording["zh-hans"] != wording["en"]


def test_check_undo_void_correct_through_the_interface(client: Client, hall: Hall) -> None:
    record(client, hall)
    table = hall.table.pk
    assert post(client, "api_undo", table, 1, version=1).json()["outcome"]["state"] == "withdrawn"
    record(client, hall, based_on=2)
    response = post(client, "api_check", table, 1, version=3, relation="next", seat="W")
    assert response.json()["table"]["deals"][0]["check"]["text"].startswith("next seat West ")
    chief = client_of(hall.chief)
    response = post(chief, "api_correct", table, 1, version=3, record=simple_record(), reason="again")
    assert response.json()["outcome"]["version"] == 4
    response = post(client, "api_void", table, 1, version=4, reason="misdeal")
    assert response.json()["table"]["deals"][0]["state"] == "void"
    assert response.json()["table"]["next"] == 1
    assert [version.state for version in DealVersion.objects.order_by("number")] == [
        "recorded",
        "withdrawn",
        "recorded",
        "recorded",
        "void",
    ]


def test_void_of_a_deal_never_entered(client: Client, hall: Hall) -> None:
    command = str(uuid.uuid4())
    for repeated in (False, True):
        response = post(client, "api_void", hall.table.pk, 1, version=0, reason="misdeal", command_id=command)
        assert (response.status_code, response.json()["repeated"]) == (200, repeated)
    assert DealVersion.objects.get().state == "void"


def test_stop_and_resume_through_the_interface(client: Client, hall: Hall) -> None:
    response = post(client, "api_stop", hall.table.pk, reason="time")
    assert response.json()["table"]["stopped"] == "time"
    assert response.json()["table"]["next"] is None
    response = post(client, "api_resume", hall.table.pk, reason="mistake")
    assert response.json()["table"]["next"] == 1


def test_penalty_given_and_cancelled_through_the_interface(client: Client, hall: Hall) -> None:
    record(client, hall)
    response = post(
        client,
        "api_penalty",
        hall.table.pk,
        seat="N",
        rule="Late",
        points="-25",
        reason="ten minutes",
        deal=1,
    )
    (line,) = response.json()["table"]["penalties"]
    assert (line["shown"], line["rule"], line["may_cancel"]) == ("−25", "Late", True)
    penalty = Penalty.objects.get()
    assert penalty.player == hall.table.seats.get(direction="N").player
    assert penalty.deal == hall.deal()
    response = post(client, "api_cancel_penalty", hall.table.pk, penalty.pk, reason="wrong person")
    assert response.json()["table"]["penalties"][0]["cancelled"]


@pytest.mark.parametrize("points", ["abc", "", None, True, 1.5, "1/0", [1]])
def test_penalty_points_that_are_no_number_are_refused(client: Client, hall: Hall, points: Any) -> None:
    response = post(
        client, "api_penalty", hall.table.pk, seat="N", rule="Late", points=points, reason="ten minutes"
    )
    assert response.status_code == 400
    assert response.json()["errors"][0]["field"] == "points"
    assert not Penalty.objects.exists()


def test_penalty_for_an_empty_seat_is_refused(client: Client, hall: Hall) -> None:
    response = post(client, "api_penalty", hall.table.pk, seat="Z", rule="x", points=0, reason="y")
    assert (response.status_code, codes(response)) == (400, ["unknown_seat"])


def test_score_of_a_partial_deal_stores_nothing(client: Client, hall: Hall) -> None:
    body = {"record": {"captures": {"N": ["SQ", "HK"]}, "held": {"SQ": "N"}}}
    response = client.post(
        reverse("referee:api_score", args=[hall.table.pk]), body, content_type="application/json"
    )
    assert response.json()["scores"]["N"] == {
        "score": "−240",
        "credited": "−240",
        "formula": "-100×2 + (-40) = -240",
    }
    assert not DealVersion.objects.exists()


def test_score_tells_what_is_wrong_so_far(client: Client, hall: Hall) -> None:
    body = {"record": {"captures": {"N": ["SQ"]}}}
    response = client.post(
        reverse("referee:api_score", args=[hall.table.pk]), body, content_type="application/json"
    )
    assert response.status_code == 200
    assert codes(response) == ["held_missing"]


COMMANDS: list[tuple[str, tuple[int, ...]]] = [
    ("api_table", ()),
    ("api_score", ()),
    ("api_stop", ()),
    ("api_resume", ()),
    ("api_penalty", ()),
    ("api_cancel_penalty", (1,)),
    ("api_record", (1,)),
    ("api_check", (1,)),
    ("api_undo", (1,)),
    ("api_void", (1,)),
    ("api_correct", (1,)),
]


@pytest.mark.parametrize(("name", "args"), COMMANDS)
def test_interface_is_closed_to_strangers(hall: Hall, name: str, args: tuple[int, ...]) -> None:
    call = "get" if name == "api_table" else "post"
    url = reverse(f"referee:{name}", args=[hall.table.pk, *args])
    for person, code in ((None, "not_authenticated"), (hall.other_referee, "not_your_table")):
        client = Client() if person is None else client_of(person)
        response = getattr(client, call)(url, {}, content_type="application/json")
        assert (response.status_code, codes(response)) == (403, [code])


@pytest.mark.parametrize(("name", "args"), COMMANDS)
def test_interface_knows_only_published_tables(hall: Hall, name: str, args: tuple[int, ...]) -> None:
    call = "get" if name == "api_table" else "post"
    client = client_of(hall.chief)
    Draw.objects.update(state=Draw.State.PREVIEW)
    for table in (hall.table.pk, Table.objects.count() + 1000):
        url = reverse(f"referee:{name}", args=[table, *args])
        response = getattr(client, call)(url, {}, content_type="application/json")
        assert (response.status_code, codes(response)) == (404, ["not_found"])


def test_interface_of_a_deal_that_is_not_recorded_is_404(client: Client, hall: Hall) -> None:
    response = post(client, "api_check", hall.table.pk, 1, version=1, relation="next", seat="W")
    assert response.status_code == 404


def test_interface_refuses_what_is_no_json(client: Client, hall: Hall) -> None:
    url = reverse("referee:api_record", args=[hall.table.pk, 1])
    response = client.post(url, "{", content_type="application/json")
    assert (response.status_code, codes(response)) == (400, ["parse_error"])
    response = client.post(url, "[1]", content_type="application/json")
    assert response.status_code == 400


def test_interface_needs_the_csrf_token(hall: Hall) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(hall.referee.user)
    response = record(client, hall)
    assert response.status_code == 403
    assert not DealVersion.objects.exists()


def test_closed_round_answers_409_with_the_table(client: Client, hall: Hall) -> None:
    Round.objects.update(state=Round.State.CLOSED)
    response = record(client, hall)
    assert (response.status_code, codes(response)) == (409, ["round_closed"])
    assert response.json()["table"]["playing"] is False


def test_table_of_another_event_cannot_be_reached_with_my_grant(hall: Hall) -> None:
    elsewhere = open_hall()
    response = record(client_of(hall.referee), elsewhere)
    assert response.status_code == 403
    assert not DealCheck.objects.exists()
