"""A tablet that showed another score than the server worked out: the server's counts, the desk is told."""

from collections.abc import Mapping
from typing import Any

from referee.models import DealVersion, Dispute
from tournament.models import Event
from tournament.services.audit import Actor, record_audit

#: No table has more seats, no score more digits; anything beyond is cut, it is an alarm all the same.
_MOST_SEATS, _LONGEST = 12, 40


def compare_figures(
    *, actor: Actor, event: Event, version: DealVersion, shown: Mapping[str, Any] | None
) -> Dispute | None:
    """Raises an alarm, kept as a fact and in the audit trail, where the tablet's scores differ.

    ``shown`` are the scores by seat that the tablet showed before the deal was sent; None where it showed
    none.
    """
    if shown is None:
        return None
    server = {seat: str(score) for seat, score in version.answer["scores"].items()}
    tablet = {str(seat)[:1]: str(score)[:_LONGEST] for seat, score in list(dict(shown).items())[:_MOST_SEATS]}
    if tablet == server:
        return None
    found = [
        {
            "what": "score",
            "card": "",
            "seat": seat,
            "first": server.get(seat, ""),
            "second": tablet.get(seat, ""),
        }
        for seat in {**server, **tablet}
        if server.get(seat) != tablet.get(seat)
    ]
    alarm = Dispute.objects.create(
        version=version,
        kind=Dispute.Kind.FIGURE,
        offered=tablet,
        differences=found,
        raised_by=actor.user,
    )
    record_audit(
        actor=actor,
        action="deal.figure_differs",
        subject=version.deal,
        event=event,
        before={"version": version.number, "server": server},
        after={"version": version.number, "tablet": tablet},
    )
    return alarm
