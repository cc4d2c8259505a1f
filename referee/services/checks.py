"""The second person's check 复核 of a deal: who may give it, and what is stored of it (docs/rules.md §6)."""

from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from referee.models import Deal, DealCheck, DealVersion
from referee.queries import check_of, checking_seats, play_after, play_of, seats_at
from referee.queries.signoffs import ALL, ONE, blocking_disputes, policy_of
from referee.services.commands import Outcome, run_once
from referee.services.guards import (
    lock_table,
    require_current,
    require_person,
    require_play,
    require_referee,
    require_state,
)
from scoring.engine.procedure import order_of_play
from tournament.models import Player, Table
from tournament.queries import access
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Refused
from tournament.services.results import update_table_results


def check_deal(
    *, actor: Actor, deal: Deal, version: int, relation: str, seat: str = "", command_id: UUID
) -> Outcome:
    """Stores that a second person has checked a version (docs/rules.md §6).

    ``relation`` is who checks, seen from the seat that entered the deal: previous, next or partner; or
    referee. Where a referee entered it, ``player`` with any ``seat``, or another referee.

    Raises:
        Refused: the checker is the one who entered, or does not sit where the relation says; already checked.
        Stale: the deal has moved on since.
        NotAllowed: not a referee of this table.
    """
    table = deal.table
    require_referee(actor, table)
    payload = {"deal": deal.pk, "version": version, "relation": relation, "seat": seat}

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        play = play_of(locked)
        current = require_current(play, deal, version)
        require_state(current, DealVersion.State.RECORDED)
        if check_of(current):
            raise _already_checked(current)
        _require_single_check(actor, locked, current, relation)
        player = _checker(actor, locked, current, relation, seat)
        try:
            with transaction.atomic():
                check = DealCheck.objects.create(
                    version=current,
                    relation=relation,
                    seat=seat if player else "",
                    player=player,
                    user=actor.user,
                )
        except IntegrityError:
            raise _already_checked(current) from None
        record_audit(
            actor=actor,
            action="deal.check",
            subject=deal,
            event=locked.draw.round.event,
            before={"version": current.number, "check": None},
            after={
                "version": current.number,
                "check": {
                    "relation": check.relation,
                    "seat": check.seat,
                    "player": player.name if player else "",
                },
            },
        )
        update_table_results(locked, play=play_after(play, locked, current))
        return {"deal": deal.pk, "number": deal.number, "version": current.number, "state": "checked"}

    return run_once(actor=actor, command_id=command_id, action="deal.check", payload=payload, work=work)


def _already_checked(version: DealVersion) -> Conflict:
    return Conflict("already_checked", _("Deal %(deal)s is checked already."), {"deal": version.deal.number})


def _require_single_check(actor: Actor, table: Table, version: DealVersion, relation: str) -> None:
    """Raises Refused where one person's check is not what the event asks for, or the deal is disputed. The
    chief referee's stands for whatever was asked, so that a player who has left holds up nobody.
    """
    event = table.draw.round.event
    if blocking_disputes(version).exists():
        raise Conflict(
            "disputed", _("Deal %(deal)s is disputed: the desk rules first."), {"deal": version.deal.number}
        )
    policy = policy_of(event)
    if policy == ONE:
        return
    chief = actor.is_system or access.can_direct(actor.person, event.tournament)
    if relation == DealCheck.Relation.REFEREE and chief:
        return
    if policy == ALL:
        raise Refused("all_must_agree", _("In this event all seats have to agree to a deal."))
    raise Refused("second_needed", _("In this event a deal is checked by entering it a second time."))


def _checker(actor: Actor, table: Table, version: DealVersion, relation: str, seat: str) -> Player | None:
    """The player who checks, None for a referee. Raises Refused unless this is a second person who may."""
    seats = seats_at(table, version.deal)
    if relation == DealCheck.Relation.REFEREE:
        require_person(actor)
        _require_other_referee(actor, version)
        return None
    entered = version.entered_seat
    letters = tuple(one.direction for one in seats)
    direction = table.draw.round.event.ruleset_version.ruleset().direction
    allowed = checking_seats(order_of_play(letters, direction, letters[0]), entered)
    if relation not in DealCheck.Relation or seat not in allowed.get(relation, ()):
        raise Refused(
            "wrong_checker",
            _(
                "The check is for the previous, next or partner seat of the one that entered the deal, "
                "or for a referee."
            )
            if entered
            else _("A referee entered this deal: a player at the table or another referee checks it."),
            field="relation",
        )
    return next(one.player for one in seats if one.direction == seat)


def _require_other_referee(actor: Actor, version: DealVersion) -> None:
    # Where a seat kept the score, a referee is a second person even on the tablet they are logged in at.
    if not version.entered_seat and actor.user is not None and version.entered_by_id == actor.user.pk:
        raise Refused(
            "own_entry",
            _("You entered this deal yourself: somebody else has to check it."),
            field="relation",
        )
