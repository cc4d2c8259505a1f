"""What an entry's own page adds to its rounds: the line over its deals, and its place after each round."""

from collections import defaultdict
from collections.abc import Container
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext

from tournament.drawing.chart import score_line
from tournament.models import Publication
from tournament.queries.payloads import points_json, points_of
from tournament.queries.public_deals import PublishedDeal, published_deals
from tournament.queries.public_match import has_matches
from tournament.queries.public_matches import sum_of
from tournament.queries.public_pages import entry_page
from tournament.queries.published import Published

What = Publication.What
Context = dict[str, Any]

#: Fewer deals make no line worth looking at; with more, the dots on it are smaller.
_FEWEST = 2
_MANY = 64
#: Pixels that the name of a round takes.
_ROOM = 44


def whole_entry_page(published: Published, number: int) -> Context | None:
    """The page of one entry, with its score line and its rank after each round."""
    context = entry_page(published, number)
    if context is None:
        return None
    ranks = ranks_after(published, number)
    left_out = [
        one["number"]
        for one in context["rounds"]
        if one["replaced"] and any(place["table"].get("deals") for place in one["places"])
    ]
    rounds = [one | {"rank": ranks.get(one["number"])} for one in context["rounds"]]
    line = score_chart(published, number, without=left_out)
    return context | {
        "rounds": rounds,
        "line": line,
        "sum": total_of(context["row"], line),
        "left_out": left_out,
        "two_sided": has_matches(published),
    }


def total_of(row: Context | None, line: Context | None) -> Context | None:
    """What an entry's total is made of besides its deals, each part with its name; None where it is the deals
    alone, or where the standings count something that deals do not add up to.
    """
    if row is None:
        return None
    cells = row["cells"]
    parts = {
        gettext("sits out"): sum_of([cell for cell in cells if cell["bye"]], "value"),
        gettext("stated score"): sum_of([cell for cell in cells if cell.get("walkover")], "value"),
        gettext("at entry"): row["start"],
        gettext("penalties"): row["penalties"],
    }
    known = {name: points for name, value in parts.items() if (points := points_of(value))}
    deals = points_of(line["final"]) if line else None
    total = points_of(row["total"])
    if not known or deals is None or total != sum(known.values(), start=Fraction(deals)):
        return None
    others = [{"name": name, "points": points_json(points)} for name, points in known.items()]
    return {"deals": points_json(deals), "others": others, "total": row["total"]}


def ranks_after(published: Published, entry: int) -> dict[int, int]:
    """The entry's rank after each round of which standings are published."""
    ranks = {}
    for number in published.rounds(What.STANDINGS):
        payload = published.payload(What.STANDINGS, number)
        row = next((one for one in payload["rows"] if one["entry"] == entry), None) if payload else None
        if row is not None:
            ranks[number] = row["rank"]
    return ranks


def score_chart(published: Published, entry: int, *, without: Container[int] = ()) -> Context | None:
    """The running sum over an entry's deals: its points, or its lead over the other side; None without deals.

    Deals of the rounds ``without`` are left out: the standings count something else for them. Both tables of
    a team match go in the order in which their deals are numbered.
    """
    lead = has_matches(published)
    by_round: dict[int, list[PublishedDeal]] = defaultdict(list)
    for one in published_deals(published, entry):
        if one.round not in without:
            by_round[one.round].append(one)
    rounds = {
        number: sorted(deals, key=lambda one: (one.deal["order"], one.table))
        for number, deals in sorted(by_round.items())
    }
    points = [[_points(one, entry, lead=lead) for one in deals] for deals in rounds.values()]
    if sum(map(len, points)) < _FEWEST:
        return None
    chart = score_line(points, width=480, height=220, left=62, right=8)
    sums, running = [], Fraction(0)
    for one in (points for played in points for points in played):
        running += one
        sums.append(running)
    flat = [one for deals in rounds.values() for one in deals]
    return {
        "chart": chart,
        "lead": lead,
        "bands": [
            {
                "label": _band_label(number, band.right - band.left),
                "band": band,
                "width": round(band.right - band.left, 1),
                "shaded": place % 2 == 1,
            }
            for place, (number, band) in enumerate(zip(rounds, chart.bands, strict=True))
        ],
        "label_y": chart.height - 8,
        "scale_x": chart.left - 6,
        "radius": 3 if len(flat) <= _MANY else 1.5,
        "dots": [
            {
                "dot": dot,
                "round": one.round,
                "table": one.table,
                "deal": one.deal["number"],
                "points": points_json(gained),
                "sum": points_json(total),
            }
            for dot, one, gained, total in zip(
                chart.dots[1:], flat, (p for played in points for p in played), sums, strict=True
            )
        ],
        "deals": len(sums),
        "final": points_json(sums[-1]),
        "highest": points_json(max(sums)),
        "lowest": points_json(min(sums)),
    }


def _band_label(number: int, width: float) -> str:
    """The name of a round as far as there is room for it, in pixels."""
    if width >= _ROOM:
        return gettext("R%(round_number)s") % {"round_number": number}
    return str(number) if width >= _ROOM / 2 else ""


def _points(one: PublishedDeal, entry: int, *, lead: bool) -> Fraction:
    own = one.credited_to(entry) or Fraction(0)
    if not lead:
        return own
    others = {seat["entry"] for seat in one.seats.values()} - {entry}
    return own - sum((one.credited_to(other) or Fraction(0) for other in others), start=Fraction(0))
