"""Statistics of an event from its published deals: all hearts 全红, grand slams 满贯, pigs 猪, exposures.

A seat's captures belong to the entry that sat there; in a partnership either partner's. What an exposure was
worth is scoring.engine.worth's arithmetic: it paid above 0 and cost below.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.engine import DealRecord, Ruleset
from scoring.engine.cards import PIG, SHEEP, TRANSFORMER, split_copy
from scoring.engine.worth import exposure_worth
from tournament.queries.payloads import points_json
from tournament.queries.public_deals import PublishedDeal, published_deals
from tournament.queries.published import Published

Context = dict[str, Any]

#: The extreme deals that are listed.
_RECORDS = 5


@dataclass
class Tally:
    """What one entry, or everybody together, did in the deals. Figures of exposures are points."""

    deals: int = 0
    credited: Fraction = Fraction(0)
    pigs: int = 0
    sheep: int = 0
    transformers: int = 0
    all_hearts: int = 0
    grand_slams: int = 0
    shown: int = 0
    paid: int = 0
    cost: int = 0
    worth: Fraction = Fraction(0)
    best: Fraction | None = None
    worst: Fraction | None = None

    @property
    def average(self) -> Fraction | None:
        """Points a deal, to a tenth of a point."""
        return round(self.credited / self.deals, 1) if self.deals else None


@dataclass
class Statistics:
    """Everybody's tally, each entry's, and the deals that are told of."""

    everybody: Tally = field(default_factory=Tally)
    by_entry: dict[int, Tally] = field(default_factory=lambda: defaultdict(Tally))
    all_hearts: list[Context] = field(default_factory=list)
    grand_slams: list[Context] = field(default_factory=list)
    scores: list[Context] = field(default_factory=list)
    exposures: list[Context] = field(default_factory=list)


@dataclass(frozen=True)
class Column:
    """A figure of the table of entries: its word in the address, its heading, and which end comes first."""

    key: str
    title: Any
    figure: Callable[[Tally], Any]
    lowest_first: bool = False


COLUMNS = (
    Column("deals", _("deals"), lambda tally: tally.deals),
    Column("average", _("points per deal"), lambda tally: tally.average),
    Column("best", _("best deal"), lambda tally: tally.best),
    Column("worst", _("worst deal"), lambda tally: tally.worst, lowest_first=True),
    Column("pigs", _("pigs"), lambda tally: tally.pigs),
    Column("sheep", _("sheep"), lambda tally: tally.sheep),
    Column("transformers", _("transformers"), lambda tally: tally.transformers),
    Column("all-hearts", _("all hearts"), lambda tally: tally.all_hearts),
    Column("grand-slams", _("grand slams"), lambda tally: tally.grand_slams),
    Column("shown", _("cards shown"), lambda tally: tally.shown),
    Column("paid", _("paid"), lambda tally: tally.paid),
    Column("cost", _("cost"), lambda tally: tally.cost),
    Column("worth", _("points from showing"), lambda tally: tally.worth),
)
#: Columns without a meaning where nobody has shown a card.
_OF_EXPOSURES = frozenset({"shown", "paid", "cost", "worth"})


def statistics_page(published: Published, order: str = "average") -> Context | None:
    """The statistics, entries in the order of one of the COLUMNS; None before the first result."""
    if all(one.key != order for one in COLUMNS):
        return None
    found = count_deals(published.load_all())
    if not found.everybody.deals:
        return None
    columns = columns_of(found)
    chosen = next(one for one in COLUMNS if one.key == order)
    ordered = sorted(found.by_entry)
    ordered.sort(key=lambda one: chosen.figure(found.by_entry[one]), reverse=not chosen.lowest_first)
    best = sorted(found.scores, key=lambda one: one["points"], reverse=True)
    shown = sorted(found.exposures, key=lambda one: one["points"], reverse=True)
    return {
        "order": order,
        "everybody": found.everybody,
        "all_hearts": found.all_hearts,
        "grand_slams": found.grand_slams,
        "highest": _shown(best[:_RECORDS]),
        "lowest": _shown(best[: -_RECORDS - 1 : -1]),
        "paid_most": _shown([one for one in shown[:_RECORDS] if one["points"] > 0]),
        "cost_most": _shown([one for one in shown[: -_RECORDS - 1 : -1] if one["points"] < 0]),
        "columns": [
            {"key": one.key, "title": one.title, "lowest_first": one.lowest_first} for one in columns
        ],
        "rows": [
            {
                "entry": one,
                "info": published.entries[one],
                "cells": [_cell(column, found.by_entry[one], order) for column in columns],
            }
            for one in ordered
        ],
        "has_exposures": found.everybody.shown > 0,
    }


def columns_of(found: Statistics) -> list[Column]:
    """The figures that have a meaning for what was found."""
    return [one for one in COLUMNS if found.everybody.shown or one.key not in _OF_EXPOSURES]


def count_deals(published: Published) -> Statistics:
    """Counts everything in one pass over the published deals."""
    event = published.event
    rules = event.ruleset_version.ruleset()
    found = Statistics()
    for one in published_deals(published):
        _count_entries(one, found)
        for direction in one.seats:
            _count_seat(one, direction, found)
        _count_exposures(one, event.scoring_mode, rules, found)
    return found


def _tallies(one: PublishedDeal, direction: str, found: Statistics) -> tuple[Tally, Tally]:
    return found.everybody, found.by_entry[one.entry_at(direction)]


def _place(one: PublishedDeal, direction: str, points: Fraction) -> Context:
    seat = one.seats[direction]
    return {
        "round": one.round,
        "table": one.table,
        "deal": one.deal["number"],
        "entry": seat["entry"],
        "info": seat["info"],
        "player": seat["player"],
        "points": points,
    }


def _count_entries(one: PublishedDeal, found: Statistics) -> None:
    found.everybody.deals += 1
    for entry in dict.fromkeys(seat["entry"] for seat in one.seats.values()):
        tally, points = found.by_entry[entry], one.credited_to(entry) or Fraction(0)
        tally.deals += 1
        tally.credited += points
        tally.best = points if tally.best is None else max(tally.best, points)
        tally.worst = points if tally.worst is None else min(tally.worst, points)


def _count_seat(one: PublishedDeal, direction: str, found: Statistics) -> None:
    taken = [split_copy(card)[0] for card in one.deal["captures"].get(direction, ())]
    flags = one.deal["flags"].get(direction, {})
    slam = bool(flags.get("grand_slam"))
    # Who has everything has all hearts too; it is told of once, as the greater feat.
    hearts = bool(flags.get("all_hearts")) and not slam
    points = Fraction(one.deal["scores"][direction])
    for tally in _tallies(one, direction, found):
        tally.pigs += taken.count(PIG)
        tally.sheep += taken.count(SHEEP)
        tally.transformers += taken.count(TRANSFORMER)
        tally.all_hearts += hearts
        tally.grand_slams += slam
    place = _place(one, direction, points)
    found.scores.append(place)
    if slam:
        found.grand_slams.append(place)
    elif hearts:
        found.all_hearts.append(place)


def _count_exposures(one: PublishedDeal, mode: str, rules: Ruleset, found: Statistics) -> None:
    if not one.deal["exposed"]:
        return
    record = DealRecord.from_json(
        {
            "mode": mode,
            "captures": one.deal["captures"],
            "exposed": one.deal["exposed"],
            "held": one.deal["held"],
            "swap_pig_sheep": one.deal.get("swap_pig_sheep", False),
        }
    )
    for exposure, points in exposure_worth(record, rules):
        worth = Fraction(points)
        for tally in _tallies(one, exposure.seat, found):
            tally.shown += 1
            tally.paid += worth > 0
            tally.cost += worth < 0
            tally.worth += worth
        found.exposures.append(
            _place(one, exposure.seat, worth) | {"card": exposure.card, "kind": exposure.kind}
        )


def _shown(places: Sequence[Context]) -> list[Context]:
    return [one | {"points": points_json(one["points"])} for one in places]


def _cell(column: Column, tally: Tally, order: str) -> Context:
    value = column.figure(tally)
    decimal = column.key == "average"
    return {
        "value": float(value) if decimal else points_json(value),
        "decimal": decimal,
        "chosen": column.key == order,
    }
