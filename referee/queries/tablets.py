"""Reading tablets: which serve an event's tables, and where one finds its table now."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Max
from django.utils import timezone

from referee.models import Device
from tournament.models import Draw, Event, Round, Table

#: A tablet at work speaks every 15 seconds.
SILENT_AFTER = timedelta(seconds=60)


@dataclass(frozen=True)
class TabletLine:
    """A tablet as the desk sees it. ``silent``: bound, but nothing heard for a minute."""

    device: Device
    silent: bool


def tablets_of(event: Event) -> list[TabletLine]:
    """The event's tablets, those bound now first, by table; then those that were, the last one first."""
    now = timezone.now()
    found = list(Device.objects.filter(event=event))
    bound = sorted((one for one in found if one.ended_at is None), key=lambda one: one.table_number)
    former = sorted((one for one in found if one.ended_at is not None), key=lambda one: -one.pk)
    return [TabletLine(one, not one.ended_at and now - one.seen_at > SILENT_AFTER) for one in bound + former]


def table_in_play(event: int, number: int) -> Table | None:
    """The table of that number in the latest round of the event (its id) that is being played."""
    found = Table.objects.filter(
        draw__round__event=event,
        draw__state=Draw.State.PUBLISHED,
        draw__round__state=Round.State.PLAYING,
        number=number,
    )
    return found.order_by("-draw__round__number").first()


def tables_of(event: Event) -> int:
    """How many tables the event needs: as many as were ever drawn, or as its entries fill."""
    drawn = Table.objects.filter(draw__round__event=event).aggregate(most=Max("number"))["most"]
    players = event.entries.filter(status="active").count() * event.entry_size
    return drawn or max(1, players // 4)
