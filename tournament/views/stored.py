"""Stored public pages over HTTP: the short way for everybody who is not logged in.

A page is a look-up by address and language. Sessions, tokens and messages are for people who are logged in; a
request without a session cookie needs none of them, so it is answered before they are even set up.
"""

import gzip
import re
from collections.abc import Callable
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language_from_request

from tournament.queries.stored_pages import StoredBytes, stored_bytes
from tournament.tasks.pages import PAGES

_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")
#: Where all addresses of stored pages begin: others are not looked up.
_BEGIN = "/t/"


def stored_pages_first(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Middleware: answers requests of the public for stored pages, and lets everything else through.

    Stands behind those that redirect to HTTPS and set security headers, before sessions and languages.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        return _stored_response(request) or get_response(request)

    return middleware


def page_response(request: HttpRequest, page: StoredBytes, language: str) -> HttpResponse:
    """The page's bytes as they are stored, or 304 for those who have them already."""
    if _GZIP.search(request.headers.get("Accept-Encoding", "")):
        response = HttpResponse(page.body, page.content_type, headers={"Content-Encoding": "gzip"})
    else:
        response = HttpResponse(gzip.decompress(page.body), page.content_type)
    response.headers["ETag"] = page.etag
    # A browser keeps the page and asks each time whether it still holds: never a stale one.
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Language"] = language
    response.headers["Content-Length"] = str(len(response.content))
    response.headers["X-Frame-Options"] = settings.X_FRAME_OPTIONS
    patch_vary_headers(response, ["Accept-Encoding", "Cookie", "Accept-Language"])
    return get_conditional_response(request, etag=page.etag, response=response)


def _stored_response(request: HttpRequest) -> HttpResponse | None:
    if (
        request.method not in ("GET", "HEAD")
        or not request.path_info.startswith(_BEGIN)
        or settings.SESSION_COOKIE_NAME in request.COOKIES
    ):
        return None
    parts = _parts_of(request.path_info)
    if parts is None:
        return None
    request.get_host()  # refuses requests under a foreign name, as CommonMiddleware does
    language = get_language_from_request(request)
    page = stored_bytes(request.path, language, parts)
    return page and page_response(request, page, language)


@lru_cache(maxsize=4096)
def _parts_of(path: str) -> tuple[str, ...] | None:
    """The parts that the page at an address is made of; None where no stored page can be."""
    try:
        match = resolve(path)
    except Resolver404:
        return None
    if "page" not in match.kwargs:
        return None
    arguments = {
        name: value for name, value in match.kwargs.items() if name not in ("page", "tournament", "event")
    }
    return PAGES[match.kwargs["page"]].parts(arguments)
