"""The tablet's engine (referee/static/referee/engine.js) and scoring.engine say the same, to the letter.

Chromium runs the engine; answers are compared as JSON text, so order, formulas and fractions count too.
Random deals come from fixed seeds. ``HUAPAI_ENGINE_DEALS`` says how many the long test plays (100,000).
"""

import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation
from playwright.sync_api import Browser, Error, Route

from scoring.engine import Ruleset, check_deal, score_deal
from scoring.engine.cards import FOUR_SEATS, KEY_CARDS, LETTER_SEATS, SCORING_CARDS
from scoring.engine.deal import MODES
from scoring.engine.playout import play_out
from scoring.messages import fault_text, fault_words
from scoring.rulesets import load, shipped_keys
from tests.browser.engine_page import HARNESS, LARGEST, Case, Tablet, as_json, expected_answer, fault_json
from tests.browser.random_deals import (
    SCORING_GROUPS,
    break_record,
    make_partial,
    random_record,
    random_ruleset,
    rotated,
)
from tests.browser.worked_deals import WORKED

STATIC = Path(__file__).resolve().parents[2] / "referee" / "static" / "referee"
GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "deals.jsonl"
ORIGIN = "http://tablet.test"
DEALS = int(os.environ.get("HUAPAI_ENGINE_DEALS", "100000"))
SHIPPED = [load(key) for key in shipped_keys()]


@pytest.fixture(scope="module")
def tablet(chromium: Browser) -> Iterator[Tablet]:
    context = chromium.new_context()
    asked: list[str] = []

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(f"{ORIGIN}/")
        asked.append(path)
        if path == "":
            route.fulfill(content_type="text/html", body="<!doctype html><title>tablet</title>")
        elif re.fullmatch(r"engine(_\w+)?\.js", path):
            route.fulfill(content_type="text/javascript", body=(STATIC / path).read_text("utf-8"))
        else:
            route.abort()

    context.route("**/*", serve)
    page = context.new_page()
    page.goto(f"{ORIGIN}/")
    page.evaluate(HARNESS)
    loaded = sorted(asked)
    yield Tablet(page)
    # The engine is all of its files, each asked for once, and asks for nothing while it works. The log of
    # tricks is no part of a score (test_tablet_tricks.py).
    files = {path.name for path in STATIC.glob("engine*.js")} - {"engine_tricks.js"}
    assert sorted(asked) == loaded == ["", *sorted(files)]
    context.close()


def assert_agree(tablet: Tablet, cases: Iterable[Case]) -> Counter[str]:
    """Score all cases on both sides; say what was in them, so that a test can tell that it tested that."""
    seen: Counter[str] = Counter()
    mine, given = itertools.tee(cases)
    for (rules, record), answer in zip(mine, tablet.run("scoreDeal", given), strict=True):
        expected = expected_answer(rules, record)
        assert answer == as_json(expected), f"{rules.to_dict()}\n{as_json(record)}"
        seen["deals"] += 1
        if "errors" in expected:
            seen["refused"] += 1
            seen.update(one["code"] for one in expected["errors"])
        else:
            seen[rules.key] += 1
            seen[f"{record['mode']} {len(expected['scores'])}"] += 1
            seen.update(
                {name for flags in expected["flags"].values() for name, is_so in flags.items() if is_so}
            )
    return seen


@pytest.mark.parametrize(("ruleset", "record", "figures"), WORKED)
def test_worked_figures_of_the_rules(
    tablet: Tablet, ruleset: str | dict[str, Any], record: dict[str, Any], figures: dict[str, Any]
) -> None:
    rules = load(ruleset) if isinstance(ruleset, str) else Ruleset.from_dict(ruleset)
    (answer,) = map(json.loads, tablet.run("scoreDeal", [(rules, record)]))
    for part, wanted in figures.items():
        assert {one: answer[part][one] for one in wanted} == wanted


def golden() -> list[dict[str, Any]]:
    return [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]


def test_golden_deals_have_the_golden_answers(tablet: Tablet) -> None:
    lines = golden()
    assert len(lines) == 400
    cases = [(load(line["deal"]["ruleset"]), line["deal"]) for line in lines]
    for line, answer in zip(lines, tablet.run("scoreDeal", cases), strict=True):
        found = json.loads(answer)
        assert {name: found[name] for name in line["answer"]} == line["answer"], line["deal"]


def test_golden_deals_agree_with_the_server(tablet: Tablet) -> None:
    seen = assert_agree(tablet, [(load(line["deal"]["ruleset"]), line["deal"]) for line in golden()])
    assert seen["refused"] == 0
    assert set(shipped_keys()) <= set(seen)


