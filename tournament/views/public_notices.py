"""Public pages of a tournament that are no results: announcements and the schedule."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.queries.notices import public_announcements, public_schedule
from tournament.queries.published import public_tournaments


@require_safe
def announcements(request: HttpRequest, tournament: str) -> HttpResponse:
    """Everything the organiser has announced, pinned first, then the newest."""
    found = get_object_or_404(public_tournaments(), slug=tournament)
    with timezone.override(found.tz):
        return render(
            request,
            "public/announcements.html",
            {
                "tournament": found,
                "announcements": public_announcements(found),
                "site_address": settings.SITE_ADDRESS,
            },
        )


@require_safe
def schedule(request: HttpRequest, tournament: str) -> HttpResponse:
    """What happens when, by day in the tournament's time zone."""
    found = get_object_or_404(public_tournaments(), slug=tournament)
    with timezone.override(found.tz):
        context = {
            "tournament": found,
            "days": public_schedule(found),
            "site_address": settings.SITE_ADDRESS,
        }
        return render(request, "public/schedule.html", context)
