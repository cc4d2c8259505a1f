"""How long the result workbook of a large event takes, against openpyxl writing the same cells bare.

    python benchmarks/excel.py [--json] [--entries 200] [--rounds 8] [--deals 16]

``ratio`` is our time for the whole workbook (every sheet, its formulas, styles and stored values) divided by
the time openpyxl's own streaming mode takes for the same values without any style. Best of three each,
alternating; needs no database.
"""

# ruff: noqa: E402 -- Django must be set up before its models are imported

import argparse
import io
import json
import os
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()

from django.utils import timezone
from openpyxl import Workbook, load_workbook

from scoring.engine import score_deal
from scoring.engine.cards import FOUR_SEATS, KEY_CARDS, SCORING_CARDS
from scoring.models import RulesetBook, RulesetVersion
from scoring.rulesets import load
from tournament.excel.writing import workbook_of
from tournament.models import Entry, Event, Tournament
from tournament.queries.export import (
    ExportDeal,
    ExportLine,
    ExportRound,
    ExportSeat,
    ExportTable,
    ResultBook,
)
from tournament.queries.standings import Cell, Standings, StandingsRow


def played_deal(number: int, chance: random.Random, ruleset) -> ExportDeal:
    """A deal whose cards fell by chance, scored."""
    captures: dict[str, list[str]] = {seat: [] for seat in FOUR_SEATS}
    for card in SCORING_CARDS:
        captures[chance.choice(FOUR_SEATS)].append(card)
    held = {card: chance.choice(FOUR_SEATS) for card in KEY_CARDS}
    exposed = [
        {"card": card, "seat": held[card], "kind": "exposed"} for card in KEY_CARDS if chance.random() < 0.3
    ]
    record = {"captures": captures, "held": held, "exposed": exposed}
    score = score_deal(record, ruleset)
    return ExportDeal(
        number,
        number,
        1,
        "checked",
        {seat: tuple(cards) for seat, cards in captures.items()},
        tuple(exposed),
        held,
        dict(score.scores),
        dict(score.credited),
        tuple(side.seats for side in score.sides),
        dict(score.formula),
        check="next",
    )


def made_up_book(entries: int, rounds: int, deals: int, seed: int = 1) -> ResultBook:
    """An individual event played through."""
    chance = random.Random(seed)
    ruleset = load("huapai")
    version = RulesetVersion(book=RulesetBook(key="huapai"), number=1, data=ruleset.to_dict())
    tournament = Tournament(name="全国华牌公开赛", slug="open", time_zone="Asia/Shanghai")
    event = Event(
        tournament=tournament, name="个人赛", kind="individual", measure="points", ruleset_version=version
    )
    people = []
    for number in range(1, entries + 1):
        entry = Entry(
            id=number, event=event, number=number, name=f"选手{number}", club=f"俱乐部{number % 40}"
        )
        entry._prefetched_objects_cache = {"players": []}
        people.append(entry)
    played = []
    values: dict[int, list[int]] = {entry.number: [] for entry in people}
    for round_number in range(1, rounds + 1):
        order = [entry.number for entry in people]
        chance.shuffle(order)
        tables = []
        for table, first in enumerate(range(0, entries, 4), start=1):
            numbers = order[first : first + 4]
            seats = tuple(
                ExportSeat(seat, number, f"选手{number}")
                for seat, number in zip(FOUR_SEATS, numbers, strict=True)
            )
            dealt = tuple(played_deal(number, chance, ruleset) for number in range(1, deals + 1))
            totals = [sum(deal.credited[seat] for deal in dealt) for seat in FOUR_SEATS]
            for number, total in zip(numbers, totals, strict=True):
                values[number].append(total)
            lines = tuple(
                ExportLine(number, total, 0, 0, deals, True)
                for number, total in zip(numbers, totals, strict=True)
            )
            tables.append(ExportTable(table, table, tuple(numbers), seats, dealt, lines))
        played.append(ExportRound(round_number, timezone.now(), "closed", tuple(tables), ()))
    ranked = sorted(people, key=lambda entry: -sum(values[entry.number]))
    rows = tuple(
        StandingsRow(
            1 + sum(sum(other) > sum(values[entry.number]) for other in values.values()),
            entry,
            tuple(Cell(value, complete=True) for value in values[entry.number]),
            0,
            0,
            sum(values[entry.number]),
            shared=False,
            reached={},
            score=sum(values[entry.number]),
            ahead=None,
        )
        for entry in ranked
    )
    standings = Standings(event, rounds, tuple(range(1, rounds + 1)), rows)
    return ResultBook(event, tuple(people), tuple(played), (), standings)


def bare(sheets: dict[str, list[tuple]]) -> bytes:
    """The values as openpyxl's streaming mode writes them by itself."""
    workbook = Workbook(write_only=True)
    for title, rows in sheets.items():
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()


def measure(entries: int, rounds: int, deals: int) -> dict[str, float]:
    book = made_up_book(entries, rounds, deals)
    now = timezone.now()
    first = workbook_of(book, "zh-hans", made_at=now)
    sheets = {
        sheet.title: list(sheet.iter_rows(values_only=True))
        for sheet in load_workbook(io.BytesIO(first), read_only=True)
    }
    ours, theirs = [], []
    for _ in range(3):
        start = time.process_time()
        workbook_of(book, "zh-hans", made_at=now)
        ours.append(time.process_time() - start)
        start = time.process_time()
        bare(sheets)
        theirs.append(time.process_time() - start)
    cells = sum(value is not None for rows in sheets.values() for row in rows for value in row)
    return {
        "entries": entries,
        "rounds": rounds,
        "deals_per_table": deals,
        "cells": cells,
        "megabytes": round(len(first) / 1e6, 2),
        "seconds": round(min(ours), 3),
        "bare_seconds": round(min(theirs), 3),
        "ratio": round(min(ours) / min(theirs), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--entries", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--deals", type=int, default=16)
    given = parser.parse_args()
    result = measure(given.entries, given.rounds, given.deals)
    if given.json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name:>16}  {value}")


if __name__ == "__main__":
    main()
