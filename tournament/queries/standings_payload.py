"""What a publication of standings holds."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from tournament.models import Entry, Event, Player, Publication
from tournament.queries.criteria import criteria_of
from tournament.queries.payloads import points_json
from tournament.queries.published import Published
from tournament.queries.standings import (
    CameFurther,
    Cell,
    StandingsRow,
    group_standings,
    standings_from,
)
from tournament.queries.standings_records import Records, read_records
from tournament.ranking.standings import Decision


def standings_payload(event: Event, after_round: int) -> dict[str, Any]:
    """The standings after a round, from published results only."""
    records = read_records(event, after_round, published_only=True)
    standings = standings_from(records, after_round)
    return {
        "penalties": _penalties(event, standings.rounds),
        "after": after_round,
        "rounds": list(standings.rounds),
        "complete": standings.complete,
        "staged": standings.staged,
        "criteria": [one.value for one in criteria_of(event)],
        "rows": [_row(row) for row in standings.rows],
        "groups": _groups(records, after_round),
        "entries": _entries([row.entry for row in standings.rows]),
    }


def _entries(entries: list[Entry]) -> dict[str, dict[str, Any]]:
    players = defaultdict(list)
    for pk, name in Player.objects.filter(entry__in=entries).values_list("entry", "name"):
        players[pk].append(name)
    return {
        str(one.number): {"name": one.name, "club": one.club, "players": players[one.pk]}
        for one in sorted(entries, key=lambda one: one.number)
    }


def _groups(records: Records, after_round: int) -> list[dict[str, Any]]:
    """The groups of stages that have them and published results: their own ranks and points."""
    return [
        {
            "stage": stage.number,
            "name": stage.name,
            "group": number,
            "rows": [
                {"entry": row.entry.number, "rank": row.rank, "total": points_json(row.score)}
                for row in group.rows
            ],
        }
        for stage in records.event.stages.filter(format="groups").order_by("number")
        for number, group in enumerate(group_standings(records, stage, after_round), start=1)
        if group.rounds
    ]


def _penalties(event: Event, rounds: Iterable[int]) -> list[dict[str, Any]]:
    """Those of the published results."""
    published = Published(event)
    found = [published.publication(Publication.What.RESULTS, number) for number in rounds]
    rows = Publication.objects.filter(pk__in=[one.pk for one in found if one]).order_by("round__number")
    return [one for lines in rows.values_list("sheet__penalties", flat=True) for one in lines]


def _row(row: StandingsRow) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "disqualified": row.disqualified,
        "annulled_from": row.ruling.annul_from if row.ruling else None,
        "entry": row.entry.number,
        "withdrawn": row.entry.status == Entry.Status.WITHDRAWN,
        "cells": [_cell(cell) for cell in row.cells],
        "start": points_json(row.start_points),
        "penalties": points_json(row.penalties),
        "total": points_json(row.total),
        "tie_breaks": [points_json(value) for _criterion, value in row.tie_breaks],
        "reached": row.reached,
        "score": points_json(row.score),
        "ahead": _ahead(row.ahead),
    }


def _ahead(ahead: Decision | CameFurther | None) -> dict[str, Any] | None:
    if isinstance(ahead, CameFurther):
        return {"reached": ahead.own, "next_reached": ahead.next}
    return ahead and {
        "criterion": ahead.criterion.value,
        "value": points_json(ahead.value),
        "next": points_json(ahead.next_value),
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "value": points_json(cell.value),
        "bye": cell.bye,
        "walkover": cell.walkover,
        "complete": cell.complete,
        "annulled": cell.annulled,
    }
