"""What the organiser asks of the draws: who is kept apart, who does not come to a round."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from tournament.forms.base import CommandForm
from tournament.forms.constraints import AbsentForm, ApartForm, ApartRoundsForm
from tournament.models import Absence, Event
from tournament.services.constraints import keep_apart, let_meet, mark_absent, set_apart_rounds, unmark_absent
from tournament.views.access import actor_of, organiser_required
from tournament.views.manage.common import carry_out, confirmed, event_page, event_url


@organiser_required
def constraints(request: HttpRequest, event: Event) -> HttpResponse:
    """Everything that the draws mind."""
    return _page(request, event)


@organiser_required
def apart_rounds(request: HttpRequest, event: Event) -> HttpResponse:
    """In how many rounds clubs and seeds are kept apart."""
    form = ApartRoundsForm(request.POST or None, prefix="rounds")

    def work() -> str:
        set_apart_rounds(
            actor=actor_of(request),
            event=event,
            clubs=form.cleaned_data["clubs"],
            seeds=form.cleaned_data["seeds"],
        )
        return event_url("constraints", event)

    step = ("rounds_form", "apart.rounds", _("The changes have been stored."))
    return _answer(request, event, form, step, work)


@organiser_required
def apart_add(request: HttpRequest, event: Event) -> HttpResponse:
    """Entries that never meet."""
    form = ApartForm(request.POST or None, prefix="apart")

    def work() -> str:
        keep_apart(
            actor=actor_of(request),
            event=event,
            numbers=form.cleaned_data["numbers"],
            name=form.cleaned_data["name"],
        )
        return event_url("constraints", event)

    step = ("apart_form", "apart.add", _("They are kept apart from now on."))
    return _answer(request, event, form, step, work)


@organiser_required
def apart_remove(request: HttpRequest, event: Event, group: int) -> HttpResponse:
    """Entries that may meet again."""
    found = event.apart_groups.filter(pk=group).first()
    if found is None:
        # Removed already, perhaps by this very request sent twice.
        return redirect(event_url("constraints", event))
    form = CommandForm(request.POST or None)

    def work() -> None:
        let_meet(actor=actor_of(request), group=found)

    names = _(", ").join(f"{one.number} {one.name}" for one in found.entries.order_by("number"))
    return confirmed(
        request,
        event,
        "stages",
        form,
        action="apart.remove",
        work=work,
        done=_("They may meet again."),
        title=_("Let them meet again"),
        text=_("%(names)s: no longer kept apart. Draws already made are not changed.") % {"names": names},
        button=_("Let them meet"),
        back=event_url("constraints", event),
        danger=False,
    )


@organiser_required
def absent_mark(request: HttpRequest, event: Event) -> HttpResponse:
    """Entries that do not come to a round."""
    form = AbsentForm(request.POST or None, prefix="absent", event=event)

    def work() -> str:
        mark_absent(
            actor=actor_of(request),
            round=get_object_or_404(event.rounds, number=form.cleaned_data["round"]),
            numbers=form.cleaned_data["numbers"],
            reason=form.cleaned_data["reason"],
        )
        return event_url("constraints", event)

    step = ("absent_form", "absence.mark", _("They are not drawn in this round."))
    return _answer(request, event, form, step, work)


@organiser_required
def absent_remove(request: HttpRequest, event: Event, round: int, number: int) -> HttpResponse:
    """Somebody comes after all."""
    found = get_object_or_404(event.rounds, number=round)
    absence = found.absences.filter(entry__number=number).select_related("entry").first()
    if absence is None:
        return redirect(event_url("constraints", event))
    form = CommandForm(request.POST or None)

    def work() -> None:
        unmark_absent(actor=actor_of(request), round=found, number=number)

    return confirmed(
        request,
        event,
        "stages",
        form,
        action="absence.unmark",
        work=work,
        done=_("The entry is drawn again."),
        title=_("%(number)s · %(name)s comes to round %(round)s")
        % {"number": number, "name": absence.entry.name, "round": round},
        text=_("The entry is no longer marked as absent."),
        button=_("Comes after all"),
        back=event_url("constraints", event),
        danger=False,
    )


def _answer(
    request: HttpRequest, event: Event, form: CommandForm, step: tuple[str, str, str], work: Callable[[], str]
) -> HttpResponse:
    """Carries out one of the page's forms. ``step``: its name on the page, the action, what is said when
    done.
    """
    name, action, done = step
    if request.method != "POST":
        return redirect(event_url("constraints", event))
    answer = carry_out(request, form, action, work, done) if form.is_valid() else None
    return answer or _page(request, event, **{name: form})


def _page(request: HttpRequest, event: Event, **forms: CommandForm) -> HttpResponse:
    apart = {"clubs": event.clubs_apart_rounds, "seeds": event.options.get("seeds_apart_rounds", 0)}
    absences = Absence.objects.filter(round__event=event).select_related("round", "entry")
    context = {
        "rounds_form": ApartRoundsForm(prefix="rounds", initial=apart),
        "apart_form": ApartForm(prefix="apart"),
        "absent_form": AbsentForm(prefix="absent", event=event),
        **forms,
    }
    return event_page(
        request,
        event,
        "tournament/constraints.html",
        "stages",
        status=400 if forms else 200,
        groups=event.apart_groups.prefetch_related("entries"),
        absences=absences.order_by("round__number", "entry__number"),
        **context,
    )
