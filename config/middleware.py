"""What holds for every request and answer of the site, and pages for refusals that have none."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from django.template.loader import render_to_string

#: The longest body of a request, in bytes: the largest archive (32 MB) and what a form puts around it.
LARGEST_BODY = 36 * 1024 * 1024

#: Everything is served by the site itself: no outside script, font, picture or frame.
POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; object-src 'none'; "
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)


def guarded_answers(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Adds a Content-Security-Policy: only what the site itself serves, no inline script or style.

    What somebody logged in is shown is for no other reader: no cache between keeps it, and a browser asks
    again, also after the log-out, unless a view says otherwise.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            response.headers.setdefault("Cache-Control", "private, no-cache")
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


def bounded_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Turns away bodies longer than anything that is taken here, before a byte of them is stored: whoever is
    not even logged in could fill the disk. A body that breaks off is the sender's failure, not the program's.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or ""
        # Compared by places first: a number may be as long as a header.
        if length.isdecimal() and (len(length) > 12 or int(length) > LARGEST_BODY):
            return _unread(413)
        return get_response(request)

    def process_exception(_request: HttpRequest, fault: Exception) -> HttpResponse | None:
        return _unread(400) if isinstance(fault, UnreadablePostError) else None

    middleware.process_exception = process_exception  # type: ignore[attr-defined]
    return middleware


def _unread(status: int) -> HttpResponse:
    return HttpResponse(render_to_string("400.html"), status=status)
