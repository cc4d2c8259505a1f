"""Open public pages follow what is published: in place, without losing where the reader is."""

import time
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from referee.models import Deal
from referee.services.checks import check_deal
from tests.played import drawn_round, given_penalty, played_deal, played_event, played_round
from tournament.models import Event, Publication
from tournament.services.audit import SYSTEM
from tournament.services.live import mark_table, publish_marked
from tournament.services.publicity import set_publicity
from tournament.services.publish import publish, publish_round, withdraw_publication

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}
What = Publication.What
#: What readers may wait for a publication, in milliseconds.
WITHIN = 2_000


@pytest.fixture
def event() -> Event:
    """Sixteen players; round 1 played and published by hand, round 2 drawn."""
    made = played_event([f"选手{n}" for n in range(1, 17)], name="个人赛", clubs=("东队", "西队"))
    draw = played_round(made, 1, deals=2)
    publish(actor=SYSTEM, round=draw.round, what=What.DRAW)
    publish_round(actor=SYSTEM, round=draw.round)
    publish(actor=SYSTEM, round=drawn_round(made, 2, seed=2).round, what=What.DRAW)
    return made


@pytest.fixture
def open_page(chromium, live_server):
    """Opens a page of the event on a phone, in English."""
    contexts = []

    def opened(event: Event, path: str, **options) -> Page:
        context = chromium.new_context(viewport=PHONE, locale="en", **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.goto(f"{live_server.url}/t/{event.tournament.slug}/{event.slug}/{path}")
        return page

    yield opened
    for context in contexts:
        context.close()


def _warm(page: Page) -> None:
    """Once the page has asked for the first time: templates and catalogs are read by then."""
    with page.expect_response(lambda answer: answer.request.resource_type == "fetch"):
        pass


def test_what_the_organiser_publishes_is_on_an_open_phone_within_two_seconds(event, open_page):
    page = open_page(event, "standings/")
    _warm(page)
    given_penalty(event.entries.get(number=5), -4321)
    publish_round(actor=SYSTEM, round=event.rounds.get(number=1), note="补罚分")
    expect(page.locator("main")).to_contain_text("−4321", timeout=WITHIN)
    expect(page.locator("[role=status]").last).to_have_text("This page has been renewed.")


def test_a_checked_deal_is_on_an_open_page_without_anybody_publishing(event, open_page):
    event = set_publicity(actor=SYSTEM, event=event, visibility="auto", live=Event.Live.RESULTS)
    page = open_page(event, "round/2/table/1/")
    _warm(page)
    table = event.rounds.get(number=2).draws.get().tables.get(number=1)
    played_deal(table, 1)
    mark_table(table)  # what every service that changes a deal does; the rest follows by itself
    expect(page.locator("#deal-1")).to_be_visible(timeout=WITHIN + 500)  # with the time it is gathered


def test_the_reader_stays_where_they_are(event, open_page):
    page = open_page(event, "standings/")
    _warm(page)
    page.locator("input[name=q]").focus()
    page.keyboard.type("wx")
    row = page.locator("#e12")
    page.evaluate("() => document.querySelector('#e12').scrollIntoView({block: 'center'})")
    top = row.bounding_box()["y"]
    first = event.entries.get(number=1)
    for points in (-1234, -2345):
        given_penalty(first, points)
    publish_round(actor=SYSTEM, round=event.rounds.get(number=1), note="x")
    expect(page.locator("main")).to_contain_text("−2345", timeout=4_000)
    assert page.evaluate("() => document.activeElement.name") == "q"
    assert page.input_value("input[name=q]") == "wx"
    assert abs(row.bounding_box()["y"] - top) < 120  # it may have risen by a rank itself


def test_a_page_that_is_taken_off_is_gone_from_open_pages(event, open_page):
    page = open_page(event, "round/1/")
    _warm(page)
    for what in (What.STANDINGS, What.RESULTS, What.DRAW):
        found = Publication.objects.filter(event=event, round__number=1, what=what).last()
        withdraw_publication(actor=SYSTEM, publication=found, reason="x")
    expect(page.locator("main")).not_to_contain_text("选手1", timeout=4_000)


def test_a_hidden_page_does_not_ask_and_asks_at_once_when_it_is_seen_again(event, open_page):
    page = open_page(event, "standings/")
    _warm(page)
    asked = []
    page.on("request", lambda one: asked.append(one.url) if one.resource_type == "fetch" else None)
    hidden = "Object.defineProperty(document, 'hidden', {value: %s, configurable: true});"
    page.evaluate(hidden % "true" + "document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_timeout(1_600)  # one that was under way may still end
    asked.clear()
    page.wait_for_timeout(3_000)
    assert asked == []
    page.evaluate(hidden % "false" + "document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_timeout(500)
    assert len(asked) == 1


def test_a_busy_server_is_asked_less(event, open_page):
    page = open_page(event, "standings/")
    _warm(page)
    asked = []

    def busy(route):
        if route.request.resource_type != "fetch":
            route.continue_()
            return
        asked.append(time.monotonic())
        route.fulfill(status=503, headers={"Retry-After": "4"}, body="")

    page.route("**/*", busy)
    page.wait_for_timeout(5_000)
    assert 1 <= len(asked) <= 2


def test_pauses_grow_with_faults_and_slowness_and_heed_what_the_server_says(event, open_page):
    page = open_page(event, "standings/")
    pauses = page.evaluate(
        """async () => {
          const { pause, retryAfter } = await import(document.querySelector("script[src*='live']").src);
          const one = (facts) => pause({ base: 1000, chance: 0.5, ...facts });
          return [
            one({}), one({ took: 2000 }), one({ faults: 2 }), one({ faults: 9 }), one({ retryAfter: 90000 }),
            retryAfter("7"), retryAfter("Thu, 01 Jan 1970 00:00:10 GMT", 4000), retryAfter(null),
            retryAfter("soon"),
          ];
        }"""
    )
    assert pauses == [1000, 8000, 4000, 60_000, 90_000, 7000, 6000, 0, 0]


def test_without_scripts_a_reload_shows_the_same(event, open_page):
    page = open_page(event, "standings/", java_script_enabled=False)
    given_penalty(event.entries.get(number=5), -4321)
    publish_round(actor=SYSTEM, round=event.rounds.get(number=1), note="x")
    page.reload()
    assert "−4321" in page.content()


def test_a_phone_needs_one_round_trip_after_the_page(event, chromium, live_server):
    """Everything the first view needs is named by the page itself, and there is one style sheet."""
    context = chromium.new_context(viewport=PHONE, locale="en")
    page = context.new_page()
    found = []

    def note(request) -> None:
        found.append(request)

    page.on("request", note)
    page.goto(f"{live_server.url}/t/{event.tournament.slug}/{event.slug}/standings/", wait_until="load")
    sheets = [one.url for one in found if one.resource_type == "stylesheet"]
    blocking = [one for one in found if one.resource_type in ("stylesheet", "font")]
    assert len(sheets) == len(blocking) == 1
    assert all(one.url.startswith(live_server.url) for one in found)
    assert len([one for one in found if one.resource_type != "fetch"]) <= 6
    context.close()


def test_a_referees_check_alone_changes_an_open_page(event, open_page):
    """From the referee's check to an open page, with nothing in between done by the test."""
    set_publicity(actor=SYSTEM, event=event, visibility="auto", live=Event.Live.STANDINGS)
    publish_marked(event_id=event.pk)
    table = event.rounds.get(number=2).draws.get().tables.get(number=2)
    played_deal(table, 1, checked=False)
    page = open_page(event, "round/2/table/2/")
    _warm(page)
    check_deal(
        actor=SYSTEM,
        deal=Deal.objects.get(table=table, number=1),
        version=1,
        relation="referee",
        command_id=uuid4(),
    )
    expect(page.locator("#deal-1")).to_be_visible(timeout=WITHIN + 500)
