"""Who took the first ♠Q of two: asked at the table where somebody shuffles or leads by it, and only there."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.engine.playout import play_out
from scoring.engine.procedure import pig_takers
from scoring.rulesets import load
from tests.referee.conftest import Hall, open_hall

pytestmark = [pytest.mark.usefixtures("unsafe_async_allowed"), pytest.mark.django_db(transaction=True)]


def record_with(takers: int) -> dict[str, Any]:
    """A random legal deal with two decks in which so many seats took a ♠Q."""
    deals = (play_out(load("double-pig"), Random(seed)).record for seed in range(1_000))
    return next(one.to_json() for one in deals if len(pig_takers(one, "NWSE")) == takers)


@pytest.fixture
def two_decks(tablet: Any) -> Hall:
    return open_hall(ruleset="double-pig")


def test_the_answer_names_who_shuffles_and_is_kept(tablet: Callable[..., Page], two_decks: Hall) -> None:
    record = record_with(2)
    two_decks.record(record=record)
    two_decks.check()
    page = tablet(two_decks)
    choices = page.locator("#procedure [data-pig]")
    expect(choices).to_have_count(2)
    expect(page.locator("#procedure")).to_contain_text("the one of")
    for place in (0, 1):
        name = choices.nth(place).inner_text()
        choices.nth(place).tap()
        expect(page.locator(".procedure__item").first).to_contain_text(f"Shuffles {name}")
    page.reload()
    expect(page.locator('#procedure [aria-pressed="true"]')).to_have_count(1)
    expect(page.locator(".procedure__item").first).to_contain_text(f"Shuffles {name}")


def test_nothing_is_asked_where_one_seat_took_both(tablet: Callable[..., Page], two_decks: Hall) -> None:
    two_decks.record(record=record_with(1))
    two_decks.check()
    page = tablet(two_decks)
    expect(page.locator(".procedure__item").first).to_contain_text("Shuffles")
    expect(page.locator("#procedure [data-pig]")).to_have_count(0)
