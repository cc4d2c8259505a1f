"""The organiser's schedule of a tournament: times of rounds, and lines that are no rounds."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.forms.base import CommandForm
from tournament.forms.publicity import RoundTimeForm, ScheduleItemForm
from tournament.models import Round, Tournament
from tournament.queries.notices import whole_schedule
from tournament.services.schedule import add_schedule_item, plan_round, remove_schedule_item
from tournament.views.access import actor_of, organiser_required
from tournament.views.manage.common import carry_out, sent_back, tournament_crumbs, tournament_url


@organiser_required
def schedule(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The schedule by day; a form adds a line that is no round."""
    with timezone.override(tournament.tz):
        form = ScheduleItemForm(request.POST or None, events=tournament.events.order_by("id"))

        def work() -> str:
            values = {name: form.cleaned_data[name] for name in form.fields if name != "command_id"}
            add_schedule_item(actor=actor_of(request), tournament=tournament, **values)
            return tournament_url("schedule", tournament)

        answer = None
        if form.is_valid():
            answer = carry_out(request, form, "schedule.add", work, _("The schedule has been changed."))
        return answer or _page(request, tournament, form=form)


@organiser_required
def round_time(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Says when a round is to begin."""
    if request.method != "POST":
        return redirect(tournament_url("schedule", tournament))
    with timezone.override(tournament.tz):
        form = RoundTimeForm(request.POST, rounds=_rounds(tournament))

        def work() -> str:
            values = form.cleaned_data
            plan_round(actor=actor_of(request), round=values["round"], starts_at=values["starts_at"])
            return tournament_url("schedule", tournament)

        answer = None
        if form.is_valid():
            answer = carry_out(request, form, "round.plan", work, _("The schedule has been changed."))
        return answer or _page(request, tournament, round_form=form)


@organiser_required
def remove(request: HttpRequest, tournament: Tournament, item: int) -> HttpResponse:
    """Takes a line off the schedule."""
    found = get_object_or_404(tournament.schedule_items, pk=item)
    form = CommandForm(request.POST or None)

    def work() -> str:
        remove_schedule_item(actor=actor_of(request), item=found)
        return tournament_url("schedule", tournament)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "schedule.remove", work, _("The schedule has been changed."))
    return answer or sent_back(request, form, tournament_url("schedule", tournament))


def _rounds(tournament: Tournament) -> QuerySet[Round]:
    return (
        Round.objects.filter(event__tournament=tournament)
        .select_related("event__tournament")
        .order_by("event_id", "number")
    )


def _page(
    request: HttpRequest,
    tournament: Tournament,
    form: ScheduleItemForm | None = None,
    round_form: RoundTimeForm | None = None,
) -> HttpResponse:
    title = _("Schedule")
    bound = round_form if round_form is not None else form
    return render(
        request,
        "tournament/schedule.html",
        {
            "tournament": tournament,
            "crumbs": [*tournament_crumbs(tournament), (title, None)],
            "title": title,
            "days": whole_schedule(tournament),
            "form": form or ScheduleItemForm(events=tournament.events.order_by("id")),
            "round_form": round_form or RoundTimeForm(rounds=_rounds(tournament)),
            "remove_form": CommandForm(),
        },
        status=400 if bound is not None and bound.is_bound else 200,
    )
