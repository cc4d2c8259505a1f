"""The tablet's engine in a page, and what the server's engine answers written as the tablet writes it."""

import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any

from playwright.sync_api import Page

from scoring.engine import Fault, InvalidDeal, Ruleset, score_deal

BATCH = 2_000
#: The largest whole number that JavaScript's numbers hold exactly, as are all below it.
LARGEST = 2**53 - 1

#: In the page: lines of `[number of the ruleset, record]` in, lines of JSON out, by a function of the engine.
HARNESS = """async () => {
  const engine = await import("/engine.js");
  const freeze = (value) => {
    if (typeof value === "object" && value !== null) {
      Object.values(value).forEach(freeze);
      Object.freeze(value);
    }
    return value;
  };
  globalThis.engine = engine;
  globalThis.run = ({ name, rulesets, lines }) => {
    const rules = freeze(JSON.parse(rulesets));
    return lines.split("\\n").map((line) => {
      const [number, record] = freeze(JSON.parse(line));
      return JSON.stringify(engine[name](record, rules[number]));
    }).join("\\n");
  };
  globalThis.begin = (given) => {
    globalThis.answers = new Promise((done) => setTimeout(() => done(globalThis.run(given))));
  };
}"""

#: A record, valid or not, and the rules it is judged by.
Case = tuple[Ruleset, Any]


class Tablet:
    """A page that holds the engine and nothing else."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def run(self, name: str, cases: Iterable[Case]) -> Iterator[str]:
        """The engine's answers as JSON texts, one for each (ruleset, record).

        The browser works on one batch while this process makes the next and compares the one before.
        """
        rest = iter(cases)
        begun = 0
        while batch := list(itertools.islice(rest, BATCH)):
            given = _given(name, batch)
            before = self._answers(begun)
            self.page.evaluate("given => begin(given)", given)
            begun = len(batch)
            yield from before
        yield from self._answers(begun)

    def _answers(self, begun: int) -> list[str]:
        answers = self.page.evaluate("() => answers").split("\n") if begun else []
        assert len(answers) == begun
        return answers


def _given(name: str, batch: list[Case]) -> dict[str, str]:
    rulesets = {id(rules): rules for rules, _ in batch}
    numbers = {one: number for number, one in enumerate(rulesets)}
    lines = [as_json([numbers[id(rules)], record]) for rules, record in batch]
    full = as_json([rules.to_full_dict() for rules in rulesets.values()])
    return {"name": name, "rulesets": full, "lines": "\n".join(lines)}


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def fault_json(one: Fault) -> dict[str, Any]:
    return {"code": one.code, "card": one.card, "seat": one.seat, "params": dict(one.params)}


def tablet_points(points: Any) -> Any:
    """What JavaScript's numbers cannot hold is written as a text, as fractions are."""
    return str(points) if isinstance(points, int) and abs(points) > LARGEST else points


def expected_answer(rules: Ruleset, record: Any) -> dict[str, Any]:
    try:
        answer = score_deal(record, rules).to_json()
    except InvalidDeal as error:
        return {"errors": [fault_json(one) for one in error.faults]}
    for name in ("scores", "adjusted"):
        if name in answer:
            answer[name] = {seat: tablet_points(points) for seat, points in answer[name].items()}
    for side in answer["sides"]:
        side["score"] = tablet_points(side["score"])
    return answer
