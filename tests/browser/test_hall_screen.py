"""The screen on the wall of the hall: turns its slides, follows publications, and outlives the server."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.played import drawn_round, played_event, played_round
from tournament.models import Announcement, RoundClock
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round

pytestmark = pytest.mark.django_db(transaction=True)

HALL = {"width": 1920, "height": 1080}


@pytest.fixture
def event():
    made = played_event([f"选手{number}" for number in range(1, 41)], clubs=("滨江棋牌社",), rounds=3)
    draw = played_round(made, 1, deals=1)
    publish(actor=SYSTEM, round=draw.round, what="draw")
    publish_round(actor=SYSTEM, round=draw.round)
    return made


@pytest.fixture
def screen(unsafe_async_allowed, chromium, live_server, event):
    context = chromium.new_context(viewport=HALL, locale="en-GB", base_url=live_server.url)
    page = context.new_page()
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if "Content Security" in line.text else None)
    page.goto(f"/t/{event.tournament.slug}/{event.slug}/screen/")
    yield page
    context.close()
    assert faults == []


def test_one_slide_at_a_time_fills_the_picture_and_arrows_turn_them(screen):
    expect(screen.locator(".slide:visible")).to_have_count(1)
    expect(screen.locator(".slide:visible h2")).to_contain_text("1 / 2")
    screen.keyboard.press("ArrowRight")
    expect(screen.locator(".slide:visible h2")).to_contain_text("2 / 2")
    screen.keyboard.press("ArrowRight")
    expect(screen.locator(".slide:visible h2")).to_contain_text("1 / 2")
    spare = "() => document.querySelector('main').scrollHeight - document.querySelector('main').clientHeight"
    assert screen.evaluate(spare) <= 0
    size = screen.evaluate(
        "() => parseFloat(getComputedStyle(document.querySelector('.hall-standings li')).fontSize)"
    )
    assert size >= 40


#: What of the slide shown does not fit the picture.
FAULTS_OF_SIZE = """() => {
  const box = (chosen) => document.querySelector(chosen).getBoundingClientRect();
  const faults = [];
  if (box(".slide.is-shown").top > box("header").bottom + 1) faults.push("the slide hangs low");
  if (box(".slide.is-shown").bottom > box("footer").top + 1) faults.push("the slide runs into the foot");
  if (box("header").height > innerHeight * 0.12) faults.push("the head takes more than a line");
  if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the picture");
  for (const name of document.querySelectorAll(".is-shown li .name")) {
    const height = (one) => one.getBoundingClientRect().height;
    if (name.scrollWidth > name.clientWidth || height(name) > height(name.parentElement) + 1)
      faults.push("cut off: " + name.textContent);
  }
  return faults;
}"""


def test_whatever_a_slide_says_fits_the_picture(chromium, live_server, unsafe_async_allowed):
    names = ["上海市静安区棋牌协会第一代表队甲组联合体", "Maximilian Featherstonehaugh-Cholmondeley III"]
    names += [f"欧阳选手{number}" for number in range(3, 42)]
    event = played_event(names, clubs=("工人文化宫",), rounds=2, name="成年男子与女子混合甲组个人公开赛" * 2)
    first = played_round(event, 1, deals=1, byes=1).round
    publish(actor=SYSTEM, round=first, what="draw")
    publish_round(actor=SYSTEM, round=first)
    draw = drawn_round(event, 2, byes=5)
    RoundClock.objects.create(draw=draw, ends_at=timezone.now() + timedelta(minutes=70))
    for _ in range(3):
        Announcement.objects.create(
            tournament=event.tournament, title="第二轮推迟", text="请到二楼休息。" * 40
        )
    publish(actor=SYSTEM, round=draw.round, what="draw")
    context = chromium.new_context(viewport=HALL, locale="zh-CN", base_url=live_server.url)
    page = context.new_page()
    page.goto(f"/t/{event.tournament.slug}/{event.slug}/screen/")
    expect(page.locator("#clock-time")).to_contain_text("1:0")
    expect(page.locator("#pages")).to_have_text("1 / 5")
    assert page.locator(".slide:visible .hall-tables > li").count() == 9
    for _ in range(5):
        assert page.evaluate(FAULTS_OF_SIZE) == []
        page.keyboard.press("ArrowRight")
    context.close()


def test_a_small_field_is_shown_as_large_as_the_picture_allows(chromium, live_server, unsafe_async_allowed):
    made = played_event(["王小明", "李雷", "韩梅梅", "赵六"], name="小型赛")
    publish(actor=SYSTEM, round=drawn_round(made, 1).round, what="draw")
    page = chromium.new_page(viewport=HALL, base_url=live_server.url)
    page.goto(f"/t/{made.tournament.slug}/{made.slug}/screen/")
    expect(page.locator(".slide.is-shown")).to_be_visible()
    height = page.locator(".is-shown .hall-table").evaluate("(one) => one.getBoundingClientRect().height")
    assert height > 1080 * 0.09 * 1.4
    assert page.evaluate(FAULTS_OF_SIZE) == []
    page.close()


def test_long_names_of_a_small_field_are_whole(chromium, live_server, unsafe_async_allowed):
    long = ["上海市人民体育活动中心代表队第二分队", "Team of the Amalgamated Clubs of the River"]
    long += ["Christopher B. Featherstonehaugh-Cholmondeley"]
    made = played_event([*long, "红队", "蓝队", "甲", "乙", "丙"])
    publish(actor=SYSTEM, round=drawn_round(made, 1).round, what="draw")
    page = chromium.new_page(viewport=HALL, base_url=live_server.url)
    page.goto(f"/t/{made.tournament.slug}/{made.slug}/screen/")
    expect(page.locator(".is-shown .name.is-long")).to_have_count(3)
    assert page.evaluate(FAULTS_OF_SIZE) == []
    page.close()


def test_the_screen_follows_what_is_published_and_counts_down(screen, event):
    draw = drawn_round(event, 2, seed=2)
    RoundClock.objects.create(draw=draw, ends_at=timezone.now() + timedelta(minutes=10))
    Announcement.objects.create(tournament=event.tournament, title="Lunch on the fifth floor")
    publish(actor=SYSTEM, round=draw.round, what="draw")
    expect(screen.locator(".slide:visible h2")).to_contain_text("Round 2", timeout=9_000)
    expect(screen.locator("#clock-time")).to_contain_text("9:", timeout=3_000)
    screen.keyboard.press("ArrowLeft")
    expect(screen.locator(".slide:visible")).to_contain_text("Lunch on the fifth floor")


def test_without_the_server_the_last_state_stays_and_says_so(screen, event):
    before = screen.locator(".slide:visible").inner_text()
    screen.context.set_offline(True)
    expect(screen.locator("#state")).to_contain_text("No connection since", timeout=12_000)
    assert screen.locator(".slide:visible").inner_text() == before
    screen.keyboard.press("ArrowRight")
    expect(screen.locator(".slide:visible h2")).to_contain_text("2 / 2")
    screen.context.set_offline(False)
    expect(screen.locator("#state")).to_have_text("", timeout=15_000)


def test_dark_and_light_are_kept(screen):
    whole = screen.locator("html")
    screen.keyboard.press("d")
    expect(whole).to_have_attribute("data-theme", "dark")
    screen.reload()
    expect(whole).to_have_attribute("data-theme", "dark")
    screen.keyboard.press("d")
    expect(whole).to_have_attribute("data-theme", "light")


def test_times_and_turns(screen):
    assert screen.evaluate(
        """async () => {
          const script = document.querySelector("script[type=module]").src;
          const { patience, timeLeft, turned } = await import(script);
          return [
            [timeLeft(3_600_000), timeLeft(61_000), timeLeft(999), timeLeft(0), timeLeft(-5)],
            [turned(0, 3), turned(2, 3), turned(0, 3, -1), turned(5, 0)],
            [patience(0), patience(1), patience(9)],
          ];
        }"""
    ) == [["1:00:00", "1:01", "0:01", "0:00", "0:00"], [1, 0, 2, 0], [1_500, 3_000, 30_000]]


def test_without_scripts_everything_stands_below_each_other(
    chromium, live_server, event, unsafe_async_allowed
):
    context = chromium.new_context(
        viewport=HALL, locale="en-GB", base_url=live_server.url, java_script_enabled=False
    )
    page = context.new_page()
    page.goto(f"/t/{event.tournament.slug}/{event.slug}/screen/")
    expect(page.locator(".slide:visible")).to_have_count(2)
    assert page.locator("noscript meta[http-equiv=refresh]").count() == 1
    context.close()
