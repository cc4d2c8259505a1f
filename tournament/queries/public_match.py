"""A match 场 between two sides: its tables together, deals compared, and what was decided otherwise."""

from collections.abc import Sequence
from typing import Any

from tournament.models import Event, Publication
from tournament.queries.payloads import points_of
from tournament.queries.public_matches import sum_of, team_matches
from tournament.queries.public_tables import (
    has_own_values,
    named_deals,
    named_penalties,
    named_table,
)
from tournament.queries.published import Published

What = Publication.What
Context = dict[str, Any]


def has_matches(published: Published) -> bool:
    """Whether two sides meet in this event: a table of single players is no match of its own."""
    return published.event.kind in (Event.Kind.PAIRS, Event.Kind.TEAMS)


def match_page(published: Published, number: int, match: int) -> Context | None:
    """A match of a round: result, line-ups and deals of each table, penalties of both sides."""
    payload = published.payload(What.RESULTS, number) or published.payload(What.DRAW, number)
    if payload is None or not has_matches(published):
        return None
    tables = [
        named_table(table, payload["entries"]) for table in payload["tables"] if table["match"] == match
    ]
    if not tables:
        return None
    sides = {line["entry"] for table in tables for line in table["lines"]}
    numbers = list(dict.fromkeys(table["match"] for table in payload["tables"]))
    here = numbers.index(match)
    results = published.publication(What.RESULTS, number)
    terms = published.terms(number)
    return {
        "number": number,
        "terms": terms,
        "match_number": match,
        "results": results,
        "sides": _sides(tables),
        "complete": all(table.get("complete") for table in tables),
        "decided": _decided(tables),
        "walkover": tables[0].get("walkover") if results else None,
        "compared": next((one["compared"] for one in team_matches(tables, terms.duplicate)), None),
        "table_numbers": [table["number"] for table in tables],
        "tables": [table | {"deals_shown": named_deals(table, table.get("deals", ()))} for table in tables],
        "several": len(tables) > 1,
        "own_values": has_own_values(published, terms),
        "penalties": [one for one in named_penalties(payload) if one["entry"] in sides],
        "bracket": tables[0].get("bracket"),
        "stage": payload.get("stage"),
        "previous_match": numbers[here - 1] if here else None,
        "next_match": numbers[here + 1] if here + 1 < len(numbers) else None,
    }


def _sides(tables: Sequence[Context]) -> list[Context]:
    """What each side has from all tables; None while a figure is missing at one of them."""
    sides = []
    for first in tables[0]["lines"]:
        own = [line for table in tables for line in table["lines"] if line["entry"] == first["entry"]]
        sides.append(
            {
                "entry": first["entry"],
                "info": first["info"],
                "members": first["members"],
                "points": sum_of(own, "points"),
                "value": sum_of(own, "value"),
            }
        )
    values = [points_of(side["value"]) for side in sides]
    for side, value in zip(sides, values, strict=True):
        known = [one for one in values if one is not None]
        side["ahead"] = len(known) > 1 and value == max(known) != min(known)
    return sides


def _decided(tables: Sequence[Context]) -> Context | None:
    """Whom the organiser has named as the winner, and why."""
    decided = tables[0].get("decided")
    if not decided:
        return None
    line = next(one for one in tables[0]["lines"] if one["entry"] == decided["winner"])
    return decided | {"info": line["info"]}
