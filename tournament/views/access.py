"""Who may open a view: log-in page for the unknown, 403 for those without the role, and the object handed
over.

Each decorator turns the addresses' slugs and numbers into objects, so that no view can forget to look
whether the event belongs to the tournament, or to ask for the role.
"""

import ipaddress
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from tournament.models import Event, Tournament
from tournament.queries import access
from tournament.services.audit import Actor

View = Callable[..., HttpResponse]


def actor_of(request: HttpRequest) -> Actor:
    """The user and address behind a request, for the audit trail."""
    user = request.user if request.user.is_authenticated else None
    return Actor(user=user, address=address_of(request))


def address_of(request: Any) -> str | None:
    """The address a request comes from; None where it is none."""
    address = request.META.get("REMOTE_ADDR", "")
    if settings.SECURE_PROXY_SSL_HEADER:
        # Only a trusted proxy's own entry counts: the last one. Those before it are what the client claims.
        address = request.headers.get("X-Forwarded-For", address).rpartition(",")[2].strip()
    try:
        return str(ipaddress.ip_address(address))
    except ValueError:
        return None


def login_needed(view: View) -> View:
    """Anybody who is logged in."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return view(request, *args, **kwargs)

    return checked


def founder_required(view: View) -> View:
    """Those who may create a tournament."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not access.can_create_tournaments(request.user):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return login_needed(checked)


def _role_required(may: Callable[[Any, Tournament], bool]) -> Callable[[View], View]:
    """Decorator for views under an address with ``tournament`` and perhaps ``event``: they get the objects.

    A view of an event is called with ``event=Event``, any other with ``tournament=Tournament``.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(request: HttpRequest, tournament: str, **kwargs: Any) -> HttpResponse:
            found = get_object_or_404(Tournament, slug=tournament)
            if not may(request.user, found):
                raise PermissionDenied
            if "event" in kwargs:
                events = Event.objects.select_related("tournament", "ruleset_version__book")
                kwargs["event"] = get_object_or_404(events, tournament=found, slug=kwargs["event"])
            else:
                kwargs["tournament"] = found
            return view(request, **kwargs)

        return login_needed(checked)

    return decorate


#: Organisers of the tournament.
organiser_required = _role_required(access.can_organise)
#: Organisers and chief referees of the tournament.
director_required = _role_required(access.can_direct)
#: Anybody with a role in the tournament.
member_required = _role_required(lambda user, tournament: bool(access.roles_of(user, tournament)))
