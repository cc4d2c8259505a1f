"""A browser killed in the middle, as by a flat battery: what was tapped and what waits are there again."""

import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect

from referee.models import DealCheck, DealVersion, TableRuling
from referee.services import devices
from tests.browser.conftest import ARGUMENTS, PATIENCE, chromium_path
from tests.browser.hall_network import HallNetwork, hall_network, server_of
from tests.browser.table_page import (
    all_sent,
    draft_kept,
    enter_by,
    give,
    log_a_card,
    play_deal,
    tap_deal,
    works_offline,
)
from tests.referee.conftest import Hall

#: A card of the pad that a seat has.
TAKEN = re.compile("is-taken")

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]


@pytest.fixture
def network(live_server: Any) -> Iterator[HallNetwork]:
    with hall_network(server_of(live_server)) as between:
        yield between


@pytest.fixture
def start(driver: Playwright, tmp_path: Path, network: HallNetwork) -> Iterator[Callable[[], Page]]:
    """Starts a browser of its own, each time with the same folder of stored data, as a tablet does."""
    contexts: list[BrowserContext] = []

    def start_browser() -> Page:
        context = driver.chromium.launch_persistent_context(
            tmp_path / "tablet",
            executable_path=chromium_path(),
            args=ARGUMENTS,
            viewport={"width": 1024, "height": 768},
            has_touch=True,
            locale="en",
            base_url=network.address(),
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        return context.pages[0]

    yield start_browser
    contexts[-1].close()


def join(page: Page, code: str, *, take_over: bool = False) -> None:
    page.goto(f"/referee/join/{code}/")
    if take_over:
        page.check("[name=take_over]")
    page.click("main form .button--primary")
    expect(page.locator("#sheet table")).to_be_visible()


def kill(folder: Path) -> None:
    """SIGKILL for the browser whose stored data lie there, and every process of it."""
    ours = f"--user-data-dir={folder}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # gone meanwhile
        if ours in arguments:
            found.append(int(process.name))
    assert found, "no browser to kill"
    for process_id in found:
        try:
            os.kill(process_id, signal.SIGKILL)
        except ProcessLookupError:
            pass  # it went with its parent


def test_killed_browser_finds_what_was_tapped_and_what_waits(
    start: Callable[[], Page], network: HallNetwork, round_hall: Hall, tmp_path: Path
) -> None:
    card = devices.make_cards(actor=round_hall.chief, event=round_hall.event, tables=1)[0]
    page = start()
    join(page, card.code)
    works_offline(page)
    network.switch(on=False)
    play_deal(page, 1)
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 2")
    enter_by(page, "S")
    give(page, "W", ["DJ", "H2", "H3"])
    draft_kept(page, 3)
    kill(tmp_path / "tablet")

    page = start()
    page.goto("/referee/tablet/")
    expect(page.locator("#outbox-count")).to_have_text("2 not sent")
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 2")
    expect(page.locator('#entered-by [data-seat="S"]')).to_have_attribute("aria-pressed", "true")
    for taken in ("DJ", "H2", "H3"):
        expect(page.locator(f'.pad [data-copy="{taken}#1"]')).to_have_class(TAKEN)
    # Chromium writes cookies half a minute late: this tablet has lost that it joined, and joins again.
    page.context.clear_cookies()
    network.switch(on=True)
    expect(page.locator("#card-again")).to_be_visible()
    join(page, card.code, take_over=True)
    all_sent(page)
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 2")
    expect(page.locator('.pad [data-copy="DJ#1"]')).to_have_class(TAKEN)
    assert (DealVersion.objects.count(), DealCheck.objects.count()) == (1, 1)


def test_browser_killed_while_a_deal_with_its_log_is_kept_has_both(
    start: Callable[[], Page], network: HallNetwork, round_hall: Hall, tmp_path: Path
) -> None:
    card = devices.make_cards(actor=round_hall.chief, event=round_hall.event, tables=1)[0]
    page = start()
    join(page, card.code)
    works_offline(page)
    network.switch(on=False)
    enter_by(page, "N")
    tap_deal(page)
    log_a_card(page, "N", "S4")
    # The battery lasts for one more write: a second one never gets onto the disk.
    page.evaluate(
        """() => {
          const { transaction } = IDBDatabase.prototype;
          let writes = 0;
          IDBDatabase.prototype.transaction = function (places, mode, ...rest) {
            const isWrite = mode === "readwrite" && [places].flat().includes("outbox");
            if (isWrite && writes++) throw new Error("dead");
            return transaction.call(this, places, mode, ...rest);
          };
        }"""
    )
    page.tap("#submit")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    kill(tmp_path / "tablet")

    page = start()
    page.goto("/referee/tablet/")
    expect(page.locator("#outbox-count")).to_have_text("2 not sent")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    page.context.clear_cookies()
    network.switch(on=True)
    join(page, card.code, take_over=True)
    all_sent(page)
    assert DealVersion.objects.get() == TableRuling.objects.get().version
