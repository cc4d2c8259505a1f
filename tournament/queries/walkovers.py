"""Walkovers 弃权 on record: who did not come, and what the match is worth instead of its deals."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tournament.models import Entry, Match, MatchSide, Seat, WalkoverScore
from tournament.ranking.points import Points


@dataclass(frozen=True)
class WalkoverFacts:
    """By entry id what each has; ``absent`` are the ids of those who did not come."""

    scores: Mapping[int, Points]
    absent: frozenset[int]
    met: bool


def walkovers_of(matches: Iterable[int] | Any) -> dict[int, WalkoverFacts]:
    """By match id, the walkovers among these matches (ids, or a query for them). One query."""
    scores: defaultdict[int, dict[int, Points]] = defaultdict(dict)
    absent: defaultdict[int, set[int]] = defaultdict(set)
    met: dict[int, bool] = {}
    found = WalkoverScore.objects.filter(walkover__match__in=matches)
    for match, counts, entry, points, away in found.values_list(
        "walkover__match", "walkover__met", "entry", "points", "absent"
    ):
        scores[match][entry] = points
        met[match] = counts
        if away:
            absent[match].add(entry)
    return {match: WalkoverFacts(scores[match], frozenset(absent[match]), met[match]) for match in scores}


def entries_in(match: Match) -> list[Entry]:
    """Who plays in a match, by number: its sides, or all at a table of singles; house players left out."""
    sides = MatchSide.objects.filter(match=match).values_list("entry", flat=True)
    seated = Seat.objects.filter(table__match=match).values_list("entry", flat=True)
    wanted = {*sides, *seated}
    return list(Entry.objects.filter(pk__in=wanted, house=False).order_by("number"))
