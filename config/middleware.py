"""Site-wide response headers, and a page for the one refusal that has none."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

#: Everything is served by the site itself: no outside script, font, picture or frame.
POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)


def content_security_policy(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Adds a Content-Security-Policy: only what the site itself serves, no inline script or style."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response

    return middleware


def wrong_method_in_words(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Whoever opens an address that only takes forms is told so; Django's own answer is a blank page.

    That happens to whoever sends a form after being logged out: logging in leads to the form's address.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code != 405 or response.content or not request.accepts("text/html"):
            return response
        page = render(request, "405.html", status=405)
        page.headers["Allow"] = response.headers["Allow"]
        return page

    return middleware
