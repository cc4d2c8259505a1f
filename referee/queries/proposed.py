"""What was proposed in place of a change at a table, and what became of it."""

from collections.abc import Iterable, Mapping

from referee.models import Correction, Dispute, TableRuling
from tournament.models import Event

Kind, State = Correction.Kind, Correction.State


def proposed_by_rulings(event: Event, rulings: Iterable[TableRuling]) -> Mapping[int, Correction]:
    """By number, the corrections that rulings have proposed. One query; none where they proposed nothing."""
    numbers = {one.facts["correction"] for one in rulings if "correction" in one.facts}
    if not numbers:
        return {}
    return {one.number: one for one in Correction.objects.filter(event=event, number__in=numbers)}


def proposed_for(dispute: Dispute) -> Correction | None:
    """The correction proposed, and not made yet, that puts a dispute's other record in place."""
    if dispute.closed_at is not None:
        return None
    found = Correction.objects.filter(
        event=dispute.version.deal.table.draw.round.event_id,
        kind=Kind.DEAL,
        state=State.PROPOSED,
        change__dispute=dispute.raised_at.isoformat(),
    )
    return found.order_by("-number").first()
