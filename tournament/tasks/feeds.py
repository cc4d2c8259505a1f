"""Announcements as an Atom feed (RFC 4287), the schedule as a calendar (RFC 5545)."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from tournament.models import Announcement, Tournament
from tournament.queries.notices import ScheduleDay, ScheduleLine

ATOM_TYPE = "application/atom+xml; charset=utf-8"
CALENDAR_TYPE = "text/calendar; charset=utf-8"

#: Characters that no XML document may have.
_UNFIT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
#: Octets of a line of a calendar; what is longer goes on in the next one.
_OCTETS = 75
#: How long something without an end is shown to take.
_USUAL = timedelta(hours=1)


def announcements_feed(tournament: Tournament, announcements: Iterable[Announcement], site: str) -> str:
    """The announcements, each under an id that stays; ``site`` is the site's address without a path."""
    page = site + reverse("announcements", kwargs={"tournament": tournament.slug})
    feed = Atom1Feed(
        title=_kept(_("Announcements: %(name)s") % {"name": tournament.name}),
        link=page,
        description="",
        language=get_language(),
        feed_url=site + reverse("announcements_feed", kwargs={"tournament": tournament.slug}),
    )
    colon = pgettext("punctuation", ": ")
    for one in announcements:
        feed.add_item(
            title=_kept(f"{one.event.name}{colon}{one.title}" if one.event else one.title),
            link=f"{page}#a{one.pk}",
            description=_kept(one.text),
            unique_id=f"{page}#a{one.pk}",
            pubdate=one.published_at,
            updateddate=one.edited_at or one.published_at,
        )
    return feed.writeString("utf-8")


def _kept(text: str) -> str:
    """The text without what XML cannot hold: one such sign, and no reader takes the feed."""
    return _UNFIT.sub(" ", text)


def schedule_calendar(tournament: Tournament, days: Iterable[ScheduleDay], host: str, now: datetime) -> str:
    """The schedule: rounds and free items, times in UTC; ``host`` makes the ids of its lines unique."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Huapai//tournament schedule//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_escaped(tournament.name)}",
        f"X-WR-TIMEZONE:{tournament.tz}",
    ]
    for day in days:
        for line in day.lines:
            lines += _event(tournament, line, host, now)
    return "".join(f"{_folded(line)}\r\n" for line in [*lines, "END:VCALENDAR"])


def _event(tournament: Tournament, line: ScheduleLine, host: str, now: datetime) -> list[str]:
    title = line.title or _("Round %(number)s") % {"number": line.round.number}
    summary = f"{title} · {line.event.name}" if line.event else title
    found = [
        "BEGIN:VEVENT",
        f"UID:{line.key}@{host}",
        f"DTSTAMP:{_utc(now)}",
        f"DTSTART:{_utc(line.starts_at)}",
        f"DTEND:{_utc(line.ends_at or line.starts_at + _USUAL)}",
        f"SUMMARY:{_escaped(summary)}",
    ]
    place = ", ".join(part for part in (line.place, tournament.venue) if part)
    if place:
        found.append(f"LOCATION:{_escaped(place)}")
    return [*found, "END:VEVENT"]


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return plain.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")


def _folded(line: str) -> str:
    """The line in pieces of 75 octets at most, none of which splits a character."""
    pieces, piece, room = [], "", _OCTETS
    for sign in line:
        size = len(sign.encode())
        if size > room:
            pieces.append(piece)
            piece, room = "", _OCTETS - 1  # the blank that begins the next line counts too
        piece += sign
        room -= size
    return "\r\n ".join([*pieces, piece])
