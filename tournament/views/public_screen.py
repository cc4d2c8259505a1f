"""What a hall's screen asks for every few seconds, besides its stored page."""

from django.http import HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from tournament.queries.public_screen import hall_now
from tournament.queries.published import public_events


@require_safe
def now(request: HttpRequest, tournament: str, event: str) -> JsonResponse:
    """The round's clock and the announcements at this moment."""
    found = get_object_or_404(
        public_events().select_related("tournament"), tournament__slug=tournament, slug=event
    )
    return JsonResponse(hall_now(found), headers={"Cache-Control": "no-store"})
