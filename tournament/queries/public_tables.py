"""Parts of public pages put together from payloads: tables, deals and penalties with the names in them."""

from collections import defaultdict
from typing import Any

from scoring.messages import side_order
from tournament.queries.plans import Terms
from tournament.queries.public_matches import score_sheet, seats_of_deal
from tournament.queries.published import Published

Context = dict[str, Any]

#: A row of an entry that no payload names cannot occur; should it, the page still stands.
_UNKNOWN: Context = {"name": "?", "club": "", "players": []}


def counts(deal: Context) -> bool:
    """Whether a deal of a payload counts: not where it was played after the end (see payloads)."""
    return deal.get("counts", True)


def has_own_values(published: Published, terms: Terms) -> bool:
    """Whether a table has a result of its own: a team match has its victory points from both together."""
    event = published.event
    return event.kind != event.Kind.TEAMS or terms.measure != event.Measure.VICTORY_POINTS


def entry_info(entries: Context, number: int) -> Context:
    """Name, club and players of an entry, from a payload's list of entries."""
    return entries.get(str(number), _UNKNOWN)


def members_of(info: Context) -> list[str]:
    """Players' names where they say more than the entry's own."""
    # A pair is mostly called by its players' names.
    return [] if all(name in info["name"] for name in info["players"]) else info["players"]


def named_table(table: Context, entries: Context) -> Context:
    """A table with names: seats by segment, and a line for each entry."""
    lines = table.get("lines") or [{"entry": number} for number in entries_at(table)]
    segments: dict[int, list[Context]] = defaultdict(list)
    for seat in table["seats"]:
        info = entry_info(entries, seat["entry"])
        line = next((one for one in lines if one["entry"] == seat["entry"]), {})
        segments[seat["segment"]].append(seat | {"info": info, "line": line})
    first = segments[min(segments)] if segments else []
    return table | {
        "segments": [{"number": key, "seats": value} for key, value in sorted(segments.items())],
        "seated": first,
        "lines": [
            line
            | {
                "info": entry_info(entries, line["entry"]),
                "members": members_of(entry_info(entries, line["entry"])),
                "directions": [seat["direction"] for seat in first if seat["entry"] == line["entry"]],
            }
            for line in lines
        ],
        "played": len([deal for deal in table.get("deals", ()) if deal["played"] and counts(deal)]),
    }


def entries_at(table: Context) -> list[int]:
    """Numbers of the entries at a table of a payload, sides first."""
    return list(dict.fromkeys([*table["sides"], *(seat["entry"] for seat in table["seats"])]))


def named_penalties(results: Context | None) -> list[Context]:
    """The penalties of a payload with their entries' names; none where nothing is published."""
    if not results:
        return []
    return [
        one | {"info": entry_info(results["entries"], one["entry"])} for one in results.get("penalties", ())
    ]


def named_deals(table: Context, deals: Any) -> Context:
    """Deals with names at their seats, and the table's score sheet."""
    shown = []
    for deal in deals:
        line = deal | {"rows": [], "counts": counts(deal)}
        if deal["played"]:
            seats = seats_of_deal(table, deal)
            line["rows"] = [_seat_of_deal(deal, seat) for seat in seats]
            line["differs"] = any(row["score"] != row["credited"] for row in line["rows"])
            line["split"] = _split(deal, seats)
        shown.append(line)
    return {
        "list": shown,
        "sheet": score_sheet(table, shown),
        "any_played": any(deal["played"] for deal in deals),
    }


def _seat_of_deal(deal: Context, seat: Context) -> Context:
    """What one seat took, showed and scored in a deal."""
    direction = seat["direction"]
    return seat | {
        "captures": deal["captures"].get(direction, []),
        "exposed": [one for one in deal["exposed"] if one["seat"] == direction],
        "score": deal["scores"][direction],
        "credited": deal["credited"][direction],
        "formula": deal["formula"].get(direction, ""),
        "flags": deal["flags"].get(direction, {}),
    }


def _split(deal: Context, seats: list[Context]) -> list[Context]:
    """The sides of a deal where seats play together, with what each side is credited."""
    if all(len(side) == 1 for side in deal["sides"]):
        return []  # everybody for themselves
    names = {seat["direction"]: seat["player"] for seat in seats}
    return [
        {
            "seats": side,
            "names": [names.get(seat, seat) for seat in side],
            "credited": deal["credited"][side[0]],
        }
        for side in map(side_order, deal["sides"])
    ]
