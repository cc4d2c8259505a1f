"""A second entry is made blind: nothing that a table is told before gives the first one away."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.referee.conftest import CAPTURES, Hall, open_hall, simple_record

pytestmark = pytest.mark.django_db

#: Figures of the simple record, and of its cards: nothing else at this table is so called.
GIVEN_AWAY = (190, -190, "-190", "−190", "SQ", "DJ", "C10")


@pytest.fixture
def blind() -> Hall:
    """An event with blind second entries, one deal entered once."""
    hall = open_hall()
    hall.event.options = {**hall.event.options, "signoff": "second"}
    hall.event.save()
    hall.tables = list(type(hall.table).objects.filter(draw__round__event=hall.event).order_by("number"))
    hall.record()
    return hall


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in _leaves(one)]
    if isinstance(value, list):
        return [leaf for one in value for leaf in _leaves(one)]
    return [value]


def _told(value: Any) -> list[Any]:
    """What of the first entry stands in an answer; the layout, which names all cards, is no secret."""
    if isinstance(value, dict):
        value = {key: one for key, one in value.items() if key not in ("layout", "offered")}
        return [leaf for one in value.values() for leaf in _told(one)]
    if isinstance(value, list):
        return [leaf for one in value for leaf in _told(one)]
    return [value] if value in GIVEN_AWAY else []


def _client(hall: Hall, person: str = "referee") -> Client:
    client = Client()
    client.force_login(getattr(hall, person).user)
    return client


def _post(client: Client, hall: Hall, name: str, **body: Any) -> Any:
    return client.post(
        reverse(f"referee:{name}", args=[hall.table.pk, 1]),
        {"command_id": str(uuid4()), **body},
        content_type="application/json",
    )


def test_table_is_not_told_what_the_first_entry_gave(blind: Hall) -> None:
    url = reverse("referee:api_table", args=[blind.table.pk])
    assert _told(_client(blind).get(url).json()) == []
    page = _client(blind).get(reverse("referee:table", args=[blind.table.pk]))
    assert _told(page.context["boot"]["table"]) == []
    assert "190" in str(_leaves(_client(blind, "chief").get(url).json()))


def test_refusal_of_an_entry_that_came_too_late_does_not_show_the_first(blind: Hall) -> None:
    answer = _post(_client(blind), blind, "api_record", record=simple_record(), based_on=0)
    assert answer.status_code == 409
    body = answer.json()
    assert (body["current"]["version"], body["current"]["hidden"]) == (1, True)
    assert body["offered"] == simple_record()
    assert _told(body) == []
    chief = _post(_client(blind, "chief"), blind, "api_record", record=simple_record(), based_on=0).json()
    assert chief["current"]["record"]["captures"]["N"] == CAPTURES["N"]


def test_dispute_with_a_record_does_not_tell_where_the_first_entry_differs(blind: Hall) -> None:
    other = simple_record(captures={**CAPTURES, "N": ["HA", "HK"], "E": ["SQ"]})
    said = {"version": 1, "seat": "E", "verdict": "dispute", "reason": "mine", "record": other}
    answer = _post(_client(blind), blind, "api_sign", **said)
    assert answer.status_code == 200
    (dispute,) = answer.json()["table"]["deals"][0]["signoff"]["disputes"]
    assert dispute["differences"] == []


def test_play_goes_on_by_a_count_that_tells_nothing(blind: Hall) -> None:
    offline = (
        _client(blind).get(reverse("referee:api_table", args=[blind.table.pk])).json()["table"]["offline"]
    )
    (deal,) = offline["deals"]
    assert set(deal["amounts"].values()) == {0}
    assert deal["scores"] is None


def test_log_of_tricks_is_not_shown_before_the_second_entry(blind: Hall) -> None:
    played = (("W", "SQ"), ("S", "S5"), ("E", "S7"), ("N", "S2"))
    trick = [{"seat": seat, "cards": [card]} for seat, card in played]
    answer = _post(_client(blind), blind, "api_tricks", tricks=[trick], exposed=[])
    assert answer.status_code == 200
    table = answer.json()["table"]
    assert table["rulings"] == []
    assert "log" not in table["deals"][0]["actions"]
    url = reverse("referee:api_table", args=[blind.table.pk])
    (ruling,) = _client(blind, "chief").get(url).json()["table"]["rulings"]
    assert any("♠Q" in one for one in ruling["details"]), "the log gives it to another seat than the record"
