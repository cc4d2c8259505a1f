"""A timed round in a browser: the table's page says by itself that time is up, with and without network; the
boards fit.
"""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from referee.models import DealVersion
from tests.browser.looks import OVERFLOW
from tests.browser.table_page import all_sent, play_deal, works_offline
from tests.referee.conftest import Hall, open_hall
from tournament.models import Event, RoundClock
from tournament.services.clock import let_deal_count, start_clock

pytestmark = pytest.mark.django_db(transaction=True)


def timed(*, finish: bool) -> Hall:
    plan = {"kind": "time", "minutes": 45, "finish_current_deal": finish}
    hall = open_hall(plan=plan, measure=Event.Measure.POINTS)
    start_clock(actor=hall.chief, round=hall.table.draw.round)
    hall.record(number=1)
    hall.check(1)
    return hall


def ends_in(hall: Hall, seconds: float) -> None:
    ends_at = timezone.now() + timedelta(seconds=seconds)
    RoundClock.objects.filter(draw=hall.table.draw).update(ends_at=ends_at)


@pytest.mark.parametrize(
    ("finish", "words"), [(True, "deal 2 is the last"), (False, "no further deal counts")]
)
def test_the_table_page_says_that_time_is_up_without_being_told(tablet, finish, words) -> None:
    hall = timed(finish=finish)
    page = tablet(hall)
    expect(page.locator("#time-note")).to_contain_text("Time is up at")
    ends_in(hall, 5)
    page.reload()
    expect(page.locator("#time-note")).to_contain_text("Time is up at")
    expect(page.locator("#time-note")).to_contain_text(words)


def test_without_network_only_deals_that_may_count_are_offered_and_what_the_desk_must_know_is_said(
    tablet,
) -> None:
    hall = timed(finish=True)
    ends_in(hall, 600)
    page = tablet(hall)
    page.clock.install()
    works_offline(page)
    page.context.set_offline(True)
    play_deal(page, 2)
    expect(page.locator("#time-note")).to_contain_text("Time is up at")
    page.clock.fast_forward(601_000)
    note = page.locator("#time-note")
    expect(note).to_contain_text("deal 3 is the last")
    expect(note).to_contain_text("may be refused: tell the desk")
    page.reload()
    expect(note).to_contain_text("deal 3 is the last")
    play_deal(page, 3)
    expect(note).to_contain_text("no further deal counts")
    expect(page.locator("#table-state")).to_have_text("all played and checked")
    expect(page.locator("#go-entry")).to_be_hidden()

    # Deal 2 comes too late as well: it takes the place of the last, and the desk lets deal 3 count.
    ends_in(hall, -1)
    page.context.set_offline(False)
    expect(page.locator("#unsent")).to_contain_text("deal 3 of table 1 does not count")
    let_deal_count(actor=hall.chief, table=hall.table, reason="no network")
    page.tap("#retry")
    all_sent(page)
    assert DealVersion.objects.filter(state=DealVersion.State.RECORDED).count() == 3


def test_without_network_no_deal_is_offered_after_the_end_where_none_counts(tablet) -> None:
    hall = timed(finish=False)
    ends_in(hall, 600)
    page = tablet(hall)
    page.clock.install()
    page.reload()
    page.context.set_offline(True)
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 2")
    page.clock.fast_forward(601_000)
    expect(page.locator("#time-note")).to_contain_text("no further deal counts")
    expect(page.locator("#pane-over")).to_be_visible()


@pytest.mark.parametrize("size", ["phone", "tablet", "tablet-wide", "laptop"])
def test_boards_of_a_timed_round_fit(tablet, size) -> None:
    hall = timed(finish=True)
    ends_in(hall, 0)
    page = tablet(hall, "chief", size)
    where = {"tournament": hall.event.tournament.slug, "event": hall.event.slug, "round": 1}
    for address in (
        reverse("referee:board", args=[where["tournament"]]),
        reverse("manage:round", kwargs=where),
        reverse("manage:clock_move", kwargs=where),
    ):
        page.goto(address)
        expect(page.locator("h1").first).to_be_visible()
        assert page.evaluate(OVERFLOW) <= 0, address


def test_a_deal_begun_in_time_and_void_without_network_is_replayed_there_before_anybody_has_won(
    tablet,
) -> None:
    hall = timed(finish=True)
    hall.record(number=2)
    ends_in(hall, -1)
    page = tablet(hall)
    won = page.locator("#sheet .sheet__result")
    expect(won).to_contain_text("Won")
    works_offline(page)
    page.context.set_offline(True)
    page.tap('.sheet__deal[data-key="deal-2"]')
    page.tap('#pane-deal [data-action="void"]')
    page.fill("#reason-text", "a card was seen")
    page.tap("#reason .button--primary")
    expect(won).to_have_count(0)
    play_deal(page, 2)
    expect(won).to_contain_text("Won")
