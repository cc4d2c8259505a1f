"""Rehearses the events whose figures are promised, and says which figures hold.

python benchmarks/rehearse.py [--quick]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

#: kind, entries, rounds, format, most repeats, most seconds of a draw, whether it is one of the quick ones;
#: narrow fields are searched longer than wide ones, which are promised in a second.
EVENTS = (
    ("individual", 16, 5, "swiss", 0, 2.0, True),
    ("individual", 40, 8, "swiss", 0, 2.0, True),
    ("individual", 40, 12, "swiss", 31, 2.0, True),
    ("individual", 28, 9, "movement", 0, 1.0, True),
    ("individual", 100, 12, "swiss", 0, 1.0, False),
    ("individual", 200, 8, "swiss", 0, 1.0, False),
    ("pairs", 1000, 3, "swiss", 0, 2.0, False),
    ("teams", 1000, 3, "swiss", 0, 2.0, False),
)


def rehearse(kind: str, entries: int, rounds: int, format_key: str) -> dict[str, object]:
    """The figures of one rehearsal with one deal a table."""
    command = [sys.executable, "manage.py", "rehearse", "--kind", kind, "--entries", str(entries)]
    command += ["--rounds", str(rounds), "--format", format_key, "--deals", "1", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only events of a few seconds")
    quick = parser.parse_args().quick
    missed = 0
    for kind, entries, rounds, format_key, repeats, seconds, is_quick in EVENTS:
        if quick and not is_quick:
            continue
        found = rehearse(kind, entries, rounds, format_key)
        longest = max(found["draw_seconds"])
        good = found["repeats"] <= repeats and longest <= seconds
        missed += not good
        print(
            f"{'ok  ' if good else 'MISS'} {kind:<10} {entries:>5} × {rounds:<2} {format_key:<9}"
            f" repeats {found['repeats']} (≤ {repeats}), longest draw {longest:.2f} s (≤ {seconds:.0f} s),"
            f" gap {found['max_points_gap']},"
            f" {1000 * found['record_seconds'] / found['deals']:.0f} ms a deal",
            flush=True,
        )
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
