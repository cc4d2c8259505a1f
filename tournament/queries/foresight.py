"""What a change would move 预见: standings round by round, draws made already, who advances.

What is on record is read before and after a change; what follows differently is what the change moves.
Nothing is written here: the services make the change, read, and take it back (referee.services.foresight).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tournament.models import Event, Publication, Round
from tournament.queries.advancement import preview_from
from tournament.queries.brackets import BRACKETS
from tournament.queries.draws import recorded_by_draw
from tournament.queries.later_draws import (
    DrawRecords,
    LaterDraw,
    Pairing,
    draws_after,
    pairing_now,
    read_draw_records,
    read_draws,
)
from tournament.queries.payloads import points_json
from tournament.queries.published import Published
from tournament.queries.standings import CameFurther, Standings, standings_from
from tournament.queries.standings_records import Records, read_records
from tournament.ranking.points import Points

#: What is JSON-ready.
Json = dict[str, Any]


@dataclass(frozen=True)
class Place:
    """Where an entry stands. ``by`` is what puts it ahead of ``over``, the number of the next entry: a
    criterion, or ``reached`` where it came further; "" where they are equal, and in the last row.
    """

    rank: int | None
    total: Points
    by: str = ""
    over: int | None = None


@dataclass(frozen=True)
class Snapshot:
    """Everything that follows from what is on record, from a round on.

    ``standings``: by the round after which they are, by entry number. ``pairings``: by round, who would meet
    if its draw were made again with the same seed; None where that cannot be drawn. ``advancing``: by stage,
    the numbers of those who advance to it, best first.
    """

    standings: Mapping[int, Mapping[int, Place]]
    pairings: Mapping[int, Pairing | None]
    advancing: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True)
class Reading:
    """All that a snapshot is worked out from: read in one go, so that no lock is held while it is.

    ``rounds`` are those drawn, from the first that a change touches on; ``later`` the draws made after it.
    """

    from_round: int
    rounds: tuple[int, ...]
    records: Records
    later: tuple[LaterDraw, ...]
    draw_records: DrawRecords


def read(event: Event, from_round: int) -> Reading:
    """What is on record now. A number of queries that does not grow with rounds or entries."""
    later = read_draws(draws_after(event, from_round))
    return _reading(event, from_round, later)


def read_again(reading: Reading) -> Reading:
    """What is on record now, the draws being as they were read: no correction changes a later draw."""
    return _reading(reading.records.event, reading.from_round, reading.later)


def _reading(event: Event, from_round: int, later: tuple[LaterDraw, ...]) -> Reading:
    records = read_records(event)
    return Reading(
        from_round,
        tuple(number for number in records.sheet.rounds if number >= from_round),
        records,
        later,
        read_draw_records(event, later),
    )


def snapshot(reading: Reading) -> Snapshot:
    """What follows from what was read. Reads nothing more."""
    return Snapshot(
        standings={number: _places(standings_from(reading.records, number)) for number in reading.rounds},
        pairings={one.draw.round.number: pairing_now(one, reading.draw_records) for one in reading.later},
        advancing=dict(_advancing(reading)),
    )


def differences(before: Reading, after: Reading) -> Json:
    """What differs between two readings, JSON-ready and without ids of this site.

    ``standings``: for each round after which anything moves, ``rows`` of entries whose rank or total does and
    ``reasons`` of those ahead of the same entry as before for another reason. ``draws``: made already and now
    drawn otherwise, with the matches ``broken`` and those ``instead`` of them. ``advancing``: stages to which
    others advance, or in another order. Empty lists where nothing moves.
    """
    event = before.records.event
    published = Published(event)
    was, now = snapshot(before), snapshot(after)
    return {
        "standings": [
            {
                "after": number,
                "published": published.publication(Publication.What.STANDINGS, number) is not None,
                **moved,
            }
            for number, places in was.standings.items()
            if any((moved := _moved(places, now.standings.get(number, {}))).values())
        ],
        "draws": list(_drawn_otherwise(before.later, was.pairings, now.pairings)),
        "advancing": list(_advance_otherwise(before.records, was.advancing, now.advancing)),
    }


def moves_anything(moves: Json) -> bool:
    """Whether a change has any consequence beyond what it changes itself."""
    return any(moves.get(name) for name in ("standings", "draws", "advancing"))


def _places(standings: Standings) -> dict[int, Place]:
    found = {}
    for row, following in zip(standings.rows, [*standings.rows[1:], None], strict=True):
        by = ""
        if isinstance(row.ahead, CameFurther):
            by = "reached"
        elif row.ahead is not None:
            by = row.ahead.criterion.value
        over = following.entry.number if following is not None else None
        found[row.entry.number] = Place(row.rank, row.total, by, over)
    return found


def _moved(before: Mapping[int, Place], after: Mapping[int, Place]) -> Json:
    rows, reasons = [], []
    for number in dict.fromkeys((*after, *before)):
        old, new = before.get(number), after.get(number)
        if old is None or new is None or (old.rank, old.total) != (new.rank, new.total):
            rows.append(
                {
                    "entry": number,
                    "rank": [old and old.rank, new and new.rank],
                    "total": [old and points_json(old.total), new and points_json(new.total)],
                }
            )
        if old and new and old.over == new.over and old.by != new.by:
            reasons.append({"entry": number, "over": new.over, "by": [old.by, new.by]})
    return {"rows": rows, "reasons": reasons}


def _drawn_otherwise(
    later: Iterable[LaterDraw],
    before: Mapping[int, Pairing | None],
    after: Mapping[int, Pairing | None],
) -> Iterator[Json]:
    """Draws that the change makes come out otherwise, set against who really meets: one kept in spite of an
    earlier correction is no longer what the records before this one would give.
    """
    others = [
        one
        for one in later
        if after.get(one.draw.round.number) not in (before.get(one.draw.round.number), one.pairing)
    ]
    deals = recorded_by_draw([one.draw for one in others])
    for one in others:
        draw, was = one.draw, one.pairing
        number = draw.round.number
        new = after.get(number)
        will = new or Pairing(frozenset())
        yield {
            "round": number,
            "state": draw.state,
            "closed": draw.round.state == Round.State.CLOSED,
            "deals": deals[draw.pk],
            "bracket": draw.method in BRACKETS,
            "possible": new is not None,
            "broken": _sorted(was.matches - will.matches),
            "instead": _sorted(will.matches - was.matches),
            "byes": [sorted(was.byes), sorted(will.byes)],
        }


def _advance_otherwise(
    records: Records, before: Mapping[int, tuple[int, ...]], after: Mapping[int, tuple[int, ...]]
) -> Iterator[Json]:
    for record in records.stages:
        stage = record.stage
        old, new = before.get(stage.number, ()), after.get(stage.number, ())
        if old != new:
            yield {
                "stage": stage.number,
                "name": stage.name,
                "first_round": min((one.number for one in record.rounds), default=None),
                "out": [number for number in old if number not in new],
                "in": [number for number in new if number not in old],
                "order": list(new),
            }


def _advancing(reading: Reading) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Stages to which somebody has advanced from one that the change can touch."""
    stages = reading.records.stages
    for source, record in pairwise(stages):
        places = len(record.members)
        if places and source.last_round >= reading.from_round:
            yield record.stage.number, preview_from(reading.records, source.stage, places).numbers


def _sorted(matches: Iterable[frozenset[int]]) -> list[list[int]]:
    return sorted(sorted(match) for match in matches)
