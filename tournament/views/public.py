"""Public pages: stored bytes where there are any, rendered and stored where there are none yet."""

import gzip

from django.conf import settings
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.models import Event, PublishedPage
from tournament.queries.notices import public_announcements
from tournament.queries.public_find import find_page
from tournament.queries.public_nav import event_nav
from tournament.queries.published import Published, public_events, public_tournaments
from tournament.queries.stored_pages import StoredBytes
from tournament.tasks.pages import ACCOUNT_END, ACCOUNT_START, page_for, page_path
from tournament.views.stored import page_response


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """All tournaments, the latest first, with their events."""
    events = Prefetch("events", public_events().order_by("id"), to_attr="open_events")
    return render(request, "public/home.html", {"tournaments": public_tournaments().prefetch_related(events)})


@require_safe
def tournament_home(request: HttpRequest, tournament: str) -> HttpResponse:
    """One tournament: where and when, and its events."""
    found = get_object_or_404(public_tournaments(), slug=tournament)
    events = public_events().filter(tournament=found).order_by("id").select_related("ruleset_version__book")
    with timezone.override(found.tz):
        return render(
            request,
            "public/tournament.html",
            {
                "tournament": found,
                "events": events,
                "announcements": public_announcements(found),
                "site_address": settings.SITE_ADDRESS,
            },
        )


@require_safe
def find(request: HttpRequest, tournament: str, event: str) -> HttpResponse:
    """Where do I sit: entries by name, number, club or pinyin, with their seats in the newest round."""
    found = _event(tournament, event)
    published = Published(found)
    context = find_page(published, request.GET.get("q", "")) | {
        "tournament": found.tournament,
        "event": found,
        "latest_standings": published.latest_standings,
        "page_name": "find",
        "page_path": request.path,
        "site_address": settings.SITE_ADDRESS,
        "public_rounds": published.rounds(),
        "nav": event_nav(published),
    }
    with timezone.override(found.tournament.tz):
        return render(request, "public/find.html", context)


@require_safe
def stored_page(
    request: HttpRequest, page: str, tournament: str, event: str, **arguments: int
) -> HttpResponse:
    """A page of an event as it was prepared, or rendered and stored now; 304 for those who have it already.

    Once it is there, the public's requests are answered before they come here (tournament.views.stored).
    """
    language = get_language() or settings.LANGUAGE_CODE
    found = _event(tournament, event)
    address = page_path(page, found, arguments)
    if address != request.path:  # e.g. round/01/: one address for one page
        return HttpResponsePermanentRedirect(address)
    stored = page_for(address, page, arguments, language, found)
    if stored is None:
        raise Http404
    if request.user.is_authenticated and stored.content_type.startswith("text/html"):
        return _for_staff(request, stored)
    body = StoredBytes(stored.etag, stored.content_type, bytes(stored.body_gzip))
    return page_response(request, body, language)


def _event(tournament: str, event: str) -> Event:
    events = public_events().select_related("tournament", "ruleset_version__book")
    return get_object_or_404(events, tournament__slug=tournament, slug=event)


def _for_staff(request: HttpRequest, stored: PublishedPage) -> HttpResponse:
    """The same page with navigation by role in its frame."""
    text = gzip.decompress(bytes(stored.body_gzip)).decode()
    before, _, rest = text.partition(ACCOUNT_START)
    _, _, after = rest.partition(ACCOUNT_END)
    bar = render_to_string("public/account.html", {}, request)
    response = HttpResponse(f"{before}{bar}{after}")
    response.headers["Cache-Control"] = "private, no-store"
    return response
