"""What was proposed in place of a change at a table, and what became of it."""

from referee.models import Correction, Dispute

Kind, State = Correction.Kind, Correction.State


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
