"""What each public page of an event shows, put together from publications alone.

Each function returns the page's context, or None where nothing is published for that address.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from scoring.labels import ruleset_title
from tournament.models import Publication
from tournament.queries.appeals import appeal_deadline
from tournament.queries.bracket_names import stage_title
from tournament.queries.notices import public_announcements
from tournament.queries.plans import describe_terms, event_terms, stage_terms, unlike_rounds
from tournament.queries.public_matches import sum_of, team_matches
from tournament.queries.public_tables import (
    entries_at,
    entry_info,
    has_own_values,
    members_of,
    named_deals,
    named_penalties,
    named_table,
)
from tournament.queries.published import Published

What = Publication.What
Context = dict[str, Any]

#: Lines of the standings on the event's own page.
TOP = 8


def event_page(published: Published) -> Context:
    """The event's own page: its rounds, newest first, and the head of the standings."""
    rounds = [
        {
            "number": number,
            "draw": published.publication(What.DRAW, number),
            "results": published.publication(What.RESULTS, number),
            "standings": published.publication(What.STANDINGS, number),
        }
        for number in reversed(published.rounds())
    ]
    latest = published.latest_standings
    top = _standings(published, latest) if latest is not None else None
    if top:
        top["more"] = max(0, len(top["rows"]) - TOP)
        top["rows"] = top["rows"][:TOP]
    event = published.event
    return {
        "ruleset": ruleset_title(event.ruleset_version.data),
        "plan": describe_terms(event_terms(event)),
        "stages": _stages_told(published),
        "rounds": rounds,
        "top": top,
        "current_round": rounds[0]["number"] if rounds else None,
        "notes": _notes(published),
        "announcements": public_announcements(event.tournament, event),
    }


def round_page(published: Published, number: int) -> Context | None:
    """Pairings, seats and, where published, results of a round."""
    draw = published.payload(What.DRAW, number)
    results = published.payload(What.RESULTS, number)
    shown = results or draw
    if shown is None:
        return None
    entries = shown["entries"]
    tables = [named_table(table, entries) for table in shown["tables"]]
    terms = published.terms(number)
    return {
        "number": number,
        "terms": terms,
        "plan": describe_terms(terms),
        "other_rounds": published.rounds(),
        "draw": published.publication(What.DRAW, number),
        "results": published.publication(What.RESULTS, number),
        "taken_off": published.taken_off(What.RESULTS, number),
        "complete": bool(results and results["complete"]),
        "tables": tables,
        "matches": team_matches(tables, terms.duplicate),
        "own_values": has_own_values(published, terms),
        "byes": [bye | {"info": entry_info(entries, bye["entry"])} for bye in shown["byes"]],
        "penalties": named_penalties(results),
        "has_standings": published.publication(What.STANDINGS, number) is not None,
    }


def table_page(published: Published, number: int, table: int) -> Context | None:
    """One table of a round: who sits where, its checked deals with cards, scores and formulas."""
    payload = published.payload(What.RESULTS, number) or published.payload(What.DRAW, number)
    found = next((one for one in payload["tables"] if one["number"] == table), None) if payload else None
    if payload is None or found is None:
        return None
    shown = named_table(found, payload["entries"])
    together = [
        named_table(one, payload["entries"]) for one in payload["tables"] if one["match"] == found["match"]
    ]
    at_table = {line["entry"] for line in shown["lines"]}
    numbers = [one["number"] for one in payload["tables"]]
    here = numbers.index(table)
    terms = published.terms(number)
    return {
        "number": number,
        "terms": terms,
        "table": shown,
        "results": published.publication(What.RESULTS, number),
        "deals": named_deals(shown, found.get("deals", ())),
        "match": next(iter(team_matches(together, terms.duplicate)), None),
        "own_values": has_own_values(published, terms),
        "penalties": [one for one in named_penalties(payload) if one["entry"] in at_table],
        "appeals_until": _appeals_until(published, number) if found.get("deals") else None,
        "previous_table": numbers[here - 1] if here else None,
        "next_table": numbers[here + 1] if here + 1 < len(numbers) else None,
    }


def _appeals_until(published: Published, number: int) -> datetime | None:
    results = published.publication(What.RESULTS, number)
    return appeal_deadline(published.event, results) if results else None


def standings_page(published: Published, after: int | None = None) -> Context | None:
    """The standings after a round; None takes the newest published."""
    latest = published.latest_standings
    if latest is None:
        off = published.taken_off(What.STANDINGS)
        return {"after": None, "versions": [], "taken_off": off} if after is None else None
    context = _standings(published, latest if after is None else after)
    if context is None:
        return None
    return context | {
        "others": published.rounds(What.STANDINGS),
        "is_latest": after in (None, latest),
    }


