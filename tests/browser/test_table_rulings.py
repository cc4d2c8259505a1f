"""What is ruled at the table, tapped by a referee who has one hand free and no time to type."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from referee.models import TableRuling
from referee.services.table_exchange import exchange_tables
from tests.browser.looks import OVERFLOW
from tests.browser.table_page import SIZES, SMALL_TARGETS, all_sent, hear_from_the_server
from tests.referee.conftest import Hall, open_hall
from tests.referee.test_rulings import colour_hall

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]


def claim(page: Page, tricks: int, remaining: int) -> None:
    page.tap("#give-ruling")
    page.fill("#ruling-tricks", str(tricks))
    page.fill("#ruling-remaining", str(remaining))
    page.tap("#ruling .button--primary")


def test_claim_needs_no_more_than_its_figures(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    claim(page, 3, 4)
    expect(page.locator("#rulings")).to_contain_text("takes 3 of 4 tricks")
    all_sent(page)
    assert TableRuling.objects.get().note == ""


@pytest.mark.parametrize(
    ("ruleset", "players", "most"), [("huapai", 8, 13), ("huapai", 7, 17), ("double-pig", 7, 34)]
)
def test_claim_is_of_as_many_tricks_as_a_deal_has(
    tablet: Callable[..., Page], ruleset: str, players: int, most: int
) -> None:
    hall = open_hall(entries=players, ruleset=ruleset, options={"odd": "threes"})
    hall.tables.sort(key=lambda table: table.seats.count())
    page = tablet(hall, person="chief")
    claim(page, most + 1, most + 1)
    expect(page.locator("#ruling-remaining:invalid")).to_be_visible()
    page.fill("#ruling-tricks", str(most))
    page.fill("#ruling-remaining", str(most))
    page.tap("#ruling .button--primary")
    expect(page.locator("#rulings")).to_contain_text(f"takes {most} of {most} tricks")
    all_sent(page)


def test_cards_of_a_discard_of_the_wrong_colour_are_tapped(tablet: Callable[..., Page]) -> None:
    hall = colour_hall()
    hall.record()
    page = tablet(hall)
    page.tap('[data-action="ruling"]')
    page.select_option("#ruling-kind", "colour")
    page.select_option("#ruling-seat", "S")
    # South has the other cards already.
    expect(page.locator("[data-cards] input")).to_have_count(3)
    page.select_option("#ruling-seat", "E")
    expect(page.locator("[data-cards] input")).to_have_count(16)
    page.fill("#ruling-note", "black on red")
    page.tap("#ruling .button--primary")
    expect(page.locator("[data-cards] input:invalid")).not_to_have_count(0)
    for card in ("SQ", "H7"):
        page.check(f'[data-cards] [value="{card}"]')
    page.tap("#ruling .button--primary")
    expect(page.locator("#pane-deal .banner--warn")).to_contain_text("black on red")
    assert hall.versions()[-1].record["captures"]["E"] == ["SQ", "H7"]


def test_colour_is_no_ruling_where_the_rules_do_not_prescribe_it(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    page = tablet(hall)
    page.tap("#give-ruling")
    kinds = page.locator("#ruling-kind option")
    expect(kinds).to_have_count(3)
    assert "colour" not in [one.get_attribute("value") for one in kinds.all()]


def test_what_else_can_be_done_with_a_deal_is_not_offered_while_it_is_disputed(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    hall.record()
    page = tablet(hall)
    page.tap("#go-entry")
    expect(page.locator("#procedure")).to_contain_text("Shuffles")
    page.tap(".sheet__deal")
    page.locator(".signoff__more summary").tap()
    page.tap('.signoff__more [data-seat="W"]')
    page.fill("#reason-text", "East has the pig")
    page.tap("#reason .button--primary")
    expect(page.locator("#correcting")).to_be_visible()
    for part in ("#procedure", "#give-ruling", "#void-current"):
        expect(page.locator(part)).to_be_hidden()


def test_whoever_comes_to_sit_at_the_table_is_named_at_once(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    page.tap('.pad [data-copy="SQ#1"]')
    first, second = (table.seats.get(direction="N") for table in hall.tables[:2])
    expect(page.locator('.seat-box[data-seat="N"]')).to_contain_text(first.player.name)
    page.tap("#give-ruling")
    page.keyboard.press("Escape")
    exchange_tables(
        actor=hall.chief, first=first, second=second, deals={}, reason="wrong table", command_id=uuid4()
    )
    hear_from_the_server(page)
    name = second.player.name
    expect(page.locator('.seat-box[data-seat="N"]')).to_contain_text(name)
    # What was tapped is still there, and given to the seat.
    expect(page.locator(".pad .is-taken")).to_have_count(1)
    for place in (
        '#ruling option[data-player="N"]',
        '#ruling label [data-player="N"]',
        '#penalty [data-player="N"]',
    ):
        assert name in (page.locator(place).text_content() or "")
    assert first.player.name not in page.inner_text("#pane-entry")


@pytest.mark.parametrize("size", SIZES)
def test_questions_fit_and_every_target_in_them_is_big_enough(tablet: Callable[..., Page], size: str) -> None:
    hall = colour_hall()
    hall.record()
    page = tablet(hall, size=size)
    page.tap('[data-action="ruling"]')
    for kind in ("claim", "card_count", "exposure", "colour"):
        page.select_option("#ruling-kind", kind)
        expect(page.locator(f'[data-kinds~="{kind}"]').first).to_be_visible()
        assert (kind, page.evaluate(OVERFLOW), page.evaluate(SMALL_TARGETS)) == (kind, 0, [])
    page.keyboard.press("Escape")
    page.tap("#give-penalty")
    expect(page.locator("#penalty")).to_be_visible()
    assert (page.evaluate(OVERFLOW), page.evaluate(SMALL_TARGETS)) == (0, [])


def test_a_whole_entry_is_in_sight_on_a_tablet_held_wide(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    page.context.add_cookies([{"name": "django_language", "value": "zh-hans", "url": page.url}])
    page.reload()
    page.tap('.pad [data-copy="SQ#1"]')
    expect(page.locator(".pad .is-taken")).to_have_count(1)
    places = page.evaluate(
        """() => ["#entry-title", "#entry .tools", ".submit-bar", "#submit"].map((one) => {
          const { top, bottom } = document.querySelector(one).getBoundingClientRect();
          return [top, bottom];
        })"""
    )
    (title, _), (_, tools), (bar, _), (_, submit) = places
    assert 0 < title < tools <= bar < submit <= 768
