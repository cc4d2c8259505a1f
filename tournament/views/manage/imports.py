"""Entries from an Excel workbook: template, preview, import."""

import io
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from tournament.excel.reading import read_entries
from tournament.excel.template import entry_template
from tournament.models import Event
from tournament.services.entry_sheet import EntrySheet
from tournament.services.import_entries import import_entries, preview
from tournament.views.access import actor_of, organiser_required
from tournament.views.manage import uploads
from tournament.views.manage.common import event_url
from tournament.views.manage.downloads import workbook_response


@organiser_required
def template(request: HttpRequest, event: Event) -> HttpResponse:
    """An empty list to be filled in, with the columns this kind of event needs."""
    name = _("Entry list %(event)s") % {"event": event.name}
    return workbook_response(entry_template(event, get_language()), f"{name}.xlsx")


@organiser_required
def upload(request: HttpRequest, event: Event) -> HttpResponse:
    """Choosing a workbook, and what importing it would do."""
    return uploads.choose(request, _upload(event), _look(event))


@organiser_required
def confirm(request: HttpRequest, event: Event) -> HttpResponse:
    """Imports a previewed workbook, all or nothing."""

    def work(content: bytes, _command_id: UUID) -> str:
        seen, sheet = request.POST.get("seen", ""), _read(content, event)
        outcome = import_entries(actor=actor_of(request), event=event, sheet=sheet, seen=seen)
        return _outcome_text(len(outcome.added), len(outcome.changed))

    return uploads.confirm(request, _upload(event), _look(event), "entries.import", work)


def _upload(event: Event) -> uploads.Upload:
    return uploads.Upload(
        event=event,
        here="entries",
        title=_("Import from Excel"),
        templates=("tournament/import.html", "tournament/import_preview.html"),
        upload=event_url("entries_import", event),
        confirm=event_url("entries_confirm", event),
        back=event_url("entries", event),
        about={},
    )


def _look(event: Event) -> uploads.Look:
    def look(content: bytes) -> tuple[dict[str, Any], int, bool]:
        plan = preview(event=event, sheet=_read(content, event))
        return {"plan": plan, "seen": plan.seen, "with_players": event.entry_size > 1}, True, plan.ok

    return look


def _read(content: bytes, event: Event) -> EntrySheet:
    return read_entries(io.BytesIO(content), event)


def _outcome_text(added: int, changed: int) -> str:
    parts = []
    if added:
        parts.append(ngettext("%(n)s entry added.", "%(n)s entries added.", added) % {"n": added})
    if changed:
        parts.append(ngettext("%(n)s entry changed.", "%(n)s entries changed.", changed) % {"n": changed})
    return " ".join(parts) or _("The list says nothing new.")
