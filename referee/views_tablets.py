"""For tablets: joining by a table card, the way to the table in play; for the desk: cards and tablets."""

import io
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from referee import tablets
from referee.models import Device, TableCard
from referee.queries.tablets import table_in_play, tables_of, tablets_of
from referee.services import devices
from tournament.models import Event
from tournament.services.errors import Refused
from tournament.views.access import actor_of, director_required
from tournament.views.manage.common import event_page


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, code: str = "") -> HttpResponse:
    """Binds this tablet to a table: by the address in a card's QR code, or by typing the code."""
    code = request.POST.get("code", code)
    card = taken = None
    fault = ""
    status = 200
    if code:
        try:
            card = devices.find_card(code=code, address=actor_of(request).address)
            if request.method == "POST" and "bind" in request.POST:
                joined = devices.join(
                    card=card,
                    address=actor_of(request).address,
                    take_over=request.POST.get("take_over") == "yes",
                    secret=request.COOKIES.get(tablets.COOKIE, ""),
                )
                response = redirect("referee:tablet")
                tablets.remember(response, joined)
                return response
            taken = Device.objects.filter(
                event=card.event, table_number=card.table_number, ended_at=None, expires_at__gt=timezone.now()
            ).first()
            own = tablets.device_of(request)
            taken = None if taken == own else taken
        except devices.Occupied as occupied:
            taken, status = occupied.device, occupied.status
        except Refused as refused:
            fault, status = str(refused), refused.status
    context = {"code": code, "card": card, "taken": taken, "fault": fault}
    return render(request, "referee/join.html", context, status=status)


@never_cache
def tablet(request: HttpRequest) -> HttpResponse:
    """Where a tablet starts: its table in the round being played, or what it waits for."""
    device = tablets.device_of(request)
    if device is None:
        return redirect("referee:join")
    try:
        devices.require_living(device)
    except Refused as refused:
        return render(request, "referee/tablet.html", {"device": device, "fault": str(refused)})
    table = table_in_play(device.event_id, device.table_number)
    if table is not None:
        return redirect("referee:table", table.pk)
    devices.heartbeat(device=device, waiting=device.waiting)
    return render(request, "referee/tablet.html", {"device": device})


@director_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cards(request: HttpRequest, event: Event) -> HttpResponse:
    """The cards to print, one for each table."""
    fault = ""
    if request.method == "POST":
        try:
            number = request.POST.get("tables", "")
            tables = int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 0
            devices.make_cards(actor=actor_of(request), event=event, tables=tables)
            return redirect(request.path)
        except Refused as refused:
            fault = str(refused)
    found = TableCard.objects.filter(event=event, revoked_at=None, expires_at__gt=timezone.now())
    shown = [_printed(request, card) for card in found.order_by("table_number")]
    return event_page(
        request,
        event,
        "referee/cards.html",
        "event",
        _("Table cards"),
        cards=shown,
        only_here=_only_here(_site(request)),
        tables=tables_of(event),
        fault=fault,
        status=400 if fault else 200,
    )


@director_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    """The event's tablets with their last sign of life; shuts one out, or makes a card's code worthless."""
    if request.method == "POST":
        try:
            messages.success(request, _shut_out(request, event))
        except Refused as refused:
            messages.error(request, str(refused))
        return redirect(request.path)
    return event_page(
        request,
        event,
        "referee/tablets.html",
        "event",
        _("Tablets"),
        tablets=tablets_of(event),
        cards=TableCard.objects.filter(event=event, revoked_at=None).order_by("table_number"),
    )


def _shut_out(request: HttpRequest, event: Event) -> str:
    actor, reason = actor_of(request), request.POST.get("reason", "")
    if request.POST.get("card", "").isdecimal():
        card = get_object_or_404(TableCard, event=event, pk=int(request.POST["card"][:15]))
        devices.renew_card(actor=actor, card=card, reason=reason)
        return _("Table %(table)s has a new code: print its card again.") % {"table": card.table_number}
    if request.POST.get("device", "").isdecimal():
        device = get_object_or_404(Device, event=event, pk=int(request.POST["device"][:15]))
        devices.revoke_device(actor=actor, device=device, reason=reason)
        return _("Tablet %(name)s is shut out.") % {"name": device.name}
    raise Refused("nothing_chosen", _("Choose a tablet or a card."))


def _site(request: HttpRequest) -> str:
    """Where tablets reach this site: as whoever prints does, unless that is a name for the machine itself."""
    here = request.build_absolute_uri("/").rstrip("/")
    return settings.SITE_ADDRESS or here if _only_here(here) else here


def _only_here(address: str) -> bool:
    """Whether other devices cannot follow an address."""
    return urlsplit(address).hostname in {"localhost", "127.0.0.1", "::1"}


def _printed(request: HttpRequest, card: TableCard) -> dict[str, object]:
    site = _site(request)
    address = site + reverse("referee:join_code", args=[card.code])
    drawn = io.BytesIO()
    segno.make(address, error="m").save(
        drawn, kind="svg", xmldecl=False, svgns=True, scale=1, border=4, omitsize=True
    )
    return {
        "card": card,
        "code": devices.shown_code(card.code),
        "site": site,
        "address": reverse("referee:join"),
        "qr": mark_safe(drawn.getvalue().decode()),  # noqa: S308 - drawn by segno from our own address
    }
