"""The log of a deal's tricks on the table page: taps, reload, what is wrong, what differs from the record."""

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from referee.models import DealVersion, TableRuling
from scoring.engine import score_deal
from scoring.engine.playout import PlayedDeal, play_out
from scoring.rulesets import load
from tests.browser.table_page import SIZES, all_sent, enter_by
from tests.referee.conftest import Hall, simple_record

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]


def unexposed() -> PlayedDeal:
    """A random legal deal in which nobody exposed anything."""
    rules = load("huapai")
    deals = (play_out(rules, Random(seed), keep_tricks=True) for seed in range(1_000))
    return next(one for one in deals if not one.record.exposed)


def tap_cards(page: Page, cards: list[str]) -> None:
    for card in cards:
        page.locator(f'[data-card="{card}"].tricks__card').tap()


def start(page: Page, leader: str) -> None:
    page.tap("#log-tricks")
    page.tap(f'.tricks__seat[data-seat="{leader}"]')


def test_a_whole_deal_logged_without_network_and_through_a_reload_is_its_entry(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    played = unexposed()
    plays = [play[0] for trick in played.tricks for _seat, play in trick.plays]
    page = tablet(hall)
    enter_by(page, "N")
    start(page, played.leader)
    tap_cards(page, plays[:10])
    expect(page.locator(".tricks__say")).to_contain_text("Trick 3")
    page.reload()
    expect(page.locator(".tricks__card.is-gone")).to_have_count(10)
    page.context.set_offline(True)
    tap_cards(page, plays[10:])
    expect(page.locator(".tricks__say")).to_have_text("All cards are played.")
    expect(page.locator("#entry-missing")).to_have_text("Every card has its place.")
    page.tap("#submit")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    all_sent(page)
    version = DealVersion.objects.get()
    wanted = score_deal(played.record, load("huapai")).to_json()["scores"]
    assert version.answer["scores"] == wanted
    ruling = TableRuling.objects.get()
    assert (ruling.kind, ruling.version, ruling.facts["irregularities"]) == ("trick_log", version, [])
    assert len(ruling.facts["tricks"]) == 13


def test_a_revoke_is_told_with_seat_and_card_and_goes_with_undo(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    page = tablet(hall)
    start(page, "N")
    tap_cards(page, ["S4", "H7", "S5", "S6"])
    expect(page.locator('.tricks__seat[aria-pressed="true"]')).to_have_attribute("data-seat", "E")
    tap_cards(page, ["D4", "D5", "S9"])
    faults = page.locator(".tricks__faults li")
    expect(faults).to_have_text(re.compile("Trick 1: seat West discarded .+7 but could have followed suit."))
    page.tap('[data-key="log-undo"]')
    expect(faults).to_have_count(0)
    page.tap('[data-key="log-redo"]')
    expect(faults).to_have_count(1)


def test_captures_tapped_by_hand_stay_and_the_log_says_where_they_differ(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    page = tablet(hall)
    page.tap('.seat-box[data-seat="W"]')
    page.tap('.pad [data-copy="SQ#1"]')
    start(page, "N")
    tap_cards(page, ["SQ", "S2", "S5", "S6"])
    expect(page.locator(".tricks__differs")).to_contain_text("log: North; entered: West")
    page.tap('[data-key="log-take"]')
    expect(page.locator('.pad [data-copy="SQ#1"] .pad__owner')).to_have_text("N")
    expect(page.locator(".tricks__differs li")).to_have_count(0)


def test_log_of_a_recorded_deal_is_compared_with_it_and_changes_nothing(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    hall.record(record=simple_record())
    page = tablet(hall)
    page.tap('[data-action="log"]')
    expect(page.locator("#entry")).to_be_hidden()
    page.tap("#submit")
    expect(page.locator("#faults")).to_contain_text("Nothing is logged yet.")
    page.tap('.tricks__seat[data-seat="W"]')
    tap_cards(page, ["SQ", "S5", "SK", "S6"])
    expect(page.locator(".tricks__differs")).to_contain_text("log: East; entered: North")
    page.tap("#submit")
    all_sent(page)
    expect(page.locator("#rulings")).to_contain_text("♠Q: log: East; entered: North")
    assert DealVersion.objects.count() == 1


@pytest.mark.parametrize("size", SIZES)
def test_the_log_fits_the_screen_and_the_thumb(tablet: Callable[..., Page], hall: Hall, size: str) -> None:
    page = tablet(hall, size=size)
    start(page, "N")
    tap_cards(page, ["S4", "H7", "S5", "S6", "D4", "D5", "S9"])
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0
    targets = page.evaluate(
        """() => [...document.querySelectorAll("#tricks button")].map((one) => {
          const { width, height } = one.getBoundingClientRect();
          return Math.min(width, height);
        })"""
    )
    assert min(targets) >= 44
