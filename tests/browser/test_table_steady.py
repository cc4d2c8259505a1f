"""What is tapped stays under the finger, whatever appears, grows or goes above it meanwhile."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table_page import SIZES, SMALL_TARGETS, all_sent, enter_by, holder, tap_deal
from tests.referee.conftest import CAPTURES, Hall, open_hall

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]

#: How far down the screen the first card of the pad is.
PAD = "() => document.querySelector('.pad__card').getBoundingClientRect().top"
#: A tap that does not scroll to what it taps first, as those of the driver may.
TAP = """(place) => { const one = document.querySelector(place);
  one.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true })); one.click(); }"""
#: Figures of the score sheet that end beyond its edge, or under the sign of their deal's state.
CUT_OFF = """() => [...document.querySelectorAll("#sheet tr")].flatMap((row) => {
  const edge = row.querySelector(".sheet__state")?.getBoundingClientRect().left
    ?? document.querySelector("#sheet").getBoundingClientRect().right;
  return [...row.querySelectorAll(".num")].filter((one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    return text.getBoundingClientRect().right > edge + 0.5;
  }).map((one) => one.textContent); })"""
HELD = {"SQ": "B", "DJ": "C", "C10": "D", "HA": "E"}
#: Half a pixel is rounded when a page is scrolled.
CLOSE = 1.5


def _painted(page: Page) -> None:
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize("size", SIZES)
def test_no_card_moves_from_the_first_tap_of_a_deal_to_the_last(
    tablet: Callable[..., Page], hall: Hall, size: str
) -> None:
    page = tablet(hall, size=size)
    expect(page.locator("#guide")).to_have_attribute("data-step", "shuffle")
    _painted(page)
    before = page.evaluate(PAD)
    for card in [*CAPTURES["S"], *CAPTURES["N"]]:
        page.evaluate(TAP, f'.pad [data-copy="{card}#1"]')
        expect(page.locator(f'.pad .is-taken[data-copy="{card}#1"]')).to_have_count(1)
        _painted(page)
        assert page.evaluate(PAD) == pytest.approx(before, abs=CLOSE), card


@pytest.mark.parametrize("size", SIZES)
def test_no_card_moves_while_news_come_and_go(tablet: Callable[..., Page], hall: Hall, size: str) -> None:
    page = tablet(hall, size=size)
    enter_by(page, "N")
    tap_deal(page)
    page.tap("#submit")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    all_sent(page)
    page.tap("#go-entry")
    expect(page.locator("#guide")).to_have_attribute("data-step", "shuffle")
    _painted(page)
    before = page.evaluate(PAD)

    def steady(after: str) -> None:
        _painted(page)
        assert page.evaluate(PAD) == pytest.approx(before, abs=CLOSE), after

    page.context.set_offline(True)
    page.evaluate(TAP, "#call-referee")
    expect(page.locator("#call-note")).to_contain_text("no network")
    steady("a call that is not sent")
    page.evaluate(TAP, "#give-ruling")
    page.fill("#ruling-tricks", "3")
    page.fill("#ruling-remaining", "4")
    page.tap("#ruling .button--primary")
    expect(page.locator("#unsent")).to_be_visible()
    expect(page.locator("#entry-rulings li")).to_be_visible()
    steady("a ruling that is not sent")
    expect(page.locator("#unsent-here")).to_have_text("1 not sent")
    # On a low and wide screen it lies over the column beside the entry, else it is in the page above.
    beside = page.locator("#unsent").evaluate("(one) => getComputedStyle(one).position") == "fixed"
    assert beside == (size in ("tablet-wide", "laptop"))
    page.context.set_offline(False)
    all_sent(page)
    expect(page.locator("#unsent")).to_be_hidden()
    expect(page.locator("#call-note")).to_contain_text("A referee has been called")
    steady("all is sent")
    page.evaluate(TAP, "#call-withdraw")
    expect(page.locator("#call-note")).to_be_hidden()
    steady("the call is taken back")


def test_room_that_was_kept_goes_with_the_deal(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    enter_by(page, "N")
    tap_deal(page)
    page.tap("#submit")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    _painted(page)
    assert page.evaluate("() => document.querySelector('#room').offsetHeight") == 0


def test_room_that_was_kept_goes_when_it_is_scrolled_out_of_sight(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    page = tablet(hall, size="phone")
    expect(page.locator("#guide")).to_have_attribute("data-step", "shuffle")
    page.evaluate(TAP, "#call-referee")
    expect(page.locator("#call-note")).to_contain_text("A referee has been called")
    _painted(page)
    page.evaluate("() => scrollTo(0, 0)")
    page.evaluate(TAP, "#call-withdraw")
    expect(page.locator("#call-note")).to_be_hidden()
    _painted(page)
    room = page.locator("#room")
    assert (room.bounding_box() or {})["height"] > 40
    page.evaluate(
        "() => scrollTo(0, document.querySelector('#room').getBoundingClientRect().bottom + scrollY)"
    )
    before = page.evaluate(PAD)
    expect(room).to_have_css("height", "0px")
    assert page.evaluate(PAD) == pytest.approx(before, abs=CLOSE)
    page.evaluate(TAP, '.pad [data-copy="SQ#1"]')
    expect(page.locator('.pad .is-taken[data-copy="SQ#1"]')).to_have_count(1)
    _painted(page)
    assert page.evaluate(PAD) == pytest.approx(before, abs=CLOSE)


def test_what_is_unfolded_stays_where_it_was_tapped(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall, size="phone")
    summary = page.locator(".exposure > summary")
    summary.scroll_into_view_if_needed()
    where = summary.bounding_box()
    summary.tap()
    expect(holder(page, "SQ", "N")).to_be_hidden()
    _painted(page)
    assert where is not None
    assert (summary.bounding_box() or {})["y"] == pytest.approx(where["y"], abs=CLOSE)


@pytest.mark.parametrize("size", SIZES)
def test_log_of_tricks_is_in_sight_when_it_is_begun(
    tablet: Callable[..., Page], hall: Hall, size: str
) -> None:
    page = tablet(hall, size=size)
    expect(page.locator("#guide")).to_have_attribute("data-step", "shuffle")
    page.evaluate(TAP, "#log-tricks")
    expect(page.locator(".tricks__seat").first).to_be_in_viewport(ratio=1)
    expect(page.locator(".tricks__card").first).to_be_in_viewport(ratio=1)


def test_state_of_every_deal_is_in_sight_with_five_seats(tablet: Callable[..., Page]) -> None:
    hall = open_hall(entries=10, answer="fives")
    assert hall.table.seats.count() == 5
    everything = [*CAPTURES["N"], *CAPTURES["S"]]
    for number in (1, 2):
        record = {"captures": {"A": everything[:14], "E": everything[14:]}, "exposed": [], "held": HELD}
        hall.record(number, record, entered_seat="A")
    page = tablet(hall)
    expect(page.locator("#sheet .mark")).to_have_count(2)
    beyond = (
        "() => { const one = document.querySelector('#sheet'); return one.scrollWidth - one.clientWidth; }"
    )
    assert page.evaluate(beyond) == 0
    assert page.evaluate(SMALL_TARGETS) == []


@pytest.mark.parametrize(("entries", "answer"), [(8, None), (10, "fives")])
def test_no_figure_of_the_score_sheet_is_cut_off_or_covered(
    tablet: Callable[..., Page], entries: int, answer: str | None
) -> None:
    plan = {"kind": "set", "deals": 8}
    hall = open_hall(entries=entries, answer=answer, plan=plan)
    seats = list(hall.table.seats.order_by("order").values_list("direction", flat=True))
    for number, seat in enumerate(seats, start=1):
        hall.record(number, _heavy_record(seat, seats), entered_seat=seats[0])
    page = tablet(hall, size="tablet-wide")
    expect(page.locator("#sheet .mark")).to_have_count(len(seats))
    expect(page.locator(".sheet__total .num", has_text=re.compile(r"^−\d{4}$"))).to_have_count(len(seats))
    for width, height in (*SIZES.values(), (1024, 1366), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        _painted(page)
        assert page.evaluate(CUT_OFF) == [], (width, height)


def _heavy_record(seat: str, seats: list[str]) -> dict[str, Any]:
    """A deal that costs that seat thousands of points; the cards are the next seat's."""
    other = seats[(seats.index(seat) + 1) % len(seats)]
    hearts = ["HA", "HK", "HQ", "HJ", "H10", "H9", "H8", "H7", "H6", "H5", "H4", "H3"]
    shown = ["SQ", "HA", "C10"]
    return {
        "captures": {one: [] for one in seats} | {seat: ["SQ", *hearts, "C10"], other: ["DJ", "H2"]},
        "exposed": [{"card": card, "seat": other, "kind": "exposed"} for card in shown],
        "held": dict.fromkeys(["SQ", "DJ", "C10", "HA"], other),
    }
