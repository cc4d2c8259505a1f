"""Deals corrected or declared void, rulings, penalties and the end of play at the table or by a program: at
once while nobody goes by the round.

Where results are published or a later round is drawn (referee.queries.gone_by), the change is proposed
instead: whoever directs looks first at what it would move; anybody else is told to ask them. Both are one
command, so that sent again it is answered as it was the first time, whatever has been published since.
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from referee.models import Correction, Deal, DealVersion, Dispute, Penalty
from referee.queries.gone_by import deal_weighs, weighs
from referee.services import disputes, penalties, rulings, tables
from referee.services.commands import Outcome
from referee.services.corrections import propose_correction
from referee.services.deals import Instead, correct_deal, void_deal
from referee.services.penalty_reasons import penalty_reason
from tournament.models import Round, Table
from tournament.queries import access
from tournament.services.audit import Actor
from tournament.services.errors import Conflict
from tournament.services.locks import lock_event


def _event_first(change: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """What may end in a proposal locks the event, as every correction does, before it locks its table."""

    @wraps(change)
    def locked(**given: Any) -> Outcome:
        deal = given["dispute"].version.deal if "dispute" in given else given.get("deal")
        table: Table = given.get("table") or deal.table
        with transaction.atomic():
            lock_event(table.draw.round.event)
            return change(**given)

    return locked


@_event_first
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


@_event_first
def void_or_propose(*, actor: Actor, deal: Deal, version: int, reason: str, command_id: UUID) -> Outcome:
    """As void_deal; or, where others go by the deal, the number of a proposed ``correction``."""
    change = {"table": deal.table.number, "deal": deal.number, "version": version}
    return void_deal(
        actor=actor,
        deal=deal,
        version=version,
        reason=reason,
        command_id=command_id,
        instead=lambda table: (
            _proposed(actor, table.draw.round, Correction.Kind.VOID, change, reason)
            if deal_weighs(deal)
            else None
        ),
    )


@_event_first
def rule_dispute_or_propose(
    *, actor: Actor, dispute: Dispute, outcome: str, ruling: str, command_id: UUID
) -> Outcome:
    """As rule_dispute; or, where the other record is to take the place of one that others go by, the number
    of a proposed ``correction``: making it settles the dispute.
    """

    def propose(found: Dispute) -> dict[str, Any] | None:
        version = dispute.version
        deal = version.deal
        change = {
            "table": deal.table.number,
            "deal": deal.number,
            "version": version.number,
            "record": found.offered,
            "dispute": found.raised_at.isoformat(),
        }
        if not deal_weighs(deal):
            return None
        return _proposed(actor, deal.table.draw.round, Correction.Kind.DEAL, change, ruling)

    return disputes.rule_dispute(
        actor=actor,
        dispute=dispute,
        outcome=outcome,
        ruling=ruling,
        command_id=command_id,
        instead=propose,
    )


@_event_first
def stop_or_propose(*, actor: Actor, table: Table, reason: str, command_id: UUID) -> Outcome:
    """As tables.stop_table; or, where others go by the round, the number of a proposed ``correction``."""
    return tables.stop_table(
        actor=actor,
        table=table,
        reason=reason,
        command_id=command_id,
        instead=_proposal(actor, Correction.Kind.STOP, {"table": table.number}, reason),
    )


@_event_first
def resume_or_propose(*, actor: Actor, table: Table, reason: str, command_id: UUID) -> Outcome:
    """As tables.resume_table; or, where others go by the round, the number of a proposed ``correction``."""
    return tables.resume_table(
        actor=actor,
        table=table,
        reason=reason,
        command_id=command_id,
        instead=_proposal(actor, Correction.Kind.RESUME, {"table": table.number}, reason),
    )


@_event_first
def rule_colour_or_propose(*, actor: Actor, deal: Deal, note: str, **given: Any) -> Outcome:
    """As rulings.rule_colour; or, where others go by the round, the ruling with the number of a proposed
    ``correction``.
    """
    return rulings.rule_colour(
        actor=actor, deal=deal, note=note, instead=_proposed_record(actor, note), **given
    )


@_event_first
def record_ruling_or_propose(*, actor: Actor, table: Table, note: str = "", **given: Any) -> Outcome:
    """As rulings.record_ruling; or, where it changes a record that others go by, the ruling with the number
    of a proposed ``correction``.
    """
    return rulings.record_ruling(
        actor=actor, table=table, note=note, instead=_proposed_record(actor, note), **given
    )


def give_seat_penalty_or_propose(
    *,
    actor: Actor,
    table: Table,
    seat: str,
    target: str,
    article: int | None,
    deal: Deal | None,
    rule: str,
    points: Any,
    reason: str,
    game: int | None = None,
    sure: bool = False,
    command_id: UUID,
) -> Outcome:
    """Gives a penalty as it is given at the table (penalties.seat_penalty_facts); or, where others go by the
    round, the number of a proposed ``correction``. Raises as these do, and as penalties.give_penalty.
    """
    facts = penalties.seat_penalty_facts(table=table, seat=seat, target=target, article=article, deal=deal)
    player, under = facts["player"], facts["article"]
    change = {
        "entry": facts["entry"].number,
        "player": player and player.place,
        "partners": [one.number for one in facts["partners"]],
        "table": table.number,
        "deal": deal and deal.number,
        "game": None if deal else game,
        "target": str(target),
        "article": under.article if under else "",
        "rule": rule,
        "points": str(points),
        "sure": sure,
    }
    round = facts["round"]
    why = penalty_reason(event=facts["event"], rule=rule, reason=reason, article=under)
    return penalties.give_penalty(
        actor=actor,
        **facts,
        rule=rule,
        points=points,
        reason=reason,
        game=game,
        sure=sure,
        command_id=command_id,
        instead=lambda: _proposed(actor, round, Correction.Kind.PENALTY, change, why),
    )


def cancel_penalty_or_propose(*, actor: Actor, penalty: Penalty, reason: str, command_id: UUID) -> Outcome:
    """As penalties.cancel_penalty; or, where others go by the round, the number of a proposed
    ``correction``.
    """
    change = {"given_at": penalty.given_at.isoformat()}
    round = Round.objects.select_related("event__tournament").get(pk=penalty.round_id)
    return penalties.cancel_penalty(
        actor=actor,
        penalty=penalty,
        reason=reason,
        command_id=command_id,
        instead=lambda: _proposed(actor, round, Correction.Kind.PENALTY_CANCEL, change, reason),
    )


def _proposal(actor: Actor, kind: str, change: dict[str, Any], reason: str) -> Instead:
    return lambda table: _proposed(actor, table.draw.round, kind, change, reason)


def _proposed_record(actor: Actor, reason: str) -> rulings.Instead:
    def propose(table: Table, current: DealVersion, record: Mapping[str, Any]) -> dict[str, Any] | None:
        change = {
            "table": table.number,
            "deal": current.deal.number,
            "version": current.number,
            "record": dict(record),
        }
        round = table.draw.round
        if not deal_weighs(current.deal):
            return None
        return _proposed(actor, round, Correction.Kind.DEAL, change, reason)

    return propose


def _proposed(
    actor: Actor, round: Round, kind: str, change: dict[str, Any], reason: str
) -> dict[str, Any] | None:
    """The number of what is proposed; None where nobody goes by the round. Raises Conflict for whoever does
    not direct; what proposing raises.
    """
    if not weighs(round):
        return None
    if not actor.is_system and not access.can_direct(actor.person, round.event.tournament):
        raise Conflict(
            "look_needed",
            _(
                "Others go by round %(round)s already: ask the chief referee, who looks first at what this "
                "would move."
            ),
            {"round": round.number},
        )
    made = propose_correction(actor=actor, round=round, kind=kind, change=change, reason=reason)
    return {"correction": made.number}
