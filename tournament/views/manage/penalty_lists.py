"""Penalties from a workbook: the empty list, preview, import."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from referee.services.penalty_lists import import_penalties, preview_penalties
from tournament.excel.penalty_lists import penalty_template, read_penalties
from tournament.models import Event
from tournament.services.audit import Actor
from tournament.views.access import actor_of, director_required
from tournament.views.manage import uploads
from tournament.views.manage.common import event_url
from tournament.views.manage.downloads import workbook_response


@director_required
def template(request: HttpRequest, event: Event) -> HttpResponse:
    """An empty list to be filled in."""
    name = _("Penalties %(event)s") % {"event": event.name}
    return workbook_response(penalty_template(event, get_language()), f"{name}.xlsx")


@director_required
def upload(request: HttpRequest, event: Event) -> HttpResponse:
    """Choosing a workbook, and what giving its penalties would do."""
    return uploads.choose(request, _upload(event), _look(event, actor_of(request)))


@director_required
def confirm(request: HttpRequest, event: Event) -> HttpResponse:
    """Gives the penalties of a previewed workbook, all or nothing."""
    actor = actor_of(request)

    def work(content: bytes, command_id: UUID) -> str:
        plan = import_penalties(
            actor=actor, event=event, sheet=read_penalties(content), command_id=command_id
        )
        given = plan.counts["new"]
        return ngettext("%(n)s penalty given.", "%(n)s penalties given.", given) % {"n": given}

    return uploads.confirm(request, _upload(event), _look(event, actor), "penalties.import", work)


def _upload(event: Event) -> uploads.Upload:
    return uploads.Upload(
        event=event,
        here="penalties",
        title=_("Penalties from Excel"),
        templates=("tournament/penalty_list.html", "tournament/penalty_list_preview.html"),
        upload=event_url("penalties_import", event),
        confirm=event_url("penalties_confirm", event),
        back=event_url("penalties", event),
        about={},
    )


def _look(event: Event, actor: Actor) -> uploads.Look:
    def look(content: bytes) -> tuple[dict[str, Any], int, bool]:
        plan = preview_penalties(actor=actor, event=event, sheet=read_penalties(content))
        return {"plan": plan}, bool(plan.counts["new"]), not plan.faults

    return look
