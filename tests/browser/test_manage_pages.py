"""Every kind of page that an organiser comes to by links, on each screen: whole, all of it within reach."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import resolve
from playwright.sync_api import Browser, Page

from tests.browser.looks import BROKEN_NAMES, OVERFLOW
from tests.checked_deals import checked_deal
from tests.factories import make_event, make_published_draw, make_tournament, make_user
from tests.played import given_penalty
from tests.referee.conftest import simple_record
from tests.tournament.draws import close
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish_round

pytestmark = pytest.mark.django_db(transaction=True)

SCREENS = ((390, 844), (768, 1024))

#: What can be tapped and lies beside the page, where nobody can scroll to it.
OUT_OF_REACH = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
  .filter((one) => one.checkVisibility() && !one.closest(".skip-link, .visually-hidden"))
  .filter((one) => {
    const box = one.getBoundingClientRect();
    const frame = one.closest(".table-wrap, .tabs, nav");
    const scrolls = frame !== null && frame.scrollWidth > frame.clientWidth;
    const { clientWidth } = document.documentElement;
    return !scrolls && box.width > 0 && (box.left < -1 || box.right > clientWidth + 1);
  })
  .map((one) => one.outerHTML.slice(0, 120))"""

#: Addresses that give a file though their names do not say so.
FILES = {"manage:archive_download"}

LINKS = """() => [...document.querySelectorAll("main a[href]")]
  .filter((one) => !one.hasAttribute("download"))
  .map((one) => one.getAttribute("href"))"""


@pytest.fixture
def desk(unsafe_async_allowed: None, chromium: Browser, live_server: Any) -> Iterator[Page]:
    """An organiser's page; an event whose first round is played and public, with the second drawn."""
    tournament = make_tournament(slug="cup")
    organiser = make_user("organiser", tournament, username="organiser")
    event = make_event(
        entries=16, tournament=tournament, slug="singles", planned_rounds=3, plan={"kind": "set", "deals": 1}
    )
    draw = make_published_draw(event, 1)
    for table in draw.tables.all():
        checked_deal(table, 1, simple_record())
    given_penalty(event.entries.get(number=3), -20, round_number=1)
    close(draw.round)
    publish_round(actor=SYSTEM, round=draw.round)
    make_published_draw(event, 2)
    client = Client()
    client.force_login(organiser)
    context = chromium.new_context(base_url=live_server.url, locale="zh-CN")
    context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    yield context.new_page()
    context.close()


def test_pages_are_whole_and_nothing_to_tap_lies_beside_them(desk: Page) -> None:
    seen: set[str] = set()
    wrong: list[str] = []
    todo = ["/manage/"]
    while todo:
        path = todo.pop()
        for width, height in SCREENS:
            desk.set_viewport_size({"width": width, "height": height})
            answer = desk.goto(path)
            assert answer is not None
            assert answer.status == 200, path
            if desk.evaluate(OVERFLOW) > 0:
                wrong.append(f"{path} {width}: wider than the screen")
            broken = [f"{one} is broken" for one in desk.evaluate(BROKEN_NAMES)]
            wrong += [f"{path} {width}: {one}" for one in desk.evaluate(OUT_OF_REACH) + broken]
        for link in desk.evaluate(LINKS):
            address = urlsplit(link).path
            if address.startswith("/manage/"):
                kind = resolve(address).view_name
                if kind not in FILES | seen and "." not in address.rpartition("/")[2]:
                    seen.add(kind)
                    todo.append(address)
    assert len(seen) > 40, sorted(seen)
    assert wrong == []
