"""What the public reads besides results: announcements and the schedule, of events it may know of only."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from django.db.models import Q

from tournament.models import Announcement, Event, Round, ScheduleItem, Tournament
from tournament.queries.published import public_events


@dataclass(frozen=True)
class ScheduleLine:
    """One line of the schedule: a round, or an item of its own with a title. Times are aware."""

    starts_at: datetime
    ends_at: datetime | None = None
    title: str = ""
    place: str = ""
    event: Event | None = None
    round: Round | None = None
    item: ScheduleItem | None = None

    @property
    def key(self) -> str:
        """What tells the line apart for good, e.g. in a calendar."""
        return f"round-{self.round.pk}" if self.round else f"item-{self.item.pk}"


@dataclass(frozen=True)
class ScheduleDay:
    """The lines of one day in the tournament's time zone, in order."""

    day: date
    lines: tuple[ScheduleLine, ...]


def public_announcements(tournament: Tournament, event: Event | None = None) -> list[Announcement]:
    """Living announcements, pinned ones first, then the newest: of the tournament and, without ``event``, of
    every public event of it; with it, of that one only.
    """
    events = [event.pk] if event else public_events().filter(tournament=tournament).values("pk")
    found = tournament.announcements.filter(withdrawn_at=None).filter(Q(event=None) | Q(event__in=events))
    return list(found.select_related("event"))


def public_schedule(tournament: Tournament, event: Event | None = None) -> list[ScheduleDay]:
    """Rounds with a time and free items by day, of all public events or of one with what is everybody's."""
    events = public_events().filter(tournament=tournament)
    if event is not None:
        events = events.filter(pk=event.pk)
    return _by_day(tournament, [*_rounds(events), *_items(tournament, events)])


def whole_schedule(tournament: Tournament) -> list[ScheduleDay]:
    """The same for the organiser: of every event, public or not."""
    events = Event.objects.filter(tournament=tournament)
    return _by_day(tournament, [*_rounds(events), *_items(tournament, events)])


def _rounds(events: Iterable[Event]) -> Iterable[ScheduleLine]:
    rounds = Round.objects.filter(event__in=events, starts_at__isnull=False).select_related(
        "event__tournament"
    )
    return (ScheduleLine(one.starts_at, event=one.event, round=one) for one in rounds)


def _items(tournament: Tournament, events: Iterable[Event]) -> Iterable[ScheduleLine]:
    items = ScheduleItem.objects.filter(tournament=tournament).filter(Q(event=None) | Q(event__in=events))
    return (
        ScheduleLine(one.starts_at, one.ends_at, one.title, one.place, one.event, item=one)
        for one in items.select_related("event")
    )


def _by_day(tournament: Tournament, lines: Iterable[ScheduleLine]) -> list[ScheduleDay]:
    def day(line: ScheduleLine) -> date:
        return line.starts_at.astimezone(tournament.tz).date()

    ordered = sorted(lines, key=lambda line: (line.starts_at, line.title, line.event.pk if line.event else 0))
    return [ScheduleDay(when, tuple(found)) for when, found in groupby(ordered, key=day)]
