"""How fast deals are scored: one by one, and many at once.

    python benchmarks/scoring.py [--json] [--deals N] [--ruleset KEY]

Scores random legal deals given as JSON mappings, every record fully checked. Times are of the processor, and
the best of several stretches counts, as anything slower is other work on the machine. Keys of --json: see
`measure`.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scoring.engine import DealRecord, score_deal, score_many
from scoring.engine.batch import pack, score_packed
from scoring.engine.playout import play_out
from scoring.rulesets import load, shipped_keys

#: Deals timed at a stretch: short enough that some stretches run undisturbed.
CHUNK = 250


def best_rate(work: Callable[[Any], object], items: list[Any], size: int, seconds: float = 1.5) -> float:
    """Return the best items per second of `work` over chunks of `size`, tried for some seconds."""
    chunks = [items[start : start + size] for start in range(0, len(items), size)]
    best = 0.0
    until = time.process_time() + seconds
    while time.process_time() < until:
        for chunk in chunks:
            start = time.process_time()
            work(chunk)
            best = max(best, len(chunk) / (time.process_time() - start))
    return best


def measure(key: str, deals: int) -> dict[str, Any]:
    """Return the rates for a ruleset; all are per second.

    `single_records`: `score_deal` on JSON mappings, `single_seats` the same in seats; `single_deal_records`
    on `DealRecord`s; `single_full_records` with sides, flags, zero-sum figures and formulas worked out too.
    `many_records`: `score_many` from JSON mappings, checks included; `many_packed_records`: `score_packed` on
    deals packed before. `ratio` and `ratio_packed` are these two against `single_records`.
    """
    rules = load(key)
    rng = Random(20)
    records = [play_out(rules, rng).record.to_json() for _ in range(deals)]
    as_records = [DealRecord.from_json(record) for record in records]
    packed = pack(records, rules)

    single = best_rate(lambda chunk: [score_deal(one, rules) for one in chunk], records, CHUNK)
    from_records = best_rate(lambda chunk: [score_deal(one, rules) for one in chunk], as_records, CHUNK)
    full = best_rate(lambda chunk: [score_deal(one, rules).to_json() for one in chunk], records, CHUNK)
    many = best_rate(lambda chunk: score_many(chunk, rules), records, deals)
    from_packed = best_rate(lambda _: score_packed(packed), records, deals)
    played = best_rate(lambda chunk: [play_out(rules, rng) for _ in chunk], records, CHUNK)
    return {
        "ruleset": key,
        "deals": deals,
        "single_records": round(single),
        "single_seats": round(4 * single),
        "single_deal_records": round(from_records),
        "single_full_records": round(full),
        "many_records": round(many),
        "many_packed_records": round(from_packed),
        "ratio": round(many / single, 1),
        "ratio_packed": round(from_packed / single, 1),
        "random_deals": round(played),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--ruleset", choices=shipped_keys(), default="huapai")
    options = parser.parse_args()
    found = measure(options.ruleset, options.deals)
    if options.json:
        print(json.dumps(found))
        return
    print(f"{found['deals']} random deals, {found['ruleset']}, per second of processor time:")
    for name, words in (
        ("single_records", "score_deal, JSON mappings"),
        ("single_deal_records", "score_deal, DealRecords"),
        ("single_full_records", "with sides, flags and formulas"),
        ("many_records", f"score_many, checks included: {found['ratio']} × score_deal"),
        ("many_packed_records", f"score_packed, packed before: {found['ratio_packed']} × score_deal"),
        ("random_deals", "random legal deals played out"),
    ):
        print(f"  {found[name]:>12,} deals {4 * found[name]:>12,} seats  {words}")


if __name__ == "__main__":
    main()
