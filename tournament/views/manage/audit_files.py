"""The audit trail to take away: as a file, and the day's digest on paper."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from tournament.excel.audit_files import audit_csv, audit_json, audit_workbook
from tournament.forms.audit import audit_form
from tournament.models import Event, Tournament
from tournament.queries.audit import audit_rows, day_digest
from tournament.services.audit_seals import seal_rows
from tournament.views.access import organiser_required
from tournament.views.manage.common import tournament_crumbs, tournament_url
from tournament.views.manage.downloads import XLSX, safe_filename


@organiser_required
def of_event(request: HttpRequest, event: Event, kind: str) -> HttpResponse:
    """The changes of an event that the filter shows."""
    return _file(request, event.tournament, event, kind)


@organiser_required
def of_tournament(request: HttpRequest, tournament: Tournament, kind: str) -> HttpResponse:
    """The changes of a tournament that the filter shows."""
    return _file(request, tournament, None, kind)


def _file(request: HttpRequest, tournament: Tournament, event: Event | None, kind: str) -> HttpResponse:
    form = audit_form(request.GET, tournament, event)
    rows = audit_rows(tournament, event, form.wanted()).iterator(chunk_size=2000)
    title = _("Changes %(of)s") % {"of": (event or tournament).name}
    if kind == "csv":
        response = HttpResponse(audit_csv(rows, tournament.tz), content_type="text/csv; charset=utf-8")
    elif kind == "json":
        response = HttpResponse(audit_json(rows), content_type="application/json")
    else:
        response = HttpResponse(audit_workbook(rows, tournament.tz, title), content_type=XLSX)
    response.headers["Content-Disposition"] = content_disposition_header(
        True, safe_filename(f"{title}.{kind}")
    )
    response.headers["Cache-Control"] = "no-store"
    return response


@organiser_required
def digest(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A sheet to be printed and signed: how the audit trail stood at the end of a day."""
    today = timezone.localdate(timezone=tournament.tz)
    try:
        day = parse_date(request.GET.get("day", "")) or today
    except ValueError:
        day = today
    seal_rows(tournament=tournament)
    found = day_digest(tournament, min(day, today))
    groups = [found.seal[start : start + 8] for start in range(0, len(found.seal), 8)]
    crumbs = [
        *tournament_crumbs(tournament),
        (_("Changes"), tournament_url("tournament_audit", tournament)),
        (_("Digest of the day"), None),
    ]
    return render(
        request,
        "tournament/audit_digest.html",
        {"tournament": tournament, "crumbs": crumbs, "digest": found, "groups": groups, "tz": tournament.tz},
    )
