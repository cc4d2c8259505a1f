"""Checks of what an organiser chooses about the structure of an event's rounds: segments 节, duplicate deals,
the table of victory points, place points. All are kept in ``Event.options``.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.engine import RulesetError
from scoring.engine.game import GamePlan
from scoring.engine.rounds import VPTable
from scoring.labels import ruleset_fault_text
from tournament.models import Event
from tournament.queries.segments import MOST_SEGMENTS, Change
from tournament.services.errors import Problem

#: Options that bear on results already recorded; they are frozen with the round plan.
STRUCTURE_OPTIONS = ("segments", "duplicate", "victory_points", "place_points")

#: Place points are for at most so many places, and whole numbers up to so much.
MOST_PLACES = 10
HIGHEST_PLACE_POINTS = 1000


def structure_faults(kind: str, plan: GamePlan, stated: Mapping[str, Any]) -> Iterator[Problem]:
    """Everything wrong with the segments and duplicate deals stated, for a kind of event and a round plan."""
    yield from _segment_faults(kind, plan, stated.get("segments") or {})
    if stated.get("duplicate") and kind != Event.Kind.TEAMS:
        yield Problem("duplicate_kind", _("Only teams play the same deals at two tables."), {}, "duplicate")
    elif stated.get("duplicate") and plan.kind != "set":
        yield Problem(
            "duplicate_plan",
            _("The same deals at both tables need a set of deals: a game may end sooner at one of them."),
            {},
            "duplicate",
        )


def points_faults(options: Mapping[str, Any]) -> Iterator[Problem]:
    """Everything wrong with the event's own tables of victory points and place points."""
    if options.get("victory_points"):
        yield from _victory_faults(options["victory_points"])
    if options.get("place_points"):
        yield from _place_faults(options["place_points"])


def _segment_faults(kind: str, plan: GamePlan, segments: Mapping[str, Any]) -> Iterator[Problem]:
    count = segments.get("count", 1)
    if not isinstance(count, int) or not 1 <= count <= MOST_SEGMENTS:
        yield Problem(
            "segments_range",
            _("The number of segments is from 1 to %(most)s."),
            {"most": MOST_SEGMENTS},
            "segments",
        )
        return
    if plan.kind == "set" and count > plan.deals:
        yield Problem(
            "segments_deals",
            _("A set of %(deals)s deals cannot have %(count)s segments."),
            {"deals": plan.deals, "count": count},
            "segments",
        )
    if plan.kind == "game" and count > plan.best_of:
        yield Problem(
            "segments_games",
            _("Segments change between games: a round of at most %(games)s cannot have %(count)s segments."),
            {"games": plan.best_of, "count": count},
            "segments",
        )
    change = segments.get("change", Change.KEEP)
    if change not in list(Change):
        yield Problem(
            "segment_change", _("“%(value)s” cannot change between segments."), {"value": change}, "change"
        )
    elif change == Change.PARTNERS and (kind != Event.Kind.CHANGING or plan.kind != "set"):
        # A game to a line belongs to two sides; with new partners there are others.
        yield Problem(
            "segment_partners",
            _("Partners change within a round only in sets of an event with changing partners."),
            {},
            "change",
        )
    elif change == Change.OPPONENTS and kind != Event.Kind.TEAMS:
        yield Problem("segment_opponents", _("Only teams have pairs that can exchange tables."), {}, "change")


def _victory_faults(rows: Any) -> Iterator[Problem]:
    try:
        VPTable.from_json(rows)
    except RulesetError as found:
        for fault in found.faults:
            yield Problem(fault.code, ruleset_fault_text(fault), {}, "victory_points")


def _place_faults(scale: Any) -> Iterator[Problem]:
    if not isinstance(scale, list) or not 2 <= len(scale) <= MOST_PLACES:
        yield Problem(
            "place_points_count",
            _("Place points are given for 2 to %(most)s places."),
            {"most": MOST_PLACES},
            "place_points",
        )
    elif not all(
        isinstance(one, int) and not isinstance(one, bool) and 0 <= one <= HIGHEST_PLACE_POINTS
        for one in scale
    ):
        yield Problem(
            "place_points_range",
            _("Place points are whole numbers from 0 to %(most)s."),
            {"most": HIGHEST_PLACE_POINTS},
            "place_points",
        )
    elif scale != sorted(scale, reverse=True) or scale[0] == scale[-1]:
        yield Problem(
            "place_points_order",
            _("Place points fall from the first place to the last."),
            {},
            "place_points",
        )
