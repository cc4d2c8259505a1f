"""Sign-off, disputes, penalties by article and the clocks, as people at the table use them."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.models import Dispute, Penalty, SecondEntry, TableRuling
from referee.queries import check_of
from tests.browser.table_page import SIZES, all_sent, hear_from_the_server, tap_deal
from tests.referee.conftest import CAPTURES, Hall
from tournament.models import Event

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]


def ask_for(hall: Hall, policy: str) -> None:
    Event.objects.filter(pk=hall.event.pk).update(options={**hall.event.options, "signoff": policy})


def test_all_four_seats_agree_one_after_the_other(tablet: Callable[..., Page], hall: Hall) -> None:
    ask_for(hall, "all")
    hall.record()
    page = tablet(hall)
    expect(page.locator(".signoff__seat")).to_have_count(4)
    for seat in "NWSE":
        page.locator(f'.signoff__seat[data-seat="{seat}"] [data-verdict="agree"]').tap()
        if seat != "E":
            expect(page.locator(f'.signoff__seat[data-seat="{seat}"] .signoff__said--agree')).to_be_visible()
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 2")
    expect(page.locator(".sheet .mark--checked")).to_have_count(1)
    # The page goes on before the server has answered; after a reload it shows what the server has.
    page.reload()
    page.tap(".sheet__deal")
    expect(page.locator("#pane-deal")).to_contain_text("all seats agreed")
    check = check_of(hall.versions()[0])
    assert check is not None
    assert check.relation == "all"


def test_disputing_seat_gives_its_version_and_the_desk_takes_it(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    hall.record()
    page = tablet(hall)
    page.locator(".signoff__more summary").tap()
    # News of the table do not fold it up under the finger.
    hear_from_the_server(page)
    page.tap('.signoff__more [data-seat="W"]')
    page.fill("#reason-text", "East has the pig")
    page.tap("#reason .button--primary")
    expect(page.locator("#correcting")).to_contain_text("Dispute")
    page.tap('.seat-box[data-seat="E"]')
    page.tap('.pad [data-copy="SQ#1"]')
    page.tap("#submit")
    expect(page.locator(".dispute")).to_contain_text("East has the pig")
    expect(page.locator(".dispute__both")).to_contain_text("East")
    all_sent(page)
    assert Dispute.objects.get().offered["captures"]["E"] == ["SQ"]

    desk = tablet(hall, person="chief")
    desk.tap('.dispute [data-outcome="offered"]')
    desk.fill("#reason-text", "cards were looked at")
    desk.tap("#reason .button--primary")
    expect(desk.locator(".sheet .mark--checked")).to_have_count(1)
    last = hall.versions()[-1]
    assert last.record["captures"]["E"] == ["SQ"]
    assert check_of(last) is not None


def test_table_goes_on_with_the_next_deal_while_one_waits_for_the_desk(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    hall.record()
    hall.dispute("W", "East has the pig")
    page = tablet(hall)
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 2")
    page.tap("#void-current")
    page.fill("#reason-text", "a card was seen")
    page.tap("#reason .button--primary")
    expect(page.locator("#sheet .mark--void")).to_have_count(1)
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 2")
    all_sent(page)


def test_second_entry_is_made_blind(tablet: Callable[..., Page], hall: Hall) -> None:
    ask_for(hall, "second")
    hall.record()
    page = tablet(hall)
    expect(page.locator("#pane-deal")).to_contain_text("stays hidden")
    expect(page.locator("#pane-deal .result")).to_have_count(0)
    assert "190" not in page.inner_text("main")
    page.tap('[data-key="second"]')
    expect(page.locator(".pad .is-taken")).to_have_count(0)
    tap_deal(page)
    page.tap("#submit")
    expect(page.locator(".sheet .mark--checked")).to_have_count(1)
    all_sent(page)
    assert SecondEntry.objects.get().differences == []


def test_second_entry_that_differs_is_shown_and_no_longer_waited_for(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    ask_for(hall, "second")
    hall.record()
    page = tablet(hall)
    expect(page.locator("#pane-deal")).to_contain_text("stays hidden")
    page.tap('[data-key="second"]')
    tap_deal(page, {**CAPTURES, "N": ["SQ", "HA"]})
    page.tap("#submit")
    expect(page.locator(".dispute__both tbody tr")).to_have_text([re.compile("K captured.*North.*South")])
    expect(page.locator("#pane-deal .result")).to_have_count(0)
    expect(page.locator("#pane-deal")).not_to_contain_text("stays hidden")


def test_article_proposes_a_warning_first_and_points_then(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    for count, points in enumerate(("0", "-20"), start=1):
        page.tap("#give-penalty")
        page.check('#penalty [name="seat"][value="N"]')
        page.select_option("#penalty-article", label="2.1 Hesitation (−20)")
        expect(page.locator("#penalty-points")).to_have_value(points)
        page.fill("#penalty-reason", "long thought")
        page.tap("#penalty .button--primary")
        expect(page.locator("#penalties li")).to_have_count(count)
        expect(page.locator("#penalties li").last).to_contain_text("2.1 Hesitation")
        expect(page.locator("#penalty")).to_be_hidden()
    all_sent(page)
    assert [int(one.points) for one in Penalty.objects.order_by("id")] == [0, -20]


def test_guide_leads_to_the_clocks_and_away_when_cards_are_entered(
    tablet: Callable[..., Page], hall: Hall, tmp_path: Path
) -> None:
    page = tablet(hall)
    page.clock.install()
    expect(page.locator("#guide [aria-current]")).to_have_text("Shuffle")
    page.tap('[data-key="guide-next"]')
    expect(page.locator(".guide__clock")).to_contain_text("10 s")
    page.tap('[data-key="guide-next"]')
    page.tap(".guide__clock")
    expect(page.locator(".guide__left")).to_have_text("20")
    page.clock.run_for(8_000)
    expect(page.locator(".guide__left")).to_have_text("12")
    page.clock.run_for(13_000)
    expect(page.locator(".guide__clock")).to_have_class("button guide__clock is-over")
    page.tap('.pad [data-copy="SQ#1"]')
    expect(page.locator("#guide")).to_have_attribute("data-step", "captures")


def test_claim_is_put_on_record_while_the_deal_is_played(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    page.tap("#give-ruling")
    expect(page.locator('#ruling [name="procedure"]')).to_be_hidden()
    page.select_option("#ruling-seat", "W")
    page.fill("#ruling-tricks", "3")
    page.fill("#ruling-remaining", "4")
    page.check('#ruling [name="agreed"][value="N"]')
    page.fill("#ruling-note", "high spades")
    page.tap("#ruling .button--primary")
    expect(page.locator("#rulings")).to_contain_text("West takes 3 of 4 tricks; agreed: North.")
    all_sent(page)
    assert TableRuling.objects.get().facts == {"seat": "W", "tricks": 3, "remaining": 4, "agreed": ["N"]}


def test_drawing_from_the_long_hand_is_not_sent_without_everybodys_agreement(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    page = tablet(hall)
    page.tap("#give-ruling")
    page.select_option("#ruling-kind", "card_count")
    page.fill("#hand-N", "14")
    page.fill("#hand-W", "12")
    page.fill("#ruling-note", "misdealt")
    page.tap("#ruling .button--primary")
    expect(page.locator("#ruling-procedure:invalid")).to_be_visible()
    for box in page.locator('#ruling [name="agreed"]').all():
        box.check()
    page.tap("#ruling .button--primary")
    expect(page.locator("#rulings")).to_contain_text("the short hand drew from the long one")


def rule_on_exposure(page: Page, ruling: str) -> None:
    page.select_option("#ruling-kind", "exposure")
    page.select_option("#ruling-seat", "W")
    page.select_option("#ruling-ruling", ruling)
    expect(page.locator("#ruling-as")).to_be_hidden()
    page.fill("#ruling-note", "shown too late")
    page.tap("#ruling .button--primary")


def test_exposure_ruled_while_the_deal_is_played_is_in_its_entry(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    page = tablet(hall)
    shown = page.locator('.key-row[data-copy="SQ#1"] .tap--kind').first
    for ruling, pressed in (("stands", "true"), ("taken_back", "false")):
        page.tap("#give-ruling")
        rule_on_exposure(page, ruling)
        expect(shown).to_have_attribute("aria-pressed", pressed)


def test_exposure_ruled_later_makes_a_version_with_the_ruling_as_reason(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    hall.record()
    page = tablet(hall)
    page.tap('[data-action="ruling"]')
    rule_on_exposure(page, "stands")
    expect(page.locator("#pane-deal .banner--warn")).to_contain_text("shown too late")
    expect(page.locator("#pane-deal .deal-facts").first).to_contain_text("exposed, West")
    assert [one.record["exposed"] for one in hall.versions()][1][0]["seat"] == "W"


@pytest.mark.parametrize("size", SIZES)
def test_sign_off_and_entry_fit_the_screen(tablet: Callable[..., Page], hall: Hall, size: str) -> None:
    ask_for(hall, "all")
    hall.record()
    page = tablet(hall, size=size)
    expect(page.locator(".signoff__seat")).to_have_count(4)
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0