def entry_page(published: Published, number: int) -> Context | None:
    """One entry: rank, and round by round its seats, opponents, results and penalties."""
    info = published.load_all().entries.get(number)
    if info is None:
        return None
    rounds = [entry_round(published, round_number, number) for round_number in published.rounds()]
    latest = published.latest_standings
    row, standing_for = None, {}
    if latest is not None:
        payload = published.payload(What.STANDINGS, latest)
        row = next((one for one in payload["rows"] if one["entry"] == number), None)
        standing_for = replaced_results(row, payload["rounds"], published.rounds()) if row else {}
    return {
        "entry_number": number,
        "info": info,
        "members": members_of(info),
        "rounds": [one | {"replaced": standing_for.get(one["number"])} for one in rounds if one],
        "row": row,
        "staged": latest is not None and payload.get("staged", False),
        "row_after": latest,
        "row_count": len(published.payload(What.STANDINGS, latest)["rows"]) if latest is not None else 0,
    }


def replaced_results(row: Context, counted: Sequence[int], rounds: Sequence[int]) -> dict[int, Context]:
    """By round, what the standings count instead of what an entry played: nothing, or a stated score.

    ``row`` is the entry's line of the standings, ``counted`` the rounds they are made of. Rounds of which
    only the results are published are annulled too, where everything from an earlier round on is.
    """
    found = {}
    for number, cell in zip(counted, row["cells"], strict=True):
        if cell.get("annulled") or cell.get("walkover"):
            found[number] = {"annulled": bool(cell.get("annulled")), "value": cell["value"]}
    first = row.get("annulled_from")
    for number in rounds:
        if first is not None and number >= first and number not in counted:
            found[number] = {"annulled": True, "value": None}
    return found


def _stages_told(published: Published) -> list[Context]:
    """The stages, where their rounds are not all played alike; none where they are."""
    told = [
        {"title": stage_title(one.name, one.number), "plan": describe_terms(terms), "terms": terms}
        for one in published.event.stages.select_related("event__ruleset_version").order_by("number")
        for terms in [stage_terms(one)]
    ]
    first = event_terms(published.event)
    return told if any(one["terms"] != first for one in told) else []


def _notes(published: Published) -> list[Publication]:
    """Publications that replace an earlier version and say why, the newest first."""
    found = [
        publication
        for number in published.rounds()
        for what in What
        if (publication := published.publication(what, number)) and publication.version > 1
    ]
    return sorted((one for one in found if one.note), key=lambda one: one.published_at, reverse=True)[:5]


def _standings(published: Published, after: int) -> Context | None:
    payload = published.payload(What.STANDINGS, after)
    if payload is None:
        return None
    shared = Counter(row["rank"] for row in payload["rows"])
    # Written once for all rows: a table of 200 entries has thousands of cells.
    labels = [gettext("R%(round_number)s") % {"round_number": number} for number in payload["rounds"]]
    return {
        "after": after,
        "rounds": payload["rounds"],
        "labels": labels,
        "complete": payload["complete"],
        "publication": published.publication(What.STANDINGS, after),
        "has_start": any(row["start"] for row in payload["rows"]),
        "penalties": named_penalties(payload),
        "has_penalties": any(row["penalties"] for row in payload["rows"]),
        "criteria": payload.get("criteria", ()),
        "unlike": unlike_rounds(published.event, payload["rounds"]),
        "staged": payload.get("staged", False),
        "groups": [
            group
            | {
                "title": stage_title(group["name"], group["stage"]) if payload.get("staged") else "",
                "rows": [
                    row | {"info": entry_info(payload["entries"], row["entry"])} for row in group["rows"]
                ],
            }
            for group in payload.get("groups", ())
        ],
        "rows": [
            row
            | {
                "info": entry_info(payload["entries"], row["entry"]),
                "members": members_of(entry_info(payload["entries"], row["entry"])),
                "shared": row["rank"] is not None and shared[row["rank"]] > 1,
                "labelled": list(zip(labels, row["cells"], strict=True)),
            }
            for row in payload["rows"]
        ],
    }


def entry_round(published: Published, round_number: int, number: int) -> Context | None:
    """What one entry has in a round: its places at tables, its bye, its penalties; None where it has none."""
    results = published.payload(What.RESULTS, round_number)
    payload = results or published.payload(What.DRAW, round_number)
    if payload is None:
        return None
    entries = payload["entries"]
    tables = [named_table(one, entries) for one in payload["tables"] if number in entries_at(one)]
    bye = next((one for one in payload["byes"] if one["entry"] == number), None)
    penalties = [one for one in named_penalties(results) if one["entry"] == number]
    if not tables and bye is None and not penalties:
        return None
    places = []
    for table in tables:
        own = next((line for line in table["lines"] if line["entry"] == number), {})
        others = [line for line in table["lines"] if line["entry"] != number]
        seats = [seat for seat in table["seated"] if seat["entry"] == number]
        places.append({"table": table, "line": own, "others": others, "seats": seats})
    terms, lines = published.terms(round_number), [place["line"] for place in places]
    return {
        "number": round_number,
        "terms": terms,
        "own_values": has_own_values(published, terms),
        "places": places,
        "together": {
            "points": sum_of(lines, "points"),
            "value": sum_of(lines, "value"),
            "complete": all(line.get("complete") for line in lines),
        },
        "bye": bye,
        "penalties": penalties,
        "has_results": results is not None,
    }
