"""The browser of the browser tests."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    Route,
    expect,
    sync_playwright,
)

from referee.services import devices
from tests.browser.hall_network import HallNetwork, offline_for_good, server_of
from tests.browser.table_page import SIZES
from tests.factories import PASSWORD
from tests.referee.conftest import Hall, open_hall
from tournament.models import Event

#: Longer than the driver's own 5 s: a page of many modules starts slowly while other tests have the machine.
PATIENCE = 15_000
expect.set_options(timeout=PATIENCE)

#: Where the tablet's scripts lie, and where an empty page finds them.
_STATIC = Path(settings.BASE_DIR) / "referee" / "static" / "referee"
_SCRIPTS = "http://tablet.test"

#: Chromium as root needs no sandbox; the rest keeps it from calling home.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    # Another name of this machine: browsers trust the address localhost, but none of a hall's without https.
    "--host-resolver-rules=MAP hall.example 127.0.0.1",
]


def chromium_path() -> str:
    """The installed Chromium."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    assert path, "these tests need Chromium: install it, or name it in CHROMIUM"
    return path


@pytest.fixture(scope="session")
def unsafe_async_allowed(django_db_setup: None) -> Iterator[None]:
    """The browser's driver keeps an event loop in this thread; nothing here is asynchronous itself.

    Asked for before the browser, so that the test database is made first.
    """
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield


@pytest.fixture(scope="session")
def driver(unsafe_async_allowed: None) -> Iterator[Playwright]:
    """What steers browsers, one for each process that runs tests."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(driver: Playwright) -> Iterator[Browser]:
    """A browser for all tests of a process; tests make contexts and pages of their own."""
    browser = driver.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(autouse=True)
def nothing_left_open(chromium: Browser) -> Iterator[None]:
    """Closes what a test left open, a failed one too: its pages would ask on through all tests after it."""
    before = list(chromium.contexts)
    yield
    for context in chromium.contexts:
        if context not in before:
            context.close()


@pytest.fixture
def tablet(unsafe_async_allowed: None, chromium: Browser, live_server: Any) -> Iterator[Callable[..., Page]]:
    """Opens a page, logged in, at the first table of a hall; it goes offline as `offline_for_good`."""
    contexts: list[BrowserContext] = []
    networks: list[HallNetwork] = []
    faults: list[str] = []

    def open_page(hall: Hall, person: str = "referee", size: str = "tablet-wide", **options: Any) -> Page:
        width, height = SIZES[size]
        network = HallNetwork(server_of(live_server))
        networks.append(network)
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            has_touch=True,
            locale="en",
            base_url=network.address(),
            **options,
        )
        offline_for_good(context, network)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: faults.append(error.stack or str(error)))
        page.on("console", lambda line: faults.append(line.text) if "Content Security" in line.text else None)
        page.goto(f"/accounts/login/?next=/referee/table/{hall.table.pk}/")
        page.fill("[name=username]", getattr(hall, person).user.get_username())
        page.fill("[name=password]", PASSWORD)
        page.click("main button[type=submit], main form button")
        expect(page.locator("#sheet table")).to_be_visible()
        return page

    yield open_page
    for context in contexts:
        context.close()
    for network in networks:
        network.close()
    assert faults == []


@pytest.fixture
def hall(tablet: Any) -> Hall:
    """An individual event in play."""
    return open_hall()


@pytest.fixture(scope="module")
def script_page(chromium: Browser) -> Iterator[Page]:
    """An empty page that can import the tablet's scripts."""
    context = chromium.new_context()

    def serve(route: Route) -> None:
        name = route.request.url.removeprefix(_SCRIPTS + "/")
        if name.endswith(".js"):
            route.fulfill(body=(_STATIC / name).read_text(), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>-</title>", content_type="text/html")

    context.route("**", serve)
    opened = context.new_page()
    opened.goto(_SCRIPTS)
    yield opened
    context.close()


@pytest.fixture
def round_hall(unsafe_async_allowed: None, chromium: Browser) -> Hall:
    """A pairs event whose rounds are sets of four deals."""
    return open_hall(Event.Kind.PAIRS, 4, plan={"kind": "set", "deals": 4})


@pytest.fixture
def joined(chromium: Browser, live_server: Any) -> Iterator[Callable[..., Page]]:
    """Opens a page of a tablet that has joined the hall's first table by its card; nobody is logged in.

    Its context goes offline as `offline_for_good`.
    """
    contexts: list[BrowserContext] = []
    networks: list[HallNetwork] = []
    faults: list[str] = []

    def open_page(hall: Hall, *, take_over: bool = False, host: str = "localhost") -> Page:
        card = devices.make_cards(actor=hall.chief, event=hall.event, tables=1)[0]
        network = HallNetwork(server_of(live_server))
        networks.append(network)
        context = chromium.new_context(
            viewport={"width": 1024, "height": 768},
            has_touch=True,
            locale="en",
            base_url=network.address(host),
        )
        offline_for_good(context, network)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"/referee/join/{card.code}/")
        if take_over:
            page.check("[name=take_over]")
        page.click("main form .button--primary")
        expect(page.locator("#sheet table")).to_be_visible()
        return page

    yield open_page
    for context in contexts:
        context.close()
    for network in networks:
        network.close()
    assert faults == []
