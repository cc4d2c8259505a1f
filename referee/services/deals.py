"""What can be done to a deal 副: record, undo, void, correct. Checking is in `referee.services.checks`.

Each is a command that takes effect once (`referee.services.commands`), builds on the version its sender saw,
appends a version, writes the audit trail and brings the table's results up to date, all in one transaction.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.models import Deal, DealVersion, Dispute
from referee.queries import Play, check_of, play_after, play_of, seats_of, version_facts
from referee.services.alarms import compare_figures
from referee.services.commands import Outcome, run_once
from referee.services.guards import (
    lock_table,
    require_current,
    require_light,
    require_next,
    require_play,
    require_referee,
    require_seating,
    require_state,
    stale,
)
from referee.services.records import ScoredRecord, score_record
from referee.services.versions import append_version
from tournament.models import Table
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict
from tournament.services.permissions import require_director
from tournament.services.results import update_table_results
from tournament.services.validation import required_reason, text, unknown_seat

_State = DealVersion.State

#: What is done to a locked table in place of a command; gives its answer, or None: the command is done.
Instead = Callable[[Table], dict[str, Any] | None]


def record_deal(
    *,
    actor: Actor,
    table: Table,
    number: int,
    record: Any,
    based_on: int = 0,
    entered_seat: str = "",
    shown: Mapping[str, Any] | None = None,
    seating: str = "",
    tablet_at: datetime | None = None,
    command_id: UUID,
) -> Outcome:
    """Stores the record of a deal, as docs/rules.md §9 writes it, unchecked.

    ``based_on`` is the version its sender saw, 0 for a deal not recorded before; an unchecked entry may be
    replaced that way, a void or undone deal is recorded anew. ``entered_seat`` kept the score; "" where the
    referee did. ``shown`` are the scores by seat that the tablet worked out: where the server's differ, the
    desk gets an alarm, and the server's count. ``seating`` is who sat where when a new deal was entered, as
    `referee.queries.seating.seating_text` writes it; "" where the sender does not know. ``tablet_at`` is when
    it was entered by the tablet's clock: only the time between two of its deals is ever read from it.

    Raises:
        Conflict: ``seats_changed``, other players sit at the table now than when the deal was entered.
        Refused: with every fault of the record, or why this deal cannot be recorded now.
        Stale: the deal has moved on; carries the current version and the record offered.
        NotAllowed: not a referee of this table.
    """
    require_referee(actor, table)
    payload = {
        "table": table.pk,
        "number": number,
        "record": record,
        "based_on": based_on,
        "entered_seat": entered_seat,
        **({"shown": dict(shown)} if shown is not None else {}),
        **({"seating": seating} if seating else {}),
        **({"tablet_at": tablet_at.isoformat()} if tablet_at else {}),
    }

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        play = play_of(locked)
        current = play.version(number)
        deal = current.deal if current else None
        if current is not None and current.number != based_on:
            raise stale(deal, current, record)
        if current is None and based_on:
            raise Conflict("deal_unknown", _("Deal %(deal)s is not recorded."), {"deal": number})
        _require_recordable(locked, play, number, current, seating)
        if current is not None and current.state == _State.VOID:
            _deal_again(play, current.deal)
        segment = deal.segment if deal else play.segment
        scored = _score(locked, segment, record, entered_seat)
        deal = deal or _new_deal(locked, play, number, segment)
        version = append_version(
            actor,
            deal,
            current,
            _State.RECORDED,
            scored=scored,
            entered_seat=entered_seat,
            offered=record,
            tablet_at=tablet_at,
        )
        compare_figures(actor=actor, event=locked.draw.round.event, version=version, shown=shown)
        return _done(actor, locked, play, "deal.record", version, before=current)

    return run_once(actor=actor, command_id=command_id, action="deal.record", payload=payload, work=work)


def undo_deal(*, actor: Actor, deal: Deal, version: int, reason: str = "", command_id: UUID) -> Outcome:
    """Takes back an entry that nobody has checked yet, the last one of a game too (the game is open again
    then).

    Raises:
        Refused: the deal is checked, void or undone; or others go by what is on record of it.
        Stale: the deal has moved on since.
        NotAllowed: not a referee of this table.
    """
    table = deal.table
    require_referee(actor, table)
    reason = text(reason)[:300]

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        play = play_of(locked)
        current = require_current(play, deal, version)
        require_state(current, _State.RECORDED)
        if check_of(current):
            raise _checked(deal.number)
        require_light(locked, current.deal)
        undone = append_version(actor, deal, current, _State.WITHDRAWN, reason=reason)
        return _done(actor, locked, play, "deal.undo", undone, before=current)

    payload = {"deal": deal.pk, "version": version, "reason": reason}
    return run_once(actor=actor, command_id=command_id, action="deal.undo", payload=payload, work=work)


def void_deal(
    *,
    actor: Actor,
    deal: Deal,
    version: int,
    reason: str,
    command_id: UUID,
    instead: Instead | None = None,
) -> Outcome:
    """Declares a deal void 作废: it stays on record and is replayed under the same number (docs/rules.md §6).

    A table's referee may void what is not checked yet, the chief referee or an organiser anything.
    Raises:
        Refused: no reason given; the deal is void or undone already.
        Stale: the deal has moved on since.
        NotAllowed: not a referee of this table; or the deal is checked and the actor no chief referee.
    """
    table = deal.table
    require_referee(actor, table)
    reason = required_reason(reason)

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        play = play_of(locked)
        current = require_current(play, deal, version)
        require_state(current, _State.RECORDED)
        if check_of(current):
            require_director(actor, locked.draw.round.event.tournament)
        other = instead(locked) if instead else None
        if other is not None:
            return other
        void = append_version(actor, deal, current, _State.VOID, reason=reason)
        return _done(actor, locked, play, "deal.void", void, before=current)

    payload = {"deal": deal.pk, "version": version, "reason": reason}
    return run_once(actor=actor, command_id=command_id, action="deal.void", payload=payload, work=work)


def void_unrecorded_deal(
    *, actor: Actor, table: Table, number: int, reason: str, command_id: UUID
) -> Outcome:
    """Puts on record that a deal was played or dealt and became void before it was entered.

    Raises:
        Refused: no reason given, or this is not the deal to be played now.
        Stale: the deal has been recorded meanwhile.
        NotAllowed: not a referee of this table.
    """
    require_referee(actor, table)
    reason = required_reason(reason)

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        play = play_of(locked)
        current = play.version(number)
        deal = current.deal if current else None
        if current is not None and current.state == _State.RECORDED:
            raise stale(deal, current)
        if deal is None:
            require_next(locked, play, number)
            deal = _new_deal(locked, play, number, play.segment)
        void = append_version(actor, deal, current, _State.VOID, reason=reason)
        return _done(actor, locked, play, "deal.void", void, before=current)

    payload = {"table": table.pk, "number": number, "reason": reason}
    return run_once(
        actor=actor, command_id=command_id, action="deal.void_unrecorded", payload=payload, work=work
    )


def correct_deal(
    *,
    actor: Actor,
    deal: Deal,
    version: int,
    record: Any,
    entered_seat: str = "",
    reason: str,
    command_id: UUID,
    instead: Instead | None = None,
) -> Outcome:
    """Puts another record in the place of one that may be checked already; it needs a new check.

    Raises:
        Refused: no reason given; with every fault of the record; the deal is void or undone.
        Stale: the deal has moved on; carries the current version and the record offered.
        NotAllowed: neither chief referee nor organiser.
    """
    table = deal.table
    require_director(actor, table.draw.round.event.tournament)
    reason = required_reason(reason)
    payload = {
        "deal": deal.pk,
        "version": version,
        "record": record,
        "entered_seat": entered_seat,
        "reason": reason,
    }

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        play = play_of(locked)
        current = require_current(play, deal, version, record)
        require_state(current, _State.RECORDED)
        other = instead(locked) if instead else None
        if other is not None:
            return other
        corrected = replace_record(
            actor=actor,
            table=locked,
            play=play,
            current=current,
            record=record,
            entered_seat=entered_seat,
            reason=reason,
        )
        return _answer(corrected)

    return run_once(actor=actor, command_id=command_id, action="deal.correct", payload=payload, work=work)


def replace_record(
    *,
    actor: Actor,
    table: Table,
    play: Play,
    current: DealVersion,
    record: Any,
    entered_seat: str = "",
    reason: str,
) -> DealVersion:
    """Appends a version with another record, within the caller's command; the table is locked, who may do it
    has been asked.

    Raises:
        Refused: with every fault of the record.
        Stale: the deal has moved on meanwhile.
    """
    deal = current.deal
    corrected = append_version(
        actor,
        deal,
        current,
        _State.RECORDED,
        scored=_score(table, deal.segment, record, entered_seat),
        entered_seat=entered_seat,
        reason=reason,
        offered=record,
    )
    _done(actor, table, play, "deal.correct", corrected, before=current)
    return corrected


# -- the parts


def _require_recordable(
    table: Table, play: Play, number: int, current: DealVersion | None, seating: str
) -> None:
    """A new deal is the next one, and it or one replayed is of those who sit there now; what is on record
    is not checked, and nobody goes by it.
    """
    if current is None:
        require_next(table, play, number)
        require_seating(table, play.segment, seating)
    elif current.state == _State.VOID:
        require_seating(table, current.deal.segment, seating)
    elif current.state == _State.RECORDED and check_of(current):
        raise _checked(number)
    elif current.state == _State.RECORDED:
        require_light(table, current.deal)


def _checked(number: int) -> Conflict:
    return Conflict(
        "deal_checked",
        _("Deal %(deal)s is checked already. Only the chief referee can correct it."),
        {"deal": number},
    )


def _score(table: Table, segment: int, record: Any, entered_seat: str) -> ScoredRecord:
    event = table.draw.round.event
    seats = tuple(seat.direction for seat in seats_of(table, segment))
    if entered_seat and entered_seat not in seats:
        raise unknown_seat(entered_seat, field="entered_seat")
    return score_record(
        seats=seats, mode=event.scoring_mode, ruleset=event.ruleset_version.ruleset(), record=record
    )


def _new_deal(table: Table, play: Play, number: int, segment: int) -> Deal:
    return Deal.objects.create(
        table=table,
        number=number,
        order=play.last_order + 1,
        dealing=play.last_dealing + 1,
        segment=segment,
    )


def _deal_again(play: Play, deal: Deal) -> None:
    """A void deal is replayed: by those who sit there now, whatever was played since."""
    deal.dealing = play.last_dealing + 1
    deal.save(update_fields=["dealing"])


def _done(
    actor: Actor,
    table: Table,
    play: Play,
    action: str,
    version: DealVersion,
    *,
    before: DealVersion | None,
) -> dict[str, Any]:
    record_audit(
        actor=actor,
        action=action,
        subject=version.deal,
        event=table.draw.round.event,
        before=before and version_facts(before),
        after={**version_facts(version), "source": actor.source},
        reason=version.reason,
    )
    if before is not None:
        _settle_disputes(actor, before)
    update_table_results(table, play=play_after(play, table, version))
    return _answer(version)


def _settle_disputes(actor: Actor, replaced: DealVersion) -> None:
    """What was disputed about a version that is no longer in force is settled by the newer one."""
    replaced.disputes.filter(closed_at__isnull=True).update(
        outcome=Dispute.Outcome.REPLACED, closed_by=actor.user, closed_at=timezone.now()
    )


def _answer(version: DealVersion) -> dict[str, Any]:
    return {
        "deal": version.deal_id,
        "number": version.deal.number,
        "version": version.number,
        "state": version.state,
        "answer": version.answer,
    }
