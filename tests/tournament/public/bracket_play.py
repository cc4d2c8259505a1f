"""A bracket drawn and played through the services, with as much of it published as a test wants."""

from collections.abc import Sequence
from random import Random
from typing import Any

from tests.factories import make_event
from tests.played import played_deal, random_record, update_results
from tests.tournament.draws import close, draw_round
from tournament.models import Draw, Event, Publication, Round
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish
from tournament.services.stages import StageData, configure_stage


def bracket_event(
    entries: int | Sequence[str], form: str = "knockout", *, rounds: int = 3, **options: Any
) -> Event:
    """A pairs event whose only stage is a bracket of this format."""
    event = make_event(Event.Kind.PAIRS, entries, planned_rounds=rounds)
    stage = event.stages.get()
    configure_stage(actor=SYSTEM, stage=stage, data=StageData(format=form, rounds=rounds, options=options))
    return event


def draw_and_publish(event: Event, number: int, seed: int = 1) -> Draw:
    """The pairings of a round, drawn and with that shown to the public."""
    return draw_round(event, number, seed=seed)


def play_round(draw: Draw, *, deals: int = 2, results: bool = True) -> Round:
    """All tables of a round played and checked, the round closed, and its results published if so asked."""
    for table in draw.tables.order_by("number"):
        number = 0
        # Which cards fall depends on the round and the table alone; nobody is equal in the end.
        while number < deals or len(set(table.results.values_list("value", flat=True))) == 1:
            number += 1
            chance = Random(f"{draw.round.number}/{table.number}/{number}")
            played_deal(table, number, record=random_record(chance, "partnership"))
        update_results(table, complete=True)
    close(draw.round)
    if results:
        publish(actor=SYSTEM, round=draw.round, what=Publication.What.RESULTS)
    return draw.round


def winners(draw: Draw) -> set[int]:
    """Numbers of the entries that are ahead in the matches of a round."""
    found = set()
    for match in draw.matches.all():
        sums: dict[int, Any] = {}
        for table in match.tables.all():
            for result in table.results.select_related("entry"):
                sums[result.entry.number] = sums.get(result.entry.number, 0) + result.value
        found.add(max(sums, key=sums.__getitem__))
    return found
