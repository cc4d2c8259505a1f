"""The tablet's log of tricks (engine_tricks.js, trick_log.js) says what scoring.engine.tricks does."""

import json
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from referee.queries.layout import deal_layout
from scoring.engine import Ruleset, score_deal
from scoring.engine.cards import PACK, seats_for
from scoring.engine.playout import PlayedDeal, play_out
from scoring.engine.procedure import next_procedure, order_of_play
from scoring.engine.tricks import IRREGULARITY_MESSAGES, Trick, review_log
from scoring.rulesets import load, shipped_keys

#: Logs of each ruleset, and how many of each are spoiled.
DEALS = 60
FIELDS = ("decks", "exposed_lead", "exposed_discard", "discard_colour")
COLOUR = Ruleset(discard_colour=True, exposed_discard=False)
RULES = {
    **{key: load(key) for key in shipped_keys()},
    "colour": COLOUR,
    "colour-2": Ruleset(decks=2, discard_colour=True),
}


def log_of(played: PlayedDeal) -> list[list[tuple[str, list[str]]]]:
    return [[(seat, list(cards)) for seat, cards in trick.plays] for trick in played.tricks]


def spoiled(log: list[list[tuple[str, list[str]]]], random: Random) -> list[list[tuple[str, list[str]]]]:
    """The log with mistakes as people make them: cards exchanged or played twice, seats out of turn."""
    log = [[(seat, list(cards)) for seat, cards in plays] for plays in log[: random.randint(1, len(log))]]
    for _mistake in range(random.randint(1, 6)):
        one, other = random.choice(log), random.choice(log)
        kind = random.choice(["cards", "cards", "copy", "seats", "number", "cut"])
        place, there = random.randrange(len(one)), random.randrange(len(other))
        if kind == "cards":
            one[place][1][0], other[there][1][0] = other[there][1][0], one[place][1][0]
        elif kind == "copy":
            one[place][1][0] = random.choice(PACK)
        elif kind == "seats":
            one[place], one[-1] = one[-1], one[place]
        elif kind == "number" and len(one[place][1]) == 2:
            one[place][1].pop()
        elif kind == "cut" and one is log[-1] and len(one) > 1:
            one.pop()
    return log


def shown_by(played: PlayedDeal) -> dict[str, list[str]]:
    shown: dict[str, list[str]] = {}
    for one in played.record.exposed:
        if one.kind == "exposed":
            shown.setdefault(one.seat, []).append(one.card)
    return shown


def judged(log: Any, rules: Ruleset, seats: tuple[str, ...], shown: Any, order: tuple[str, ...]) -> Any:
    tricks = [Trick(tuple((seat, tuple(cards)) for seat, cards in plays)) for plays in log]
    review = review_log(tricks, rules, seats, shown, order)
    return {
        "captures": {seat: list(cards) for seat, cards in review.captures.items()},
        "winners": list(review.winners),
        "irregularities": [
            {"code": one.code, "trick": one.trick, "seat": one.seat, "card": one.card}
            for one in review.irregularities
        ],
    }


def as_plays(log: Any) -> list[list[dict[str, Any]]]:
    return [[{"seat": seat, "cards": cards} for seat, cards in plays] for plays in log]


def test_logs_honest_and_spoiled_are_judged_as_the_engine_judges_them(script_page: Page) -> None:
    random = Random(4)
    cases, wanted = [], []
    for key, rules in RULES.items():
        for number in range(DEALS):
            count = 4 if number % 5 or rules.decks == 2 else 3
            played = play_out(rules, random, seats=count, keep_tricks=True)
            seats, shown = seats_for(count), shown_by(played)
            order = order_of_play(seats, rules.direction, seats[0])
            log = log_of(played) if number % 3 == 0 else spoiled(log_of(played), random)
            wanted.append(judged(log, rules, seats, shown, order))
            rule = {name: getattr(rules, name) for name in FIELDS}
            cases.append({"tricks": as_plays(log), "rules": rule, "order": order, "shown": shown, "key": key})
    answers = script_page.evaluate(
        """async (cases) => {
          const { reviewLog } = await import("/engine_tricks.js");
          return JSON.stringify(JSON.parse(cases).map((one) => {
            const { takers, ...rest } = reviewLog(one.tricks, one.rules, one.order, one.shown);
            return rest;
          }));
        }""",
        json.dumps(cases),
    )
    for case, answer, expected in zip(cases, json.loads(answers), wanted, strict=True):
        assert answer == expected, case
    seen = {one["code"] for review in wanted for one in review["irregularities"]}
    assert seen == set(IRREGULARITY_MESSAGES), "every irregularity is tried"


