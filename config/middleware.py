"""Site-wide response headers."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

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
