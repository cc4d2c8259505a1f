"""A table calls a referee 叫裁判; somebody takes the call and closes it with a ruling."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.models import TableCall
from referee.queries.deals import seats_of
from referee.queries.seating import segment_shown
from referee.services.commands import Outcome, run_once
from referee.services.guards import lock_table, require_person, require_play, require_referee
from tournament.models import Table
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Refused
from tournament.services.validation import REASON_LENGTH, text, unknown_seat


def call_referee(*, actor: Actor, table: Table, seat: str = "", command_id: UUID) -> Outcome:
    """The table calls a referee. While a call of it is open, calling again answers with that one.

    ``seat`` is who called, "" where nobody said.

    Raises:
        Refused: there is no such seat; the round is not being played.
        NotAllowed: neither a referee of this table nor its tablet.
    """
    require_referee(actor, table)

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        if seat and seat not in {one.direction for one in seats_of(locked, segment_shown(locked))}:
            raise unknown_seat(seat, field="seat")
        found = _open_calls(locked).first()
        if found is None:
            found = TableCall.objects.create(
                table=locked,
                seat=seat,
                called_by=actor.user,
                device_id=actor.tablet and actor.tablet.pk,
            )
            _audit(actor, found, "call.make", None)
        return {"call": found.pk, "table": locked.pk}

    payload = {"table": table.pk, "seat": seat}
    return run_once(actor=actor, command_id=command_id, action="call.make", payload=payload, work=work)


def withdraw_call(*, actor: Actor, table: Table, command_id: UUID) -> Outcome:
    """The table takes its call back, as long as no referee has taken it.

    Raises:
        Refused: no call is open, or a referee is on the way.
        NotAllowed: neither a referee of this table nor its tablet.
    """
    require_referee(actor, table)

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        found = _open_calls(locked).first()
        if found is None:
            raise Conflict("no_call", _("Table %(table)s has no open call."), {"table": locked.number})
        if found.taken_at is not None:
            raise Conflict(
                "call_taken",
                _("A referee has taken the call of table %(table)s: it ends with a ruling."),
                {"table": locked.number},
            )
        _close(actor, found, TableCall.Outcome.WITHDRAWN, "")
        return {"call": found.pk, "table": locked.pk}

    return run_once(
        actor=actor, command_id=command_id, action="call.withdraw", payload={"table": table.pk}, work=work
    )


def take_call(*, actor: Actor, call: TableCall) -> TableCall:
    """A referee goes to the table. Taking one's own call again changes nothing.

    Raises:
        Refused: the call is closed, or somebody else has taken it.
        NotAllowed: not a referee of this table.
    """
    require_referee(actor, call.table)
    require_person(actor)
    with transaction.atomic():
        current = _locked(call)
        _require_open(current)
        if current.taken_at is not None:
            if actor.user is not None and current.taken_by_id == actor.user.pk:
                return current
            raise Conflict(
                "call_taken_by",
                _("%(name)s has taken this call already."),
                {"name": current.taken_by.get_username() if current.taken_by else ""},
            )
        before = _facts(current)
        current.taken_by, current.taken_at = actor.user, timezone.now()
        current.save(update_fields=["taken_by", "taken_at"])
        _audit(actor, current, "call.take", before)
    return current


def close_call(*, actor: Actor, call: TableCall, ruling: str, command_id: UUID) -> Outcome:
    """Closes a call with the ruling given at the table. Who closes a call nobody took has taken it.

    Raises:
        Refused: no ruling, or the call is closed.
        NotAllowed: not a referee of this table.
    """
    require_referee(actor, call.table)
    require_person(actor)
    ruling = required_ruling(ruling)

    def work() -> dict[str, Any]:
        current = _locked(call)
        _require_open(current)
        _close(actor, current, TableCall.Outcome.RULED, ruling)
        return {"call": current.pk, "table": current.table_id}

    payload = {"call": call.pk, "ruling": ruling}
    return run_once(actor=actor, command_id=command_id, action="call.close", payload=payload, work=work)


def required_ruling(ruling: str) -> str:
    """The ruling as it is stored. Raises Refused if there is none, or if it is too long."""
    kept = text(ruling)
    if not kept:
        raise Refused("ruling_missing", _("Please write down the ruling."), field="ruling")
    if len(kept) > REASON_LENGTH:
        raise Refused(
            "ruling_too_long",
            _("The ruling is longer than %(limit)s characters."),
            {"limit": REASON_LENGTH},
            field="ruling",
        )
    return kept


# -- the parts


def _open_calls(table: Table) -> Any:
    return TableCall.objects.select_for_update(of=("self",), no_key=True).filter(table=table, closed_at=None)


def _locked(call: TableCall) -> TableCall:
    calls = TableCall.objects.select_for_update(of=("self",), no_key=True)
    found = calls.select_related("table__draw__round__event__tournament", "taken_by")
    return found.defer("table__draw__inputs", "table__draw__quality").get(pk=call.pk)


def _require_open(call: TableCall) -> None:
    if call.closed_at is not None:
        raise Conflict("call_closed", _("This call is closed already."))


def _close(actor: Actor, call: TableCall, outcome: str, ruling: str) -> None:
    before, now = _facts(call), timezone.now()
    if outcome == TableCall.Outcome.RULED and call.taken_at is None:
        call.taken_by, call.taken_at = actor.user, now
    call.outcome, call.ruling = outcome, ruling
    call.closed_by, call.closed_at = actor.user, now
    call.save(update_fields=["taken_by", "taken_at", "outcome", "ruling", "closed_by", "closed_at"])
    _audit(actor, call, "call.close" if ruling else "call.withdraw", before)


def _facts(call: TableCall) -> dict[str, Any]:
    return {
        "table": call.table.number,
        "round": call.table.draw.round.number,
        "seat": call.seat,
        "taken_by": call.taken_by.get_username() if call.taken_by else "",
        "outcome": call.outcome,
        "ruling": call.ruling,
    }


def _audit(actor: Actor, call: TableCall, action: str, before: dict[str, Any] | None) -> None:
    record_audit(
        actor=actor,
        action=action,
        subject=call,
        event=call.table.draw.round.event,
        before=before,
        after=_facts(call),
        reason=call.ruling,
    )