@pytest.mark.parametrize("key", ["huapai", "platform-two-deck", "double-pig", "computer"])
@pytest.mark.parametrize("count", [4, 3])
def test_a_deal_tapped_card_by_card_gives_the_record_that_was_played(
    script_page: Page, key: str, count: int
) -> None:
    """Only the first leader is told; every other turn, captures and who was dealt the key cards follow."""
    rules = load(key)
    seats = seats_for(count)
    order = order_of_play(seats, rules.direction, seats[0])
    layout = deal_layout(rules, "individual", order, next_procedure(rules, seats))
    for seed in range(12):
        played = play_out(rules, Random(seed), seats=count, keep_tricks=True)
        record = played.record.to_json()
        given = {
            "layout": layout,
            "rules": rules.to_full_dict(),
            "leader": played.leader,
            "plays": [cards for plays in log_of(played) for _seat, cards in plays],
            "exposed": record["exposed"],
        }
        answer = script_page.evaluate(
            """async ({ layout, rules, leader, plays, exposed }) => {
              const log = await import("/trick_log.js");
              const deal = await import("/deal.js");
              let state = deal.newDeal(layout);
              const free = layout.keyCards.flatMap((card) => deal.copiesOfCard(layout, card));
              for (const { card, seat, kind } of exposed) {
                const copy = free.find((one) => deal.cardOf(one) === card && !state.facts.held[one]);
                state = deal.act(layout, state, { type: "holder", copy, seat });
                if (state.facts.kinds[copy] !== kind) {
                  state = deal.act(layout, state, { type: "kind", copy, kind });
                }
              }
              let one = log.actOnLog(layout, log.newLog(), { type: "turn", seat: leader });
              for (const [place, cards] of plays.entries()) {
                const leads = place % layout.seats.length === 0;
                if (leads && cards.length === 2) {
                  one = log.actOnLog(layout, one, { type: "pair", value: true });
                }
                for (const card of leads ? cards.slice(0, 1) : cards) {
                  one = log.actOnLog(layout, one, { type: "card", card });
                }
                // A mistaken tap taken back leaves nothing behind.
                const once = JSON.stringify(one.moves);
                one = log.actOnLog(layout, log.actOnLog(layout, one, { type: "undo" }), { type: "redo" });
                if (JSON.stringify(one.moves) !== once) throw new Error("undo and redo");
              }
              const read = log.readLog(layout, JSON.parse(JSON.stringify(one)), rules, exposed);
              const logged = deal.act(layout, state, { type: "log", taken: read.taken });
              return {
                whole: log.isWhole(layout, one),
                irregular: read.irregularities,
                open: deal.questions(layout, logged),
                record: deal.toRecord(layout, logged),
                differs: log.differencesOf(layout, logged.facts.owners, read.taken),
                follows: log.followsLog(layout, logged.facts.owners, read.taken),
              };
            }""",
            given,
        )
        assert answer["whole"], seed
        assert (answer["irregular"], answer["open"], answer["differs"]) == ([], [], []), (seed, answer)
        assert answer["follows"]
        assert score_deal(answer["record"], rules).to_json() == score_deal(record, rules).to_json(), seed


def test_entered_captures_that_differ_from_the_log_are_named(script_page: Page) -> None:
    found = script_page.evaluate(
        """async () => {
          const { differencesOf, followsLog } = await import("/trick_log.js");
          const layout = { cards: ["SQ", "DJ", "HA"], decks: 1 };
          const taken = [{ card: "SQ", from: "N", by: "E" }, { card: "S2", from: "W", by: "E" }];
          return [
            differencesOf(layout, { "SQ#1": "N" }, taken),
            differencesOf(layout, { "SQ#1": "E", "DJ#1": "N" }, taken),
            followsLog(layout, { "SQ#1": "E" }, taken),
            followsLog(layout, { "SQ#1": "E", "DJ#1": "N" }, taken),
          ];
        }"""
    )
    assert found == [[{"card": "SQ", "entered": ["N"], "logged": ["E"]}], [], True, False]
