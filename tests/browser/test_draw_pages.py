"""The organiser's draw and stage pages in a browser: places changed by dragging, options shown as chosen."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.factories import PASSWORD, make_event, make_tournament, make_user
from tournament.models import Draw, Event, Seat
from tournament.services.audit import SYSTEM
from tournament.services.draw import make_draw

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event() -> Event:
    tournament = make_tournament(slug="cup")
    make_user("organiser", tournament, username="organiser")
    return make_event(entries=16, tournament=tournament, slug="singles")


@pytest.fixture
def desk(unsafe_async_allowed: None, chromium: Browser, live_server: Any, event: Event) -> Iterator[Page]:
    """A page of somebody logged in as organiser."""
    context = chromium.new_context(
        viewport={"width": 1366, "height": 1200}, locale="en", base_url=live_server.url
    )
    context.add_cookies([{"name": "django_language", "value": "en", "url": live_server.url}])
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.set_default_timeout(15_000)
    page.goto("/accounts/login/")
    page.fill("input[name=username]", "organiser")
    page.fill("input[name=password]", PASSWORD)
    page.click("main form button")
    yield page
    context.close()
    assert faults == []


def _places(draw: Draw) -> dict[int, tuple[int, str]]:
    seats = Seat.objects.filter(table__draw=draw)
    return {
        number: (table, seat)
        for number, table, seat in seats.values_list("entry__number", "table__number", "direction")
    }


def test_a_seat_dragged_onto_another_changes_the_two(desk, event):
    draw = make_draw(actor=SYSTEM, round=event.rounds.get(number=1), seed=1)
    before = _places(draw)
    first = next(number for number, (table, _seat) in before.items() if table == 1)
    other = next(number for number, (table, _seat) in before.items() if table == 4)
    desk.goto("/manage/t/cup/e/singles/rounds/1/draw/")

    desk.drag_and_drop(f'[data-entry="{first}"]', f'[data-entry="{other}"]')
    expect(desk.locator(".messages")).to_contain_text("changed places")

    after = _places(draw)
    assert after[first] == before[other]
    assert after[other] == before[first]
    assert {number: place for number, place in after.items() if number not in (first, other)} == {
        number: place for number, place in before.items() if number not in (first, other)
    }


def test_two_seats_touched_one_after_the_other_fill_the_form(desk, event):
    make_draw(actor=SYSTEM, round=event.rounds.get(number=1), seed=1)
    desk.goto("/manage/t/cup/e/singles/rounds/1/draw/")

    desk.click('[data-entry="5"]')
    desk.click('[data-entry="12"]')

    for name, number in (("first", "5"), ("second", "12")):
        expect(desk.locator(f"input[name=swap-{name}]")).to_have_value(number)


def test_only_the_options_of_the_chosen_format_are_shown_and_its_rounds_proposed(desk, event):
    desk.goto("/manage/t/cup/e/singles/stages/1/")
    option = desk.locator('[name="option_first"]')
    expect(option).to_be_hidden()

    desk.check('input[name=format][value="heats"]')

    expect(option).to_be_visible()
    assert desk.input_value("input[name=rounds]") == "3"
