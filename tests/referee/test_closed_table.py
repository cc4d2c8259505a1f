"""The page of a table whose round is over leads on: what is still possible there has an address."""

import pytest
from django.test import Client
from django.urls import reverse

from referee.models import Deal
from tests.factories import make_published_draw
from tests.referee.conftest import Hall, simple_record
from tournament.services.rounds import close_round

pytestmark = pytest.mark.django_db


def _page(hall: Hall, who: str, address: str) -> str:
    client = Client(headers={"accept-language": "en"})
    client.force_login(getattr(hall, who).user)
    return client.get(address).content.decode()


@pytest.fixture
def deals(hall: Hall) -> list[Deal]:
    """Two deals on record in a round that is closed."""
    for number in (1, 2):
        hall.record(number, simple_record())
    close_round(actor=hall.chief, round=hall.table.draw.round, override_reason="x")
    return list(Deal.objects.order_by("number"))


@pytest.mark.parametrize("next_is_drawn", [False, True])
def test_whoever_directs_gets_from_the_table_to_the_correction_of_each_deal(
    hall: Hall, deals: list[Deal], next_is_drawn: bool
) -> None:
    if next_is_drawn:
        make_published_draw(hall.event, 2)
    table = reverse("referee:table", args=[hall.table.pk])
    shown = _page(hall, "chief", table)
    assert "What you enter is stored under your name" not in shown
    for deal in deals:
        page = reverse("referee:deal", args=[deal.pk])
        assert f'<a href="{page}">Deal {deal.number}</a>' in shown
        assert page not in _page(hall, "referee", table)
        deal_page = _page(hall, "chief", page)
        correction = f"/rounds/1/table/{hall.table.number}/deal/{deal.number}/correct/"
        assert f'{correction}">Correct, and see what it moves' in deal_page
        assert "Check or correct" not in deal_page


def test_a_table_in_play_has_its_actions_beside_the_deal(hall: Hall) -> None:
    hall.record(1, simple_record())
    page = reverse("referee:deal", args=[hall.deal(1).pk])
    assert page not in _page(hall, "chief", reverse("referee:table", args=[hall.table.pk]))
    assert "Check or correct" in _page(hall, "chief", page)
