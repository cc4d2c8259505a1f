"""A referee in a noisy hall with a dying tablet: a call that is not sent yet, a deal declared void in the
middle of its entry.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from referee.models import DealVersion, Dispute, Penalty, TableCall
from tests.browser.table_page import OUT_OF_SIGHT, all_sent, enter_by, give, tap_deal, works_offline
from tests.browser.test_cleared_storage import clear_storage
from tests.referee.conftest import Hall
from tests.referee.test_rulings import colour_hall

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]


def entered_offline(page: Page) -> None:
    """The network is gone, and the first deal entered and submitted all the same."""
    page.context.set_offline(True)
    enter_by(page, "N")
    tap_deal(page)
    page.tap("#submit")


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


def test_answer_that_comes_late_brings_no_call_back(joined: Callable[..., Page], round_hall: Hall) -> None:
    page = joined(round_hall)
    button, back = page.locator("#call-referee"), page.locator("#call-withdraw")
    button.tap()
    expect(button).to_have_text("Referee called")
    late: list[Route] = []
    page.route(
        "**/call/", lambda route: late.append(route) if route.request.method == "GET" else route.continue_()
    )
    page.evaluate("() => dispatchEvent(new Event('online'))")
    while not late:
        page.wait_for_timeout(20)
    answer = late[0].fetch().json()
    # The page has an answer a moment after the browser has.
    heard = "() => fetch('/', { method: 'HEAD' }).then(() => new Promise(requestAnimationFrame))"
    with page.expect_response("**/call/withdraw/"):
        back.tap()
    page.evaluate(heard)
    with page.expect_response("**/call/"):
        late[0].fulfill(json=answer)
    page.evaluate(heard)
    expect(button).to_have_text("Call a referee")
    expect(page.locator("#call-note")).to_be_hidden()


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
    entered_offline(page)
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


def test_finger_that_taps_submit_twice_records_the_deal_once(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    enter_by(page, "N")
    tap_deal(page)
    page.evaluate("() => { const one = document.querySelector('#submit'); one.click(); one.click(); }")
    expect(page.locator("#pane-deal:visible h1")).to_have_text("Deal 1")
    all_sent(page)
    expect(page.locator("#conflict")).to_be_hidden()
    assert DealVersion.objects.count() == 1


def test_second_tap_of_a_finger_that_taps_twice_hits_nothing_that_came_in_between(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    enter_by(page, "N")
    tap_deal(page)
    page.tap("#submit")
    page.locator('.check__button[data-relation="partner"]').click(trial=True)
    hit = page.evaluate(
        """() => new Promise((done) => {
          const button = document.querySelector('.check__button[data-relation="partner"]');
          const { left, right, top, bottom } = button.getBoundingClientRect();
          const entry = document.querySelector("#pane-entry");
          const under = () => document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          const tell = () => entry.hidden || done([entry.contains(under()), !under().closest("button")]);
          new MutationObserver(tell).observe(entry, { attributes: true });
          button.click();
        })"""
    )
    assert hit == [False, True]
    page.tap('.seat-box[data-seat="S"]')
    expect(page.locator('.seat-box[data-seat="S"]')).to_have_attribute("aria-pressed", "true")


def test_each_deal_says_that_it_is_on_this_tablet_until_the_server_has_it(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    entered_offline(page)
    here = page.locator("#pane-deal .pane__head .badge--here")
    expect(here).to_have_text("on this tablet")
    expect(page.locator("#sheet tr.is-unsent")).to_have_count(1)
    page.tap('.check__button[data-relation="next"]')
    expect(page.locator("#pane-entry:visible h1")).to_have_text("Deal 2")
    page.tap(".sheet__deal")
    expect(page.locator("#pane-deal .pane__head .badge--good")).to_be_visible()
    expect(here).to_be_visible()  # checked here, and the server knows nothing of it
    page.context.set_offline(False)
    all_sent(page)
    expect(here).to_have_count(0)
    expect(page.locator("#sheet tr.is-unsent")).to_have_count(0)
    expect(page.locator("#pane-deal .pane__head .badge")).to_have_text(["checked"])


def _claim(page: Page, opened_by: str) -> None:
    page.tap(opened_by)
    page.select_option("#ruling-seat", "W")
    page.fill("#ruling-tricks", "3")
    page.fill("#ruling-remaining", "4")
    page.check('#ruling [name="agreed"][value="N"]')
    page.tap("#ruling .button--primary")


def _card_count(page: Page, opened_by: str) -> None:
    page.tap(opened_by)
    page.select_option("#ruling-kind", "card_count")
    for seat, count in {"N": "12", "W": "14"}.items():
        page.fill(f"#hand-{seat}", count)
    page.select_option("#ruling-procedure", "redeal")
    page.tap("#ruling .button--primary")


def _exposure(page: Page, opened_by: str) -> None:
    page.tap(opened_by)
    page.select_option("#ruling-kind", "exposure")
    page.select_option("#ruling-seat", "W")
    page.select_option("#ruling-ruling", "as_kind")
    page.select_option("#ruling-as", "dark")
    page.fill("#ruling-note", "shown late")
    page.tap("#ruling .button--primary")


def _colour(page: Page, opened_by: str) -> None:
    page.tap(opened_by)
    page.select_option("#ruling-kind", "colour")
    page.select_option("#ruling-seat", "E")
    page.check('[data-cards] [value="H7"]')
    page.fill("#ruling-note", "black on red")
    page.tap("#ruling .button--primary")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (_claim, "claim West takes 3 of 4 tricks; agreed: North."),
        (_card_count, "wrong number of cards North 12, West 14; dealt again."),
        (_exposure, "misplaced exposure West ♠Q exposed: it counts as dark-exposed"),
        (_colour, "discard of the wrong colour East takes ♥7."),
    ],
)
def test_ruling_that_is_not_sent_stands_at_its_deal_in_the_words_it_has_later(
    tablet: Callable[..., Page], rule: Callable[[Page, str], None], text: str
) -> None:
    hall = colour_hall()
    hall.record()
    page = tablet(hall)
    page.context.set_offline(True)
    line = page.locator("#pane-deal .deal-rulings li")
    rule(page, '[data-action="ruling"]')
    expect(line).to_contain_text("on this tablet")
    _says(line, text)
    expect(page.locator("#sheet tr.is-unsent")).to_have_count(1)
    expect(page.locator("#rulings")).to_contain_text("Deal 1: ")
    page.context.set_offline(False)
    all_sent(page)
    expect(page.locator(".badge--here")).to_have_count(0)
    _says(line, text)


def test_ruling_in_the_middle_of_a_deal_stands_where_the_deal_is_entered(
    joined: Callable[..., Page], round_hall: Hall
) -> None:
    page = joined(round_hall)
    page.context.set_offline(True)
    _claim(page, "#give-ruling")
    line = page.locator("#entry-rulings li")
    expect(line).to_contain_text("on this tablet")
    _says(line, "claim West takes 3 of 4 tricks; agreed: North.")
    page.context.set_offline(False)
    all_sent(page)
    expect(line).not_to_contain_text("on this tablet")
    _says(line, "claim West takes 3 of 4 tricks; agreed: North.")


def _says(line: Locator, text: str) -> None:
    """Signs of suits carry a mark on the tablet that keeps phones from drawing pictures."""
    expect(line).to_have_text(
        re.compile(r"\s*".join(re.escape(one) + "\ufe0e?" for one in text if one != " "))
    )


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
