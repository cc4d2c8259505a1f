"""The referee's tablet in a real browser: one deal from the first tap to its check, and what may go wrong on
the way.
"""

from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Route, expect

from referee.models import DealVersion, Penalty
from referee.queries import check_of
from tests.browser.table_page import (
    OUT_OF_SIGHT,
    all_sent,
    enter_by,
    give,
    hear_from_the_server,
    holder,
    tap_deal,
)
from tests.factories import PASSWORD
from tests.referee.conftest import CAPTURES, Hall, open_hall, simple_record
from tournament.models import Event, Publication
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]


def test_deal_from_the_first_tap_to_the_second_persons_check(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    names = {seat.direction: seat.player.name for seat in hall.table.seats.all()}
    expect(page.locator("#procedure")).to_contain_text(f"Shuffles North {names['N']}")
    expect(page.locator("#procedure")).to_contain_text("holder of ♠3")
    enter_by(page, "N")
    tap_deal(page)
    page.locator('.key-row[data-copy="HA#1"] .tap--kind').first.tap()  # East exposed ♥A
    expect(page.locator('.seat-box[data-seat="N"] .seat-box__score')).to_have_text("−280")
    expect(page.locator("#live")).to_contain_text("= −280")
    expect(page.locator("#entry-missing")).to_have_text("Every card has its place.")
    page.tap("#submit")

    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    all_sent(page)
    version = DealVersion.objects.get()
    assert version.record["captures"]["N"] == ["SQ", "HA", "HK"]
    assert version.record["exposed"] == [{"card": "HA", "seat": "E", "kind": "exposed"}]
    assert version.record["held"] == {"SQ": "W", "DJ": "W", "C10": "E", "HA": "E"}
    assert (version.answer["scores"]["N"], version.entered_seat) == (-280, "N")

    expect(page.locator(".check__button")).to_have_count(4)
    page.tap('.check__button[data-relation="next"]')
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 2")
    expect(page.locator(".sheet .mark--checked")).to_have_count(1)
    all_sent(page)
    check = check_of(DealVersion.objects.get())
    assert check is not None
    assert (check.relation, check.seat, check.player.name) == ("next", "W", names["W"])
    page.tap(".sheet__deal")
    expect(page.locator("#pane-deal")).to_contain_text(f"next seat West {names['W']}")

    # Once published, anybody reads it: the cards' score and how it came about.
    round = hall.table.draw.round
    publish_round(actor=SYSTEM, round=round)
    event = round.event
    page.context.clear_cookies()
    page.goto(
        f"/t/{event.tournament.slug}/{event.slug}/round/{round.number}/table/{hall.table.number}/",
    )
    expect(page.locator("main")).to_contain_text(names["N"])
    expect(page.locator("main")).to_contain_text("−280")


def test_deal_incomplete_is_not_sent_and_says_what_is_missing(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    page = tablet(hall)
    give(page, "N", ["SQ"])
    page.tap("#submit")
    expect(page.locator("#faults")).to_contain_text("not complete")
    expect(page.locator("#entry-missing")).to_contain_text("15 cards nobody has")
    assert not DealVersion.objects.exists()


def test_taps_can_be_undone_redone_and_cleared(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    give(page, "N", ["SQ", "HA"])
    undo, redo, clear = (page.locator(".button--tool").nth(place) for place in range(3))
    cards = page.locator('.seat-box[data-seat="N"] .seat-box__cards')
    undo.tap()
    expect(cards).to_have_text("♠\ufe0eQ")
    redo.tap()
    expect(cards).to_contain_text("A")
    page.tap('.pad [data-copy="SQ#1"]')  # a second tap takes a card back
    expect(cards).not_to_contain_text("Q")
    page.tap('.seat-box[data-seat="W"]')
    page.tap('.pad [data-copy="HA#1"]')  # a tap under another seat moves it
    expect(page.locator('.seat-box[data-seat="W"] .seat-box__cards')).to_contain_text("A")
    clear.tap()
    expect(page.locator(".pad .is-taken")).to_have_count(0)
    undo.tap()
    expect(page.locator(".pad .is-taken")).to_have_count(1)


def test_entry_survives_a_reload(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    enter_by(page, "S")
    give(page, "W", ["DJ", "H2"])
    page.reload()
    expect(page.locator('.seat-box[data-seat="W"] .seat-box__cards')).to_contain_text("J")
    expect(page.locator('#entered-by [data-seat="S"]')).to_have_attribute("aria-pressed", "true")
    page.goto("/referee/")
    expect(page.locator(".my-table__draft")).to_be_visible()


def test_news_of_the_table_between_two_taps_changes_nothing_that_was_tapped(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    page = tablet(hall)
    seat = page.locator('.seat-box[data-seat="W"]')
    seat.tap()
    hear_from_the_server(page)
    page.tap('.pad [data-copy="DJ#1"]')
    expect(seat.locator(".seat-box__cards")).to_contain_text("J")
    page.locator(".button--tool").nth(0).tap()
    hear_from_the_server(page)
    page.locator(".button--tool").nth(1).tap()  # what was undone can still be done again
    expect(seat.locator(".seat-box__cards")).to_contain_text("J")


def test_send_without_network_is_kept_and_sent_later_once(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    tap_deal(page)
    page.route("**/record/", lambda route: route.abort("internetdisconnected"))
    page.tap("#submit")
    expect(page.locator("#unsent")).to_contain_text("is not sent")
    assert not DealVersion.objects.exists()
    page.reload()
    expect(page.locator("#unsent")).to_be_visible()
    page.unroute("**/record/")
    page.tap("#retry")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    expect(page.locator("#unsent")).to_be_hidden()
    all_sent(page)
    assert DealVersion.objects.count() == 1


def test_send_whose_answer_is_lost_is_stored_once(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    tap_deal(page)
    lost: list[int] = []

    def lose_the_first_answer(route: Route) -> None:
        answer = route.fetch()
        lost.append(answer.status)
        if len(lost) == 1:
            route.abort("connectionreset")
        else:
            route.fulfill(response=answer)

    page.route("**/record/", lose_the_first_answer)
    page.tap("#submit")
    expect(page.locator("#unsent")).to_be_visible()
    assert DealVersion.objects.count() == 1
    page.tap("#retry")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    all_sent(page)
    assert lost == [200, 200]
    assert DealVersion.objects.count() == 1


def test_two_tablets_the_second_sees_both_records_and_chooses(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    page = tablet(hall)
    tap_deal(page)
    theirs = simple_record(held={"SQ": "N", "DJ": "N", "C10": "N", "HA": "N"})
    hall.record(record=theirs)
    page.tap("#submit")
    dialog = page.locator("#conflict")
    expect(dialog).to_be_visible()
    expect(dialog.locator("[data-current]")).to_contain_text("K")
    expect(dialog.locator("[data-offered]")).to_contain_text("K")
    # They differ in who was dealt the key cards alone, which is worth 150 points.
    for side, seats in {"current": "NNNN", "offered": "WWEE"}.items():
        differing = dialog.locator(f"[data-{side}] dd.differs")
        expect(differing).to_have_count(1)
        expect(differing.locator("> span")).to_contain_text(list(seats))
    assert DealVersion.objects.count() == 1
    dialog.locator('[value="mine"]').tap()
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    all_sent(page)
    assert [version.answer["scores"]["N"] for version in DealVersion.objects.order_by("number")] == [
        -340,
        -190,
    ]


def test_two_tablets_with_the_same_record_are_told_so(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    tap_deal(page)
    hall.record()
    page.tap("#submit")
    dialog = page.locator("#conflict")
    expect(dialog.locator("[data-same]")).to_be_visible()
    expect(dialog.locator("[data-other]")).to_be_hidden()
    expect(dialog.locator('[value="mine"]')).to_be_hidden()
    dialog.locator('[value="theirs"]').tap()
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    assert DealVersion.objects.count() == 1


def test_two_tablets_the_second_may_keep_the_first_record(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    tap_deal(page)
    hall.record(record=simple_record(held={"SQ": "N", "DJ": "N", "C10": "N", "HA": "N"}))
    page.tap("#submit")
    page.locator('#conflict [value="theirs"]').tap()
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    assert DealVersion.objects.count() == 1
    page.tap("#go-entry")
    expect(page.locator(".pad .is-taken")).to_have_count(0)


def test_undo_and_void_from_the_deals_page(tablet: Callable[..., Page], hall: Hall) -> None:
    hall.record()
    page = tablet(hall)
    page.tap('[data-action="undo"]')
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 1")
    all_sent(page)
    hall.record(based_on=2)
    page.reload()
    page.tap('[data-action="void"]')
    page.fill("#reason-text", "misdeal")
    page.tap("#reason .button--primary")
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 1")
    expect(page.locator(".sheet .mark--void")).to_have_count(1)
    tap_deal(page)
    page.tap("#submit")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    all_sent(page)
    states = list(DealVersion.objects.order_by("number").values_list("state", flat=True))
    assert states == ["recorded", "withdrawn", "recorded", "void", "recorded"]


def test_correction_by_the_chief_referee_starts_from_the_record(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    hall.record()
    hall.check()
    page = tablet(hall, "chief")
    page.tap(".sheet__deal")
    page.tap('[data-action="correct"]')
    page.fill("#reason-text", "king was West's")
    page.tap("#reason .button--primary")
    expect(page.locator("#correcting")).to_contain_text("king was West's")
    give(page, "W", ["HK"])
    page.tap("#submit")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    all_sent(page)
    expect(page.locator("#pane-deal .badge").first).to_contain_text("waits for its check")
    new = DealVersion.objects.order_by("number").last()
    assert new is not None
    assert (new.record["captures"]["W"], new.reason) == (["HK"], "king was West's")


def test_correction_that_others_go_by_leads_to_what_it_would_move(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    hall.record()
    hall.check()
    publish(actor=SYSTEM, round=hall.table.draw.round, what=Publication.What.RESULTS)
    page = tablet(hall, "chief")
    page.tap(".sheet__deal")
    page.tap('[data-action="correct"]')
    page.fill("#reason-text", "king was West's")
    page.tap("#reason .button--primary")
    give(page, "W", ["HK"])
    page.tap("#submit")
    expect(page.locator("#look-first")).to_contain_text("Look first at what it would move")
    all_sent(page)
    assert DealVersion.objects.count() == 1
    page.tap("#look-first-link")
    expect(page.locator("main")).to_contain_text("What this would move")


def test_penalty_is_given_and_cancelled_at_the_table(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    page.tap("#give-penalty")
    page.check('#penalty [name="seat"][value="E"]')
    page.fill("#penalty-rule", "Late arrival")
    page.fill("#penalty-points", "-30")
    page.fill("#penalty-reason", "five minutes")
    page.tap("#penalty .button--primary")
    expect(page.locator("#penalties")).to_contain_text("−30")
    all_sent(page)
    penalty = Penalty.objects.get()
    assert (penalty.points, penalty.entry) == (-30, hall.table.seats.get(direction="E").entry)
    page.tap("#penalties button")
    page.fill("#reason-text", "the clock was wrong")
    page.tap("#reason .button--primary")
    expect(page.locator("#penalties del")).to_contain_text("−30")

    page.tap("#give-penalty")  # under an article, which says why by itself
    page.check('#penalty [name="seat"][value="E"]')
    page.select_option("#penalty-article", label="3.5 Wrong claim (−50)")
    expect(page.locator("#penalty [data-optional]")).to_be_visible()
    page.tap("#penalty .button--primary")
    expect(page.locator("#penalties")).to_contain_text("−50")
    all_sent(page)
    under = Penalty.objects.latest("pk")
    assert (under.points, under.rule, under.reason) == (-50, "3.5 Wrong claim", "3.5 Wrong claim")


def test_play_is_ended_and_goes_on(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    page.tap("#stop")
    page.fill("#reason-text", "time is up")
    page.tap("#reason .button--primary")
    expect(page.locator("#stop-note")).to_contain_text("time is up")
    expect(page.locator("#pane-over")).to_be_visible()
    page.tap("#stop")
    page.fill("#reason-text", "one more deal")
    page.tap("#reason .button--primary")
    expect(page.locator("#pane-entry")).to_be_visible()


def test_two_decks_give_one_of_two_copies_at_each_tap(tablet: Callable[..., Page]) -> None:
    hall = open_hall(ruleset="double-pig")
    page = tablet(hall)
    give(page, "N", ["SQ"])
    page.tap('.seat-box[data-seat="W"]')
    page.tap('.pad [data-copy="SQ#1"]')  # North has this one: the other copy is meant
    page.tap('.button--rest[data-seat="E"]')
    expect(page.locator("#entry-missing")).to_have_class("missing-line is-complete")
    page.tap("#submit")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    all_sent(page)
    captures = DealVersion.objects.get().record["captures"]
    assert (captures["N"], captures["W"], captures["E"].count("DJ")) == (["SQ"], ["SQ"], 2)


def test_all_that_an_entry_of_one_deck_needs_is_on_a_low_screen_at_once(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    page = tablet(hall)
    assert page.evaluate(OUT_OF_SIGHT) == []
    for card in ("SQ", "DJ", "C10", "HA"):
        holder(page, card, "E").tap()
        page.locator(f'.key-row[data-copy="{card}#1"] .tap--kind').first.tap()
    give(page, "N", CAPTURES["S"])
    for language in ("en", "zh-hans", "zh-hant"):
        page.context.add_cookies([{"name": "django_language", "value": language, "url": page.url}])
        page.reload()
        expect(page.locator(f"html[lang={language}] .pad .is-taken")).to_have_count(len(CAPTURES["S"]))
        assert page.evaluate(OUT_OF_SIGHT) == [], language


def test_page_works_with_the_keyboard_alone(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    page.focus('.seat-box[data-seat="N"]')
    page.keyboard.press("Enter")
    page.focus('.pad [data-copy="SQ#1"]')
    page.keyboard.press("Space")
    expect(page.locator('.pad [data-copy="SQ#1"]')).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.activeElement.dataset.copy") == "SQ#1"
    page.keyboard.press("Control+z")
    expect(page.locator(".pad .is-taken")).to_have_count(0)


def test_logged_out_meanwhile_keeps_the_entry(tablet: Callable[..., Page], hall: Hall) -> None:
    page = tablet(hall)
    tap_deal(page)
    page.context.clear_cookies(name="sessionid")
    page.tap("#submit")
    expect(page.locator("#login-again")).to_be_visible()
    page.tap("#login-again")
    page.fill("[name=username]", hall.referee.user.get_username())
    page.fill("[name=password]", PASSWORD)
    page.click("main button[type=submit], main form button")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    all_sent(page)
    assert DealVersion.objects.count() == 1


def test_pairs_and_pig_sheep_tables_open_and_record(tablet: Callable[..., Page]) -> None:
    for kind in (Event.Kind.PAIRS, Event.Kind.PIG_SHEEP):
        hall = open_hall(kind, 4, plan={"kind": "set", "deals": 4})
        hall.record(record=hall.random_record(1), command_id=uuid4())
        page = tablet(hall)
        expect(page.locator(".check__button")).to_have_count(4)
        expect(page.locator(".sheet .mark--recorded")).to_have_count(1)
