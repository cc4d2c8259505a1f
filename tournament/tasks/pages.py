"""Public pages as bytes: rendered from publications once, compressed, stored, looked up from then on."""

import gzip
import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from tournament.models import Event, PublishedPage
from tournament.queries import (
    page_parts,
    public_bracket,
    public_changes,
    public_cross,
    public_data,
    public_entry,
    public_match,
    public_pages,
    public_prints,
    public_screen,
    public_statistics,
)
from tournament.queries.appeals import under_appeal
from tournament.queries.public_data import DataTable
from tournament.queries.public_heads import page_head
from tournament.queries.public_nav import event_nav
from tournament.queries.published import Published, public_events
from tournament.queries.stored_pages import living_pages
from tournament.tasks.data_files import CSV_TYPE, JSON_TYPE, as_csv, as_json

Builder = Callable[..., Any]


HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class PageKind:
    """A public page of an event: how its context is put together, and the template that shows it.

    A data file has no template: its builder gives a DataTable, written as its content type wants it.
    ``part`` names the part of what is public (tournament.queries.page_parts) that the page shows besides the
    frame, from the arguments of its address. A page that states none is rendered anew after every change.
    """

    builder: Builder
    template: str
    part: Callable[..., str] = lambda **_arguments: page_parts.ANY
    content_type: str = HTML

    def parts(self, arguments: Mapping[str, int]) -> tuple[str, str]:
        """Every part that the page at an address is made of."""
        return page_parts.FRAME, self.part(**arguments)


_WRITERS = {JSON_TYPE: as_json, CSV_TYPE: as_csv}


def _data_file(
    name: str, builder: Callable[..., DataTable | None], part: Callable[..., str]
) -> dict[str, PageKind]:
    """Published rows as two files, of the same name with the endings json and csv."""
    return {
        f"{name}_json": PageKind(builder, "", part, JSON_TYPE),
        f"{name}_csv": PageKind(builder, "", part, CSV_TYPE),
    }


#: By the name of the address (tournament.urls.public).
PAGES: Mapping[str, PageKind] = {
    "event": PageKind(public_pages.event_page, "public/event.html", lambda: page_parts.HOME),
    "round": PageKind(public_pages.round_page, "public/round.html", page_parts.round_part),
    "table": PageKind(public_pages.table_page, "public/table.html", page_parts.table_part),
    "standings": PageKind(
        public_pages.standings_page, "public/standings.html", lambda: page_parts.NEWEST_STANDINGS
    ),
    "standings_after": PageKind(
        public_pages.standings_page, "public/standings.html", page_parts.standings_part
    ),
    "entry": PageKind(public_entry.whole_entry_page, "public/entry.html", page_parts.entry_part),
    "match": PageKind(public_match.match_page, "public/match.html", page_parts.match_part),
    "bracket": PageKind(public_bracket.bracket_page, "public/bracket.html"),
    "cross": PageKind(public_cross.cross_page, "public/cross.html"),
    "cross_more": PageKind(public_cross.cross_page, "public/cross.html"),
    "statistics": PageKind(public_statistics.statistics_page, "public/statistics.html"),
    "statistics_by": PageKind(public_statistics.statistics_page, "public/statistics.html"),
    "changes": PageKind(public_changes.changes_page, "public/changes.html"),
    "seats_print": PageKind(public_prints.seats_print, "public/print_seats.html", page_parts.round_part),
    "wall_print": PageKind(public_prints.wall_print, "public/print_wall.html", page_parts.round_part),
    "sheets_print": PageKind(public_prints.sheets_print, "public/print_sheets.html", page_parts.round_part),
    "certificates": PageKind(
        public_prints.certificates_print, "public/print_certificates.html", page_parts.standings_part
    ),
    "screen": PageKind(public_screen.screen_page, "public/screen.html"),
    **_data_file("standings", public_data.standings_data, lambda: page_parts.NEWEST_STANDINGS),
    **_data_file("standings_after", public_data.standings_data, page_parts.standings_part),
    **_data_file("entries", public_data.entries_data, lambda: page_parts.ANY),
    **_data_file("pairings", public_data.pairings_data, page_parts.round_part),
    **_data_file("results", public_data.results_data, page_parts.round_part),
    **_data_file("deals", public_data.deals_data, page_parts.round_part),
}

#: How often an open page asks whether it still holds, in milliseconds, by the state of the event.
POLL = {Event.State.STARTED: 1_300}
POLL_OTHERWISE = 30_000

#: Stored pages are served to everybody alike; for staff the part between these is exchanged.
ACCOUNT_START, ACCOUNT_END = "<!--account-->", "<!--/account-->"

LANGUAGES = tuple(code for code, _name in settings.LANGUAGES)


