"""Until when what is published is provisional: open to protest, and final by itself from then on."""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.models import Event, Publication
from tournament.queries.appeals import MINUTES
from tournament.services.errors import Refused

#: The longest time for which results may be called provisional.
LONGEST_PROVISIONAL = timedelta(days=31)


def final_time(*, minutes: int | None = None, at: datetime | None = None) -> datetime | None:
    """When a version becomes final: so many minutes from now, or at a time; None where neither is given.

    Raises Refused for both, a time gone by, or one more than a month away.
    """
    if minutes is not None and at is not None:
        raise Refused("final_twice", _("Give either minutes or a time, not both."), field="final_at")
    now = timezone.now()
    when = at if minutes is None else now.replace(second=0, microsecond=0) + timedelta(minutes=minutes)
    if when is None:
        return None
    if when <= now or when > now + LONGEST_PROVISIONAL:
        raise Refused(
            "final_time",
            _("Results become final in the future, within a month."),
            field="final_at" if minutes is None else "final_minutes",
        )
    return when


def stated_by_event(event: Event, what: str) -> datetime | None:
    """When a version of a matter published now becomes final where nobody says so: once the event's time for
    appeals is over; None for pairings, and where no such time is set.
    """
    minutes = event.options.get(MINUTES, 0)
    return final_time(minutes=minutes) if minutes and what != Publication.What.DRAW else None
