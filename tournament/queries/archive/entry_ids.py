"""Entries named by their ids within stored JSON: draws keep what they were made from in that form.

In an archive an entry has another number than in a database, so these are exchanged on the way out and in. A
part that is not known here is refused, not passed on: an id left in it would name somebody else's entry.
"""

from collections.abc import Callable, Mapping
from typing import Any

Rename = Callable[[int], int]


class UnknownPartError(ValueError):
    """Stored JSON has a part of which nobody has said whether it names entries."""


def _same(value: Any, rename: Rename) -> Any:
    return value


def _ids(value: Any, rename: Rename) -> Any:
    return [rename(one) for one in value]


def _lists_of_ids(value: Any, rename: Rename) -> Any:
    return [_ids(one, rename) for one in value]


def _sorted_pairs(value: Any, rename: Rename) -> Any:
    return sorted(sorted(_ids(one, rename)) for one in value)


def _entrants(value: Any, rename: Rename) -> Any:
    return [{**one, "id": rename(one["id"])} for one in value]


def _tables(value: Any, rename: Rename) -> Any:
    return [[round, [[seat, rename(entry)] for seat, entry in seats]] for round, seats in value]


def _sit_outs(value: Any, rename: Rename) -> Any:
    return [[round, rename(entry), kind] for round, entry, kind in value]


def _origins(value: Any, rename: Rename) -> Any:
    return [[rename(entry), *rest] for entry, *rest in value]


def _outcomes(value: Any, rename: Rename) -> Any:
    return [
        [
            round,
            match,
            [[rename(entry), amount] for entry, amount in values],
            None if winner is None else rename(winner),
        ]
        for round, match, values, winner in value
    ]


def _remarks(value: Any, rename: Rename) -> Any:
    return [{**one, "entrants": _ids(one["entrants"], rename)} for one in value]


def _rest(value: Any, rename: Rename) -> Any:
    return [
        [[[[seat, rename(entry)] for seat, entry in seats] for seats in tables], _ids(byes, rename)]
        for tables, byes in value
    ]


Part = Callable[[Any, Rename], Any]


def _object(**parts: Part) -> Part:
    def walk(value: Any, rename: Rename) -> Any:
        if unknown := sorted(value.keys() - parts.keys()):
            raise UnknownPartError(", ".join(unknown))
        return {name: parts[name](one, rename) for name, one in value.items()}

    return walk


_INPUTS = _object(
    round=_same,
    planned_rounds=_same,
    entrants=_entrants,
    tables=_tables,
    sit_outs=_sit_outs,
    constraints=_object(
        clubs_apart_rounds=_same, seeds_apart_rounds=_same, teams_apart=_same, forbidden=_sorted_pairs
    ),
    stage=_object(
        first_round=_same,
        rounds=_same,
        options=_same,
        positions=_ids,
        seed=_same,
        answer=_same,
        groups=_lists_of_ids,
        origins=_origins,
        outcomes=_outcomes,
        rest=_rest,
        rest_from=_same,
    ),
    answer=_same,
    swaps=_lists_of_ids,
    bye_points=_same,
)
_QUALITY = _object(
    repeats=_same,
    max_points_gap=_same,
    mean_points_gap=_same,
    seat_spread=_same,
    club_clashes=_same,
    forbidden_meetings=_same,
    byes=_same,
    short_tables=_same,
    violations=_remarks,
)
_REASONS = _object(remarks=_remarks)

#: By section and field: the JSON in which entries are named by id.
WITH_ENTRY_IDS: Mapping[tuple[str, str], Part] = {
    ("draws", "inputs"): _INPUTS,
    ("draws", "quality"): _QUALITY,
    ("matches", "reasons"): _REASONS,
}
