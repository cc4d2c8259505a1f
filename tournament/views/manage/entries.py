"""Entries: the list, adding and editing one, withdrawing, returning, deleting."""

from collections.abc import Callable

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from tournament.forms.base import CommandForm, ReasonForm
from tournament.forms.entry import EntryForm
from tournament.models import Entry, Event
from tournament.queries.next_step import next_step
from tournament.services.entries import (
    add_entry,
    delete_entry,
    edit_entry,
    is_drawn,
    next_number,
    return_entry,
    withdraw_entry,
)
from tournament.services.events import least_entries
from tournament.views.access import actor_of, director_required, organiser_required
from tournament.views.manage.common import carry_out, confirmed, event_page, event_url
from tournament.views.manage.steps import StepView, step_view


@director_required
def entries(request: HttpRequest, event: Event) -> HttpResponse:
    """All entries by number, with their players; once they are enough, the way to the first draw."""
    found = event.entries.prefetch_related("players").order_by("number")
    clubs = found.exclude(club="").values("club").distinct().count()
    counts = event.entries.aggregate(
        active=Count("pk", filter=Q(status=Entry.Status.ACTIVE)),
        withdrawn=Count("pk", filter=Q(status=Entry.Status.WITHDRAWN)),
    )
    return event_page(
        request,
        event,
        "tournament/entries.html",
        "entries",
        entries=found,
        clubs=clubs,
        with_players=event.entry_size > 1,
        counts=counts,
        first_draw=_first_draw(event),
    )


def _first_draw(event: Event) -> StepView | None:
    """The next step where it is to draw for the first time: whoever has just imported the list looks
    for it here.
    """
    if event.state != Event.State.SETUP:
        return None
    step = next_step(event, least_entries(event.kind))
    return step_view(event, step) if step.code == "draw" else None


@organiser_required
def add(request: HttpRequest, event: Event) -> HttpResponse:
    """One more entry; "and another" stays on the page."""
    initial = {"number": next_number(event)}
    form = EntryForm(request.POST or None, event=event, initial=initial)

    def work() -> str:
        add_entry(actor=actor_of(request), event=event, data=form.data_for_service())
        return event_url("entry_add" if "another" in request.POST else "entries", event)

    if form.is_valid():
        answer = carry_out(request, form, "entry.add", work, _("The entry has been added."))
        if answer:
            return answer
    return _entry_page(request, event, form, title=_("New entry"), adding=True)


@organiser_required
def edit(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Changes an entry; from here it can be withdrawn, returned or deleted."""
    entry = get_object_or_404(event.entries, number=number)
    form = EntryForm(request.POST or None, event=event, entry=entry)

    def work() -> str:
        edit_entry(
            actor=actor_of(request),
            entry=entry,
            data=form.data_for_service(),
            based_on=form.cleaned_data["version"],
        )
        return event_url("entries", event)

    if form.is_valid():
        answer = carry_out(request, form, "entry.edit", work, _("The changes have been stored."))
        if answer:
            return answer
    return _entry_page(
        request,
        event,
        form,
        title=_("Entry %(number)s") % {"number": entry.number},
        entry=entry,
        deletable=not is_drawn(entry) and not entry.penalties.exists(),
    )


@organiser_required
def withdraw(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """The entry plays no more."""
    entry = get_object_or_404(event.entries, number=number)
    return _with_reason(
        request,
        entry,
        "entry.withdraw",
        lambda reason: withdraw_entry(actor=actor_of(request), entry=entry, reason=reason),
        title=_("Withdraw %(number)s · %(name)s") % {"number": entry.number, "name": entry.name},
        text=_("Results so far stay. The entry is not drawn again until it returns."),
        button=_("Withdraw"),
        done=_("The entry has been withdrawn."),
        danger=True,
    )


@organiser_required
def give_back(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """A withdrawn entry takes part again."""
    entry = get_object_or_404(event.entries, number=number)
    return _with_reason(
        request,
        entry,
        "entry.return",
        lambda reason: return_entry(actor=actor_of(request), entry=entry, reason=reason),
        title=_("Return of %(number)s · %(name)s") % {"number": entry.number, "name": entry.name},
        text=_("The entry is drawn again from the next draw on. Rounds missed count as one sit-out."),
        button=_("Take part again"),
        done=_("The entry takes part again."),
        danger=False,
    )


@organiser_required
def delete(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Removes an entry made by mistake, before any draw."""
    entry = event.entries.filter(number=number).first()
    if entry is None:
        # Deleted already, perhaps by this very request sent twice.
        return redirect(event_url("entries", event))
    form = CommandForm(request.POST or None)

    return confirmed(
        request,
        event,
        "entries",
        form,
        action="entry.delete",
        work=lambda: delete_entry(actor=actor_of(request), entry=entry),
        done=_("The entry has been deleted."),
        to=event_url("entries", event),
        title=_("Delete %(number)s · %(name)s") % {"number": entry.number, "name": entry.name},
        text=_("For an entry made by mistake. It can only be deleted as long as it has not been drawn."),
        button=_("Delete"),
        back=event_url("entry", event, number=number),
    )


def _with_reason(
    request: HttpRequest,
    entry: Entry,
    action: str,
    do: Callable[[str], object],
    *,
    title: str,
    text: str,
    button: str,
    done: str,
    danger: bool,
) -> HttpResponse:
    event = entry.event
    form = ReasonForm(request.POST or None)

    return confirmed(
        request,
        event,
        "entries",
        form,
        action=action,
        work=lambda: do(form.cleaned_data["reason"]),
        done=done,
        title=title,
        text=text,
        button=button,
        back=event_url("entry", event, number=entry.number),
        to=event_url("entries", event),
        danger=danger,
    )


def _entry_page(
    request: HttpRequest, event: Event, form: EntryForm, *, title: str, **context: object
) -> HttpResponse:
    return event_page(
        request,
        event,
        "tournament/entry_form.html",
        "entries",
        title,
        status=400 if form.is_bound else 200,
        form=form,
        **context,
    )
