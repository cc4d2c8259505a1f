"""Draws already made, as they would come out of what is on record now: the same seed, other points.

The entries, wishes and exchanges by hand are those of the draw; only what came of the rounds before it is
read anew.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from django.db.models import QuerySet

from tournament.models import Draw, Entry, Event
from tournament.pairing.model import Entrant, PairingError
from tournament.queries.draw_formats import FORMATS, eliminated
from tournament.queries.draw_history import Meetings, PointsOnRecord, meetings, points_on_record
from tournament.queries.draw_inputs import DrawInputs, Outcome
from tournament.queries.draw_sources import stage_entries, stage_outcomes
from tournament.queries.draws import byes_by_draw, draw_from, seats_by_draw
from tournament.queries.stage_counts import stage_counts_from

Seats = tuple[tuple[tuple[str, int], ...], ...]


@dataclass(frozen=True)
class Pairing:
    """Who meets, by the entries' numbers, and who sits out."""

    matches: frozenset[frozenset[int]]
    byes: frozenset[int] = frozenset()


#: Formats whose draws go by nothing that is played: they stay as they are whatever changes.
_PLANNED = [key for key, form in FORMATS.items() if form.planned]


@dataclass(frozen=True)
class LaterDraw:
    """A draw made already, as it is stored: its inputs and who meets."""

    draw: Draw
    inputs: DrawInputs
    pairing: Pairing


@dataclass(frozen=True)
class DrawRecords:
    """What draws of later rounds would go by now: read in one go, so that nothing has to be read while they
    are worked out. By stage id its entries, the round it counts from and its results.
    """

    points: PointsOnRecord
    meetings: Meetings
    entries: Mapping[int, Sequence[Entry]]
    since: Mapping[int, int]
    outcomes: Mapping[int, tuple[Outcome, ...]]


def draws_after(event: Event, round_number: int) -> QuerySet[Draw]:
    """The living draws of later rounds that go by results, in their order."""
    living = Draw.objects.filter(round__event=event, round__number__gt=round_number)
    found = living.exclude(state=Draw.State.WITHDRAWN).exclude(method__in=_PLANNED)
    return found.select_related("round__event", "round__stage").order_by("round__number")


def read_draws(draws: Iterable[Draw]) -> tuple[LaterDraw, ...]:
    """These draws of one event as they are stored. A constant number of queries."""
    found = list(draws)
    seats, byes = seats_by_draw(found), byes_by_draw(found)
    return tuple(
        LaterDraw(
            draw,
            inputs := DrawInputs.from_json(draw.inputs),
            _pairing({one.id: one.number for one in inputs.entrants}, seats[draw.pk].values(), byes[draw.pk]),
        )
        for draw in found
    )


def read_draw_records(event: Event, draws: Iterable[LaterDraw]) -> DrawRecords:
    """What is on record now for these draws: the number of queries grows with their stages alone."""
    stages = {one.draw.round.stage_id: one.draw.round.stage for one in draws}
    return DrawRecords(
        points_on_record(event),
        meetings(event),
        {pk: stage_entries(stage) for pk, stage in stages.items()},
        {pk: stage_counts_from(event, stage) for pk, stage in stages.items()},
        {
            pk: stage_outcomes(stage) if FORMATS[stage.format].eliminates else ()
            for pk, stage in stages.items()
        },
    )


def inputs_now(later: LaterDraw, records: DrawRecords) -> DrawInputs:
    """The inputs of a draw, with the points, meetings and results of the rounds before it as they are now."""
    stored = later.inputs
    round, form = later.draw.round, FORMATS[later.draw.method]
    since = records.since[round.stage_id]
    points = records.points.before(round.number, since)
    known = {one.id for one in stored.entrants}
    entries = [entry for entry in records.entries[round.stage_id] if entry.pk in known]
    if since == 1:
        for entry in entries:
            points[entry.pk] += entry.start_points
    history = records.meetings.history(
        entries,
        before_round=round.number,
        from_round=stored.stage.first_round if form.stage_history else 1,
    )
    outcomes = tuple(one for one in records.outcomes[round.stage_id] if one.round < round.number)
    now = replace(stored.stage, outcomes=outcomes)
    # Who was out then for another reason, having withdrawn perhaps, stays out.
    out_then = eliminated(later.draw.method, stored.entrants, stored.stage, round.number)
    there = [replace(one, present=one.present or one.id in out_then) for one in stored.entrants]
    out_now = eliminated(later.draw.method, there, now, round.number)
    return replace(
        stored,
        entrants=tuple(_as_now(one, points[one.id], one.id in out_now) for one in there),
        history=history,
        stage=now,
    )


def pairing_now(later: LaterDraw, records: DrawRecords) -> Pairing | None:
    """Who would meet if the draw were made again with the same seed; None where it could not be made.

    Reads nothing but what it is given.
    """
    inputs, draw = inputs_now(later, records), later.draw
    if inputs == later.inputs:
        return later.pairing
    numbers = {one.id: one.number for one in inputs.entrants}
    try:
        seats, byes = known_draws(draw.method, draw.round.event.kind, json.dumps(inputs.to_json()), draw.seed)
    except PairingError:
        return None
    return _pairing(numbers, seats, byes)


@lru_cache(maxsize=64)
def known_draws(method: str, kind: str, inputs: str, seed: int) -> tuple[Seats, tuple[int, ...]]:
    """A draw is a function of these alone; a large one takes a second, and is looked at more than once."""
    drawn = draw_from(method, kind, DrawInputs.from_json(json.loads(inputs)), seed)
    return tuple(table.seats for table in drawn.tables), drawn.byes


def _as_now(one: Entrant, points: object, out: bool) -> Entrant:
    return replace(one, points=points, present=one.present and not out)


def _pairing(
    numbers: dict[int, int], matches: Iterable[Iterable[tuple[str, int]]], byes: Iterable[int]
) -> Pairing:
    return Pairing(
        frozenset(frozenset(numbers[entry] for _seat, entry in seats) for seats in matches),
        frozenset(numbers[entry] for entry in byes),
    )
