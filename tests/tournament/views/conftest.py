"""A client logged in as organiser, and forms sent the way a browser sends them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.factories import PASSWORD, make_tournament, make_user
from tests.pages import hidden_fields
from tournament.models import Tournament


@pytest.fixture
def tournament(db: None) -> Tournament:
    return make_tournament(slug="cup", name="华牌杯")


@pytest.fixture
def organiser(client: Client, tournament: Tournament) -> Client:
    """A client logged in as an organiser of the tournament, reading English."""
    user = make_user("organiser", tournament, username="organiser", is_staff=True)
    assert client.login(username=user.get_username(), password=PASSWORD)
    client.cookies["django_language"] = "en"
    return client


@pytest.fixture
def send(organiser: Client) -> Callable[..., HttpResponse]:
    """Opens a page and sends its form (or the form with another action on it) with these values."""

    def post(
        address: str, values: dict[str, Any] | None = None, page: str = "", **options: Any
    ) -> HttpResponse:
        shown = organiser.get(page or address).content.decode()
        hidden = hidden_fields(shown, address if page else "")
        return organiser.post(address, {**hidden, **(values or {})}, **options)

    return post
