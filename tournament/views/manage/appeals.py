"""Appeals at the desk: the list, one with its record and steps, filing one, and the entries' codes."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from referee.models import Appeal, EntryCode
from referee.queries import seats_at
from referee.services.appeals import (
    file_appeal,
    make_entry_codes,
    set_appeal_minutes,
    step_appeal,
)
from referee.services.devices import shown_code
from tournament.forms.appeals import STEPS, AppealStepForm, DeskAppealForm, MinutesForm
from tournament.forms.base import CommandForm
from tournament.models import Draw, Event, Table
from tournament.queries import access
from tournament.queries.appeals import MINUTES, entries_of, published_deals
from tournament.queries.published import Published
from tournament.views.access import actor_of, director_required, organiser_required
from tournament.views.manage.common import carry_out, event_page, event_url


@director_required
def appeals(request: HttpRequest, event: Event) -> HttpResponse:
    """All appeals of an event, the open ones first."""
    found = event.appeals.select_related("round", "entry", "version__deal__table").order_by("-number")
    return event_page(
        request,
        event,
        "tournament/appeals.html",
        "rounds",
        _("Appeals"),
        appeals=sorted(found, key=lambda one: one.state not in Appeal.OPEN),
        minutes=event.options.get(MINUTES, 0),
        form=MinutesForm(initial={"minutes": event.options.get(MINUTES, 0)}),
    )


@organiser_required
def minutes(request: HttpRequest, event: Event) -> HttpResponse:
    """Sets how long the public can appeal."""
    form = MinutesForm(request.POST or None, initial={"minutes": event.options.get(MINUTES, 0)})
    back = event_url("appeals", event)

    def work() -> str:
        set_appeal_minutes(actor=actor_of(request), event=event, minutes=form.cleaned_data["minutes"])
        return back

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "appeal.minutes", work, _("The time for appeals has been stored."))
    return answer or event_page(
        request,
        event,
        "tournament/appeal_form.html",
        "rounds",
        _("Time for appeals"),
        status=400 if form.is_bound else 200,
        form=form,
        button=_("Save"),
        back=back,
    )


@director_required
def appeal(request: HttpRequest, event: Event, appeal: int) -> HttpResponse:
    """One appeal: the record it is against, what was said and ruled, and the next step."""
    appeals = event.appeals.select_related(
        "round", "entry", "correction", "version__deal__table__draw__round__event__tournament"
    )
    found = get_object_or_404(appeals, number=appeal)
    found.event = event
    organiser = access.can_organise(request.user, event.tournament)
    open_now = found.state in Appeal.OPEN
    form = AppealStepForm(request.POST or None, appeal=found, organiser=organiser) if open_now else None
    here = event_url("appeal", event, appeal=found.number)

    def work() -> str:
        step_appeal(
            actor=actor_of(request),
            appeal=found,
            action=form.cleaned_data["action"],
            statement=form.cleaned_data["reason"],
            outcome=form.cleaned_data["outcome"],
        )
        return here

    if form is not None and form.is_valid():
        answer = carry_out(request, form, "appeal.step", work, _("The step is on record."))
        if answer:
            return answer
    deal = found.version.deal
    newest = deal.versions.order_by("-number").values_list("number", flat=True).first()
    return event_page(
        request,
        event,
        "tournament/appeal.html",
        "rounds",
        _("Appeal %(number)s") % {"number": found.number},
        status=400 if form is not None and form.is_bound else 200,
        appeal=found,
        deal=deal,
        seats=deal.table.seats.all(),
        record=_record(found),
        changed=newest != found.version.number,
        newest=newest,
        steps=[{"step": one, "title": STEPS[one.action]} for one in found.steps.select_related("made_by")],
        form=form,
    )


@director_required
def new(request: HttpRequest, event: Event, round: int, table: int) -> HttpResponse:
    """An appeal filed at the desk, against a published deal of a table."""
    tables = Table.objects.select_related("match", "draw__round")
    found = get_object_or_404(
        tables,
        draw__round__event=event,
        draw__round__number=round,
        draw__state=Draw.State.PUBLISHED,
        number=table,
    )
    deals = published_deals(Published(event), round, table)
    form = DeskAppealForm(request.POST or None, deals=deals, entries=entries_of(found.match))

    def work() -> str:
        made = file_appeal(
            actor=actor_of(request),
            event=event,
            round_number=round,
            table=table,
            deal=form.cleaned_data["deal"],
            number=form.cleaned_data["number"],
            statement=form.cleaned_data["statement"],
        )
        return event_url("appeal", event, appeal=made.number)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "appeal.file", work, _("The appeal has been filed."))
    return answer or event_page(
        request,
        event,
        "tournament/appeal_form.html",
        "rounds",
        _("Appeal: round %(round)s, table %(table)s") % {"round": round, "table": table},
        status=400 if form.is_bound else 200,
        form=form,
        nothing="" if deals else _("No deal of this table is published: there is nothing to appeal against."),
        button=_("File the appeal"),
        back=event_url("round", event, round=round),
    )


@never_cache
@organiser_required
def codes(request: HttpRequest, event: Event) -> HttpResponse:
    """The entries' codes, to be printed and cut; those that have none get one."""
    form = CommandForm(request.POST or None)
    here = event_url("appeal_codes", event)

    def work() -> str:
        make_entry_codes(actor=actor_of(request), event=event)
        return here

    if form.is_valid():
        answer = carry_out(request, form, "appeal.codes", work, _("Every entry has a code."))
        if answer:
            return answer
    found = EntryCode.objects.filter(entry__event=event, entry__house=False).select_related("entry")
    return event_page(
        request,
        event,
        "tournament/appeal_codes.html",
        "rounds",
        _("Codes of the entries"),
        status=400 if form.is_bound else 200,
        form=form,
        codes=[{"entry": one.entry, "code": shown_code(one.code)} for one in found.order_by("entry__number")],
        lacking=event.entries.filter(code=None, house=False).count(),
        back=event_url("appeals", event),
        minutes=event.options.get(MINUTES),
        address=(settings.SITE_ADDRESS or request.build_absolute_uri("/").rstrip("/"))
        + reverse("event", args=[event.tournament.slug, event.slug]),
    )


def _record(appeal: Appeal) -> list[dict[str, Any]]:
    """The record at issue by seat: who sat there, what was captured, what it counts."""
    version, deal = appeal.version, appeal.version.deal
    return [
        {
            "seat": seat,
            "captures": version.record["captures"].get(seat.direction, []),
            "credited": version.answer["credited"][seat.direction],
        }
        for seat in seats_at(deal.table, deal)
    ]
