"""The cross-table 交叉表: who met whom, and how it ended for the one in whose line it stands.

Up to 40 entries in a square, a group 小组 at a time where the stage has groups; more of them line by line,
with the opponents of each round written out, since nobody can read a square of 200.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

from tournament.models import Publication
from tournament.queries.bracket_names import stage_title
from tournament.queries.payloads import points_json, points_of
from tournament.queries.public_match import has_matches
from tournament.queries.published import Published

What = Publication.What
Context = dict[str, Any]

#: The most entries in a square, and lines on a page of the long form.
SQUARE = 40


@dataclass(frozen=True)
class Meeting:
    """One entry against another: ``ahead`` is its result less the other's, None while it is not known."""

    round: int
    stage: int
    match: int
    table: int
    entry: int
    other: int
    ahead: Fraction | None

    def shown(self) -> Context:
        """For a template: the difference, and how it went as a word (won, lost, even, or none)."""
        word = "" if self.ahead is None else "won" if self.ahead > 0 else "lost" if self.ahead < 0 else "even"
        return {
            "round": self.round,
            "match": self.match,
            "table": self.table,
            "other": self.other,
            "ahead": points_json(self.ahead),
            "word": word,
        }


def cross_page(published: Published, part: int = 1) -> Context | None:
    """The cross-table of an event; ``part`` counts from 1 where the lines need several."""
    found = meetings(published.load_all())
    if not found:
        return None
    ranks = _ranks(published)
    entries = sorted(
        {one.entry for one in found}, key=lambda entry: (ranks.get(entry, len(ranks) + 1), entry)
    )
    names = published.entries
    parts = _groups(published, found, entries)
    last = max(1, -(-len(entries) // SQUARE)) if len(entries) > SQUARE and not parts else 1
    if not 1 <= part <= last:
        return None
    context: Context = {
        "two_sided": has_matches(published),
        "page": part,
        "pages": list(range(1, last + 1)),
        "squares": [],
        "lines": None,
    }
    if parts:
        context["squares"] = [
            {"title": title, **_square(members, own, names, places)} for title, members, own, places in parts
        ]
    elif len(entries) <= SQUARE:
        context["squares"] = [{"title": None, **_square(entries, found, names, ranks)}]
    else:
        on_page = entries[(part - 1) * SQUARE : part * SQUARE]
        context["lines"] = _lines(on_page, found, names, ranks)
        context["first"], context["last"] = (part - 1) * SQUARE + 1, (part - 1) * SQUARE + len(on_page)
    return context


def meetings(published: Published) -> list[Meeting]:
    """Every published encounter, once from each side, by round and table."""
    found = []
    for number in published.rounds():
        payload = published.payload(What.RESULTS, number) or published.payload(What.DRAW, number)
        if payload is not None:
            found += _meetings(number, payload)
    return found


def _meetings(number: int, payload: Context) -> list[Meeting]:
    """Of one round; both tables of a team match are one encounter."""
    stage = payload.get("stage", {}).get("number", 1)
    together: dict[int, list[Context]] = defaultdict(list)
    for table in payload["tables"]:
        together[table["match"]].append(table)
    found = []
    for match, tables in together.items():
        values = _values(tables)
        first = tables[0]
        at = dict.fromkeys([*first["sides"], *(seat["entry"] for seat in first["seats"])])
        for entry, other in permutations(at, 2):
            own, its = values.get(entry), values.get(other)
            ahead = None if own is None or its is None else own - its
            found.append(Meeting(number, stage, match, first["number"], entry, other, ahead))
    return found


def _values(tables: Sequence[Context]) -> dict[int, Fraction | None]:
    """What each entry has from all tables of a match, None while one of them has no result for it."""
    values: dict[int, Fraction | None] = {}
    for table in tables:
        for line in table.get("lines", ()):
            value, before = points_of(line["value"]), values.get(line["entry"], Fraction(0))
            values[line["entry"]] = None if value is None or before is None else before + Fraction(value)
    return values


def _ranks(published: Published) -> dict[int, int]:
    latest = published.latest_standings
    payload = published.payload(What.STANDINGS, latest) if latest is not None else None
    return _ranked(payload["rows"]) if payload else {}


def _places(published: Published) -> dict[tuple[int, int], dict[int, int]]:
    """Ranks within groups, by number of stage and group."""
    latest = published.latest_standings
    payload = published.payload(What.STANDINGS, latest) if latest is not None else None
    return {
        (group["stage"], group["group"]): _ranked(group["rows"])
        for group in (payload or {}).get("groups", ())
    }


def _ranked(rows: Sequence[Context]) -> dict[int, int]:
    """By entry the rank, of those who have one: a disqualified entry has none."""
    return {row["entry"]: row["rank"] for row in rows if row["rank"] is not None}


def _groups(
    published: Published, found: Sequence[Meeting], entries: Sequence[int]
) -> list[tuple[Context, list[int], list[Meeting], dict[int, int]]]:
    """The groups of every stage that has them: which, its members in order, what they played there, and
    their ranks in the group.
    """
    places = _places(published)
    stages: dict[int, Context] = {}
    for number in published.rounds():
        payload = published.payload(What.RESULTS, number) or published.payload(What.DRAW, number)
        stage = payload.get("stage") if payload else None
        if stage and stage["groups"]:
            stages[stage["number"]] = stage
    parts = []
    for stage in stages.values():
        for place, members in enumerate(stage["groups"], start=1):
            own = [
                one for one in found if one.stage == stage["number"] and {one.entry, one.other} <= {*members}
            ]
            ranks = places.get((stage["number"], place), {})
            inside = sorted(
                (entry for entry in entries if entry in members),
                key=lambda entry: ranks.get(entry) or len(members) + 1,
            )
            if inside:
                title = stage_title(stage["name"], stage["number"]) if len(stages) > 1 else ""
                parts.append(({"stage": title, "group": place}, inside, own, ranks))
    return parts


def _square(
    entries: Sequence[int], found: Iterable[Meeting], names: Mapping[int, Context], ranks: Mapping[int, int]
) -> Context:
    cells: dict[tuple[int, int], list[Context]] = defaultdict(list)
    for one in found:
        cells[one.entry, one.other].append(one.shown())
    return {
        "columns": [{"entry": entry, "info": names[entry]} for entry in entries],
        "rows": [
            {
                "entry": entry,
                "info": names[entry],
                "rank": ranks.get(entry),
                "cells": [
                    {"self": entry == other, "meetings": cells.get((entry, other), ())} for other in entries
                ],
            }
            for entry in entries
        ],
    }


def _lines(
    entries: Sequence[int], found: Iterable[Meeting], names: Mapping[int, Context], ranks: Mapping[int, int]
) -> Context:
    """The long form: for each entry the rounds, and in each whom it met."""
    wanted = set(entries)
    cells: dict[tuple[int, int], list[Context]] = defaultdict(list)
    rounds = set()
    for one in found:
        rounds.add(one.round)
        if one.entry in wanted:
            cells[one.entry, one.round].append(one.shown() | {"info": names[one.other]})
    numbers = sorted(rounds)
    return {
        "rounds": numbers,
        "rows": [
            {
                "entry": entry,
                "info": names[entry],
                "rank": ranks.get(entry),
                "cells": [
                    {"round": number, "meetings": cells.get((entry, number), ())} for number in numbers
                ],
            }
            for entry in entries
        ],
    }
