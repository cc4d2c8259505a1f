"""The organiser's announcements of a tournament: written, changed, pinned, withdrawn."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from tournament.forms.base import CommandForm
from tournament.forms.publicity import AnnouncementForm
from tournament.models import Announcement, Tournament
from tournament.services.notices import (
    edit_announcement,
    post_announcement,
    restore_announcement,
    withdraw_announcement,
)
from tournament.views.access import actor_of, organiser_required
from tournament.views.manage.common import carry_out, sent_back, tournament_crumbs, tournament_url


@organiser_required
def announcements(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All announcements, those that are up and those taken down, and a form for another one."""
    form = AnnouncementForm(request.POST or None, events=tournament.events.order_by("id"))

    def work() -> str:
        values = form.cleaned_data
        post_announcement(
            actor=actor_of(request),
            tournament=tournament,
            event=values["event"],
            title=values["title"],
            body=values["body"],
            pinned=values["pinned"],
        )
        return tournament_url("announcements", tournament)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "announcement.post", work, _("The announcement is public."))
    if answer:
        return answer
    found = tournament.announcements.select_related("event", "author")
    lines = [{"announcement": one, "form": CommandForm()} for one in found]
    title = _("Announcements")
    return render(
        request,
        "tournament/announcements.html",
        {
            "tournament": tournament,
            "crumbs": [*tournament_crumbs(tournament), (title, None)],
            "title": title,
            "form": form,
            "lines": [line for line in lines if line["announcement"].withdrawn_at is None],
            "taken_down": [line for line in lines if line["announcement"].withdrawn_at is not None],
        },
        status=400 if form.is_bound else 200,
    )


@organiser_required
def edit(request: HttpRequest, tournament: Tournament, announcement: int) -> HttpResponse:
    """Changes an announcement that is up."""
    found = get_object_or_404(tournament.announcements.filter(withdrawn_at=None), pk=announcement)
    form = AnnouncementForm(
        request.POST or None, initial={"title": found.title, "body": found.text, "pinned": found.pinned}
    )

    def work() -> str:
        values = form.cleaned_data
        edit_announcement(
            actor=actor_of(request),
            announcement=found,
            title=values["title"],
            body=values["body"],
            pinned=values["pinned"],
        )
        return tournament_url("announcements", tournament)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "announcement.edit", work, _("The changes have been stored."))
    if answer:
        return answer
    back = tournament_url("announcements", tournament)
    return render(
        request,
        "tournament/tournament_form.html",
        {
            "tournament": tournament,
            "crumbs": [*tournament_crumbs(tournament), (_("Announcements"), back), (found.title, None)],
            "title": found.title,
            "form": form,
            "button": _("Save"),
            "back": back,
        },
        status=400 if form.is_bound else 200,
    )


@organiser_required
def withdraw(request: HttpRequest, tournament: Tournament, announcement: int) -> HttpResponse:
    """Takes an announcement off the pages."""
    done = _("The announcement has been withdrawn.")
    found = get_object_or_404(tournament.announcements, pk=announcement)
    return _changed(request, found, withdraw_announcement, "announcement.withdraw", done)


@organiser_required
def restore(request: HttpRequest, tournament: Tournament, announcement: int) -> HttpResponse:
    """Puts an announcement that was taken down up again."""
    done = _("The announcement is public again.")
    found = get_object_or_404(tournament.announcements, pk=announcement)
    return _changed(request, found, restore_announcement, "announcement.restore", done)


def _changed(
    request: HttpRequest, announcement: Announcement, change: Callable[..., object], command: str, done: str
) -> HttpResponse:
    """Carries out what a button beside an announcement asks for, and back to the list."""
    form = CommandForm(request.POST or None)
    back = tournament_url("announcements", announcement.tournament)

    def work() -> str:
        change(actor=actor_of(request), announcement=announcement)
        return back

    answer = carry_out(request, form, command, work, done) if form.is_valid() else None
    return answer or sent_back(request, form, back)
