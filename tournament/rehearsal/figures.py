"""What the draws of a whole event came to, counted from the rows as they are stored.

Counted anew rather than added up from what the draws say of themselves.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from tournament.models import Bye, Draw, Event, MatchSide, Seat
from tournament.queries.draw_formats import TWO_SIDED

T = TypeVar("T")
Points = int | Fraction
_FOUR = 4


@dataclass(frozen=True)
class DrawFigures:
    """The draws of an event, all rounds together.

    ``repeats``: meetings beyond the first of any two entries. ``byes``: rounds sat out, of all entries
    together. ``max_points_gap``: the most points between two at one table, with what they had before that
    round. ``seat_spread``: most minus fewest times that anybody sat in one direction at tables of four (of
    pairs and teams: on one side). ``club_clashes``: meetings within a club while clubs were to be kept apart.
    ``violations``: what the checker found, by its code.
    """

    repeats: int
    byes: int
    max_points_gap: Points
    seat_spread: int
    club_clashes: int
    violations: Counter[str]


def draw_figures(event: Event) -> DrawFigures:
    """Counts the published draws of an event. A constant number of queries."""
    draws = list(Draw.objects.filter(round__event=event, state=Draw.State.PUBLISHED))
    meetings = _meetings(event)
    return DrawFigures(
        repeats=sum(times - 1 for times in meetings.values()),
        byes=Bye.objects.filter(draw__in=draws).count(),
        max_points_gap=max((points_of(draw.quality["max_points_gap"]) for draw in draws), default=0),
        seat_spread=_seat_spread(event),
        club_clashes=sum(draw.quality["club_clashes"] for draw in draws),
        violations=Counter(one["code"] for draw in draws for one in draw.quality["violations"]),
    )


def _meetings(event: Event) -> Counter[tuple[int, int]]:
    """How often each two entries met, house players left aside."""
    sides = MatchSide.objects.filter(
        match__draw__round__event=event, match__draw__state=Draw.State.PUBLISHED, entry__house=False
    )
    return Counter(
        two
        for entries in _grouped(sides.order_by("entry").values_list("match", "entry")).values()
        for two in combinations(entries, 2)
    )


def _seat_spread(event: Event) -> int:
    published = {"draw__round__event": event, "draw__state": Draw.State.PUBLISHED}
    if event.kind in TWO_SIDED:
        sides = MatchSide.objects.filter(**{f"match__{name}": value for name, value in published.items()})
        places = sides.values_list("match", "position", "entry")
        size = 2
    else:
        seats = Seat.objects.filter(**{f"table__{name}": value for name, value in published.items()})
        places = seats.filter(segment=1).values_list("table", "direction", "entry")
        size = _FOUR
    tables = _grouped((table, (place, entry)) for table, place, entry in places)
    taken: defaultdict[int, Counter[Hashable]] = defaultdict(Counter)
    names = {place for seated in tables.values() if len(seated) == size for place, _ in seated}
    for seated in tables.values():
        if len(seated) == size:
            for place, entry in seated:
                taken[entry][place] += 1
    return max((max(own.values()) - min(own[name] for name in names) for own in taken.values()), default=0)


def _grouped(pairs: Iterable[tuple[int, T]]) -> dict[int, list[T]]:
    found: defaultdict[int, list[T]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return found


def points_of(stored: int | str) -> Points:
    """Points as a draw's quality keeps them."""
    value = Fraction(stored)
    return value.numerator if value.denominator == 1 else value
