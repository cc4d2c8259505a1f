"""What the desk's pages say about tables and deals."""

from collections.abc import Iterable
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from referee.models import DealVersion
from referee.presenting_time import time_text
from referee.queries import RoundTables
from referee.queries.timing import Timing
from scoring.messages import seat_name
from tournament.forms.audit_words import SOURCES
from tournament.models import Seat
from tournament.queries import access

register = template.Library()


@register.filter
def sign_text(code: str) -> str:
    """Why somebody should look, in a few words; ``code`` is a `Sign`'s."""
    return {
        "beyond": _("score hardly possible"),
        "quick": _("entered within a minute"),
        "figure": _("tablet and server differ"),
        "ahead": _("far ahead of the others"),
        "behind": _("far behind the others"),
        "idle": _("nothing recorded for a quarter of an hour"),
    }[code]


@register.filter
def deal_numbers(numbers: Iterable[int]) -> str:
    """Deals by their numbers, so that one number is not read as how many there are."""
    listed = [str(number) for number in numbers]
    text = ngettext("deal %(numbers)s", "deals %(numbers)s", len(listed))
    return text % {"numbers": pgettext("between names", ", ").join(listed)}


@register.filter
def source_text(code: str) -> str:
    """Where an entry came from, in a few words; ``code`` as `referee.queries.sources` tells it, or ""."""
    return str(SOURCES.get(code, ""))


@register.filter
def clock_text(timing: Timing, tz: ZoneInfo) -> str:
    """When time is up at a table, or which deal is its last."""
    return time_text(timing, tz)


@register.filter
def person(user: Any) -> str:
    """A user's name as colleagues know it: the full name where the account has one."""
    return (user.get_full_name() or user.get_username()) if user else ""


@register.simple_tag
def entered_by(version: DealVersion, seat: Seat | None, at: Iterable[Seat]) -> str:
    """Who made an entry: the seat that kept the score and the account or tablet it was made with; ``at`` are
    the seats of the table.
    """
    account = person(version.entered_by) or (version.device.name if version.device else "")
    if seat is None and not version.entered_seat:
        return _("referee %(name)s") % {"name": account} if account else ""
    letter = version.entered_seat
    keeper = f"{seat_name(letter, [one.direction for one in at])} {seat.player.name}" if seat else letter
    return _("%(keeper)s, on %(account)s") % {"keeper": keeper, "account": account} if account else keeper


@register.simple_tag
def desk_links(groups: Iterable[RoundTables], user: Any) -> list[dict[str, Any]]:
    """The tournaments of a referee's tables, each with whether the board is theirs too."""
    tournaments = {group.event.tournament.pk: group.event.tournament for group in groups}
    return [
        {"tournament": one, "board": access.can_direct(user, one), "several": len(tournaments) > 1}
        for one in tournaments.values()
    ]
