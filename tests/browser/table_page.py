"""Hands at the table page: what a referee taps, for the tests that do it in a browser."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.referee.conftest import CAPTURES

#: Screens the page is used on.
SIZES = {
    "tablet-wide": (1024, 768),
    "tablet": (768, 1024),
    "phone": (390, 844),
    "laptop": (1366, 768),
}

#: Buttons, links and fields on the page that are less than 48 pixels high or wide; a box in its label is as
#: big as that.
SMALL_TARGETS = """() => [...document.querySelectorAll("button, a[href], input, select, summary")]
  .filter((one) => one.checkVisibility() && !one.closest(".skip-link") && !one.matches(".skip-link"))
  .map((one) => [one, (one.closest("label") ?? one).getBoundingClientRect()])
  .filter(([one, box]) => box.height < 47.5 || (box.width < 47.5 && !one.matches("summary")))
  .map(([one, box]) => `${one.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)"""

#: Buttons of the entry that are below the screen, or below the bar with the one that submits.
OUT_OF_SIGHT = """() => { const bar = document.querySelector(".submit-bar").getBoundingClientRect();
  return [...document.querySelectorAll("#pane-entry button")].filter((one) => one.checkVisibility())
    .filter((one) => one.getBoundingClientRect().bottom > (one.id === "submit" ? innerHeight : bar.top))
    .map((one) => one.outerHTML.slice(0, 90)); }"""


def tap_deal(page: Page, captures: dict[str, list[str]] | None = None) -> None:
    """Enters the simple record: who was dealt the key cards, North's cards, then the rest to South."""
    for card, seat in {"SQ": "W", "DJ": "W", "C10": "E", "HA": "E"}.items():
        holder(page, card, seat).tap()
    give(page, "N", (captures or CAPTURES)["N"])
    page.tap('.seat-box[data-seat="S"]')
    page.tap('.button--rest[data-seat="S"]')


def holder(page: Page, card: str, seat: str) -> Any:
    place = "NWSE".index(seat)
    return page.locator(f'.key-row[data-copy="{card}#1"] .tap--seat').nth(place)


def give(page: Page, seat: str, cards: list[str]) -> None:
    page.tap(f'.seat-box[data-seat="{seat}"]')
    for card in cards:
        page.tap(f'.pad [data-copy="{card}#1"]')


def log_a_card(page: Page, seat: str, card: str) -> None:
    """Begins a log of tricks in which that seat leads that card."""
    page.tap("#log-tricks")
    page.tap(f'.tricks__seat[data-seat="{seat}"]')
    page.tap(f'.tricks__card[data-card="{card}"]')


def all_sent(page: Page) -> None:
    """Waits until the page has read what its tablet holds, and the server has all of it."""
    expect(page.locator("#outbox-count")).to_have_attribute("data-count", "0")
    expect(page.locator("#outbox-count")).to_be_hidden()


def draft_kept(page: Page, cards: int) -> None:
    """Waits until an entry with so many captured cards is on the tablet's disk."""
    page.wait_for_function(
        """async (cards) => {
          const opening = indexedDB.open("huapai-table");
          // Where there is none it is the page that makes it.
          opening.onupgradeneeded = () => opening.transaction.abort();
          const database = await new Promise((done) => {
            opening.onsuccess = () => done(opening.result);
            opening.onerror = () => done(null);
          });
          if (database === null) return false;
          const asking = database.transaction("drafts").objectStore("drafts").getAll();
          const drafts = await new Promise((done) => (asking.onsuccess = () => done(asking.result)));
          database.close();
          return drafts.some(({ draft }) => Object.keys(draft.state.facts.owners).length === cards);
        }""",
        arg=cards,
    )


def enter_by(page: Page, seat: str) -> None:
    page.tap(f'#entered-by [data-seat="{seat}"]')


def works_offline(page: Page) -> None:
    """Waits until the page would open without network."""
    page.evaluate("() => navigator.serviceWorker.ready")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.reload()
    expect(page.locator("#sheet table")).to_be_visible()


def play_deal(page: Page, number: int) -> None:
    """Enters the simple record, kept by North, and has the next seat check it."""
    expect(page.locator("#pane-entry:visible h1")).to_have_text(f"Deal {number}")
    enter_by(page, "N")
    tap_deal(page)
    page.tap("#submit")
    expect(page.locator("#pane-deal:visible h1")).to_have_text(f"Deal {number}")
    page.tap('.check__button[data-relation="next"]')
    # Kept on the tablet, and only then among what waits to be sent.
    expect(page.locator("#pane-deal:visible .check__button")).to_have_count(0)


def hear_from_the_server(page: Page) -> None:
    """Has the page ask how its table stands, as it does four times a minute, and waits for the answer."""
    with page.expect_response(lambda answer: answer.request.method == "GET" and "/api/tables/" in answer.url):
        page.evaluate("() => dispatchEvent(new Event('online'))")
    # The page has its answer a moment after the browser has.
    page.evaluate("() => fetch('/', { method: 'HEAD' }).then(() => new Promise(requestAnimationFrame))")
