"""Changes of many things at once: looked at, then done, and undone as one."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournament.forms.base import ReasonForm
from tournament.forms.constraints import ClearRoundsForm, WithdrawManyForm
from tournament.models import AuditRow, Event
from tournament.queries.bulk import clearing, withdrawals
from tournament.services.bulk import WITHDRAW, bulk_changes, clear_rounds, undo_bulk, withdraw_many
from tournament.views.access import actor_of, organiser_required
from tournament.views.manage.common import carry_out, confirmed, event_page, event_url


@organiser_required
def bulk(request: HttpRequest, event: Event) -> HttpResponse:
    """What can be done to many at once, and what was done."""
    return _page(request, event)


@organiser_required
def withdraw(request: HttpRequest, event: Event) -> HttpResponse:
    """Withdraws several entries: shown first, then done."""
    form = WithdrawManyForm(request.POST or None)
    if not form.is_valid():
        return _page(request, event, withdraw_form=form)
    numbers = form.cleaned_data["numbers"]

    def work() -> str:
        reason = form.cleaned_data["reason"]
        withdraw_many(actor=actor_of(request), event=event, numbers=numbers, reason=reason)
        return event_url("bulk", event)

    if "confirmed" in request.POST:
        answer = carry_out(request, form, "bulk.withdraw", work, _("The entries have been withdrawn."))
        return answer or _page(request, event, withdraw_form=form)
    return _confirm(
        request,
        event,
        form,
        "tournament/bulk_withdraw.html",
        _("Withdraw these?"),
        effect=withdrawals(event, numbers),
    )


@organiser_required
def clear(request: HttpRequest, event: Event) -> HttpResponse:
    """Withdraws the draws of a round and of all later ones: shown first, then done."""
    form = ClearRoundsForm(request.POST or None, event=event)
    if not form.is_valid():
        return _page(request, event, clear_form=form)
    first = form.cleaned_data["from_round"]

    def work() -> str:
        clear_rounds(
            actor=actor_of(request),
            event=event,
            from_round=first,
            reason=form.cleaned_data["reason"],
            with_deals=form.cleaned_data["with_deals"],
        )
        return event_url("bulk", event)

    if "confirmed" in request.POST:
        answer = carry_out(request, form, "bulk.clear", work, _("The draws have been withdrawn."))
        return answer or _page(request, event, clear_form=form)
    return _confirm(
        request,
        event,
        form,
        "tournament/bulk_clear.html",
        _("Clear these rounds?"),
        effect=clearing(event, first),
    )


@organiser_required
def undo(request: HttpRequest, event: Event, row: int) -> HttpResponse:
    """Takes a change of many things back."""
    found = get_object_or_404(AuditRow.objects.filter(event=event, action__startswith="bulk."), pk=row)
    form = ReasonForm(request.POST or None)

    def work() -> None:
        undo_bulk(actor=actor_of(request), event=event, row=found, reason=form.cleaned_data["reason"])

    text = (
        _("These entries take part again: %(what)s.")
        if found.action == WITHDRAW
        else _("These rounds get back the draws and results they had: %(what)s.")
    )
    return confirmed(
        request,
        event,
        "stages",
        form,
        action="bulk.undo",
        work=work,
        done=_("It has been undone."),
        title=_("Undo what was done to many"),
        text=text % {"what": _what(found)},
        button=_("Undo it"),
        back=event_url("bulk", event),
    )


def _what(row: AuditRow) -> str:
    after: dict[str, Any] = row.after or {}
    numbers = after.get("numbers") or sorted(one["round"] for one in after.get("draws", []))
    return ", ".join(map(str, numbers))


def _confirm(
    request: HttpRequest, event: Event, form: ReasonForm, template: str, title: str, **context: Any
) -> HttpResponse:
    """The same values once more, hidden, with what they will do."""
    return event_page(
        request, event, template, "stages", title, form=form, back=event_url("bulk", event), **context
    )


def _page(request: HttpRequest, event: Event, **forms: ReasonForm) -> HttpResponse:
    context: dict[str, Any] = {
        "withdraw_form": WithdrawManyForm(),
        "clear_form": ClearRoundsForm(event=event),
        **forms,
    }
    changes = [
        {"row": row, "what": _what(row), "undone": undone, "withdrawal": row.action == WITHDRAW}
        for row, undone in bulk_changes(event)
    ]
    bound = any(form.is_bound for form in forms.values())
    return event_page(
        request,
        event,
        "tournament/bulk.html",
        "stages",
        status=400 if bound else 200,
        changes=changes,
        **context,
    )
