"""Printed pages: as many sheets of A4 as there should be, and nothing of the site around them."""

import re

import pytest
from playwright.sync_api import expect

from tests.played import drawn_round, played_event, played_round
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round

pytestmark = pytest.mark.django_db(transaction=True)

PORTRAIT, LANDSCAPE = "594.95996 841.91998", "841.91998 594.95996"


@pytest.fixture
def open_print(unsafe_async_allowed, chromium, live_server):
    """Opens a page to be printed on the screen, as it is before printing."""
    event = played_event([f"欧阳选手{number}" for number in range(1, 17)], plan={"kind": "game"}, rounds=2)
    draw = played_round(event, 1, deals=1)
    publish(actor=SYSTEM, round=draw.round, what="draw")
    publish_round(actor=SYSTEM, round=draw.round)
    publish(actor=SYSTEM, round=drawn_round(event, 2, seed=2).round, what="draw")
    context = chromium.new_context(locale="zh-CN", base_url=live_server.url)
    page = context.new_page()

    def open_page(address):
        page.goto(f"/t/{event.tournament.slug}/{event.slug}/{address}")
        return page

    yield open_page
    context.close()


@pytest.fixture
def paper(open_print):
    """Prints a page: number of sheets, and their sizes in points."""

    def print_page(address):
        page = open_print(address)
        page.emulate_media(media="print")
        for hidden in (".site-header", ".tabs", ".page-head", ".site-footer"):
            expect(page.locator(hidden)).to_be_hidden()
        pdf = page.pdf(prefer_css_page_size=True)
        return len(re.findall(rb"/Type /Page\b(?!s)", pdf)), set(
            re.findall(r"/MediaBox \[0 0 ([\d. ]+)\]", pdf.decode("latin-1"))
        )

    return print_page


@pytest.mark.parametrize(
    ("address", "sheets", "size"),
    [
        ("round/2/print/seats/", 1, PORTRAIT),
        ("round/2/print/wall/", 1, PORTRAIT),
        ("round/2/print/sheets/", 4, PORTRAIT),
        ("standings/1/certificates/", 16, LANDSCAPE),
    ],
)
def test_each_print_takes_its_sheets_of_a4(paper, address, sheets, size):
    assert paper(address) == (sheets, {size})


#: How far anything on a sheet reaches beyond it, to the right or below, in pixels.
_BEYOND = """sheets => sheets.map(sheet => {
  const edge = sheet.getBoundingClientRect();
  const all = [...sheet.querySelectorAll("*")].map(one => one.getBoundingClientRect());
  return Math.max(...all.map(one => Math.max(one.right - edge.right, one.bottom - edge.bottom)));
})"""


@pytest.mark.parametrize("width", [320, 390, 768, 800, 1024])
def test_a_certificate_on_a_screen_keeps_within_its_frame(open_print, width):
    page = open_print("standings/1/certificates/")
    page.set_viewport_size({"width": width, "height": 844})
    expect(page.locator(".certificate")).to_have_count(16)
    assert page.evaluate("innerWidth") == width
    assert max(page.locator(".certificate").evaluate_all(_BEYOND)) <= 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
