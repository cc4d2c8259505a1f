"""Rounds drawn, played with results out of thin air, and closed: for tests of what the draws make of them."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

from django.db.models import F

from tests.factories import make_event
from tournament.models import Draw, Entry, EntryResult, Event, MatchSide, Round
from tournament.services.audit import SYSTEM
from tournament.services.draw import make_draw, publish_draw
from tournament.services.stages import StageData, configure_stage


def draw_round(event: Event, number: int, seed: int = 1, **how: Any) -> Draw:
    """The round drawn and published; violations need a reason, which is not given."""
    draw = make_draw(actor=SYSTEM, round=event.rounds.get(number=number), seed=seed, **how)
    return publish_draw(actor=SYSTEM, draw=draw)


def give_values(draw: Draw, value: Callable[[Entry], int]) -> None:
    """Results in the event's measure for everybody seated in the draw, as if the plan were played out."""
    for table in draw.tables.order_by("number"):
        first = table.match.tables.order_by("number").first() == table
        for entry in Entry.objects.filter(seats__table=table).distinct():
            EntryResult.objects.create(
                round=draw.round,
                table=table,
                entry=entry,
                points=value(entry),
                value=value(entry) if first else 0,
                deals=1,
                checked_deals=1,
                complete=True,
            )


def give_results(draw: Draw, seed: int = 1) -> None:
    """Different results for all in the draw, by lot."""
    entries = list(draw.round.event.entries.order_by("number"))
    values = Random(seed + draw.round.number).sample(range(-500, 500), len(entries))
    by_entry = {entry.pk: value for entry, value in zip(entries, values, strict=True)}
    give_values(draw, lambda entry: by_entry[entry.pk])


def close(round: Round) -> None:
    """The round closed, whatever is missing."""
    Round.objects.filter(pk=round.pk).update(state=Round.State.CLOSED)


def met_in(event: Event) -> Counter[tuple[int, int]]:
    """How often any two numbers met in the published draws."""
    matches: dict[int, list[int]] = {}
    sides = MatchSide.objects.filter(match__draw__round__event=event, match__draw__state="published")
    for match, number in sides.values_list("match", "entry__number"):
        matches.setdefault(match, []).append(number)
    return Counter(two for who in matches.values() for two in combinations(sorted(who), 2))


def seeded_event(
    form: str,
    entries: int,
    rounds: int,
    *,
    kind: str = Event.Kind.PAIRS,
    seeds: int | None = None,
    **options: Any,
) -> Event:
    """An event of one stage in this format; its entries, or the first ``seeds``, are seeded by number."""
    event = make_event(kind=kind, entries=entries, planned_rounds=rounds)
    data = StageData(format=form, rounds=rounds, options=options)
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=data)
    event.entries.filter(number__lte=entries if seeds is None else seeds).update(seeding=F("number"))
    return event
