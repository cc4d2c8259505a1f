"""Workbooks brought in by an organiser, whatever they hold: chosen, looked at, then imported all or nothing.

The preview page carries the workbook along, so nothing is kept on the server between the two steps; what is
imported is read and compared anew.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from tournament.excel.package import LARGEST_FILE, MEGABYTE
from tournament.forms.uploads import ConfirmImportForm, WorkbookForm
from tournament.models import Event
from tournament.services.entry_sheet import SheetFault
from tournament.views.manage.common import carry_out, event_page


@dataclass(frozen=True)
class Upload:
    """One kind of workbook, for one event or round of it.

    ``here`` names the tab; ``templates`` are those of the page where the file is chosen and of its preview;
    ``upload``, ``confirm`` and ``back`` are addresses; ``about`` goes to both pages' contexts.
    """

    event: Event
    here: str
    title: str
    templates: tuple[str, str]
    upload: str
    confirm: str
    back: str
    about: dict[str, Any]


#: Compares a workbook with what is stored: what its preview shows, whether there is anything to import (or
#: how much), and whether the workbook is free of faults.
Look = Callable[[bytes], tuple[dict[str, Any], int, bool]]
#: Imports a workbook under a command's id; gives what is said on the next page.
Import = Callable[[bytes, UUID], str]


def choose(request: HttpRequest, upload: Upload, look: Look) -> HttpResponse:
    """The page where a workbook is chosen, or what importing the chosen one would do."""
    form = WorkbookForm(request.POST or None, request.FILES or None)
    if form.is_valid() and form.cleaned_data["file"].size > LARGEST_FILE:
        # Before it is read: the preview carries the whole of it along.
        fault = SheetFault("file_too_large", params={"limit": LARGEST_FILE // MEGABYTE})
        form.add_error("file", str(fault))
    if form.is_valid():
        file = form.cleaned_data["file"]
        content = file.read()
        carried = ConfirmImportForm.of(content, file.name)
        return _preview(request, upload, look, carried, content=content, filename=file.name)
    return event_page(
        request,
        upload.event,
        upload.templates[0],
        upload.here,
        upload.title,
        status=400 if form.is_bound else 200,
        form=form,
        **upload.about,
    )


def confirm(request: HttpRequest, upload: Upload, look: Look, action: str, work: Import) -> HttpResponse:
    """Imports a previewed workbook, once; shows the preview again where that is refused."""
    form = ConfirmImportForm(request.POST or None)
    if not form.is_valid():
        return choose(request, upload, look)
    content = form.cleaned_data["content"]
    told: list[str] = []

    def bring_in() -> str:
        told.append(work(content, form.cleaned_data["command_id"]))
        return upload.back

    answer = carry_out(request, form, action, bring_in)
    if answer is None:
        filename = form.cleaned_data["filename"]
        return _preview(request, upload, look, form, content=content, filename=filename)
    for text in told:
        messages.success(request, text)
    return answer


def _preview(
    request: HttpRequest,
    upload: Upload,
    look: Look,
    form: ConfirmImportForm,
    *,
    content: bytes,
    filename: str,
) -> HttpResponse:
    context, importable, sound = look(content)
    return event_page(
        request,
        upload.event,
        upload.templates[1],
        upload.here,
        upload.title,
        status=200 if sound else 400,
        filename=filename,
        form=form,
        file_form=WorkbookForm(),
        upload=upload,
        importable=importable,
        **upload.about,
        **context,
    )
