"""What hangs on the wall of a hall 大屏: pairings or standings in slices that can be read at ten metres.

The slices come from publications. What changes by the minute, the clock of the round and the announcements,
is asked for by the screen itself (``hall_now``).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from tournament.models import Draw, Event, Publication, RoundClock
from tournament.queries.notices import public_announcements
from tournament.queries.public_match import has_matches
from tournament.queries.public_pages import standings_page
from tournament.queries.public_tables import entry_info, named_table
from tournament.queries.published import Published

What = Publication.What
Context = dict[str, Any]

#: What fits on one picture of 1920 × 1080: tables of four lines, tables of two, lines of standings.
_TABLES_OF_FOUR, _TABLES_OF_TWO, _LINES = 9, 12, 20
#: Announcements that are shown, and of each so many characters.
_NOTICES, _CHARACTERS = 3, 240


def screen_page(published: Published) -> Context:
    """The slides: the newest pairings until all their results are there, and the newest standings."""
    return {"pairings": _pairings(published), "standings": _standings(published)}


def hall_now(event: Event) -> Context:
    """The clock and the announcements of an event at this moment; times as ISO 8601.

    ``round`` is the newest round with published pairings, ``ends_at`` when its time is up (null where it is
    not timed), ``starts_at`` when it was to begin.
    """
    number = Published(event).latest_draw
    draw = (
        Draw.objects.filter(round__event=event, round__number=number, state=Draw.State.PUBLISHED)
        .select_related("round")
        .first()
        if number is not None
        else None
    )
    clock = RoundClock.objects.filter(draw=draw).first() if draw else None
    return {
        "now": timezone.now().isoformat(),
        "round": number,
        "starts_at": _iso(draw.round.starts_at) if draw else None,
        "ends_at": _iso(clock.ends_at) if clock else None,
        "announcements": [
            {"title": one.title, "text": _short(one.text)}
            for one in public_announcements(event.tournament, event)[:_NOTICES]
        ],
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _short(text: str) -> str:
    return text if len(text) <= _CHARACTERS else f"{text[: _CHARACTERS - 1]}…"


def _pairings(published: Published) -> Context | None:
    number = published.latest_draw
    if number is None:
        return None
    results = published.payload(What.RESULTS, number)
    payload = published.payload(What.DRAW, number)
    if payload is None or (results and results["complete"]):
        return None
    tables = [named_table(table, payload["entries"]) for table in payload["tables"]]
    two_sided = has_matches(published)
    byes = [entry_info(payload["entries"], one["entry"]) for one in payload["byes"]]
    return {
        "round": number,
        "two_sided": two_sided,
        "slices": _slices(tables, _TABLES_OF_TWO if two_sided else _TABLES_OF_FOUR),
        "byes": byes,
    }


def _standings(published: Published) -> Context | None:
    context = standings_page(published)
    if context is None or not context.get("rows"):
        return None
    return {
        "after": context["after"],
        "complete": context["complete"],
        "staged": context["staged"],
        "slices": _slices(context["rows"], _LINES),
        "last": context["rounds"][-1],
    }


def _slices(rows: Sequence[Context], size: int) -> list[Context]:
    """Rows in slices of nearly equal size, each with its number, so that no slide is left with one line."""
    count = -(-len(rows) // size)
    each = -(-len(rows) // count) if count else 0
    return [
        {"number": place + 1, "of": count, "rows": rows[place * each : (place + 1) * each]}
        for place in range(count)
    ]
