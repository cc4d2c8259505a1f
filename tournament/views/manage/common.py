"""What the organiser's views share: carrying out a form once, and the frame of an event's pages."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.services.commands import run_once
from tournament.forms.base import CommandForm
from tournament.models import Event, Round, Tournament
from tournament.queries import access
from tournament.services.errors import NotAllowed, Refused
from tournament.views.access import actor_of

#: Parts of a request that are not part of what is asked.
_NOT_PAYLOAD = ("csrfmiddlewaretoken", "command_id")

Crumbs = list[tuple[str, str | None]]


def carry_out(
    request: HttpRequest, form: CommandForm, action: str, work: Callable[[], str], done: str = ""
) -> HttpResponse | None:
    """Does what a valid form asks, once, and goes on to the address that ``work`` returns.

    Sent twice, the second request goes to the same place and changes nothing. ``done`` is said on the
    next page. None: the services refused, and the form shows why; nothing was stored.
    """
    payload = {
        "path": request.path,
        **{name: request.POST.getlist(name) for name in sorted(request.POST) if name not in _NOT_PAYLOAD},
    }
    try:
        outcome = run_once(
            actor=actor_of(request),
            command_id=form.cleaned_data["command_id"],
            action=action,
            payload=payload,
            work=lambda: {"to": work()},
        )
    except NotAllowed as refused:
        raise PermissionDenied from refused
    except Refused as refused:
        form.add_refusal(refused)
        if refused.code == "command_id_reused":
            form.renew()
        return None
    if done and not outcome.repeated:
        messages.success(request, done)
    return redirect(outcome.body["to"])


def sent_back(request: HttpRequest, form: CommandForm, address: str) -> HttpResponse:
    """Back to the page of a button that has none of its own, which says why nothing was done."""
    for texts in form.errors.values():
        for text in texts:
            messages.error(request, text)
    return redirect(address)


def event_url(name: str, event: Event, **more: Any) -> str:
    """The address of one of an event's pages."""
    return reverse(
        f"manage:{name}", kwargs={"tournament": event.tournament.slug, "event": event.slug, **more}
    )


def tournament_url(name: str, tournament: Tournament, **more: Any) -> str:
    """The address of one of a tournament's pages."""
    return reverse(f"manage:{name}", kwargs={"tournament": tournament.slug, **more})


def round_url(name: str, round: Round) -> str:
    """The address of one of a round's pages."""
    return event_url(name, round.event, round=round.number)


def home_crumbs() -> Crumbs:
    """The beginning of every organiser's way."""
    return [(_("Organise"), reverse("manage:home"))]


def tournament_crumbs(tournament: Tournament) -> Crumbs:
    """The way to a tournament's pages."""
    return [*home_crumbs(), (tournament.name, tournament_url("tournament", tournament))]


def event_crumbs(event: Event) -> Crumbs:
    """The way to an event's pages."""
    return [*tournament_crumbs(event.tournament), (event.name, event_url("event", event))]


def event_page(
    request: HttpRequest,
    event: Event,
    template: str,
    here: str,
    title: str = "",
    *,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """A page of an event, with its crumbs and tabs; ``here`` names the tab, ``title`` a page below it.

    A tab's own page goes by the tab's name, the first by the event's.
    """
    organiser = access.can_organise(request.user, event.tournament)
    tabs = _tabs(event, here, organiser)
    title = title or next((tab["label"] for tab in tabs[1:] if tab["here"]), "")
    crumbs = event_crumbs(event)
    if title:
        crumbs.append((title, None))
    else:
        crumbs[-1] = (event.name, None)
    return render(
        request,
        template,
        {
            "tournament": event.tournament,
            "event": event,
            "crumbs": crumbs,
            "tabs": tabs,
            "organiser": organiser,
            "title": title,
            **context,
        },
        status=status,
    )


def confirmed(
    request: HttpRequest,
    event: Event,
    here: str,
    form: CommandForm,
    *,
    action: str,
    work: Callable[[], object],
    done: str,
    title: str,
    text: str,
    button: str,
    back: str,
    to: str = "",
    danger: bool = True,
) -> HttpResponse:
    """A step that is asked about once more on a page of its own, usually for a reason, and then carried out.

    Once done the way leads to ``to``, else to ``back``, as it does for whoever leaves it undone. What the
    services refuse is said on the page.
    """

    def carry_on() -> str:
        work()
        return to or back

    answer = carry_out(request, form, action, carry_on, done) if form.is_valid() else None
    return answer or confirm_page(
        request, event, here, form, title=title, text=text, button=button, back=back, danger=danger
    )


def confirm_page(
    request: HttpRequest,
    event: Event,
    here: str,
    form: CommandForm,
    *,
    title: str,
    text: str,
    button: str,
    back: str,
    danger: bool = True,
) -> HttpResponse:
    """The page that asks once more before something is done."""
    return event_page(
        request,
        event,
        "tournament/confirm.html",
        here,
        title,
        status=400 if form.is_bound else 200,
        form=form,
        text=text,
        button=button,
        back=back,
        danger=danger,
    )


def _tabs(event: Event, here: str, organiser: bool) -> list[dict[str, Any]]:
    pages = [
        ("event", _("Overview")),
        ("entries", _("Entries")),
        ("rounds", _("Rounds")),
        ("penalties", _("Penalties")),
        ("standings", _("Standings")),
    ]
    if organiser:
        pages[2:2] = [("stages", _("Stages"))]
        pages.append(("audit", _("Changes")))
    return [{"url": event_url(name, event), "label": label, "here": name == here} for name, label in pages]
