"""The desk in a browser: a table's call comes up on the board, is taken and closed; the table hears of it."""

import os
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect

from referee.models import Dispute, Reseating, TableCall
from referee.services.deals import record_deal
from tests.browser.looks import OVERFLOW
from tests.browser.table_page import SIZES
from tests.browser.test_public_pages import FAULTS_OF_ACCESS
from tests.referee.conftest import Hall, open_hall, simple_record
from tournament.models import TableGrant

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]

PICTURES = os.environ.get("PICTURES")


@pytest.fixture
def hall(unsafe_async_allowed: None, live_server: object) -> Hall:
    """Six tables in play."""
    return open_hall(entries=24)


def _context(browser: Browser, hall: Hall, who: str, size: tuple[int, int], url: str) -> BrowserContext:
    client = Client()
    client.force_login(getattr(hall, who).user)
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB", has_touch=True)
    context.add_cookies(
        [
            {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies["sessionid"].value, "url": url},
            {"name": settings.LANGUAGE_COOKIE_NAME, "value": os.environ.get("SHOWN", "en"), "url": url},
        ]
    )
    return context


@pytest.fixture
def open_page(unsafe_async_allowed: None, chromium: Browser, hall: Hall, live_server) -> Iterator:
    """Opens a page as somebody; scripts that fail fail the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def opened(who: str, path: str, size: tuple[int, int] = SIZES["tablet-wide"]) -> Page:
        context = _context(chromium, hall, who, size, live_server.url)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.goto(live_server.url + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not faults


def _board(hall: Hall) -> str:
    return reverse("referee:board", args=[hall.event.tournament.slug])


def test_a_call_goes_from_the_table_to_the_board_and_back(hall: Hall, open_page) -> None:
    board = open_page("chief", _board(hall))
    line = board.locator(f'[data-table="{hall.table.pk}"]')
    expect(line).to_have_attribute("data-need", "NOTHING")
    table = open_page("referee", reverse("referee:table", args=[hall.table.pk]))
    button = table.locator("#call-referee")
    expect(button).to_have_text("Call a referee")
    button.tap()
    expect(button).to_have_text("Referee called")
    expect(button).to_be_disabled()
    assert TableCall.objects.count() == 1

    # The board hears of it by itself, puts the table first and says so in the tab's title.
    expect(line).to_have_attribute("data-need", "CALL", timeout=10_000)
    expect(board.locator(".board-line").first).to_have_attribute("data-table", str(hall.table.pk))
    assert board.title().startswith("(1) ")
    line.get_by_role("button", name="I am going").tap()
    expect(table.locator("#call-note")).to_contain_text("is coming to your table", timeout=15_000)
    expect(table.locator("#call-withdraw")).to_be_hidden()

    board.get_by_label("Ruling").fill("Led out of turn: the lead stands.")
    board.get_by_role("button", name="Close the call").tap()
    expect(board.locator(".messages")).to_contain_text("The call is closed.")
    expect(button).to_be_enabled(timeout=15_000)
    expect(table.locator("#call-note")).to_be_hidden()
    assert TableCall.objects.get().ruling == "Led out of turn: the lead stands."


def test_a_call_without_a_network_is_tried_again_and_is_one_call(hall: Hall, open_page) -> None:
    table = open_page("referee", reverse("referee:table", args=[hall.table.pk]))
    table.context.set_offline(True)
    table.locator("#call-referee").tap()
    expect(table.locator("#call-note")).to_contain_text("no network")
    table.context.set_offline(False)
    expect(table.locator("#call-referee")).to_have_text("Referee called", timeout=15_000)
    assert TableCall.objects.count() == 1
    # The page shows it at once; the server has it when it has answered.
    with table.expect_response(lambda answer: answer.url.endswith("/call/withdraw/")):
        table.locator("#call-withdraw").tap()
    expect(table.locator("#call-referee")).to_have_text("Call a referee")
    assert TableCall.objects.get().outcome == "withdrawn"


def test_the_board_says_when_the_server_is_gone_and_asks_for_little(hall: Hall, open_page) -> None:
    board = open_page("chief", _board(hall))
    statuses: list[int] = []
    board.on("response", lambda answer: statuses.append(answer.status))
    with board.expect_response(lambda answer: answer.url.endswith("/tables/") and answer.status == 304):
        pass
    assert set(statuses) <= {200, 304}
    board.context.set_offline(True)
    expect(board.locator("#board-fresh")).to_have_class("board-fresh is-stale", timeout=10_000)
    board.context.set_offline(False)
    expect(board.locator("#board-fresh")).to_have_text("Up to date", timeout=10_000)


def test_players_are_put_right_on_a_phone(hall: Hall, open_page) -> None:
    hall.record(1)
    page = open_page("chief", reverse("referee:seats", args=[hall.table.pk]), SIZES["phone"])
    page.locator("#id_sat_N").select_option("E")
    page.locator("#id_sat_E").select_option("N")
    page.get_by_label("Reason").fill("坐错")
    page.get_by_role("button", name="Move the deals").tap()
    expect(page.locator(".messages")).to_contain_text("at the seats of those who played them")
    assert Reseating.objects.get().moved == {"E": "N", "N": "E"}


@pytest.fixture
def busy(hall: Hall) -> Hall:
    """Something of everything."""
    TableCall.objects.create(table=hall.tables[5])
    for table in hall.tables[:4]:
        TableGrant.objects.get_or_create(event=hall.event, user=hall.referee.user, table_number=table.number)
        for number in range(1, table.number + 1):
            record_deal(
                actor=hall.referee,
                table=table,
                number=number,
                record=simple_record(),
                entered_seat="N",
                command_id=uuid4(),
            )
    version = hall.tables[1].deals.get(number=1).versions.get()
    offered = simple_record(captures={**simple_record()["captures"], "N": [], "W": ["SQ", "HA", "HK"]})
    Dispute.objects.create(
        version=version, kind=Dispute.Kind.SEAT, seat="W", offered=offered, reason="我没有收猪"
    )
    return hall


@pytest.mark.parametrize("size", SIZES)
def test_the_desk_s_pages_fit_and_can_be_read_aloud(busy: Hall, open_page, size: str) -> None:
    slug = busy.event.tournament.slug
    addresses = {
        "board": _board(busy),
        "calls": reverse("referee:calls", args=[slug]),
        "call": reverse("referee:call", args=[TableCall.objects.get().pk]),
        "review": reverse("referee:review", args=[slug]),
        "deal": reverse("referee:deal", args=[busy.deal(1).pk]),
        "dispute": reverse("referee:dispute", args=[Dispute.objects.get().pk]),
        "seats": reverse("referee:seats", args=[busy.table.pk]),
        "home": reverse("referee:home"),
        "table": reverse("referee:table", args=[busy.table.pk]),
    }
    page = open_page("chief", addresses["board"], SIZES[size])
    base = page.url.removesuffix(addresses["board"])
    wrong = {}
    for name, address in addresses.items():
        page.goto(base + address)
        if PICTURES:
            page.wait_for_timeout(300)
            page.screenshot(path=f"{PICTURES}/desk-{name}-{size}.png", full_page=True)
        faults = [] if name == "table" else page.evaluate(FAULTS_OF_ACCESS)
        if page.evaluate(OVERFLOW) > 0:
            faults.append("wider than the screen")
        if faults:
            wrong[name] = faults
    assert not wrong


def test_no_part_of_the_penalty_catalogue_lies_beyond_the_edge_of_a_phone(hall: Hall, open_page) -> None:
    page = open_page(
        "chief", reverse("referee:tournament_rules", args=[hall.event.tournament.slug]), SIZES["phone"]
    )
    expect(page.locator('.rules [name="points"]').first).to_be_visible()
    beyond = page.locator(".table-wrap").evaluate("(box) => box.scrollWidth - box.clientWidth")
    assert beyond == 0