def page_path(name: str, event: Event, arguments: Mapping[str, int]) -> str:
    """The stable address of a page of the event."""
    return reverse(name, kwargs={"tournament": event.tournament.slug, "event": event.slug, **arguments})


def render_page(published: Published, name: str, arguments: Mapping[str, int], language: str) -> str | None:
    """A public page as text in a language, times in the tournament's zone; None where nothing is public."""
    event = published.event
    kind = PAGES[name]
    frame = {
        "event": event,
        "tournament": event.tournament,
        "page_name": name,
        "page_path": page_path(name, event, arguments),
        "poll": POLL.get(Event.State(event.state), POLL_OTHERWISE),
        "latest_standings": published.latest_standings,
        "public_rounds": published.rounds(),
        "nav": event_nav(published),
        "under_appeal": under_appeal(event),
        "site_address": settings.SITE_ADDRESS,
    }
    with translation.override(language), timezone.override(event.tournament.tz):
        context = kind.builder(published, **arguments)
        if context is not None and kind.content_type in _WRITERS:
            return _WRITERS[kind.content_type](event, context, frame["page_path"])
        if context is None:
            return None
        return render_to_string(kind.template, frame | context | {"head": page_head(name, context)})


def prepare_page(
    published: Published, name: str, arguments: Mapping[str, int], language: str
) -> PublishedPage | None:
    """Renders a page and stores it for the version of the event that it was rendered from.

    ``published.event`` must have been read before anything that is published. Should somebody have published
    meanwhile, the page is stored as one of an old version and not served again. None where nothing is
    published at the address, or the public may not know of the event: whatever is stored is served to all.
    """
    event = published.event
    if not public_events().filter(pk=event.pk).exists():
        return None
    holds_until = published.next_final_time
    text = render_page(published, name, arguments, language)
    if text is None:
        return None
    body = gzip.compress(text.encode(), compresslevel=6, mtime=0)
    page = {
        "event": event,
        "event_version": event.public_version,
        "content_type": PAGES[name].content_type,
        "etag": f'W/"{hashlib.sha256(body).hexdigest()[:32]}"',
        "body_gzip": body,
        "holds_until": holds_until,
    }
    path = page_path(name, event, arguments)
    try:
        with transaction.atomic():
            stored, created = PublishedPage.objects.get_or_create(path=path, language=language, defaults=page)
            # An address may have been another event's before; versions of two events say nothing.
            newer = stored.event_id == event.pk and stored.event_version > event.public_version
            if not created and not newer:
                for field, value in page.items():
                    setattr(stored, field, value)
                stored.save()
    except IntegrityError:
        # Another request stored the same page at the same moment.
        return PublishedPage(path=path, language=language, **page)
    return stored if stored.etag == page["etag"] else PublishedPage(path=path, language=language, **page)


#: One page is rendered by one thread at a time: a hall full of open pages asks for a new one all at once.
_RENDERING = [threading.Lock() for _ in range(64)]


def page_for(
    path: str, name: str, arguments: Mapping[str, int], language: str, event: Event
) -> PublishedPage | None:
    """The page at an address as it is stored, rendered first where nobody else has done so meanwhile."""
    with _RENDERING[hash((path, language)) % len(_RENDERING)]:
        parts = PAGES[name].parts(arguments)
        stored = living_pages(parts).filter(path=path, language=language, event=event).first()
        if stored is not None:
            return stored
        # Read again: a version from before the wait would not hold.
        event.refresh_from_db(fields=["public_version"])
        return prepare_page(Published(event), name, arguments, language)


def prepare_main_pages(event: Event, round_number: int | None, *, live: bool = False) -> int:
    """Prepares what is asked for first after a publication, in every language; returns their number.

    While results are published by themselves (``live``), only what somebody has asked for before: the next
    change may be a second away.
    """
    published = Published(event)
    wanted: list[tuple[str, dict[str, int]]] = [("event", {}), ("standings", {})]
    numbers = published.rounds() if round_number is None else [round_number]
    wanted += [("round", {"number": number}) for number in numbers]
    pages = (
        prepare_page(published, name, arguments, language)
        for name, arguments in wanted
        for language in _languages_to_prepare(event, name, arguments, live=live)
    )
    return sum(page is not None for page in pages)


def _languages_to_prepare(event: Event, name: str, arguments: Mapping[str, int], *, live: bool) -> list[str]:
    """Languages in which the page is wanted and not ready: several publications may ask for the same."""
    path = page_path(name, event, arguments)
    ready = set(
        living_pages(PAGES[name].parts(arguments))
        .filter(event=event, path=path)
        .values_list("language", flat=True)
    )
    wanted = (
        set(PublishedPage.objects.filter(event=event, path=path).values_list("language", flat=True))
        if live
        else set(LANGUAGES)
    )
    return [language for language in LANGUAGES if language in wanted - ready]
