"""What a table's page and the boards say about the clock of a timed round."""

from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

from referee.queries import TableState
from referee.queries.timing import Timing


def time_json(state: TableState) -> dict[str, Any] | None:
    """The clock as the table's page needs it; None where none was started.

    ``ends`` in seconds since 1970; ``up`` whether that is past; ``left`` how many new deals may be recorded
    after it; ``words`` what to say before it, where a deal is the last ("{deal}" for its number) and where
    none counts.
    """
    timing = state.play.timing
    if timing is None:
        return None
    tz = state.event.tournament.tz
    return {
        "ends": timing.ends_at.timestamp(),
        "up": timing.up,
        "left": timing.further,
        "words": _sentences(timing, tz, "{deal}"),
    }


def time_text(timing: Timing, tz: ZoneInfo) -> str:
    """When time is up, or which deal is the last, in the time of the hall."""
    sentences = _sentences(timing, tz, timing.last)
    return sentences["running" if not timing.up else "last" if timing.last is not None else "over"]


def _sentences(timing: Timing, tz: ZoneInfo, deal: int | str | None) -> dict[str, str]:
    params = {"time": timezone.localtime(timing.ends_at, tz).strftime("%H:%M"), "deal": deal}
    return {
        "running": _("Time is up at %(time)s.") % params,
        "last": _("Time was up at %(time)s: deal %(deal)s is the last, if it was begun before.") % params,
        "over": _("Time was up at %(time)s: no further deal counts.") % params,
    }
