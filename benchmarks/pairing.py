"""Measures the draws: repeats, points gaps, seats and seconds.

python benchmarks/pairing.py [--json] [--seeds N]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tournament.pairing.four import draw_swiss_four
from tournament.pairing.model import Constraints, Draw, Entrant, History
from tournament.pairing.movement import plan_movement
from tournament.pairing.swiss import draw_swiss
from tournament.pairing.whist import plan_whist

Row = dict[str, object]


def field(n: int, seed: int, clubs: int = 8) -> list[Entrant]:
    rng = random.Random(seed)
    return [Entrant(i + 1, i + 1, club=f"club {rng.randrange(clubs)}") for i in range(n)]


def play(draw: Draw, entrants: list[Entrant], skill: dict[int, float], rng: random.Random) -> list[Entrant]:
    """Everybody's points after a round of random results that favour the skilled."""
    gained: dict[int, int] = dict.fromkeys(draw.byes, 0)
    for table in draw.tables:
        if table.size == 2:
            a, b = table.entrants
            won = rng.gauss(skill[a] - skill[b], 250) > 0
            gained[a], gained[b] = (2, 0) if won else (0, 2)
        else:
            gained |= {e: round(rng.gauss(skill[e], 250)) for e in table.entrants}
    return [replace(e, points=e.points + gained.get(e.id, 0)) for e in entrants]


def swiss_event(
    n: int, rounds: int, seed: int, draw_round: Callable[..., Draw], clubs_apart: int = 3, **options: object
) -> Row:
    rng = random.Random(seed)
    entrants = field(n, seed)
    skill = {e.id: rng.gauss(0, 60) for e in entrants}
    history = History()
    wishes = Constraints(clubs_apart)
    seconds, repeats, gaps, means, clashes = [], [], [], [], 0
    for number in range(1, rounds + 1):
        start = time.perf_counter()
        draw = draw_round(
            entrants,
            history,
            round=number,
            constraints=wishes,
            seed=seed * 1000 + number,
            **options,
        )
        seconds.append(time.perf_counter() - start)
        repeats.append(draw.quality.repeats)
        gaps.append(float(draw.quality.max_points_gap))
        means.append(float(draw.quality.mean_points_gap))
        clashes += draw.quality.club_clashes
        history = history.plus(draw)
        entrants = play(draw, entrants, skill, rng)
    return {
        "entrants": n,
        "rounds": rounds,
        "seed": seed,
        "repeats": sum(repeats),
        "repeats_by_round": repeats,
        "max_points_gap": max(gaps),
        "mean_points_gap": round(sum(means[1:]) / max(1, len(means) - 1), 1),
        "club_clashes": clashes,
        "seat_spread": draw.quality.seat_spread,
        "slowest_round_seconds": round(max(seconds), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()

    def show(what: str, row: Row) -> None:
        print(json.dumps({"what": what} | row) if options.json else f"{what:16} {row}", flush=True)

    for n, rounds in ((16, 5), (40, 8), (100, 12), (200, 8), (40, 12)):
        for seed in range(1, options.seeds + 1):
            show("swiss by four", swiss_event(n, rounds, seed, draw_swiss_four, planned_rounds=rounds))
    for n, rounds in ((100, 9), (1000, 9), (1001, 9)):
        for seed in range(1, options.seeds + 1):
            show("swiss", swiss_event(n, rounds, seed, draw_swiss))
    for n, rounds in MOVEMENTS:
        show("movement", movement(n, rounds))
    for n in (16, 17, 36, 41):
        show("whist", whist(n))


MOVEMENTS = (
    *((16, 5), (20, 5), (24, 7), (28, 9), (32, 10), (36, 11), (40, 13), (48, 15), (64, 21)),
    *((16, 8), (8, 7), (12, 11), (24, 8), (52, 12), (56, 12), (68, 12), (200, 12), (5000, 12)),
)


def movement(n: int, rounds: int) -> Row:
    start = time.perf_counter()
    plan = plan_movement(n, rounds)
    return {
        "entrants": n,
        "rounds": rounds,
        "repeats": plan.repeats,
        "bound": plan.bound,
        "seat_spread": plan.seat_spread,
        "seconds": round(time.perf_counter() - start, 3),
    }


def whist(n: int) -> Row:
    start = time.perf_counter()
    plan = plan_whist(n)
    return {"entrants": n, "rounds": len(plan), "seconds": round(time.perf_counter() - start, 3)}


if __name__ == "__main__":
    main()
