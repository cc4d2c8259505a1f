"""How many taps a deal takes at the table, from "play ended" to "submitted".

    python benchmarks/taps.py [--json] [--deals N] [--ruleset KEY] [--columns N]

Random legal deals go through the state machine that the table's page uses (referee/static/referee/deal.js,
run by node, or by Chromium where there is no node); each must come out as the record that was played, or the
run fails. One tap is: a seat, a card, one stroke of the finger over neighbouring cards of the pad, "rest to",
who was dealt a key card, submit. Exposures are entered before play and do not count. Keys of --json: see
`measure`.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import django

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from referee.queries.layout import deal_layout  # noqa: E402
from scoring.engine import Ruleset  # noqa: E402
from scoring.engine.cards import seats_for  # noqa: E402
from scoring.engine.playout import play_out  # noqa: E402
from scoring.engine.procedure import next_procedure  # noqa: E402
from scoring.rulesets import load, shipped_keys  # noqa: E402

MACHINE = ROOT / "referee" / "static" / "referee" / "deal.js"
DRIVER = Path(__file__).with_suffix(".mjs")


def drive(given: dict[str, Any]) -> dict[str, Any]:
    """What the driver answers. Raises SystemExit where neither node nor Chromium is there."""
    node = shutil.which("node")
    if node is None:
        return _drive_in_chromium(given)
    text = json.dumps({**given, "machine": MACHINE.as_uri()})
    # deal.js is served as a module; node takes its format from the type it is told.
    command = [node, "--experimental-default-type=module", str(DRIVER)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise SystemExit(done.stderr)
    return dict(json.loads(done.stdout))


def _drive_in_chromium(given: dict[str, Any]) -> dict[str, Any]:
    from playwright.sync_api import Route, sync_playwright

    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        raise SystemExit("this needs node or Chromium")
    site = "http://taps.test"
    text = json.dumps({**given, "machine": f"{site}/deal.js"})
    # The driver reads its standard input and writes its standard output: the page has these two instead.
    before = """globalThis.answer = new Promise((done) => {
      globalThis.process = {
        stdin: { async *[Symbol.asyncIterator]() { yield globalThis.given; } },
        stdout: { write: done },
      };
    });"""

    def serve(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        if name == "":
            route.fulfill(body="<!DOCTYPE html><title>taps</title>", content_type="text/html")
        else:
            route.fulfill(path=MACHINE if name == "deal.js" else DRIVER, content_type="text/javascript")

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        page = browser.new_page()
        page.route(f"{site}/**", serve)
        page.goto(f"{site}/")
        page.evaluate(before)
        answer = page.evaluate(
            "async (text) => { globalThis.given = text; await import('/driver.js'); return answer; }", text
        )
        browser.close()
    return dict(json.loads(answer))


def random_deals(rules: Ruleset, deals: int, seed: int = 4) -> list[dict[str, Any]]:
    """Random legal deals at a table of four, each with the layout its entry works from."""
    seats = seats_for(4)
    layout = deal_layout(rules, "individual", seats, next_procedure(rules, seats))
    rng = Random(seed)
    return [{"layout": layout, "record": play_out(rules, rng).record.to_json()} for _ in range(deals)]


def measure(key: str, deals: int, columns: int) -> dict[str, Any]:
    """Return the taps of random deals of a ruleset on a pad of so many columns.

    `median_taps`, `p90_taps`, `most_taps`: a stroke over several cards is one tap. `median_single_taps`,
    `p90_single_taps`: every card tapped by itself, for those who do not drag. `deals`: how many were entered,
    every one compared with what was played.
    """
    answer = drive({"columns": columns, "deals": random_deals(load(key), deals)})
    if answer["faults"]:
        raise SystemExit(f"{key}: not the record that was played: deals {answer['faults'][:10]}")
    swept, single = (sorted(one[place] for one in answer["taps"]) for place in (0, 1))
    return {
        "ruleset": key,
        "deals": deals,
        "columns": columns,
        "median_taps": median(swept),
        "p90_taps": _share(swept, 0.9),
        "most_taps": swept[-1],
        "median_single_taps": median(single),
        "p90_single_taps": _share(single, 0.9),
    }


def _share(ordered: list[int], share: float) -> int:
    """The least number that this share of all does not exceed."""
    return ordered[min(len(ordered) - 1, max(0, -int(-share * len(ordered) // 1) - 1))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--ruleset", choices=shipped_keys(), default="huapai")
    parser.add_argument("--columns", type=int, default=8, help="of the pad: 8 on a tablet, 6 on a phone")
    options = parser.parse_args()
    found = measure(options.ruleset, options.deals, options.columns)
    if options.json:
        print(json.dumps(found))
        return
    print(f"{found['deals']} random deals, {found['ruleset']}, a pad of {found['columns']} columns;")
    print("from “play ended” to “submitted”, every deal entered as it was played:")
    print(f"  {found['median_taps']:>5} taps in the median, {found['p90_taps']} at most in nine of ten,")
    print(f"        {found['most_taps']} at most; a stroke over several cards is one tap")
    print(
        f"  {found['median_single_taps']:>5} in the median, {found['p90_single_taps']} in nine of ten, "
        "where every card is tapped by itself"
    )


if __name__ == "__main__":
    main()
