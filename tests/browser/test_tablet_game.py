"""The tablet's games and procedure (game.js, procedure.js) say what scoring.engine does."""

import json
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from django.utils import translation
from playwright.sync_api import Page

from referee.queries.timing import Timing
from scoring.engine import score_deal
from scoring.engine.game import GamePlan, Penalty, RoundState, round_state
from scoring.engine.playout import play_out
from scoring.engine.procedure import next_procedure, order_of_play
from scoring.rulesets import load, shipped_keys
from tournament.points import show_points

CASES = 1_500


def plain(value: Any) -> Any:
    """Amounts as the server writes them into JSON."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    return value


def random_case(random: Random) -> tuple[dict[str, Any], RoundState]:
    """A round of any plan, with penalties, stopped or not, whole or with thirds; and the engine's answer."""
    sides = ["A", "B", "C", "D", "E"][: random.choice([2, 2, 4, 4, 3, 5])]
    plan = GamePlan(
        kind=random.choice(["game", "game", "set", "time"]),
        lose_line=random.choice([-1000, -1000, -300, None]),
        win_line=random.choice([1000, 400]),
        inclusive=random.random() < 0.5,
        best_of=random.choice([1, 1, 2, 3, 5]),
        deals=random.randint(1, 8),
        minutes=30,
        double_pig=random.random() < 0.3,
        penalties_count=random.random() < 0.5,
    )
    thirds = random.random() < 0.3

    def amount() -> int | Fraction:
        whole = random.choice([-1000, -300, -100, 0, 100, 400, random.randint(-600, 600)])
        return whole + Fraction(random.randint(-2, 2), 3) if thirds else whole

    deals = [{side: amount() for side in sides} for _deal in range(random.randint(0, 12))]
    penalties = [
        Penalty(random.choice(sides), -50 * random.randint(0, 8), random.choice([None, 1, 2, 5, 20]))
        for _penalty in range(random.choice([0, 0, 1, 3]))
    ]
    stopped = random.random() < 0.25
    given = {
        "deals": [{side: plain(value) for side, value in deal.items()} for deal in deals],
        "plan": plan.to_dict(),
        "sides": sides,
        "penalties": [
            {"side": one.side, "points": plain(one.points), "after_deal": one.after_deal} for one in penalties
        ],
        "stopped": stopped,
    }
    return given, round_state(deals, plan, sides=sides, penalties=penalties, stopped=stopped)


def expected(state: RoundState) -> dict[str, Any]:
    return {
        "games": [
            {
                "first_deal": game.first_deal,
                "last_deal": game.last_deal,
                "totals": {side: plain(value) for side, value in game.totals.items()},
                "ended_by": game.ended_by,
                "pigs": list(game.pigs),
                "winners": list(game.winners),
                "ranking": [list(group) for group in game.ranking],
            }
            for game in state.games
        ],
        "totals": {side: plain(value) for side, value in state.totals.items()},
        "finished": state.finished,
        "surplus": state.surplus,
    }


def test_games_end_as_the_engine_says(script_page: Page) -> None:
    random = Random(20)
    cases = [random_case(random) for _case in range(CASES)]
    answers = script_page.evaluate(
        """async (cases) => {
          const { roundState } = await import("/game.js");
          return JSON.stringify(JSON.parse(cases).map((one) => roundState(one.deals, one.plan, one)));
        }""",
        json.dumps([given for given, _state in cases]),
    )
    ends: set[str | None] = set()
    for (given, state), answer in zip(cases, json.loads(answers), strict=True):
        assert answer == expected(state), given
        ends |= {game.ended_by for game in state.games}
    assert ends == {None, "lose_line", "win_line", "both_lines", "deals", "time"}


