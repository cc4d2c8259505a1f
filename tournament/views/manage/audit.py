"""The audit trail of an event or of a whole tournament, with a filter."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournament.forms.audit import ACTIONS, audit_form
from tournament.forms.audit_words import AuditWords
from tournament.models import AuditRow, Event, Tournament
from tournament.queries.audit import audit_rows
from tournament.views.access import organiser_required
from tournament.views.manage.common import event_page, event_url, tournament_crumbs, tournament_url

_PER_PAGE = 50


@organiser_required
def of_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Every change of an event."""
    return event_page(
        request, event, "tournament/audit.html", "audit", **_context(request, event.tournament, event)
    )


@organiser_required
def of_tournament(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every change of a tournament and all its events."""
    context = {
        "tournament": tournament,
        "crumbs": [*tournament_crumbs(tournament), (_("Changes"), None)],
        **_context(request, tournament, None),
    }
    return render(request, "tournament/audit_tournament.html", context)


def _context(request: HttpRequest, tournament: Tournament, event: Event | None) -> dict[str, Any]:
    form = audit_form(request.GET, tournament, event)
    page = Paginator(audit_rows(tournament, event, form.wanted()), _PER_PAGE).get_page(
        request.GET.get("page")
    )
    words = AuditWords(tournament.tz)
    query = request.GET.copy()
    query.pop("page", None)
    return {
        "form": form,
        "page": page,
        "rows": [_row(words, row) for row in page],
        "query": query.urlencode(),
        "tz": tournament.tz,
        "exports": [(kind.upper(), _export_url(tournament, event, kind)) for kind in ("csv", "xlsx", "json")],
    }


def _export_url(tournament: Tournament, event: Event | None, kind: str) -> str:
    if event is None:
        return tournament_url("tournament_audit_export", tournament, kind=kind)
    return event_url("audit_export", event, kind=kind)


def _row(words: AuditWords, row: AuditRow) -> dict[str, Any]:
    return {
        "row": row,
        "action": ACTIONS.get(row.action, row.action),
        "about": words.about(row),
        "kind": words.kind(row),
        "changes": words.changes(row),
    }
