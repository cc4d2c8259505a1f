"""Entering a deal with few taps: strokes over the pad, "rest to" a seat, the score told by the tablet.

The page fits every screen in every language, with targets as big as a finger.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from benchmarks.taps import measure
from referee.models import DealVersion
from tests.browser.looks import OVERFLOW
from tests.browser.table_page import SIZES, SMALL_TARGETS, give, holder
from tests.referee.conftest import CAPTURES, Hall, open_hall

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]

HELD = {"SQ": "W", "DJ": "W", "C10": "E", "HA": "E"}


def stroke(page: Page, cards: list[str]) -> None:
    """Draws a finger (here: the mouse) from the first card over the others, lifted on the last."""
    # A finger scrolls to the pad first; the guide above it may have pushed it down.
    page.locator(f'.pad [data-copy="{cards[0]}#1"]').evaluate(
        "card => card.scrollIntoView({ block: 'center' })"
    )
    boxes = [page.locator(f'.pad [data-copy="{card}#1"]').bounding_box() for card in cards]
    points = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=8)
    page.mouse.up()


@pytest.mark.parametrize("ruleset", ["huapai", "platform", "double-pig"])
def test_a_deal_takes_a_median_of_twelve_taps_or_fewer(ruleset: str) -> None:
    found = measure(ruleset, deals=200, columns=8)
    assert found["median_taps"] <= 12
    assert found["median_taps"] <= found["p90_taps"] <= found["most_taps"]
    assert found["median_taps"] < found["median_single_taps"]


def test_stroke_gives_the_free_cards_it_passes_and_leaves_taken_ones(
    tablet: Callable[..., Page],
    hall: Hall,
) -> None:
    page = tablet(hall)
    for card, seat in HELD.items():
        holder(page, card, seat).tap()
    give(page, "N", ["HK"])
    page.tap('.seat-box[data-seat="W"]')
    stroke(page, ["HA", "HK", "HQ", "HJ"])
    expect(page.locator('.pad [data-copy="HK#1"] .pad__owner')).to_have_text("N")
    page.tap('.button--rest[data-seat="S"]')
    page.tap("#submit")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    for _wait in range(50):  # shown at once, sent after
        if DealVersion.objects.exists():
            break
        page.wait_for_timeout(100)
    captures = DealVersion.objects.get().record["captures"]
    assert (captures["N"], captures["W"]) == (["HK"], ["HA", "HQ", "HJ"])


def test_stroke_is_undone_with_one_tap(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    stroke(page, ["H9", "H8", "H7"])
    expect(page.locator(".pad .is-taken")).to_have_count(3)
    page.locator(".tools .button--tool").first.tap()
    expect(page.locator(".pad .is-taken")).to_have_count(0)


def test_score_appears_without_asking_the_server(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for card, seat in HELD.items():
        holder(page, card, seat).tap()
    give(page, "N", ["SQ", "HA"])
    expect(page.locator('.seat-box[data-seat="N"] .seat-box__score')).to_have_text("−150")
    expect(page.locator("#live")).to_contain_text("−100 + (−50) = −150")
    assert [url for url in asked if url.endswith("/score/")] == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_fits_and_every_target_is_big_enough(
    tablet: Callable[..., Page], hall: Hall, size: str, scheme: str
) -> None:
    hall.record()
    page = tablet(hall, size=size, color_scheme=scheme)
    expect(page.locator(".check__button").first).to_be_visible()
    assert (page.evaluate(OVERFLOW), page.evaluate(SMALL_TARGETS)) == (0, [])
    page.tap(".on-tablet summary")
    expect(page.locator("#save-file")).to_be_visible()
    assert page.evaluate(OVERFLOW) == 0
    page.tap("#go-entry")
    give(page, "N", CAPTURES["S"])
    for language in ("en", "zh-hans", "zh-hant"):
        page.context.add_cookies([{"name": "django_language", "value": language, "url": page.url}])
        page.reload()
        expect(page.locator(f"html[lang={language}] .pad .is-taken")).to_have_count(len(CAPTURES["S"]))
        assert (page.evaluate(OVERFLOW), page.evaluate(SMALL_TARGETS)) == (0, []), language


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_seat_of_the_largest_table_has_a_colour_of_its_own(
    tablet: Callable[..., Page], scheme: str
) -> None:
    page = tablet(open_hall(entries=10, answer="fives"), color_scheme=scheme)
    rests = page.locator(".button--rest .seat")
    expect(rests).to_have_count(5)
    colours = rests.evaluate_all("(all) => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert len(set(colours)) == 5, colours