def random_clock(random: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """A timed table of which some deals are only on the tablet, whose clock is wrong; and what the server
    would say had it got every deal at once.
    """
    told, now, ends = *sorted(random.sample(range(1_000), 2)), random.randrange(1_000)
    allowed = random.choice([0, 0, 1, 1, 2, 3])
    numbers = random.sample(range(1, 8), random.randint(0, 5))
    made = sorted(random.choices(range(now + 1), k=len(numbers)))
    wrong = random.choice([0, -40_000_000, 12_345])
    day = datetime(2024, 5, 1, tzinfo=UTC)
    start = day.timestamp()

    def at(second: int) -> datetime:
        return day + timedelta(seconds=second)

    deals = list(zip(numbers, map(at, made), strict=True))
    known = [(number, when) for number, when in deals if when <= at(told)]
    then = Timing(at(ends), told >= ends, allowed).with_deals(known)
    undone = random.random() < 0.2
    lines = [
        {"number": number, "state": "recorded"}
        if (number, when) in known
        else {"number": number, "state": "recorded", "begun": when.timestamp() + wrong}
        for number, when in deals
    ] + undone * [{"number": 9, "state": "withdrawn", "begun": start + wrong + now}]
    given = {
        "served": {
            "at": start + told,
            "got": start + told + wrong,
            "time": {"ends": start + ends, "up": then.up, "left": then.further},
        },
        "lines": lines,
        "now": start + now + wrong,
    }
    timing = Timing(at(ends), now >= ends, allowed).with_deals(deals)
    unsent = len(deals) - len(known)
    return given, {"up": timing.up, "left": timing.left, "last": timing.last, "unsent": unsent}


def test_the_clock_of_a_round_says_what_the_server_would(script_page: Page) -> None:
    random = Random(21)
    cases = [random_clock(random) for _case in range(CASES)]
    answers = script_page.evaluate(
        """async (cases) => {
          const { timeNow } = await import("/hall_clock.js");
          const told = ({ served, lines, now }) => timeNow(served, lines, now);
          return cases.map(told).map(({ up, left, last, unsent }) => ({ up, left, last, unsent }));
        }""",
        [given for given, _wanted in cases],
    )
    for (given, wanted), answer in zip(cases, answers, strict=True):
        assert answer == wanted, given
    assert {(wanted["up"], wanted["left"]) for _given, wanted in cases} >= {
        (False, None),
        (True, 0),
        (True, 1),
    }


def test_amounts_are_shown_as_the_server_shows_them(script_page: Page) -> None:
    amounts = [0, 7, -7, -1000, *(Fraction(n, d) for d in (2, 3, 4, 5, 12) for n in range(-25, 26))]
    shown = script_page.evaluate(
        """async (amounts) => {
          const { showAmount } = await import("/game.js");
          return amounts.map(showAmount);
        }""",
        [plain(one) for one in amounts],
    )
    assert shown == [show_points(plain_number(one)) for one in amounts]


def plain_number(value: int | Fraction) -> int | Fraction:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


@pytest.mark.parametrize("key", shipped_keys())
def test_procedure_of_the_next_deal_is_the_engine_s(script_page: Page, key: str) -> None:
    ruleset = load(key)
    random = Random(key)
    texts = {
        "shuffles": "shuffles",
        "cuts": "cuts",
        "drawsFirst": "first",
        "leads": "leads",
        "holderLeads": "holder {card}",
        "holderLeadsCard": "holder with {card}",
        "firstPigOf": "pig {seats}",
        "or": "/",
    }
    with translation.override("en"):
        for place in range(30):
            deal = None if place == 0 else play_out(ruleset, random, mode="individual").record
            letters = tuple(deal.captures) if deal else ("N", "W", "S", "E")
            before = (deal, score_deal(deal, ruleset)) if deal else None
            steps = next_procedure(ruleset, letters, before)
            seats = order_of_play(letters, ruleset.direction, letters[0])
            given = {
                "seats": [{"seat": one, "name": one, "player": "p"} for one in seats],
                "ruleset": ruleset.to_full_dict(),
                "before": before and {"record": deal.to_json(), "scores": dict(before[1].scores)},
                "texts": texts,
            }
            answer = script_page.evaluate(
                """async (given) => {
                  const { nextProcedure } = await import("/procedure.js");
                  return nextProcedure(given).map(({ text }) => text);
                }""",
                given,
            )
            one_of = "pig " + "/".join(steps.ask_pig)
            by_pig = bool(steps.ask_pig) and ruleset.later_shuffle == "pig"
            shuffles = one_of if by_pig else f"{steps.shuffles} p"
            assert answer[:3] == [shuffles, f"{steps.cuts} p", f"{steps.draws_first} p"]
            if steps.ask_pig and before and ruleset.later_lead == "pig":
                assert answer[3] == one_of
            elif steps.leads is not None:
                assert answer[3] == f"{steps.leads} p"
            else:
                assert answer[3].startswith("holder with" if steps.must_lead else "holder ♠")
            if before:
                asked = script_page.evaluate(
                    """async (given) => {
                      const { nextProcedure, pigToAsk } = await import("/procedure.js");
                      const steps = (firstPig) => nextProcedure({ ...given, firstPig });
                      return pigToAsk(given).map((pig) => [pig, steps(pig).map(({ text }) => text)]);
                    }""",
                    given,
                )
                assert [seat for seat, _steps in asked] == list(steps.ask_pig)
                for seat, told in asked:
                    known = next_procedure(ruleset, letters, before, first_pig=seat)
                    assert told[:3] == [f"{one} p" for one in (known.shuffles, known.cuts, known.draws_first)]
                    assert known.leads is None or told[3] == f"{known.leads} p"
