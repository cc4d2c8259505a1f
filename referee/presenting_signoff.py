"""Sign-off as JSON for the table page: what each seat has said, what is disputed, what is kept hidden."""

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.models import Dispute
from referee.queries.signoffs import ALL, NOTHING_SAID, SECOND, Signoff
from scoring.engine.cards import symbol
from scoring.messages import exposure_name, seat_name

_WHAT = {
    "captured": gettext_lazy("captured"),
    "exposed": gettext_lazy("exposed"),
    "dealt": gettext_lazy("dealt to"),
    "swap": gettext_lazy("exchange of signs"),
    "score": gettext_lazy("score"),
}


def hidden_from(policy: str, state: str, *, directing: bool) -> bool:
    """Whether the record must not be seen yet: whoever enters it a second time does so blind."""
    return policy == SECOND and state == "recorded" and not directing


def told_version(facts: Mapping[str, Any], policy: str, *, directing: bool) -> dict[str, Any]:
    """The facts of a version (`version_facts`) as somebody may see them: without cards and figures where the
    record is hidden from them.
    """
    hidden = hidden_from(policy, facts["state"], directing=directing)
    return {**facts, "hidden": hidden, **({"record": None, "answer": None} if hidden else {})}


def signoff_json(
    signoff: Signoff | None, policy: str, state: str, *, directing: bool, at: Collection[str]
) -> dict[str, Any]:
    """The sign-off of one deal at a table with the seats ``at``. ``second`` says whether a second entry is
    wanted now.
    """
    found = signoff or NOTHING_SAID
    waiting = state == "recorded"
    hidden = hidden_from(policy, state, directing=directing) and not found.second_entry
    return {
        "policy": policy,
        "all": policy == ALL and waiting,
        "second": policy == SECOND and waiting and not found.second_entry,
        "verdicts": dict(found.verdicts),
        "disputed": found.disputed,
        "disputes": [
            _dispute(one, directing=directing, hidden=hidden, at=at)
            for one in found.disputes
            if one.kind in Dispute.BLOCKING or directing
        ],
    }


def _dispute(dispute: Dispute, *, directing: bool, hidden: bool, at: Collection[str]) -> dict[str, Any]:
    is_open = dispute.closed_at is None
    blocking = dispute.kind in Dispute.BLOCKING
    rulings = [Dispute.Outcome.STANDS, Dispute.Outcome.OFFERED] if blocking else [Dispute.Outcome.NOTED]
    if dispute.offered is None and blocking:
        rulings.remove(Dispute.Outcome.OFFERED)
    return {
        "dispute": dispute.pk,
        "title": dispute.get_kind_display(),
        "seat": seat_name(dispute.seat, at) if dispute.seat else "",
        "reason": dispute.reason,
        "differences": [] if hidden else [told_difference(one, at) for one in dispute.differences],
        "open": is_open,
        "outcome": dispute.get_outcome_display() if dispute.outcome else "",
        "ruling": dispute.ruling,
        "rulings": [str(one) for one in rulings] if directing and is_open else [],
    }


def told_difference(one: Mapping[str, str], at: Collection[str]) -> dict[str, str]:
    """What two records say otherwise (`referee.queries.signoffs.differences`), in words."""
    card = symbol(one["card"]) if one["card"] else seat_name(one.get("seat", ""), at)
    what = str(_WHAT.get(one["what"], one["what"]))
    first, second = (_said(one[name], at) for name in ("first", "second"))
    return {"what": f"{card} {what}".strip(), "first": first, "second": second}


def _said(value: str, at: Collection[str]) -> str:
    """Seats and kinds of exposure in words; a figure stays as it is."""
    if not value:
        return "—"
    if value in ("yes", "no"):
        return _("yes") if value == "yes" else _("no")
    words = []
    for part in value.split("+"):
        seat, _space, kind = part.partition(" ")
        name = seat_name(seat, at)
        words.append(f"{name} {exposure_name(kind)}".strip() if kind else name)
    return " + ".join(words)
