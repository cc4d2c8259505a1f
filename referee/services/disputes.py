"""The desk settles a dispute from the record: the record stands, or the other one takes its place."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.models import DealCheck, DealVersion, Dispute
from referee.queries import check_of, play_after, play_of
from referee.queries.signoffs import blocking_disputes
from referee.services.commands import Outcome, run_once
from referee.services.deals import replace_record
from referee.services.guards import lock_table, require_current, require_play, require_state
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Refused
from tournament.services.permissions import require_director
from tournament.services.results import update_table_results
from tournament.services.validation import required_reason

_Outcome = Dispute.Outcome


def rule_dispute(
    *,
    actor: Actor,
    dispute: Dispute,
    outcome: str,
    ruling: str,
    command_id: UUID,
    instead: Callable[[Dispute], dict[str, Any] | None] | None = None,
) -> Outcome:
    """Closes a dispute with the desk's ruling, which is the deal's check as well.

    ``outcome``: "stands", the record is right; "offered", the other record takes its place as a new version;
    "noted", for an alarm about a tablet's figure, which changes nothing. The last open dispute of a version
    decides whether it is checked. ``instead`` is asked whether the other record is to be proposed: the
    dispute stays open then.

    Raises:
        Refused: no ruling given, closed before, no other record to take, or an outcome that does not fit.
        Stale: the deal has moved on since.
        NotAllowed: neither chief referee nor organiser.
    """
    deal = dispute.version.deal
    table = deal.table
    require_director(actor, table.draw.round.event.tournament)
    ruling = required_reason(ruling)
    blocking = dispute.kind in Dispute.BLOCKING
    if outcome not in ((_Outcome.STANDS, _Outcome.OFFERED) if blocking else (_Outcome.NOTED,)):
        raise Refused("unknown_outcome", _("This dispute cannot be settled that way."), field="outcome")

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        found = Dispute.objects.select_for_update(no_key=True).get(pk=dispute.pk)
        if found.closed_at is not None:
            raise Conflict("dispute_closed", _("This dispute was settled before."))
        if not blocking:
            _close(actor, found, outcome, ruling)
            return _answer(found, "noted")
        require_play(locked)
        play = play_of(locked)
        current = require_current(play, deal, dispute.version.number)
        require_state(current, DealVersion.State.RECORDED)
        if outcome == _Outcome.OFFERED:
            if found.offered is None:
                raise Refused("nothing_offered", _("No other record was given."), field="outcome")
            proposed = instead(found) if instead else None
            if proposed is not None:
                return {**_answer(found, "disputed"), **proposed}
            _close(actor, found, outcome, ruling)
            new = replace_record(
                actor=actor,
                table=locked,
                play=play,
                current=current,
                record=found.offered,
                entered_seat=found.seat,
                reason=ruling,
            )
            play = play_after(play, locked, new)
            _check(actor, locked, play, new)
            return _answer(found, "checked")
        _close(actor, found, outcome, ruling)
        if blocking_disputes(current).exists() or check_of(current):
            return _answer(found, "disputed")
        _check(actor, locked, play, current)
        return _answer(found, "checked")

    payload = {"dispute": dispute.pk, "outcome": outcome, "ruling": ruling}
    return run_once(actor=actor, command_id=command_id, action="dispute.rule", payload=payload, work=work)


def _check(actor: Actor, table: Any, play: Any, version: DealVersion) -> None:
    DealCheck.objects.create(version=version, relation=DealCheck.Relation.REFEREE, user=actor.user)
    version.refresh_from_db()
    record_audit(
        actor=actor,
        action="deal.check",
        subject=version.deal,
        event=table.draw.round.event,
        before={"version": version.number, "check": None},
        after={"version": version.number, "check": {"relation": "referee", "seat": "", "player": ""}},
    )
    update_table_results(table, play=play_after(play, table, version))


def _close(actor: Actor, dispute: Dispute, outcome: str, ruling: str) -> None:
    dispute.outcome, dispute.ruling = outcome, ruling
    dispute.closed_by, dispute.closed_at = actor.user, timezone.now()
    dispute.save(update_fields=["outcome", "ruling", "closed_by", "closed_at"])
    record_audit(
        actor=actor,
        action="dispute.rule",
        subject=dispute,
        event=dispute.version.deal.table.draw.round.event,
        before={"kind": dispute.kind, "seat": dispute.seat, "offered": dispute.offered},
        after={"outcome": outcome},
        reason=ruling,
    )


def _answer(dispute: Dispute, state: str) -> dict[str, Any]:
    deal = dispute.version.deal
    return {"dispute": dispute.pk, "deal": deal.pk, "number": deal.number, "state": state}
