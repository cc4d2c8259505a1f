"""Deals corrected or declared void at the table or by a program: at once while nobody goes by the round.

Where results are published or a later round is drawn (services.corrections.weighs), the change is proposed
instead: whoever directs looks first at what it would move. Both are one command, so that sent again it is
answered as it was the first time, whatever has been published since.
"""

from typing import Any
from uuid import UUID

from referee.models import Correction, Deal
from referee.services.commands import Outcome
from referee.services.corrections import propose_correction, weighs
from referee.services.deals import Instead, correct_deal, void_deal
from tournament.models import Table
from tournament.services.audit import Actor


def correct_or_propose(
    *,
    actor: Actor,
    deal: Deal,
    version: int,
    record: Any,
    entered_seat: str = "",
    reason: str,
    command_id: UUID,
) -> Outcome:
    """As correct_deal; or, where others go by the round, the number of a proposed ``correction``."""
    change = {"table": deal.table.number, "deal": deal.number, "version": version, "record": record}
    return correct_deal(
        actor=actor,
        deal=deal,
        version=version,
        record=record,
        entered_seat=entered_seat,
        reason=reason,
        command_id=command_id,
        instead=_proposal(actor, Correction.Kind.DEAL, change, reason),
    )


def void_or_propose(*, actor: Actor, deal: Deal, version: int, reason: str, command_id: UUID) -> Outcome:
    """As void_deal; or, for a checked deal of a round that others go by, the number of a proposed
    ``correction``.
    """
    change = {"table": deal.table.number, "deal": deal.number, "version": version}
    return void_deal(
        actor=actor,
        deal=deal,
        version=version,
        reason=reason,
        command_id=command_id,
        instead=_proposal(actor, Correction.Kind.VOID, change, reason),
    )


def _proposal(actor: Actor, kind: str, change: dict[str, Any], reason: str) -> Instead:
    def propose(table: Table) -> dict[str, Any] | None:
        if not weighs(table.draw.round):
            return None
        made = propose_correction(
            actor=actor, round=table.draw.round, kind=kind, change=change, reason=reason
        )
        return {"correction": made.number}

    return propose
