"""What a look at a correction costs: 200 entries, 8 Swiss rounds, each drawn from the results before it.

    python benchmarks/foresight.py [--json] [--entries 200] [--rounds 8] [--deals 16]

A deal of the first round is to be corrected, so that the standings of every round and all later draws can
move. Each figure is processor time against that of working out the standings of all rounds, read once, in the
same run; medians.

``ratio``         a look for the first time: every later draw is made anew with the results as they would be
``again_ratio``   the same look once more: draws from the same inputs are known
``locked_ratio``  the part of it during which nobody else can write: the change made, the records read
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.large_event import own_database

#: How many different deals there are: records are stored as they are, so that few serve as well as many.
RECORDS = 200


def cpu(work: Callable[[], object]) -> float:
    """Processor time of this process while the work is done, in seconds."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def drawn_by_results(entries: int, rounds: int, deals: int):
    """An individual Swiss event: each round drawn by the results before it, played, checked and published."""
    from django.db import transaction

    from referee.models import Deal, DealCheck, DealVersion
    from referee.services.records import answer_of
    from scoring.engine import DealRecord, score_deal
    from tests.played import played_event, random_record, update_results
    from tests.tournament.draws import close, draw_round
    from tournament.services.audit import SYSTEM
    from tournament.services.publish import publish_round

    with transaction.atomic():
        event = played_event([f"选手{number}" for number in range(1, entries + 1)], rounds=rounds)
        event.stages.update(format="swiss")
        rules = event.ruleset_version.ruleset()
        records = [DealRecord.from_json(random_record(Random(number))) for number in range(RECORDS)]
        known = [(one.to_json(), answer_of(score_deal(one, rules))) for one in records]
        chance = Random(1)
        for number in range(1, rounds + 1):
            draw = draw_round(event, number, seed=number)
            tables = list(draw.tables.select_related("draw__round__event"))
            made = Deal.objects.bulk_create(
                Deal(table=table, number=deal, order=deal, dealing=deal)
                for table in tables
                for deal in range(1, deals + 1)
            )
            versions = DealVersion.objects.bulk_create(
                DealVersion(
                    deal=deal, number=1, record=record, answer=answer, ruleset_version=event.ruleset_version
                )
                for deal in made
                for record, answer in [chance.choice(known)]
            )
            DealCheck.objects.bulk_create(
                DealCheck(version=version, relation=DealCheck.Relation.NEXT, seat="W") for version in versions
            )
            for table in tables:
                update_results(table, complete=True)
            close(draw.round)
            publish_round(actor=SYSTEM, round=event.rounds.get(number=number))
    return event


def proposed(event):
    """A correction of the first deal: everything captured goes to one seat that did not have the pig."""
    from referee.models import Correction
    from referee.queries import current_version
    from referee.services.corrections import propose_correction
    from tournament.services.audit import SYSTEM

    first = event.rounds.get(number=1)
    record = current_version(first.draws.get().tables.get(number=1).deals.get(number=1)).record
    captures = record["captures"]
    seat = next(one for one in "NWSE" if "SQ" not in captures.get(one, []))
    everything = [card for one in "NWSE" for card in captures.get(one, [])]
    change = {"table": 1, "deal": 1, "version": 1, "record": {**record, "captures": {seat: everything}}}
    return propose_correction(
        actor=SYSTEM, round=first, kind=Correction.Kind.DEAL, change=change, reason="记错"
    )


def measured(event) -> dict[str, float]:
    """The figures of the benchmark."""
    from referee.services import corrections, foresight
    from tournament.queries import later_draws
    from tournament.queries.standings import standings_from
    from tournament.queries.standings_records import read_records
    from tournament.services.audit import SYSTEM

    correction = proposed(event)
    numbers = [round.number for round in event.rounds.all()]
    times: dict[str, list[float]] = {"standings": [], "look": [], "again": [], "locked": []}

    def standings() -> None:
        records = read_records(event)
        for number in numbers:
            standings_from(records, number)

    def look() -> None:
        assert corrections.look_ahead(actor=SYSTEM, correction=correction).moves["draws"]

    locked = foresight.made_and_read

    def watched(*arguments):
        begun = time.process_time()
        found = locked(*arguments)
        times["locked"].append(time.process_time() - begun)
        return found

    foresight.made_and_read = watched
    look()  # what is read once in the life of a process
    times["locked"].clear()
    for _ in range(5):
        times["standings"].append(cpu(standings))
        later_draws.known_draws.cache_clear()
        times["look"].append(cpu(look))
        times["again"].append(cpu(look))
    middle = {name: statistics.median(found) for name, found in times.items()}
    return {
        "ratio": round(middle["look"] / middle["standings"], 2),
        "again_ratio": round(middle["again"] / middle["standings"], 2),
        "locked_ratio": round(middle["locked"] / middle["standings"], 2),
        "look_cpu_ms": round(middle["look"] * 1000),
        "locked_cpu_ms": round(middle["locked"] * 1000),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    for name, value in (("entries", 200), ("rounds", 8), ("deals", 16)):
        parser.add_argument(f"--{name}", type=int, default=value)
    wanted = parser.parse_args()
    with own_database():
        figures = measured(drawn_by_results(wanted.entries, wanted.rounds, wanted.deals))
    if wanted.json:
        print(json.dumps(figures))
    else:
        for key, value in figures.items():
            print(f"{key:16} {value:>8}")


if __name__ == "__main__":
    main()