def played(deals: int, seed: int) -> Iterator[Case]:
    """Deals played out under every shipped ruleset in every mode at tables of three to five.

    Playing takes most of the time, so each deal counts several times: turned by a seat and more it has other
    captures for the same holders, that is other scores, self-captures and sides.
    """
    rng = Random(seed)
    kinds = [
        (rules, mode, seats)
        for rules in SHIPPED
        for mode, seats in ((MODES[0], 3), (MODES[0], 4), (MODES[0], 5), (MODES[1], 4), (MODES[2], 4))
        if mode != "pig_sheep" or rules.decks == 1
    ]
    left = deals
    for rules, mode, seats in itertools.cycle(kinds):
        record = play_out(rules, rng, mode=mode, seats=seats).record.to_json()
        for by in range(min(seats, left)):
            yield rules, {**record, "captures": rotated(record["captures"], by)}
        left -= seats
        if left <= 0:
            return


@pytest.mark.parametrize("deals", [2_000, DEALS])
def test_played_deals_agree_under_every_ruleset(tablet: Tablet, deals: int) -> None:
    seen = assert_agree(tablet, played(deals, seed=deals))
    assert seen["deals"] == deals
    assert seen["refused"] == 0
    assert set(shipped_keys()) <= set(seen)
    assert {f"{mode} 4" for mode in MODES} | {"individual 3", "individual 5"} <= set(seen)


def test_any_deal_agrees_under_any_ruleset(tablet: Tablet) -> None:
    rng = Random(20_240_501)
    rulesets = [random_ruleset(rng, SHIPPED) for _ in range(500)]
    seen = assert_agree(tablet, ((rules, random_record(rng, rules)) for rules in rulesets for _ in range(15)))
    assert seen["deals"] == 7_500
    assert seen["refused"] < seen["deals"] / 20
    assert min(seen["all_hearts"], seen["grand_slam"]) > 300


def test_figures_beyond_the_largest_number_are_exact(tablet: Tablet) -> None:
    """The largest figures a ruleset may have; everything is exposed and taken by the seat it was dealt to."""
    scoring = [spec for spec in Ruleset.fields_meta() if spec.group in SCORING_GROUPS]
    largest = {spec.name: spec.high for spec in scoring if spec.high and spec.kind == "int"}
    uneven = {"hearts": [-10_000] * 12 + [9_999], "zero_sum": True, "rounding": "exact", "decks": 2}
    cases = []
    for self_capture, grand_slam in itertools.product(("card", "suit"), ("computed", "scaled")):
        varied = {"self_capture": self_capture, "grand_slam": grand_slam}
        rules = Ruleset.from_dict({**largest, **uneven, **varied})
        for other in (None, *SCORING_CARDS):
            taken = [card for card in SCORING_CARDS if card != other]
            rest = [other] if other else []
            record = {
                "mode": "individual",
                "captures": {"N": taken * 2, "W": rest, "S": rest, "E": []},
                "exposed": [{"card": card, "seat": "N", "kind": "exposed"} for card in KEY_CARDS * 2],
                "held": {card: ["N", "N"] for card in KEY_CARDS},
            }
            cases.append((rules, record))
    scores = [score_deal(record, rules).scores["N"] for rules, record in cases]
    assert sum(abs(score) > LARGEST for score in scores) > 20
    assert_agree(tablet, cases)


def partial_deals(number: int, seed: int) -> Iterator[Case]:
    rng = Random(seed)
    for _ in range(number):
        rules = rng.choice(SHIPPED) if rng.random() < 0.5 else random_ruleset(rng, SHIPPED)
        yield rules, make_partial(rng, random_record(rng, rules))


def test_deals_being_entered_agree(tablet: Tablet) -> None:
    seen = assert_agree(tablet, partial_deals(4_000, seed=3))
    assert seen["deals"] - seen["refused"] > 2_000
    assert seen["held_missing"] > 100


def test_missing_cards_agree(tablet: Tablet) -> None:
    cases = list(partial_deals(2_000, seed=4))
    compared = 0
    for (rules, record), answer in zip(cases, tablet.run("missing", cases), strict=True):
        if not check_deal(record, rules):
            assert json.loads(answer) == list(score_deal(record, rules).missing)
            compared += 1
    assert compared > 1_000


def broken_deals(number: int, seed: int) -> Iterator[Case]:
    rng = Random(seed)
    for _ in range(number):
        rules = rng.choice(SHIPPED) if rng.random() < 0.5 else random_ruleset(rng, SHIPPED)
        # Every other record was made for another ruleset: what one allows the next may not.
        made_for = rules if rng.random() < 0.8 else rng.choice(SHIPPED)
        record = random_record(rng, made_for)
        yield rules, break_record(rng, make_partial(rng, record) if rng.random() < 0.1 else record)


