"""Where the shipped table of victory points comes from: how far sets of deals spread, and what follows.

The formula is that of the World Bridge Federation's scale, with the golden ratio: the side ahead by d gets
10 + 10·(1 − τ^(3d/b)) / (1 − τ³), rounded, where b is the difference that gives everything. There as here b
is 2.5 times the spread of a match between equals, so that a few in a hundred of these end 20:0.

    .venv/bin/python -m benchmarks.victory_points [RULESET]
"""

import sys
from math import log, sqrt
from random import Random
from statistics import pstdev

from scoring.engine import score_deal
from scoring.engine.playout import play_out
from scoring.engine.rounds import SIXTEEN_DEALS
from scoring.rulesets import load

TAU = (sqrt(5) - 1) / 2
SETS, DEALS = 800, 16


def spread(key: str) -> float:
    """The standard deviation, in points, of the difference of two sides over a set of random deals."""
    rules, rng = load(key), Random(1)
    sums = []
    for _ in range(SETS):
        ahead = 0.0
        for _deal in range(DEALS):
            credited = score_deal(play_out(rules, rng, mode="partnership").record, rules).credited
            ahead += float(credited["N"] - credited["W"])
        sums.append(ahead)
    return pstdev(sums)


def least_difference(ahead: int, everything: float) -> float:
    """From where on the side ahead gets so many of 20 victory points; ``everything`` is b above."""
    part = (ahead - 10 - 0.5) / 10
    return everything * log(1 - part * (1 - TAU**3)) / (3 * log(TAU))


def main() -> None:
    key = sys.argv[1] if len(sys.argv) > 1 else "huapai"
    found = spread(key)
    print(f"{key}: {SETS} sets of {DEALS} deals, spread {found:.0f} points; 2.5 times that {2.5 * found:.0f}")
    print("ahead  by this spread  shipped")
    for least, ahead, _behind in SIXTEEN_DEALS.steps[1:]:
        print(f"{ahead:5}  {least_difference(ahead, 2.5 * found):14.0f}  {least:7}")


if __name__ == "__main__":
    main()
