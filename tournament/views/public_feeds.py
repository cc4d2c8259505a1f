"""Announcements and schedule for feed readers and calendars."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from tournament.queries.notices import public_announcements, public_schedule
from tournament.queries.published import public_tournaments
from tournament.tasks.feeds import ATOM_TYPE, CALENDAR_TYPE, announcements_feed, schedule_calendar


@require_safe
def announcements(request: HttpRequest, tournament: str) -> HttpResponse:
    """The announcements of a tournament as an Atom feed."""
    found = get_object_or_404(public_tournaments(), slug=tournament)
    site = settings.SITE_ADDRESS or request.build_absolute_uri("/").rstrip("/")
    return _answer(announcements_feed(found, public_announcements(found), site), ATOM_TYPE)


@require_safe
def schedule(request: HttpRequest, tournament: str) -> HttpResponse:
    """The schedule of a tournament as a calendar to subscribe to."""
    found = get_object_or_404(public_tournaments(), slug=tournament)
    host = request.get_host().partition(":")[0]
    text = schedule_calendar(found, public_schedule(found), host, timezone.now())
    return _answer(text, CALENDAR_TYPE)


def _answer(text: str, content_type: str) -> HttpResponse:
    response = HttpResponse(text, content_type, headers={"Cache-Control": "public, max-age=60"})
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response
