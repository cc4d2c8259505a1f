"""Workbooks as downloads."""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.http import content_disposition_header
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.excel.writing import result_workbook
from tournament.models import Event
from tournament.tasks.workbooks import is_large
from tournament.views.access import director_required
from tournament.views.manage.common import event_url

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_CHUNK = 64 * 1024


@director_required
def workbook(request: HttpRequest, event: Event) -> HttpResponse:
    """The result workbook of the event in the language of the page; a large one is ordered."""
    if is_large(event):
        return redirect(event_url("workbook_order", event))
    name = _("Results %(event)s") % {"event": event.name}
    return workbook_response(result_workbook(event, get_language()), f"{name}.xlsx")


def workbook_response(content: bytes, filename: str) -> StreamingHttpResponse:
    """A workbook to be saved under a name that may be Chinese."""
    response = StreamingHttpResponse(_chunks(content), content_type=XLSX)
    response.headers["Content-Disposition"] = content_disposition_header(True, safe_filename(filename))
    response.headers["Content-Length"] = str(len(content))
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-store"
    return response


def safe_filename(name: str) -> str:
    """The name without what file systems do not take."""
    return "".join("-" if char in '\\/:*?"<>|' or ord(char) < 32 else char for char in name)


def _chunks(content: bytes) -> Iterator[bytes]:
    for start in range(0, len(content), _CHUNK):
        yield content[start : start + _CHUNK]
