"""Which pages of an event there are to go to, for the tabs of every public page.

Without reading any payload: every page of an event is made with it.
"""

from dataclasses import dataclass

from tournament.models import Publication, Stage
from tournament.queries.brackets import BRACKETS
from tournament.queries.published import Published


@dataclass(frozen=True)
class EventNav:
    """Numbers of the stages with a bracket to be seen, and whether anybody has met or played yet."""

    brackets: tuple[int, ...]
    cross: bool
    statistics: bool


def event_nav(published: Published) -> EventNav:
    """What the tabs lead to, by what is published."""
    numbers = published.rounds()
    stages = Stage.objects.filter(event=published.event, format__in=BRACKETS, rounds__number__in=numbers)
    return EventNav(
        brackets=tuple(stages.order_by("number").values_list("number", flat=True).distinct()),
        cross=bool(numbers),
        statistics=bool(published.rounds(Publication.What.RESULTS)),
    )
