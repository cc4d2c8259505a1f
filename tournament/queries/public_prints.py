"""What is printed from publications: seats by name, a wall chart, score sheets, certificates 证书."""

from collections import defaultdict
from datetime import date
from typing import Any

from tournament.models import Publication
from tournament.queries.names import pinyin_of
from tournament.queries.public_match import has_matches
from tournament.queries.public_pages import standings_page
from tournament.queries.public_tables import entry_info, named_table
from tournament.queries.published import Published

What = Publication.What
Context = dict[str, Any]

#: Lines of a blank score sheet where the plan does not say how many deals a table plays.
_LINES = 20
#: The most lines that one sheet of paper takes.
_MOST_LINES = 32


def seats_print(published: Published, number: int) -> Context | None:
    """Everybody of a round by name: pinyin orders and heads Chinese names, letters the others."""
    payload = published.payload(What.DRAW, number)
    if payload is None:
        return None
    found = []
    for table in payload["tables"]:
        for seat in table["seats"]:
            if seat["segment"] == 1:
                info = entry_info(payload["entries"], seat["entry"])
                team = "" if info["players"] == [info["name"]] else info["name"]
                found.append(
                    {
                        "name": seat["player"],
                        "team": team or info["club"],
                        "table": table["number"],
                        "direction": seat["direction"],
                        "seats": table["seats"],
                    }
                )
    found += [
        {"name": name, "team": "", "table": None, "direction": None}
        for one in payload["byes"]
        for name in entry_info(payload["entries"], one["entry"])["players"]
    ]
    groups: dict[str, list[Context]] = defaultdict(list)
    for person in sorted(found, key=lambda one: (pinyin_of(one["name"]), one["name"], one["table"] or 0)):
        first = pinyin_of(person["name"])[:1].upper()
        groups[first if first.isalpha() else "#"].append(person)
    return {
        "number": number,
        "groups": [{"letter": letter, "people": people} for letter, people in sorted(groups.items())],
        "publication": published.publication(What.DRAW, number),
    }


def wall_print(published: Published, number: int) -> Context | None:
    """The pairings of a round by table, large enough for a wall."""
    payload = published.payload(What.DRAW, number)
    if payload is None:
        return None
    return {
        "number": number,
        "tables": [named_table(table, payload["entries"]) for table in payload["tables"]],
        "byes": [entry_info(payload["entries"], one["entry"]) for one in payload["byes"]],
        "two_sided": has_matches(published),
        "publication": published.publication(What.DRAW, number),
    }


def sheets_print(published: Published, number: int) -> Context | None:
    """A blank score sheet for each table of a round, with the names of who sits there."""
    context = wall_print(published, number)
    if context is None:
        return None
    plan = published.terms(number).plan
    lines = min(plan.deals if plan.kind == "set" else _LINES, _MOST_LINES)
    return context | {"lines": range(1, lines + 1)}


def certificates_print(published: Published, after: int) -> Context | None:
    """A certificate for each entry of the standings after a round, best first; those who left have none."""
    context = standings_page(published, after)
    if context is None:
        return None
    publication = context["publication"]
    zone = published.event.tournament.tz
    day: date = published.event.tournament.ends_on or publication.published_at.astimezone(zone).date()
    return {
        "after": after,
        "complete": context["complete"],
        "rows": [row for row in context["rows"] if not row["withdrawn"] and row["rank"] is not None],
        "day": day,
    }
