"""Every kind of page that staff come to by links: whole, within reach, to be read and heard by everybody."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.urls import resolve
from playwright.sync_api import Browser, Page

from tests.browser.looks import (
    BROKEN_NAMES,
    CHIEF_BUTTONS,
    CUT_OFF,
    HEADINGS,
    LOW_TARGETS,
    OVERFLOW,
)
from tests.browser.test_accessibility import OPTIONS, RUN
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
FILES = {"manage:archive_download", "referee:manifest"}
#: The tablet's page has tests of its own; whoever checks there has four buttons to choose from.
TABLET = "referee:table"
#: Each matter of a round is published by a button of its own.
SEVERAL = "manage:round"

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
    # Without the site's policy for contents axe can be put into the page.
    context = chromium.new_context(
        base_url=live_server.url, locale="zh-CN", bypass_csp=True, reduced_motion="reduce"
    )
    context.add_init_script(Axe().axe_script)
    context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    yield context.new_page()
    context.close()


def test_pages_are_whole_within_reach_and_open_to_everybody(desk: Page) -> None:
    seen: set[str] = set()
    wrong: list[str] = []
    todo = ["/manage/", "/referee/"]
    while todo:
        path = todo.pop()
        # Half of the kinds in light, half in dark: each colour is on both. What does not hang on the width is
        # asked on the last screen alone.
        desk.emulate_media(color_scheme="dark" if len(seen) % 2 else "light")
        for width, height in SCREENS:
            desk.set_viewport_size({"width": width, "height": height})
            answer = desk.goto(path)
            assert answer is not None
            assert answer.status == 200, path
            if desk.evaluate(OVERFLOW) > 0:
                wrong.append(f"{path} {width}: wider than the screen")
            found = [f"{one} is broken" for one in desk.evaluate(BROKEN_NAMES)]
            found += [fault for question in (OUT_OF_REACH, CUT_OFF) for fault in desk.evaluate(question)]
            kind = resolve(path).view_name
            found += desk.evaluate(LOW_TARGETS) if kind != TABLET else []
            found += desk.evaluate(CHIEF_BUTTONS) if kind not in (TABLET, SEVERAL) else []
            wrong += [f"{path} {width}: {one}" for one in found]
        wrong += [f"{path}: {one}" for one in desk.evaluate(HEADINGS) + desk.evaluate(RUN, OPTIONS)]
        for link in desk.evaluate(LINKS):
            address = urlsplit(link).path
            if address.startswith(("/manage/", "/referee/")):
                kind = resolve(address).view_name
                if kind not in FILES | seen and "." not in address.rpartition("/")[2]:
                    seen.add(kind)
                    todo.append(address)
    assert len(seen) > 50, sorted(seen)
    assert wrong == [], "\n".join(wrong)
