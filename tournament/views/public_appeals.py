"""The public pages on which an entry, with its own code, appeals against a published deal, and follows it."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from referee.services.appeals import file_appeal, follow_appeals
from tournament.forms.appeals import STEPS, FollowAppealForm, PublicAppealForm
from tournament.models import Event, Publication
from tournament.queries.appeals import appeal_deadline, published_deals
from tournament.queries.public_nav import event_nav
from tournament.queries.published import Published, public_events
from tournament.services.errors import Refused
from tournament.views.access import actor_of


@never_cache
def appeal(request: HttpRequest, tournament: str, event: str, number: int, table: int) -> HttpResponse:
    """The form until the deadline, and what was filed; 404 where nothing is published, or none is taken."""
    found = _event(tournament, event)
    published = Published(found)
    results = published.publication(Publication.What.RESULTS, number)
    deals = published_deals(published, number, table)
    deadline = appeal_deadline(found, results) if results else None
    if not deals or deadline is None:
        raise Http404
    asked = request.GET.get("deal", "")
    form = PublicAppealForm(
        request.POST or None, deals=deals, initial={"deal": asked if asked.isdigit() else None}
    )
    filed, status = None, 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                filed = file_appeal(
                    actor=actor_of(request),
                    event=found,
                    round_number=number,
                    table=table,
                    deal=form.cleaned_data["deal"],
                    number=form.cleaned_data["number"],
                    statement=form.cleaned_data["statement"],
                    code=form.cleaned_data["code"],
                )
                status = 200
            except Refused as refused:
                form.add_refusal(refused)
                status = refused.status
    context = _frame(published, "appeal") | {
        "number": number,
        "table_number": table,
        "deadline": deadline,
        "over": deadline <= timezone.now(),
        "form": form,
        "filed": filed,
    }
    with timezone.override(found.tournament.tz):
        return render(request, "public/appeal.html", context, status=status)


@never_cache
def follow(request: HttpRequest, tournament: str, event: str) -> HttpResponse:
    """What became of an entry's appeals, for whoever has its code; nothing is kept of that afterwards."""
    found = _event(tournament, event)
    form = FollowAppealForm(request.POST or None, initial={"number": request.GET.get("number", "")[:5]})
    appeals, status = None, 400 if form.is_bound else 200
    if form.is_valid():
        try:
            appeals = follow_appeals(
                actor=actor_of(request),
                event=found,
                number=form.cleaned_data["number"],
                code=form.cleaned_data["code"],
            )
            status = 200
        except Refused as refused:
            form.add_refusal(refused)
            status = refused.status
    context = _frame(Published(found), "appeals") | {
        "form": form,
        "asked": appeals is not None,
        "appeals": [
            {
                "appeal": one,
                "steps": [{"step": step, "title": STEPS[step.action]} for step in one.steps.all()],
            }
            for one in appeals or ()
        ],
    }
    with timezone.override(found.tournament.tz):
        return render(request, "public/appeals.html", context, status=status)


def _event(tournament: str, event: str) -> Event:
    events = public_events().select_related("tournament")
    return get_object_or_404(events, tournament__slug=tournament, slug=event)


def _frame(published: Published, page: str) -> dict[str, Any]:
    """What every public page of an event shows around its content."""
    event = published.event
    return {
        "tournament": event.tournament,
        "event": event,
        "page_name": page,
        "public_rounds": published.rounds(),
        "latest_standings": published.latest_standings,
        "nav": event_nav(published),
    }
