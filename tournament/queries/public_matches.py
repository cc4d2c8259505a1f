"""Score sheets and team matches of the public pages, put together from payloads alone.

A score sheet follows an entry through the segments 节, whatever seat it has in each; a team match adds up its
two tables and, where they play the same deals, compares them deal by deal.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tournament.queries.payloads import points_json, points_of

Context = dict[str, Any]


def seats_of_deal(table: Context, deal: Context) -> list[Context]:
    """The seats of the deal's segment, with the players who played that deal."""
    by_segment = {one["number"]: one["seats"] for one in table["segments"]}
    seats = by_segment.get(deal["segment"], table["seated"])
    changes = [one for one in table.get("substitutions", ()) if one["segment"] == deal["segment"]]
    found = []
    for seat in seats:
        # The first of them that came after the deal names the one who played it.
        later = [
            one
            for one in changes
            if one["direction"] == seat["direction"] and one["after"] >= deal["dealing"]
        ]
        found.append(seat | {"player": later[0]["out"]} if later else seat)
    return found


def score_sheet(table: Context, deals: Sequence[Context]) -> Context:
    """The columns of a table's score sheet, a row for each deal, subtotals by segment, and totals.

    A column is an entry: partners always have the same figures, so a side of two is one column.
    """
    columns = _columns(table)
    totals: dict[int, Fraction] = defaultdict(Fraction)
    parts: dict[int, dict[int, Fraction]] = {}
    several = len(table["segments"]) > 1
    rows: list[Context] = []
    segment = None
    for deal in deals:
        row = {"deal": deal, "points": [], "segment": None}
        if several and deal["segment"] != segment:
            row["segment"] = segment = deal["segment"]
        if deal["played"]:
            part = parts.setdefault(deal["segment"], defaultdict(Fraction))
            for column in columns:
                points = deal["credited"][column["places"][deal["segment"]]]
                row["points"].append(points)
                if deal["counts"]:
                    totals[column["entry"]] += Fraction(points)
                    part[column["entry"]] += Fraction(points)
        rows.append(row)
    return {
        "columns": columns,
        "rows": rows,
        "subtotals": [
            {"segment": number, "points": [points_json(part[one["entry"]]) for one in columns]}
            for number, part in sorted(parts.items())
        ]
        if several
        else [],
        "totals": [points_json(totals[one["entry"]]) for one in columns],
    }


def _columns(table: Context) -> list[Context]:
    """Every entry at the table with its seat in each segment; the seats shown are those it never leaves."""
    pairs = all(len(line["directions"]) > 1 for line in table["lines"])
    columns = []
    for line in table["lines"]:
        places = {
            one["number"]: [seat["direction"] for seat in one["seats"] if seat["entry"] == line["entry"]]
            for one in table["segments"]
        }
        if not all(places.values()):
            continue
        kept = {tuple(directions) for directions in places.values()}
        player = next(seat["player"] for seat in table["seated"] if seat["entry"] == line["entry"])
        columns.append(
            {
                "entry": line["entry"],
                "name": line["info"]["name"] if pairs else player,
                "directions": line["directions"] if len(kept) == 1 else [],
                "places": {number: directions[0] for number, directions in places.items()},
                "order": _place(table, line["entry"]),
            }
        )
    return columns if pairs else sorted(columns, key=lambda column: column["order"])


def _place(table: Context, entry: int) -> int:
    return next(place for place, seat in enumerate(table["seated"]) if seat["entry"] == entry)


def team_matches(tables: Sequence[Context], duplicate: bool) -> list[Context]:
    """The matches that have more than one table: totals of each side, and duplicate deals compared."""
    grouped: dict[int, list[Context]] = defaultdict(list)
    for table in tables:
        grouped[table["match"]].append(table)
    return [
        _match(number, at_tables, duplicate)
        for number, at_tables in sorted(grouped.items())
        if len(at_tables) > 1
    ]


def _match(number: int, tables: Sequence[Context], duplicate: bool) -> Context:
    sides = []
    for line in tables[0]["lines"]:
        own = [one for table in tables for one in table["lines"] if one["entry"] == line["entry"]]
        sides.append(
            {
                "entry": line["entry"],
                "info": line["info"],
                "points": sum_of(own, "points"),
                "value": sum_of(own, "value"),
            }
        )
    return {
        "number": number,
        "tables": [table["number"] for table in tables],
        "complete": all(table.get("complete") for table in tables),
        "sides": sides,
        "compared": _compared(tables, sides) if duplicate else None,
    }


def sum_of(lines: Sequence[Context], name: str) -> int | str | None:
    """The sum of a figure, points as in a payload, over tables; None while it is missing at one of them."""
    figures = [points_of(line.get(name)) for line in lines]
    if any(figure is None for figure in figures):
        return None
    return points_json(sum((figure or 0 for figure in figures), start=0))


def _compared(tables: Sequence[Context], sides: Sequence[Context]) -> Context | None:
    """Deals that every table has played, and which side each was worth something to."""
    played = [
        {
            deal["number"]: _net(table, deal, sides[0]["entry"])
            for deal in table["deals"]
            if deal["played"] and deal.get("counts", True)
        }
        for table in tables
        if table.get("deals") is not None
    ]
    if len(played) < len(tables):
        return None
    rows = []
    totals = [Fraction(0), Fraction(0)]
    for number in sorted(set.intersection(*(set(one) for one in played))):
        nets = [one[number] for one in played]
        swing = sum(nets, start=Fraction(0))
        ahead = [max(swing, Fraction(0)), max(-swing, Fraction(0))]
        totals = [total + part for total, part in zip(totals, ahead, strict=True)]
        rows.append(
            {
                "number": number,
                "tables": [points_json(net) for net in nets],
                "ahead": [points_json(part) if part else None for part in ahead],
            }
        )
    return {"rows": rows, "totals": [points_json(total) for total in totals]} if rows else None


def _net(table: Context, deal: Mapping[str, Any], entry: int) -> Fraction:
    """What a deal gives an entry: its side's points less the other side's."""
    seats = next(one["seats"] for one in table["segments"] if one["number"] == deal["segment"])
    own = next(seat["direction"] for seat in seats if seat["entry"] == entry)
    other = next(seat["direction"] for seat in seats if seat["entry"] != entry)
    return Fraction(deal["credited"][own]) - Fraction(deal["credited"][other])
