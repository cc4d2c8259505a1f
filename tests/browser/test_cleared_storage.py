"""The tablet's storage cleared under the open page, by hand or by the browser: nothing that waits is lost."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from referee.models import DealCheck, DealVersion
from tests.browser.table_page import all_sent, draft_kept, enter_by, give, play_deal, tap_deal, works_offline
from tests.referee.conftest import Hall

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]


def clear_storage(page: Page) -> None:
    """As "clear site data" does, or a browser that is short of room."""
    session = page.context.new_cdp_session(page)
    origin = page.evaluate("() => location.origin")
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "indexeddb"})
    session.detach()
    # It clears in steps, and may close a storage that was opened between them.
    page.wait_for_timeout(1000)


def test_what_waits_is_put_back_and_survives_a_reload(joined: Callable[..., Page], round_hall: Hall) -> None:
    page = joined(round_hall)
    works_offline(page)
    page.context.set_offline(True)
    play_deal(page, 1)
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 2")
    enter_by(page, "S")
    give(page, "W", ["DJ", "H2"])
    draft_kept(page, 2)

    clear_storage(page)

    expect(page.locator("#outbox-count")).to_have_text("2 not sent")
    draft_kept(page, 2)
    page.reload()
    expect(page.locator("#outbox-count")).to_have_text("2 not sent")
    expect(page.locator('.seat-box[data-seat="W"] .seat-box__cards')).to_contain_text("J")
    page.context.set_offline(False)
    all_sent(page)
    assert (DealVersion.objects.count(), DealCheck.objects.count()) == (1, 1)


def test_the_next_deal_is_entered_as_if_nothing_had_happened(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    page.route("**/api/tables/*/deals/**", lambda route: route.abort("internetdisconnected"))
    enter_by(page, "N")
    tap_deal(page)
    clear_storage(page)
    page.tap("#submit")
    expect(page.locator("#outbox-count")).to_have_text("1 not sent")
    expect(page.locator("#faults")).to_be_empty()
    clear_storage(page)  # and once more while it waits
    page.unroute("**/api/tables/*/deals/**")
    all_sent(page)
    assert DealVersion.objects.count() == 1
