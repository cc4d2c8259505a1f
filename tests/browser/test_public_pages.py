"""Public pages in a browser: a player finds seat and result on a phone, with and without JavaScript."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import BROKEN_NAMES, OVERFLOW
from tests.played import drawn_round, given_penalty, played_event, played_round
from tournament.models import Event, Publication, PublishedPage
from tournament.queries import public_cross
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}
SIZES = {
    "phone": PHONE,
    "tablet": {"width": 768, "height": 1024},
    "tablet-wide": {"width": 1024, "height": 768},
    "laptop": {"width": 1366, "height": 768},
}

#: What a page must have so that it can be used without eyes or mouse; returns what is wrong.
FAULTS_OF_ACCESS = """() => {
  const faults = [];
  const name = (one) => (one.getAttribute("aria-label") || one.textContent || one.title || "").trim();
  if (document.querySelectorAll("h1").length !== 1) faults.push("not one h1");
  let level = 1;
  for (const heading of document.querySelectorAll("h1,h2,h3,h4")) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) faults.push("heading skipped before " + heading.textContent);
    level = own;
  }
  for (const field of document.querySelectorAll("input:not([type=hidden]),select,textarea"))
    if (!field.labels.length && !field.getAttribute("aria-label")) faults.push("no label: " + field.name);
  for (const one of document.querySelectorAll("a[href],button"))
    if (!name(one)) faults.push("nothing to read: " + one.outerHTML.slice(0, 80));
  for (const picture of document.querySelectorAll("img:not([alt])")) faults.push("no alt: " + picture.src);
  for (const cell of document.querySelectorAll("th:not([scope])")) faults.push("scope: " + cell.textContent);
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  for (const id of new Set(ids))
    if (ids.filter((one) => one === id).length > 1) faults.push("id twice: " + id);
  if (!document.documentElement.lang) faults.push("no language");
  return faults;
}"""

#: Names of a pair that take more lines than there are players.
SQUEEZED_NAMES = """() => [...document.querySelectorAll("main table .name")]
  .filter((one) => one.getClientRects().length > 2)
  .map((one) => one.textContent)"""

#: Dates and times on more than one line.
BROKEN_TIMES = """() => [...document.querySelectorAll("time")]
  .filter((one) => one.getClientRects().length > 1)
  .map((one) => one.textContent)"""


@pytest.fixture
def event() -> Event:
    """Two rounds played and published, the third drawn."""
    names = ["王小明", "李雷", "韩梅梅", "赵六", "欧阳震华", "孙八", "周九", "Maximilian Featherstonehaugh"]
    made = played_event(names, clubs=("滨江棋牌社", "Red Hearts Club", "工人文化宫"), name="个人赛")
    for number in (1, 2):
        draw = played_round(made, number, deals=4, seed=number)
        given_penalty(made.entries.get(number=number), -20, round_number=number)
        publish(actor=SYSTEM, round=draw.round, what=Publication.What.DRAW)
        publish_round(actor=SYSTEM, round=draw.round)
    publish(actor=SYSTEM, round=drawn_round(made, 3, seed=7).round, what=Publication.What.DRAW)
    return made


@pytest.fixture
def pairs() -> Event:
    """One published round of pairs."""
    made = played_event(
        ["红桃队", "黑桃队", "Lucky Pigs", "方块队"],
        kind=Event.Kind.PAIRS,
        measure=Event.Measure.DIFFERENCE,
        clubs=("Red Hearts Club",),
    )
    draw = played_round(made, 1, deals=4)
    publish(actor=SYSTEM, round=draw.round, what=Publication.What.DRAW)
    publish_round(actor=SYSTEM, round=draw.round)
    return made


def _base(event: Event) -> str:
    return f"/t/{event.tournament.slug}/{event.slug}/"


def _pages(event: Event) -> list[str]:
    base = _base(event)
    return [
        "/",
        f"/t/{event.tournament.slug}/",
        base,
        f"{base}round/1/",
        f"{base}round/1/table/1/",
        f"{base}standings/",
        f"{base}entry/1/",
        f"{base}find/?q=l",
    ]


def _watched(page: Page) -> list[str]:
    """Collects what the page complains of: script errors, refused resources, broken policy."""
    complaints: list[str] = []
    page.on("console", lambda one: complaints.append(one.text) if one.type in {"error", "warning"} else None)
    page.on("pageerror", lambda one: complaints.append(str(one)))
    page.on(
        "response", lambda one: complaints.append(f"{one.status} {one.url}") if one.status >= 400 else None
    )
    return complaints


def test_names_as_long_as_they_come_stay_within_a_phone(chromium, live_server):
    names = ["上海市静安区棋牌协会第一代表队甲组联合体", "Maximilian Featherstonehaugh-Cholmondeley III"] * 4
    made = played_event(
        [f"{name}{number}" for number, name in enumerate(names, start=1)],
        clubs=("上海市静安区棋牌协会第一代表队甲组", "Red Hearts Card Club of North London"),
        name="名字特别特别长的个人公开赛（成年男子与女子混合甲组）",
    )
    draw = played_round(made, 1, deals=2)
    given_penalty(made.entries.get(number=1), -20, reason="迟到十五分钟，经裁判长核实后按规程第二十三条处理")
    publish(actor=SYSTEM, round=draw.round, what=Publication.What.DRAW)
    publish_round(actor=SYSTEM, round=draw.round)
    context = chromium.new_context(viewport=PHONE, locale="zh-CN", base_url=live_server.url)
    page = context.new_page()
    faults = {}
    for path in [*_pages(made), *(f"{_base(made)}{one}/" for one in ("cross", "statistics", "entry/2"))]:
        page.goto(path)
        faults[path] = (page.evaluate(OVERFLOW), page.evaluate(BROKEN_TIMES))
    assert {path: found for path, found in faults.items() if found != (0, [])} == {}
    context.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["with-js", "without-js"])
def test_a_player_finds_seat_result_and_rank_on_a_phone(chromium, live_server, event, scripts):
    context = chromium.new_context(
        viewport=PHONE, locale="en-GB", base_url=live_server.url, java_script_enabled=scripts
    )
    page = context.new_page()
    complaints = _watched(page)
    page.goto("/")
    page.get_by_role("link", name="个人赛").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("个人赛")

    page.get_by_role("searchbox").fill("wxm")
    page.get_by_role("button", name="Find my seat").click()
    found = page.locator(".found__one")
    expect(found).to_have_count(1)
    expect(found).to_contain_text("王小明")
    expect(found).to_contain_text("Round 3")

    found.get_by_role("link", name="王小明").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("王小明")
    expect(page.get_by_text("Rank after round 2")).to_be_visible()
    expect(page.get_by_text("迟到").first).to_be_visible()

    page.get_by_role("heading", name="Round 2").get_by_role("link").click()
    page.get_by_role("link", name="Table 1", exact=True).click()
    expect(page.locator(".deal")).to_have_count(4)
    expect(page.locator(".deal").first.locator(".formula").first).to_be_visible()

    page.get_by_role("link", name="Standings", exact=True).click()
    expect(page.locator(".standings tbody tr")).to_have_count(8)
    assert complaints == []
    context.close()


def test_the_language_chosen_stays(chromium, live_server, event):
    context = chromium.new_context(viewport=PHONE, locale="zh-CN", base_url=live_server.url)
    page = context.new_page()
    page.goto(_base(event))
    assert page.evaluate("document.documentElement.lang") == "zh-hans"
    page.get_by_role("button", name="EN").click()
    page.wait_for_url(f"**{_base(event)}")
    expect(page.get_by_role("link", name="Overview")).to_be_visible()
    page.get_by_role("link", name="Round 3").first.click()
    page.wait_for_url(f"**{_base(event)}round/3/")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_role("button", name="EN")).to_have_attribute("aria-pressed", "true")
    context.close()


def test_an_open_page_changes_by_reload_after_a_publication(chromium, live_server, event):
    context = chromium.new_context(viewport=PHONE, locale="en-GB", base_url=live_server.url)
    page = context.new_page()
    page.goto(f"{_base(event)}standings/")
    expect(page.get_by_text("−777")).to_have_count(0)
    given_penalty(event.entries.get(number=3), -777, round_number=2)
    page.reload()
    expect(page.get_by_text("−777")).to_have_count(0)
    publish_round(actor=SYSTEM, round=event.rounds.get(number=2), note="penalty added")
    page.reload()
    expect(page.get_by_text("−777").first).to_be_visible()
    expect(page.get_by_text("penalty added")).to_be_visible()
    context.close()


@pytest.mark.parametrize("size", SIZES)
def test_pages_fit_every_screen_and_keep_names_whole(chromium, live_server, event, pairs, size):
    context = chromium.new_context(viewport=SIZES[size], locale="en-GB", base_url=live_server.url)
    page = context.new_page()
    complaints = _watched(page)
    for path in dict.fromkeys(_pages(event) + _pages(pairs)):
        page.goto(path)
        assert page.evaluate(OVERFLOW) <= 0, path
        assert page.evaluate(BROKEN_NAMES) == [], path
    assert complaints == []
    context.close()


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_names_of_pairs_are_not_squeezed(chromium, live_server, monkeypatch, size):
    made = played_event(
        ["何文博 / 吕思齐", "华以沫／金辰逸"], kind=Event.Kind.PAIRS, rounds=3, clubs=("杭州",)
    )
    for number in (1, 2, 3):
        publish_round(actor=SYSTEM, round=played_round(made, number, deals=1).round)
    page = chromium.new_page(viewport=size, locale="en-GB", base_url=live_server.url)
    for square in (2, 1):  # more than so many are written line by line
        monkeypatch.setattr(public_cross, "SQUARE", square)
        PublishedPage.objects.all().delete()
        for address in ("cross/", "round/1/", "standings/"):
            page.goto(_base(made) + address)
            assert page.evaluate(SQUEEZED_NAMES) == [], (address, square)


def test_pages_can_be_read_by_screen_readers(chromium, live_server, event, pairs):
    context = chromium.new_context(viewport=PHONE, locale="en-GB", base_url=live_server.url)
    page = context.new_page()
    for path in dict.fromkeys([*_pages(event), *_pages(pairs), "/accounts/login/"]):
        page.goto(path)
        assert page.evaluate(FAULTS_OF_ACCESS) == [], path
    context.close()


def test_the_keyboard_reaches_the_content_first_and_shows_where_it_is(chromium, live_server, event):
    context = chromium.new_context(viewport=PHONE, locale="en-GB", base_url=live_server.url)
    page = context.new_page()
    page.goto(_base(event))
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#main :focus")).to_have_css("outline-width", "3px")
    context.close()


def test_the_dark_theme_is_dark_and_suits_keep_their_colours(chromium, live_server, event):
    grounds = {}
    for scheme in ("light", "dark"):
        context = chromium.new_context(
            viewport=PHONE, locale="en-GB", base_url=live_server.url, color_scheme=scheme
        )
        page = context.new_page()
        page.goto(f"{_base(event)}round/1/table/1/")
        colour = "(one) => getComputedStyle(one).color"
        grounds[scheme] = page.locator("body").evaluate("(one) => getComputedStyle(one).backgroundColor")
        red = page.locator('.run[data-suit="H"]').first.evaluate(colour)
        black = page.locator('.run[data-suit="S"]').first.evaluate(colour)
        red_part, green_part, _blue = (int(part) for part in red[4:-1].split(","))
        assert red_part > green_part + 60, scheme
        assert red != black
        context.close()
    brightness = {
        scheme: sum(int(part) for part in ground[4:-1].split(",")) for scheme, ground in grounds.items()
    }
    assert brightness["light"] > 600
    assert brightness["dark"] < 150


def test_the_tab_of_the_round_shown_is_in_sight(chromium, live_server):
    event = played_event(["甲", "乙", "丙", "丁"], rounds=12)
    for number in range(1, 13):
        publish(actor=SYSTEM, round=drawn_round(event, number, seed=number).round, what=Publication.What.DRAW)
    context = chromium.new_context(viewport=PHONE, locale="en-GB", base_url=live_server.url)
    page = context.new_page()
    page.goto(f"{_base(event)}round/1/")
    expect(page.locator('.tabs [aria-current="page"]')).to_be_in_viewport(ratio=0.9)
    context.close()


def test_printing_leaves_the_navigation_out(chromium, live_server, event):
    context = chromium.new_context(viewport=SIZES["laptop"], locale="en-GB", base_url=live_server.url)
    page = context.new_page()
    page.goto(f"{_base(event)}standings/")
    page.emulate_media(media="print")
    for hidden in (".site-header", ".tabs", ".search", ".site-footer"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator(".standings")).to_be_visible()
    context.close()
