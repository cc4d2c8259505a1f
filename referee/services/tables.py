"""Ending play at a table before its plan is complete, taking that back, and beginning a segment of a timed
round (docs/rules.md §5).
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.queries import play_of
from referee.services.commands import Outcome, run_once
from referee.services.guards import lock_table, require_person, require_play, require_referee
from tournament.models import Table, Walkover
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Refused
from tournament.services.results import update_table_results
from tournament.services.validation import required_reason

#: What is done to a locked table in place of a command; gives its answer, or None: the command is done.
Instead = Callable[[Table], dict[str, Any] | None]


def stop_table(
    *, actor: Actor, table: Table, reason: str, command_id: UUID, instead: Instead | None = None
) -> Outcome:
    """Ends play at the table: what is recorded stands, the side ahead wins the game in play, equal is a draw.

    Raises:
        Refused: no reason given, or play was ended before.
        NotAllowed: not a referee of this table.
    """
    require_referee(actor, table)
    require_person(actor)
    reason = required_reason(reason)

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        if locked.stopped_at is not None:
            raise Conflict(
                "table_stopped", _("Play at table %(table)s was ended before."), {"table": locked.number}
            )
        other = instead(locked) if instead else None
        if other is not None:
            return other
        locked.stopped_at, locked.stop_reason = timezone.now(), reason
        return _done(actor, locked, "table.stop", {"stopped": False}, reason)

    payload = {"table": table.pk, "reason": reason}
    return run_once(actor=actor, command_id=command_id, action="table.stop", payload=payload, work=work)


def resume_table(
    *, actor: Actor, table: Table, reason: str, command_id: UUID, instead: Instead | None = None
) -> Outcome:
    """Takes back that play was ended: deals can be recorded again.

    Raises:
        Refused: no reason given, or play was not ended.
        NotAllowed: not a referee of this table.
    """
    require_referee(actor, table)
    require_person(actor)
    reason = required_reason(reason)

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        if locked.stopped_at is None:
            raise Conflict(
                "table_not_stopped", _("Play at table %(table)s goes on."), {"table": locked.number}
            )
        if Walkover.objects.filter(match=locked.match_id).exists():
            raise Conflict(
                "match_walkover",
                _("The match at table %(table)s is a walkover: the organiser must take that back first."),
                {"table": locked.number},
            )
        other = instead(locked) if instead else None
        if other is not None:
            return other
        before = {"stopped": True, "reason": locked.stop_reason}
        locked.stopped_at, locked.stop_reason = None, ""
        return _done(actor, locked, "table.resume", before, reason)

    payload = {"table": table.pk, "reason": reason}
    return run_once(actor=actor, command_id=command_id, action="table.resume", payload=payload, work=work)


def start_segment(*, actor: Actor, table: Table, segment: int, command_id: UUID) -> Outcome:
    """Begins the next segment 节 of a timed round at the table: deals recorded from now on belong to it.

    In games and sets the deals played tell the segment, and there is nothing to begin.

    Raises:
        Refused: this is not the next segment, or the round is not timed.
        NotAllowed: not a referee of this table.
    """
    require_referee(actor, table)

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        play = play_of(locked)
        if play.plan.kind != "time":
            raise Refused("segment_by_deals", _("The deals played tell the segment: nothing is to be begun."))
        if segment != play.segment + 1 or segment > play.segments:
            raise Conflict(
                "segment_now",
                _("Table %(table)s is in segment %(now)s of %(segments)s."),
                {"table": locked.number, "now": play.segment, "segments": play.segments},
            )
        locked.segment = segment
        locked.save(update_fields=["segment"])
        record_audit(
            actor=actor,
            action="table.segment",
            subject=locked,
            event=locked.draw.round.event,
            before={"segment": play.segment},
            after={"segment": segment},
        )
        return {"table": locked.pk, "segment": segment}

    payload = {"table": table.pk, "segment": segment}
    return run_once(actor=actor, command_id=command_id, action="table.segment", payload=payload, work=work)


def _done(actor: Actor, table: Table, action: str, before: dict[str, Any], reason: str) -> dict[str, Any]:
    table.save(update_fields=["stopped_at", "stop_reason"])
    after = {"stopped": table.stopped_at is not None, "reason": table.stop_reason}
    record_audit(
        actor=actor,
        action=action,
        subject=table,
        event=table.draw.round.event,
        before=before,
        after=after,
        reason=reason,
    )
    update_table_results(table)
    return {"table": table.pk, **after}
