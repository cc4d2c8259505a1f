"""A referee in a noisy hall with a dying tablet: a call that is not sent yet, a deal declared void in the
middle of its entry.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from referee.models import DealVersion, Dispute, Penalty, TableCall
from tests.browser.table_page import OUT_OF_SIGHT, all_sent, enter_by, give, tap_deal, works_offline
from tests.browser.test_cleared_storage import clear_storage
from tests.referee.conftest import Hall

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]


def test_call_not_sent_survives_a_reload_and_a_cleared_storage_and_is_one_call(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    works_offline(page)
    button, note, back = (page.locator(f"#call-{name}") for name in ("referee", "note", "withdraw"))
    page.context.set_offline(True)
    button.tap()
    expect(button).to_have_text("Call not sent yet")
    back.tap()
    expect(button).to_have_text("Call a referee")
    expect(note).to_be_hidden()
    page.reload()
    expect(button).to_have_text("Call a referee")

    button.tap()
    expect(note).to_contain_text("no network")
    clear_storage(page)
    page.reload()
    expect(button).to_have_text("Call not sent yet")
    expect(note).to_contain_text("no network")
    expect(back).to_be_visible()
    page.context.set_offline(False)
    expect(button).to_have_text("Referee called")
    assert TableCall.objects.count() == 1
    page.reload()
    expect(button).to_have_text("Referee called")
    assert TableCall.objects.count() == 1


def test_call_that_may_have_arrived_is_taken_back_at_the_server(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    button, back = page.locator("#call-referee"), page.locator("#call-withdraw")
    page.route("**/call/", lambda route: (route.fetch(), route.abort()))  # the answer is lost
    button.tap()
    expect(button).to_have_text("Call not sent yet")
    with page.expect_response("**/call/withdraw/"):
        back.tap()
    expect(button).to_have_text("Call a referee")
    expect(page.locator("#call-note")).to_be_hidden()
    assert TableCall.objects.get().outcome == "withdrawn"
    page.unroute("**/call/")
    page.route("**/call/", lambda route: route.abort())  # not even the call arrives
    button.tap()
    expect(button).to_have_text("Call not sent yet")
    with page.expect_response("**/call/withdraw/"):
        back.tap()
    expect(button).to_have_text("Call a referee")
    expect(page.locator("#call-note")).to_be_hidden()
    assert TableCall.objects.count() == 1


def test_void_takes_along_what_was_tapped_and_the_replay_is_recorded(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    page.context.set_offline(True)
    give(page, "N", ["SQ", "H4"])
    page.tap("#void-current")
    page.fill("#reason-text", "a card was seen")
    page.tap("#reason .button--primary")
    expect(page.locator("#unsent")).to_contain_text("Deal 1 is not sent")
    expect(page.locator(".pad .is-taken")).to_have_count(0)
    expect(page.locator("#sheet .mark--void")).to_have_count(1)
    expect(page.locator("#sheet")).not_to_contain_text("do not count")
    assert page.evaluate(OUT_OF_SIGHT) == []  # what is not sent is told beside the entry
    enter_by(page, "N")
    tap_deal(page)
    page.tap("#submit")
    page.context.set_offline(False)
    all_sent(page)
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    expect(page.locator("#conflict")).to_be_hidden()
    assert [one.record is None for one in DealVersion.objects.order_by("number")] == [True, False]


def test_dispute_that_is_not_sent_is_shown_and_nobody_is_asked_to_check_meanwhile(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    page.context.set_offline(True)
    enter_by(page, "N")
    tap_deal(page)
    page.tap("#submit")
    expect(page.locator(".check__button").first).to_be_visible()
    page.locator(".signoff__more summary").tap()
    page.tap('.signoff__more [data-seat="W"]')
    page.fill("#reason-text", "East has the pig")
    page.tap("#reason .button--primary")
    give(page, "E", ["SQ"])
    page.tap("#submit")
    expect(page.locator(".dispute")).to_contain_text("East has the pig")
    expect(page.locator(".dispute")).to_contain_text("Not sent yet")
    expect(page.locator(".check__button")).to_have_count(0)
    page.context.set_offline(False)
    all_sent(page)
    expect(page.locator(".dispute")).to_contain_text("The desk has both versions")
    expect(page.locator(".check__button")).to_have_count(0)
    assert Dispute.objects.get().offered["captures"]["E"] == ["SQ"]


def test_penalty_that_is_not_sent_is_listed_and_counts_as_the_warning_before(
    tablet: Callable[..., Page], hall: Hall
) -> None:
    page = tablet(hall)
    page.context.set_offline(True)

    def choose_lead_out_of_turn() -> None:
        page.tap("#give-penalty")
        page.check('#penalty [name="seat"][value="E"]')
        page.select_option("#penalty-article", label="3.3 Lead out of turn (−30)")

    choose_lead_out_of_turn()
    page.tap("#penalty .button--primary")
    expect(page.locator("#penalties li")).to_contain_text("on this tablet")
    choose_lead_out_of_turn()
    expect(page.locator("#penalty-points")).to_have_value("-30")
    page.tap("#penalty [data-cancel]")
    page.context.set_offline(False)
    all_sent(page)
    expect(page.locator("#penalties li")).not_to_contain_text("on this tablet")
    assert Penalty.objects.get().points == 0
