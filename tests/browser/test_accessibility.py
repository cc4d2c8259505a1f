"""axe-core finds nothing serious on any kind of public page, light and dark, on phone and laptop."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.played import drawn_round, given_penalty, played_event, played_round
from tests.tournament.public.bracket_play import bracket_event, draw_and_publish, play_round
from tests.tournament.public.test_pages_structures import _open, _play
from tournament.models import Announcement, Event
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round

pytestmark = pytest.mark.django_db(transaction=True)

#: Rules of WCAG 2.2 A and AA, and axe's own good practice.
OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}


def _individual() -> list[str]:
    names = ["王小明", "李雷", "韩梅梅", "赵六", "欧阳震华", "孙八", "周九", "Maximilian Featherstonehaugh"]
    event = played_event([*names, "轮空"], clubs=("滨江棋牌社", "Red Hearts Club"))
    for number in (1, 2):
        draw = played_round(event, number, deals=3, seed=number, byes=1)
        given_penalty(event.entries.get(number=number), -20, round_number=number)
        publish(actor=SYSTEM, round=draw.round, what="draw")
        publish_round(actor=SYSTEM, round=draw.round)
    publish_round(actor=SYSTEM, round=event.rounds.get(number=1), note="more")
    publish(actor=SYSTEM, round=drawn_round(event, 3, seed=7, byes=1).round, what="draw")
    Announcement.objects.create(tournament=event.tournament, title="开饭", text="五楼", pinned=True)
    base = f"/t/{event.tournament.slug}/{event.slug}/"
    pages = (
        "",
        "standings/",
        "standings/1/",
        "round/1/",
        "round/3/",
        "round/1/table/1/",
        "entry/2/",
        "cross/",
        "statistics/",
        "find/?q=王",
        "screen/",
        "round/3/print/seats/",
        "round/3/print/wall/",
        "round/3/print/sheets/",
        "standings/2/certificates/",
    )
    slug = event.tournament.slug
    return [
        "/",
        f"/t/{slug}/",
        f"/announcements/{slug}/",
        f"/schedule/{slug}/",
        *(base + page for page in pages),
    ]


def _bracket() -> list[str]:
    event = bracket_event(6, third_place=True)
    play_round(draw_and_publish(event, 1))
    draw_and_publish(event, 2)
    base = f"/t/{event.tournament.slug}/{event.slug}/"
    return [base + page for page in ("bracket/1/", "round/1/match/1/", "entry/1/", "cross/")]


def _teams() -> list[str]:
    event, tables = _open(Event.Kind.TEAMS, options={"duplicate": True})
    for table in tables:
        for number in (1, 2):
            _play(table, number)
    publish_round(actor=SYSTEM, round=tables[0].draw.round)
    base = f"/t/{event.tournament.slug}/{event.slug}/round/1/"
    return [base, f"{base}match/1/", f"{base}table/2/"]


def _long_field() -> list[str]:
    event = played_event([f"选手{number}" for number in range(1, 49)])
    publish(actor=SYSTEM, round=drawn_round(event, 1).round, what="draw")
    base = f"/t/{event.tournament.slug}/{event.slug}/"
    return [f"{base}cross/", f"{base}screen/"]


#: A link half out of the frame that it scrolls in would count as too small to touch.
UNROLLED = ".cross-wrap, .table-wrap, .bracket-view { overflow: visible; max-height: none }"
LOOKS = {
    "laptop": {"size": {"width": 1366, "height": 768}, "scheme": "light", "language": "zh-hans"},
    "phone": {"size": {"width": 390, "height": 844}, "scheme": "dark", "language": "en"},
}
#: Only the rules that are asked for are run, and only what they find is brought back.
RUN = """async (options) => (await axe.run(document, options)).violations
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .map((one) => `${one.id}: ${one.help} ${one.nodes.slice(0, 3).map((node) => node.target)}`)"""
OPENED = "document.querySelectorAll('details').forEach((one) => (one.open = true))"


def test_nothing_serious_on_any_page(unsafe_async_allowed, chromium, live_server):
    # Without the site's policy for contents axe can be put into the page.
    context = chromium.new_context(base_url=live_server.url, bypass_csp=True)
    context.add_init_script(Axe().axe_script)
    page = context.new_page()
    found = []
    for address in [*_individual(), *_bracket(), *_teams(), *_long_field()]:
        for name, look in LOOKS.items():
            page.set_viewport_size(look["size"])
            page.emulate_media(color_scheme=look["scheme"])
            context.add_cookies(
                [{"name": "django_language", "value": look["language"], "url": live_server.url}]
            )
            assert page.goto(address, wait_until="load").status == 200, address
            page.add_style_tag(content=UNROLLED)
            page.evaluate(OPENED)
            found += [f"{address} ({name}) {fault}" for fault in page.evaluate(RUN, OPTIONS)]
    context.close()
    assert not found, "\n".join(found)