#: Every fault a deal can have; those of the file around it, and of rulesets, cannot occur on the tablet.
DEAL_FAULTS = """
    not_an_object missing_field wrong_type unknown_mode
    unknown_card unknown_seat unknown_seat_of_card table_size missing_seat
    card_missing card_missing_copies card_captured_twice partnership_needs_four
    pig_sheep_one_deck held_not_key_card held_count held_missing
    copy_not_key_card copy_not_held copy_needed exposure_not_key_card
    exposure_kind_unknown exposure_kind_not_allowed exposure_twice exposure_not_held
    exposure_not_allowed exposure_sheep_not_allowed exposure_required exposure_fourth_required
    first_exposed_twice first_not_allowed_forced swap_not_allowed swap_without_all_hearts
"""


def test_broken_deals_have_the_same_faults_in_the_same_order(tablet: Tablet) -> None:
    cases = list(broken_deals(10_000, seed=5))
    seen: Counter[str] = Counter()
    for (rules, record), answer in zip(cases, tablet.run("checkDeal", cases), strict=True):
        faults = [fault_json(one) for one in check_deal(record, rules)]
        assert answer == as_json(faults), f"{rules.to_dict()}\n{as_json(record)}"
        seen.update(one["code"] for one in faults)
    assert set(seen) == set(DEAL_FAULTS.split())
    assert min(seen.values()) >= 10, seen


def test_faults_have_the_servers_sentences_in_every_language(tablet: Tablet) -> None:
    faults = [one for rules, record in broken_deals(2_000, seed=6) for one in check_deal(record, rules)]
    given = as_json([fault_json(one) for one in faults])
    for (language, _), seats in itertools.product(settings.LANGUAGES, (FOUR_SEATS, LETTER_SEATS)):
        with translation.override(language):
            sentences = [fault_text(one, seats) for one in faults]
            words = fault_words(seats)
        found = tablet.page.evaluate(
            "([faults, words]) => JSON.parse(faults).map((one) => engine.faultText(one, words))",
            [given, words],
        )
        assert found == sentences


def test_a_fault_without_words_still_says_its_code(tablet: Tablet) -> None:
    one = {"code": "card_missing", "card": "H7", "seat": None, "params": {}}
    assert tablet.page.evaluate("one => engine.faultText(one, {})", one) == "card_missing"


def test_credited_points_agree(tablet: Tablet) -> None:
    rng = Random(8)
    cases = []
    for _ in range(2_000):
        rules = rng.choice(SHIPPED) if rng.random() < 0.5 else random_ruleset(rng, SHIPPED)
        cases.append((rules, random_record(rng, rules)))
    cases = [(rules, record) for rules, record in cases if not check_deal(record, rules)]
    assert len(cases) > 1_800
    answers = f"[{','.join(tablet.run('scoreDeal', cases))}]"
    found = tablet.page.evaluate("answers => JSON.parse(answers).map(engine.credited)", answers)
    for (rules, record), points in zip(cases, found, strict=True):
        credited = score_deal(record, rules).credited
        assert {seat: str(one) for seat, one in credited.items()} == {
            seat: str(one) for seat, one in points.items()
        }


def test_every_rule_that_matters_to_a_score_is_read(tablet: Tablet) -> None:
    fields = {spec.name for spec in Ruleset.fields_meta() if spec.group in SCORING_GROUPS}
    assert set(tablet.page.evaluate("engine.RULE_FIELDS")) == fields


@pytest.mark.parametrize("name", ["scoreDeal", "checkDeal", "missing"])
@pytest.mark.parametrize(
    ("field", "value"),
    [("swap", "sometimes"), ("pig", None), ("hearts", [-50]), ("decks", 3), ("scale", 1.5)],
)
def test_a_ruleset_of_a_newer_server_is_not_guessed_at(
    tablet: Tablet, name: str, field: str, value: Any
) -> None:
    newer = {**load("huapai").to_full_dict(), field: value}
    record = golden()[0]["deal"]
    with pytest.raises(Error, match=f"UnknownRules: not understood: {field}"):
        tablet.page.evaluate("([name, record, rules]) => engine[name](record, rules)", [name, record, newer])
    told = (
        "([deal, rules]) => { try { engine.scoreDeal(deal, rules) } catch (error) { return error.fields } }"
    )
    assert tablet.page.evaluate(told, [record, newer]) == [field]


#: What a pure module has no use for.
OUTSIDE = (
    r"\b(document|window|globalThis|self|fetch|XMLHttpRequest|WebSocket|localStorage|sessionStorage|indexedDB|caches|"
    r"navigator|location|Date|performance|setTimeout|setInterval|crypto|console|Math\.random|await|eval)\b"
)


def test_the_engine_reaches_for_nothing_outside() -> None:
    for path in STATIC.glob("engine*.js"):
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
        assert not re.search(OUTSIDE, code), path.name
        assert all(name.startswith("./engine_") for name in re.findall(r'from "([^"]+)"', code)), path.name
