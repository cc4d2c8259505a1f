"""A tournament as one file: download and import; and one copied as the template of another."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from tournament.forms.archives import ArchiveFileForm, CopyForm
from tournament.models import Tournament
from tournament.services.archive.template import copy_tournament
from tournament.services.archive.transfer import export_tournament
from tournament.services.errors import Refused
from tournament.tasks.archive_proof import import_shown
from tournament.views.access import actor_of, founder_required, organiser_required
from tournament.views.manage.common import carry_out, home_crumbs, tournament_crumbs, tournament_url


@organiser_required
def archive(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What can be done with the tournament as a whole."""
    return _archive_page(request, tournament, CopyForm())


@organiser_required
def download(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The file of the whole tournament."""
    try:
        data = export_tournament(actor=actor_of(request), tournament=tournament)
    except Refused as refused:
        form = CopyForm()
        return _archive_page(request, tournament, form, fault=str(refused), status=refused.status)
    response = HttpResponse(data, content_type="application/gzip")
    response.headers["Content-Disposition"] = content_disposition_header(True, f"{tournament.slug}.json.gz")
    response.headers["Cache-Control"] = "no-store"
    return response


@organiser_required
def copy(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Another tournament with the structure of this one."""
    form = CopyForm(request.POST or None)

    def work() -> str:
        made = copy_tournament(actor=actor_of(request), tournament=tournament, **form.values())
        return tournament_url("tournament", made)

    if form.is_valid():
        answer = carry_out(request, form, "tournament.copy", work, _("The tournament has been created."))
        if answer:
            return answer
    return _archive_page(request, tournament, form, status=400 if form.is_bound else 200)


@founder_required
def upload(request: HttpRequest) -> HttpResponse:
    """A tournament brought in from the file of another site."""
    form = ArchiveFileForm(request.POST or None, request.FILES or None)

    def work() -> str:
        found = import_shown(
            actor=actor_of(request),
            data=form.cleaned_data["file"].read(),
            slug=form.cleaned_data["slug"],
        )
        return tournament_url("tournament", found.tournament)

    if form.is_valid():
        answer = carry_out(request, form, "tournament.import", work, _("The tournament has been imported."))
        if answer:
            return answer
    context = {
        "form": form,
        "crumbs": [*home_crumbs(), (_("Import a tournament"), None)],
        "title": _("Import a tournament"),
        "button": _("Import"),
        "back": reverse("manage:home"),
    }
    status = 400 if form.is_bound else 200
    return render(request, "tournament/archive_import.html", context, status=status)


def _archive_page(
    request: HttpRequest, tournament: Tournament, form: CopyForm, *, fault: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "tournament": tournament,
        "form": form,
        "fault": fault,
        "title": _("Archive"),
        "button": _("Create tournament"),
        "crumbs": [*tournament_crumbs(tournament), (_("Archive"), None)],
    }
    return render(request, "tournament/archive.html", context, status=status)
