"""What goes with a shared link: the event's picture, and a QR code of any public page."""

from functools import lru_cache
from hashlib import sha256
from io import BytesIO

import segno
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, resolve
from django.utils import formats
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_safe
from segno.encoder import DataOverflowError

from tournament.models import Tournament
from tournament.queries.published import public_events
from tournament.tasks.preview import draw_preview

#: Only pages of tournaments are shared; nothing else of the site is drawn as a code.
_SHARED = ("t/", "schedule/", "announcements/")
_HOUR, _DAY = "public, max-age=3600", "public, max-age=86400"


@lru_cache(maxsize=64)
def _picture(title: str, subtitle: str, foot: str) -> bytes:
    return draw_preview(title=title, subtitle=subtitle, foot=foot)


@require_safe
def preview(request: HttpRequest, tournament: str, event: str) -> HttpResponse:
    """The event's picture for shared links, as PNG."""
    events = public_events().select_related("tournament")
    found = get_object_or_404(events, tournament__slug=tournament, slug=event)
    picture = _picture(found.name, found.tournament.name, _when_and_where(found.tournament))
    etag = f'"{sha256(picture).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": _HOUR}
    response = HttpResponse(picture, "image/png", headers=headers)
    patch_vary_headers(response, ["Accept-Language", "Cookie"])  # dates as the reader's language writes them
    return get_conditional_response(request, etag=etag, response=response)


@require_safe
def page_code(request: HttpRequest, address: str) -> HttpResponse:
    """The address of a public page as a QR code, under the name by which this site was just reached."""
    try:
        match = resolve(f"/{address}")
    except Resolver404:
        raise Http404 from None
    if not address.startswith(_SHARED) or "tournament" not in match.kwargs:
        raise Http404
    drawn = BytesIO()
    try:
        code = segno.make(request.build_absolute_uri(f"/{address}"), error="m")
    except DataOverflowError:  # far longer than the address of any page
        raise Http404 from None
    code.save(drawn, kind="svg", scale=4, border=3, dark="#000", light="#fff", xmldecl=False)
    return HttpResponse(drawn.getvalue(), "image/svg+xml", headers={"Cache-Control": _DAY})


def _when_and_where(tournament: Tournament) -> str:
    days = [day for day in (tournament.starts_on, tournament.ends_on) if day]
    when = " – ".join(formats.date_format(day, "DATE_FORMAT") for day in dict.fromkeys(days))
    return " · ".join(part for part in (when, tournament.venue) if part)
