"""The entry's state machine, deal.js: what taps make of a deal, held to records of random legal deals."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Browser, Page, Route

from referee.queries.layout import deal_layout
from scoring.engine import Ruleset, score_deal
from scoring.engine.cards import seats_for
from scoring.engine.playout import play_out
from scoring.engine.procedure import next_procedure
from scoring.rulesets import load, shipped_keys

#: The deals of each ruleset and mode that go through the machine.
DEALS = 40


@pytest.fixture(scope="module")
def machine(chromium: Browser) -> Iterator[Page]:
    """A blank page that has deal.js as ``window.deal``."""
    page = chromium.new_page()

    def serve(route: Route) -> None:
        if route.request.url.endswith(".js"):
            path = finders.find("referee/deal.js")
            assert path, "referee/deal.js is a static file"
            route.fulfill(path=path, content_type="text/javascript")
        else:
            route.fulfill(body="<!DOCTYPE html><title>deal.js</title>", content_type="text/html")

    page.route("http://machine.test/**", serve)
    page.goto("http://machine.test/")
    page.evaluate("async () => { window.deal = await import('http://machine.test/deal.js'); }")
    yield page
    page.close()


def layout_of(rules: Ruleset, mode: str = "individual", seats: int = 4) -> dict[str, Any]:
    letters = seats_for(seats)
    return deal_layout(rules, mode, letters, next_procedure(rules, letters, mode=mode))


def run(machine: Page, layout: dict[str, Any], actions: list[dict[str, Any]], last: str = "toRecord") -> Any:
    """What deal.js makes of some actions."""
    script = """([layout, actions, last]) => {
        let state = deal.newDeal(layout);
        for (const action of actions) state = deal.act(layout, state, action);
        return deal[last](layout, state);
    }"""
    return machine.evaluate(script, [layout, actions, last])


def taps_for(layout: dict[str, Any], record: dict[str, Any]) -> list[dict[str, Any]]:
    """Taps that enter a record: holders, exposures, then cards seat by seat, the last seat by "rest"."""
    actions: list[dict[str, Any]] = []
    free: dict[tuple[str, str], list[str]] = {}
    for card, seats in record["held"].items():
        for place, seat in enumerate([seats] if isinstance(seats, str) else seats, start=1):
            actions.append({"type": "holder", "copy": f"{card}#{place}", "seat": seat})
            free.setdefault((card, seat), []).append(f"{card}#{place}")
    copies = {key: list(value) for key, value in free.items()}
    shown: set[str] = set()
    for one in record["exposed"]:
        copy = copies[one["card"], one["seat"]].pop(0)
        # 逼亮: the fourth card is shown by itself once three are.
        forced = layout["exposure"]["policy"] == "forced_fourth" and len(shown) == 3
        shown.add(one["card"])
        if layout["exposure"]["preset"].get(one["card"]) != one["kind"] and not (
            forced and one["kind"] == "exposed"
        ):
            actions.append({"type": "kind", "copy": copy, "kind": one["kind"]})
    unused = {card: [f"{card}#{n + 1}" for n in range(layout["decks"])] for card in layout["cards"]}
    *seats, rest = layout["seats"]
    for seat in seats:
        actions.append({"type": "seat", "seat": seat})
        for written in record["captures"][seat]:
            card, _, dealt = written.partition(":")
            copy = next((one for one in free.get((card, dealt), []) if one in unused[card]), None)
            copy = copy or unused[card][0]
            unused[card].remove(copy)
            actions.append({"type": "card", "copy": copy})
    if any(unused.values()):
        actions.append({"type": "rest", "seat": rest})
    return actions


CASES = [
    (key, mode, seats)
    for key in shipped_keys()
    for mode, seats in (("individual", 4), ("partnership", 4), ("pig_sheep", 4), ("individual", 3))
    if mode != "pig_sheep" or load(key).decks == 1
]


@pytest.mark.parametrize(("key", "mode", "seats"), CASES)
def test_taps_give_a_record_that_scores_as_the_deal_played(
    machine: Page, key: str, mode: str, seats: int
) -> None:
    rules = load(key)
    layout = layout_of(rules, mode, seats)
    for seed in range(DEALS):
        played = play_out(rules, Random(seed), mode=mode, seats=seats).record.to_json()
        made = run(machine, layout, taps_for(layout, played))
        assert run(machine, layout, taps_for(layout, played), "questions") == []
        assert score_deal(made, rules).to_json() == score_deal(played, rules).to_json(), (key, mode, seed)


@pytest.mark.parametrize(("key", "mode", "seats"), CASES)
def test_record_shown_for_a_correction_comes_back_the_same(
    machine: Page, key: str, mode: str, seats: int
) -> None:
    rules = load(key)
    layout = layout_of(rules, mode, seats)
    script = "([layout, record]) => deal.toRecord(layout, deal.fromRecord(layout, record))"
    for seed in range(DEALS):
        played = play_out(rules, Random(seed), mode=mode, seats=seats).record.to_json()
        again = machine.evaluate(script, [layout, played])
        assert score_deal(again, rules).to_json() == score_deal(played, rules).to_json()
        assert sorted(map(json.dumps, again["exposed"])) == sorted(map(json.dumps, played["exposed"]))


def test_two_decks_with_self_capture_name_the_copy(machine: Page) -> None:
    rules = Ruleset.from_dict({"decks": 2, "self_capture": "card"})
    layout = layout_of(rules)
    assert layout["copiesMatter"]
    for seed in range(DEALS):
        played = play_out(rules, Random(seed)).record.to_json()
        made = run(machine, layout, taps_for(layout, played))
        assert score_deal(made, rules).to_json() == score_deal(played, rules).to_json(), seed


def test_undo_goes_back_to_the_start_and_redo_to_the_end(machine: Page) -> None:
    rules = load("huapai")
    layout = layout_of(rules)
    played = play_out(rules, Random(5)).record.to_json()
    actions = taps_for(layout, played)
    whole = run(machine, layout, actions)
    steps = sum(one["type"] != "seat" for one in actions)
    back = actions + [{"type": "undo"}] * steps
    assert run(machine, layout, back) == run(machine, layout, [])
    assert run(machine, layout, [*back, {"type": "undo"}]) == run(machine, layout, [])
    assert run(machine, layout, back + [{"type": "redo"}] * steps) == whole


def test_act_never_changes_the_state_it_is_given(machine: Page) -> None:
    layout = layout_of(load("huapai"))
    script = """([layout]) => {
        const before = deal.newDeal(layout);
        const copy = JSON.stringify(before);
        deal.act(layout, before, {type: "card", copy: "SQ#1"});
        deal.act(layout, before, {type: "rest"});
        return copy === JSON.stringify(before);
    }"""
    assert machine.evaluate(script, [layout])


def test_forced_fourth_exposes_the_last_card_by_itself(machine: Page) -> None:
    rules = load("platform")
    layout = layout_of(rules)
    three = [
        {"type": kind, "copy": f"{card}#1", **extra}
        for card in ("SQ", "DJ", "C10")
        for kind, extra in (("holder", {"seat": "N"}), ("kind", {"kind": "exposed"}))
    ]
    assert run(machine, layout, three, "questions")[0]["code"] == "exposer"
    hidden_again = [*three, {"type": "kind", "copy": "HA#1", "kind": ""}]
    assert run(machine, layout, hidden_again, "questions")[0] == {
        "code": "exposed",
        "card": "HA",
        "copy": "HA#1",
    }
    record = run(machine, layout, [*three, {"type": "holder", "copy": "HA#1", "seat": "E"}])
    assert {"card": "HA", "seat": "E", "kind": "exposed"} in record["exposed"]


@pytest.mark.parametrize("policy", ["all", "all_but_sheep"])
def test_prescribed_exposures_are_set_and_cannot_be_hidden(machine: Page, policy: str) -> None:
    layout = layout_of(Ruleset.from_dict({"exposure": policy}))
    hide = [{"type": "kind", "copy": f"{card}#1", "kind": ""} for card in layout["keyCards"]]
    holders = [{"type": "holder", "copy": f"{card}#1", "seat": "N"} for card in layout["keyCards"]]
    record = run(machine, layout, [*holders, *hide])
    shown = {one["card"] for one in record["exposed"]}
    assert shown == set(layout["keyCards"]) - ({"DJ"} if policy == "all_but_sheep" else set())


@pytest.mark.parametrize(
    "broken",
    [
        None,
        7,
        {},
        {"facts": {}},
        {"active": "N", "enteredSeat": "", "past": [], "future": [], "facts": {"owners": {"XX#1": "N"}}},
        {
            "active": "Z",
            "enteredSeat": "",
            "past": [],
            "future": [],
            "facts": {"owners": {}, "held": {}, "kinds": {}},
        },
        {
            "active": "N",
            "enteredSeat": "",
            "past": [],
            "future": [],
            "facts": {"owners": {"SQ#1": "Z"}, "held": {}, "kinds": {}},
        },
    ],
)
def test_kept_state_that_is_none_of_this_table_is_dropped(machine: Page, broken: Any) -> None:
    layout = layout_of(load("huapai"))
    script = "([layout, value]) => deal.isStateOf(layout, value)"
    assert machine.evaluate(script, [layout, broken]) is False
    good = machine.evaluate("([layout]) => deal.newDeal(layout)", [layout])
    assert machine.evaluate(script, [layout, good]) is True
