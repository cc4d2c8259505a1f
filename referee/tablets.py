"""Requests of tablets: who is behind a request at a table, a person or the tablet bound to it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from referee.models import Device
from referee.services import devices
from referee.services.guards import is_bound, not_your_table
from tournament.models import Draw, Table
from tournament.queries import access
from tournament.services.audit import Actor
from tournament.services.errors import Refused
from tournament.views.access import actor_of

COOKIE = "tablet"
#: How many entries a tablet holds that are not sent; it says so with every request.
WAITING_HEADER = "X-Unsent"

View = Callable[..., HttpResponse]


def device_of(request: Any) -> Device | None:
    """The tablet whose cookie came with the request, living or ended; None where there is none."""
    return devices.find_device(request.COOKIES.get(COOKIE, ""))


def remember(response: HttpResponse, joined: devices.Joined) -> None:
    """Puts the tablet's secret into its cookie, where no script can read it."""
    response.set_cookie(
        COOKIE,
        joined.secret,
        expires=joined.device.expires_at,
        path="/referee/",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def actor_at(request: Any, table: Table) -> Actor:
    """Who acts at this table: the person logged in, if they referee it, else the tablet bound to it.

    A tablet's request counts as its sign of life.

    Raises:
        Refused: the tablet was taken over, shut out or has expired.
        NotAllowed: neither the person nor the tablet has anything to do with this table.
    """
    actor = actor_of(request)
    if access.can_referee_table(actor.person, table):
        return actor
    device = device_of(request)
    if device is None or not is_bound(devices.as_tablet(device), table):
        raise not_your_table(table)
    devices.require_living(device)
    devices.heartbeat(device=device, waiting=_waiting(request, device))
    return Actor(user=None, address=actor.address, tablet=devices.as_tablet(device))


def _waiting(request: Any, device: Device) -> int:
    said = request.headers.get(WAITING_HEADER, "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 6 else device.waiting


def at_table(view: View) -> View:
    """For pages of a table, named by ``table`` (its id): those who referee it, and the tablet bound to it.

    Only tables of a published draw have pages. The view gets ``table`` and ``device`` (None for a person); a
    tablet that may not act any more is sent to where it can be bound again.
    """

    @wraps(view)
    def checked(request: HttpRequest, table: int, **kwargs: Any) -> HttpResponse:
        tables = Table.objects.select_related("draw__round__event__tournament")
        device = device_of(request)
        if device is None and not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        found = get_object_or_404(tables, pk=table, draw__state=Draw.State.PUBLISHED)
        try:
            actor = actor_at(request, found)
        except Refused as refused:
            if device is not None and is_bound(devices.as_tablet(device), found):
                return redirect("referee:tablet")
            raise PermissionDenied(str(refused)) from refused
        return view(request, table=found, device=device if actor.tablet else None, **kwargs)

    return checked


class TabletAuthentication(BaseAuthentication):
    """A tablet in the table's interface: no user, and the Device as ``request.auth``."""

    def authenticate(self, request: Request) -> tuple[Any, Device] | None:
        device = device_of(request)
        if device is None:
            return None
        SessionAuthentication().enforce_csrf(request)
        return AnonymousUser(), device


class SomebodyKnown(BasePermission):
    """A person logged in, or a tablet that was bound once; what they may do at the table is asked there."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return request.user.is_authenticated or request.auth is not None
