"""Tablets without network: a whole round through a reload, two tablets on one table, what a person decides,
nothing lost and nothing twice.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from referee import views_offline
from referee.models import Deal, DealCheck, DealVersion, Device, TableCard, TableRuling
from referee.queries import check_of
from referee.queries.board import live_board
from tests.browser.table_page import (
    all_sent,
    enter_by,
    give,
    log_a_card,
    play_deal,
    tap_deal,
    works_offline,
)
from tests.referee.conftest import Hall, simple_record
from tournament.models import Draw, Round

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]


def test_whole_round_without_network_with_a_reload_in_between(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    works_offline(page)
    page.context.set_offline(True)
    for number in (1, 2):
        play_deal(page, number)
    page.reload()
    expect(page.locator("#outbox-count")).to_have_text("4 not sent")
    expect(page.locator(".sheet .mark--checked")).to_have_count(2)
    for number in (3, 4):
        play_deal(page, number)
    expect(page.locator("#table-state")).to_have_text("all played and checked")
    expect(page.locator("#outbox-list li")).to_have_count(8)
    assert not Deal.objects.exists()

    page.context.set_offline(False)
    all_sent(page)
    versions = list(DealVersion.objects.order_by("deal__order").select_related("deal", "device"))
    assert [(one.deal.number, one.number, one.entered_seat) for one in versions] == [
        (number, 1, "N") for number in range(1, 5)
    ]
    assert all(check_of(one) is not None for one in versions)
    assert {one.device for one in versions} == {Device.objects.get()}
    shown = page.locator(".sheet__total").inner_text()
    page.reload()
    expect(page.locator(".sheet__total")).to_have_text(shown.replace("\t", ""))


def test_restart_of_the_tablet_finds_what_waits(joined: Callable[..., Page], round_hall: Hall) -> None:
    page = joined(round_hall)
    works_offline(page)
    page.context.set_offline(True)
    play_deal(page, 1)
    page.close()
    again = page.context.new_page()
    again.goto("/referee/tablet/")
    expect(again.locator("#outbox-count")).to_have_text("2 not sent")
    again.context.set_offline(False)
    all_sent(again)
    assert DealCheck.objects.count() == 1


def test_second_tablet_takes_over_and_the_first_keeps_what_it_could_not_send(
    joined: Callable[..., Page], round_hall: Hall, tmp_path: Path
) -> None:
    first = joined(round_hall)
    first.context.set_offline(True)
    play_deal(first, 1)
    second = joined(round_hall, take_over=True)
    first.context.set_offline(False)
    expect(first.locator("#unsent")).to_contain_text("Another tablet has taken over table 1")
    expect(first.locator("#outbox-count")).to_have_text("2 not sent")
    assert not DealVersion.objects.exists()

    first.locator(".on-tablet summary").tap()
    with first.expect_download() as saving:
        first.tap("#save-file")
    kept = tmp_path / "kept.json"
    saving.value.save_as(kept)
    second.set_input_files("#load-file", kept)
    expect(second.locator("#file-note")).to_contain_text("2")
    all_sent(second)
    expect(second.locator(".sheet .mark--checked")).to_have_count(1)
    second.set_input_files("#load-file", kept)  # once more changes nothing
    expect(second.locator("#file-note")).to_contain_text("2")
    all_sent(second)
    assert (DealVersion.objects.count(), DealCheck.objects.count()) == (1, 1)


def test_record_that_came_first_is_compared_and_mine_replaces_it_with_what_follows(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    page.context.set_offline(True)
    play_deal(page, 1)
    play_deal(page, 2)
    round_hall.record(record=simple_record(held={"SQ": "N", "DJ": "N", "C10": "N", "HA": "N"}))
    page.context.set_offline(False)
    expect(page.locator("#conflict")).to_be_visible()
    page.locator('#conflict [value=""]').tap()
    page.reload()  # undecided, and still there
    expect(page.locator("#outbox-count")).to_have_text("4 not sent")
    page.tap("#decide")
    page.locator('#conflict [value="mine"]').tap()
    all_sent(page)
    found = DealVersion.objects.order_by("deal__number", "number").values_list("deal__number", "number")
    assert list(found) == [(1, 1), (1, 2), (2, 1)]
    assert DealCheck.objects.count() == 2


def test_record_that_came_first_stays_and_mine_is_kept_aside(
    joined: Callable[..., Page], round_hall: Hall, tmp_path: Path
) -> None:
    page = joined(round_hall)
    page.context.set_offline(True)
    play_deal(page, 1)
    play_deal(page, 2)
    round_hall.record(record=simple_record(held={"SQ": "N", "DJ": "N", "C10": "N", "HA": "N"}))
    page.context.set_offline(False)
    page.locator('#conflict [value="theirs"]').tap()
    all_sent(page)
    found = DealVersion.objects.order_by("deal__number", "number").values_list("deal__number", "number")
    assert list(found) == [(1, 1), (2, 1)]
    page.locator(".on-tablet summary").tap()
    with page.expect_download() as saving:
        page.tap("#save-file")
    assert len(re.findall('"/referee/api/tables/', saving.value.path().read_text())) == 2


def test_round_closed_meanwhile_is_told_and_sent_once_reopened(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    page.context.set_offline(True)
    play_deal(page, 1)
    Round.objects.filter(pk=round_hall.table.draw.round_id).update(state=Round.State.CLOSED)
    page.context.set_offline(False)
    expect(page.locator("#unsent")).to_contain_text("Round 1 is closed")
    Round.objects.filter(pk=round_hall.table.draw.round_id).update(state=Round.State.PLAYING)
    page.tap("#retry")
    all_sent(page)
    assert DealCheck.objects.count() == 1


def test_draw_withdrawn_meanwhile_is_told_and_nothing_is_dropped(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    page.context.set_offline(True)
    play_deal(page, 1)
    Draw.objects.update(state=Draw.State.WITHDRAWN)
    page.context.set_offline(False)
    expect(page.locator("#unsent")).to_contain_text("The draw of round 1 is not published")
    expect(page.locator("#outbox-count")).to_have_text("2 not sent")


def test_wrong_clock_of_the_tablet_changes_nothing(joined: Callable[..., Page], round_hall: Hall) -> None:
    page = joined(round_hall)
    page.clock.set_fixed_time("2001-02-03T04:05:06Z")
    play_deal(page, 1)
    all_sent(page)
    version = DealVersion.objects.get()
    assert version.created_at.year > 2020


#: There is room for a deal's record, and none for the log that goes with it.
NO_ROOM = """() => { globalThis.put = IDBObjectStore.prototype.put;
    let kept = 0;
    IDBObjectStore.prototype.put = function (one) {
      if (this.name === "outbox" && kept++) throw new DOMException("full", "QuotaExceededError");
      return put.call(this, one);
    }; }"""


def enter_with_no_room(page: Page) -> None:
    """Enters the simple record with a log of tricks, and then the tablet is full."""
    enter_by(page, "N")
    tap_deal(page)
    log_a_card(page, "N", "S4")
    page.evaluate(NO_ROOM)


def test_what_a_full_tablet_cannot_keep_is_sent_at_once_and_once(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    enter_with_no_room(page)
    # The record arrives, and the network is gone before its answer and the log.
    page.route("**/record/", lambda route: (route.fetch(), route.abort()))
    page.tap("#submit")
    expect(page.locator("#faults")).to_contain_text("has no room left")
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 1")
    page.unroute("**/record/")
    page.tap("#submit")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    assert DealVersion.objects.get() == TableRuling.objects.get().version
    page.reload()
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    expect(page.locator("#outbox-list li")).to_have_count(0)


def test_no_room_on_the_tablet_is_said_and_the_entry_stays_in_view(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    enter_with_no_room(page)
    page.context.set_offline(True)
    page.tap("#submit")
    expect(page.locator("#faults")).to_contain_text("has no room left")
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 1")
    page.evaluate("() => { IDBObjectStore.prototype.put = globalThis.put; }")
    page.context.set_offline(False)
    page.reload()
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 1")
    expect(page.locator("#outbox-list li")).to_have_count(0)
    page.tap("#submit")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    all_sent(page)
    assert (DealVersion.objects.count(), TableRuling.objects.count()) == (1, 1)


def test_file_of_a_full_tablet_holds_what_is_being_entered(
    joined: Callable[..., Page], round_hall: Hall, tmp_path: Path
) -> None:
    first = joined(round_hall)
    first.evaluate("() => { IDBObjectStore.prototype.put = () => { throw new DOMException(); }; }")
    give(first, "W", ["DJ", "H2"])
    expect(first.locator("#storage-warning")).to_contain_text("cannot keep entries")
    first.locator(".on-tablet summary").tap()
    with first.expect_download() as saving:
        first.tap("#save-file")
    kept = tmp_path / "kept.json"
    saving.value.save_as(kept)

    second = joined(round_hall, take_over=True)
    jack, three = (second.locator(f'.pad [data-copy="{card}#1"].is-taken') for card in ("DJ", "H3"))
    second.set_input_files("#load-file", kept)
    expect(jack).to_be_visible()
    second.reload()
    give(second, "N", ["H3"])
    second.set_input_files("#load-file", kept)  # asked, and the browser says no
    expect(second.locator("#file-note")).to_contain_text("0")
    expect(three).to_be_visible()
    second.once("dialog", lambda dialog: dialog.accept())
    second.set_input_files("#load-file", kept)
    expect(three).to_be_hidden()
    expect(jack).to_be_visible()


def test_tablet_that_the_server_does_not_know_any_more_scans_its_card_again(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    page.context.clear_cookies()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#unsent")).to_contain_text(
        "scan the table's card again. What is being entered stays"
    )
    enter_by(page, "N")
    tap_deal(page)
    page.tap("#submit")
    expect(page.locator("#unsent")).to_contain_text("scan the table's card again and it is sent")
    expect(page.locator("#login-again")).to_be_hidden()
    # In another tab, as a camera opens it; the page of before goes on as well.
    scanned = page.context.new_page()
    scanned.goto(page.url)
    scanned.get_by_role("link", name="Scan or type the table card again").tap()
    scanned.fill("[name=code]", TableCard.objects.get().code)
    scanned.tap("main form .button--primary")
    scanned.check("[name=take_over]")
    scanned.tap("main form .button--primary")
    all_sent(scanned)
    page.evaluate("dispatchEvent(new Event('online'))")
    all_sent(page)
    expect(page.locator("#unsent")).to_be_hidden()
    assert DealVersion.objects.count() == 1


def test_tablet_taken_over_says_so_before_anything_is_entered(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    first = joined(round_hall)
    joined(round_hall, take_over=True)
    first.evaluate("dispatchEvent(new Event('online'))")
    expect(first.locator("#unsent")).to_contain_text("Another tablet has taken over table 1")
    expect(first.locator("#card-again")).to_be_visible()
    expect(first.locator("#retry")).to_be_hidden()


def test_decided_conflict_leaves_the_deal_that_is_being_entered(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    page.context.set_offline(True)
    play_deal(page, 1)
    enter_by(page, "S")
    give(page, "W", ["DJ", "H2"])
    round_hall.record(record=simple_record(held={"SQ": "N", "DJ": "N", "C10": "N", "HA": "N"}))
    page.context.set_offline(False)
    page.locator('#conflict [value="mine"]').tap()
    all_sent(page)
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 2")
    expect(page.locator('.pad [data-copy="H2#1"]')).to_have_class(re.compile("is-taken"))


def test_browser_without_storage_warns_and_still_sends(joined: Callable[..., Page], round_hall: Hall) -> None:
    page = joined(round_hall)
    page.add_init_script("Object.defineProperty(globalThis, 'indexedDB', { value: undefined })")
    page.reload()
    expect(page.locator("#storage-warning")).to_contain_text("cannot keep entries")
    play_deal(page, 1)
    all_sent(page)
    assert DealCheck.objects.count() == 1


def test_plain_http_is_said_to_do_without_network_only_until_the_next_reload(
    joined: Callable[..., Page], round_hall: Hall, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["hall.example"]
    page = joined(round_hall, host="hall.example")
    expect(page.locator("#storage-warning")).to_contain_text("not on a secure address (https)")
    page.context.set_offline(True)
    play_deal(page, 1)
    expect(page.locator("#outbox-count")).to_have_text("2 not sent")
    page.context.set_offline(False)
    page.reload()
    all_sent(page)
    assert DealCheck.objects.count() == 1


def test_several_deals_sent_together_are_nothing_odd_at_the_desk(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    began = datetime(2001, 2, 3, 4, 5, 6, tzinfo=UTC)  # a clock of the tablet that is wrong, too
    page.clock.set_fixed_time(began)
    page.context.set_offline(True)
    for number in (1, 2, 3):
        play_deal(page, number)
        page.clock.set_fixed_time(began + timedelta(minutes=7 * number))
    page.context.set_offline(False)
    all_sent(page)
    made = list(DealVersion.objects.order_by("deal__order").values_list("tablet_at", flat=True))
    assert made == [began + timedelta(minutes=minutes) for minutes in (0, 7, 14)]
    Draw.objects.update(published_at=timezone.now() - timedelta(hours=1))
    DealCheck.objects.all().delete()
    line = next(one for one in live_board(round_hall.event.tournament) if one.table.pk == round_hall.table.pk)
    assert "quick" not in {sign.code for sign in line.signs}


def test_update_of_the_page_while_entries_wait_loses_none(
    joined: Callable[..., Page], round_hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = joined(round_hall)
    works_offline(page)
    page.route("**/record/", lambda route: route.abort("internetdisconnected"))
    enter_by(page, "N")
    tap_deal(page)
    page.tap("#submit")
    expect(page.locator("#outbox-count")).to_have_text("1 not sent")
    _version, names = views_offline._files()
    monkeypatch.setattr(views_offline, "_files", lambda: ("another-version", names))
    page.evaluate("() => navigator.serviceWorker.ready.then((worker) => worker.update())")
    expect(page.locator("#new-version")).to_be_visible()
    page.locator("#new-version a").tap()
    expect(page.locator("#outbox-count")).to_have_text("1 not sent")
    page.unroute("**/record/")  # the page comes back to it by itself
    all_sent(page)
    assert DealVersion.objects.count() == 1
