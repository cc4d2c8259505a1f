"""How a stage, or one round, is played where that differs from the event."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournament.forms.terms import TermsForm, round_terms_form, stage_terms_form
from tournament.models import Draw, Event, Round, Stage
from tournament.queries.bracket_names import stage_title
from tournament.queries.draw_sources import is_first
from tournament.queries.plans import Terms, describe_terms, event_terms, stage_terms
from tournament.services.terms import set_round_terms, set_stage_terms
from tournament.views.access import actor_of, organiser_required
from tournament.views.manage.common import carry_out, event_page, event_url, round_url


@organiser_required
def of_stage(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """How all rounds of a stage are played, and what they are worth."""
    stages = event.stages.select_related("event__tournament", "event__ruleset_version")
    found: Stage = get_object_or_404(stages, number=stage)
    form = stage_terms_form(request.POST or None, found, first=is_first(found))

    def work() -> str:
        set_stage_terms(actor=actor_of(request), stage=found, terms=form.terms())
        return event_url("stages", event)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "stage.terms", work, _("The changes have been stored."))
    return answer or _page(
        request,
        event,
        form,
        title=_("How it is played: %(stage)s") % {"stage": stage_title(found.name, found.number)},
        here="stages",
        above=event_terms(event),
        drawn=Draw.objects.filter(round__stage=found).exclude(state=Draw.State.WITHDRAWN).exists(),
        back=event_url("stages", event),
    )


@organiser_required
def of_round(request: HttpRequest, event: Event, round: int) -> HttpResponse:
    """How one round is played, such as a longer final."""
    rounds = event.rounds.select_related("event__tournament", "event__ruleset_version", "stage__event")
    found: Round = get_object_or_404(rounds, number=round)
    form = round_terms_form(request.POST or None, found)

    def work() -> str:
        set_round_terms(actor=actor_of(request), round=found, terms=form.terms())
        return round_url("round", found)

    answer = None
    if form.is_valid():
        answer = carry_out(request, form, "round.terms", work, _("The changes have been stored."))
    return answer or _page(
        request,
        event,
        form,
        title=_("How round %(round)s is played") % {"round": round},
        here="rounds",
        above=stage_terms(found.stage),
        drawn=found.draws.exclude(state=Draw.State.WITHDRAWN).exists(),
        back=round_url("round", found),
    )


def _page(
    request: HttpRequest,
    event: Event,
    form: TermsForm,
    *,
    title: str,
    here: str,
    above: Terms,
    drawn: bool,
    back: str,
) -> HttpResponse:
    return event_page(
        request,
        event,
        "tournament/terms_form.html",
        here,
        title,
        status=400 if form.is_bound else 200,
        form=form,
        above=above,
        above_plan=describe_terms(above),
        drawn=drawn,
        button=_("Save"),
        back=back,
    )
