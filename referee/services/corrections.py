"""Corrections with foresight 更正: proposed, looked at with all they would move, made, and undone.

| state    | step                | next     |
|----------|---------------------|----------|
| proposed | apply_correction    | applied  |
| proposed | drop_correction     | dropped  |
| applied  | an applied undo     | undone   |

What a correction entails (the round closed again, later draws made anew, a new published version that names
it) follows at once, or, where the corrected deal waits for a second person's check, with finish_correction.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import Count, Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.models import Correction, Deal, DealCheck
from referee.queries import current_version
from referee.services.change_names import deal_of, deal_on_record, unchecked
from referee.services.changes import CHANGES
from referee.services.checks import check_deal
from referee.services.foresight import what_would_move
from referee.services.repair import draw_again
from tournament.models import AuditRow, Event, Publication, Round
from tournament.queries import access
from tournament.queries.board import round_board
from tournament.queries.foresight import Json, differences, read, read_again
from tournament.queries.published import Published
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Problem, Refused
from tournament.services.events import finish_event
from tournament.services.permissions import require_director
from tournament.services.publish import publish
from tournament.services.rounds import close_round, missing_problems, reopen_round
from tournament.services.validation import REASON_LENGTH, required_reason, text

Kind, State = Correction.Kind, Correction.State
What = Publication.What
_RULINGS = (Kind.RULING, Kind.RULING_LIFT)


def propose_correction(*, actor: Actor, round: Round, kind: str, change: Json, reason: str) -> Correction:
    """Puts a correction on record without making it. ``change`` as its kind takes it (services.changes).

    It is tried out and taken back, so that what would be refused is refused here. Raises NotAllowed, or
    what the change raises.
    """
    event = round.event
    require_director(actor, event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        made = Correction.objects.create(
            event=event,
            number=(event.corrections.aggregate(last=Max("number"))["last"] or 0) + 1,
            round=round,
            kind=kind,
            change=change,
            reason=kept,
            proposed_by=actor.user,
        )
        with transaction.atomic():
            _make(actor, made)
            transaction.set_rollback(True)
        _record(actor, made, "correction.propose", before=None)
    return made


def propose_undo(*, actor: Actor, correction: Correction, reason: str) -> Correction:
    """Proposes to take a correction back. Raises NotAllowed; Conflict unless it was made and holds; or what
    taking it back raises.
    """
    if correction.state != State.APPLIED or correction.kind == Kind.UNDO:
        raise Conflict(
            "not_undoable", _("This correction cannot be undone: it was not made, or undone before.")
        )
    return propose_correction(
        actor=actor,
        round=correction.round,
        kind=Kind.UNDO,
        change={"correction": correction.number},
        reason=reason,
    )


@dataclass(frozen=True)
class Look:
    """What a proposed correction would move, and how far the audit trail had come before that was read: every
    fact has its row, so while no row is added nothing else can follow.
    """

    moves: Json
    trail: tuple[int, int]


def look_ahead(*, actor: Actor, correction: Correction) -> Look:
    """What a proposed correction would move now; nothing is changed. Raises what the change raises."""
    require_director(actor, correction.event.tournament)
    trail = _trail_now(correction.event)
    moves = what_would_move(
        event=correction.event,
        from_round=first_round(correction),
        change=lambda: _make(actor, correction),
    )
    return Look(moves, trail)


def apply_correction(
    *,
    actor: Actor,
    correction: Correction,
    seen: str,
    redraw_from: int | None = None,
    with_deals: bool = False,
    note: str = "",
    look: Look | None = None,
) -> Correction:
    """Makes a proposed correction.

    ``seen`` is the mark (moves_mark) of what its maker was shown. ``redraw_from`` None keeps all later
    draws; else draws from that round on are made anew, ``with_deals`` even if deals were recorded there. What
    was published of it is published anew, with ``note``; only an organiser publishes and draws. ``look`` is a
    look just taken: unless something was recorded since, what moves is not worked out once more, for which
    nobody else could write.

    Raises NotAllowed; Conflict if it was made or dropped before, or moves other things than were shown;
    Refused as the change, the draws and the publications refuse.
    """
    event = correction.event
    require_director(actor, event.tournament)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        current = Correction.objects.select_for_update(no_key=True).get(pk=correction.pk)
        _require_proposed(current)
        current.event = event
        round = current.round
        start = first_round(current)
        known = look is not None and look.trail == _trail_now(event)
        before = None if known else read(event, start)
        closed = round.state == Round.State.CLOSED
        kept = {"override": round.override_reason, "finished": _finished(event)}
        if current.kind == Kind.UNDO and _original(current).published_at is None:
            # What it takes back had not been finished: the round is still open because of it.
            closed, kept = _original(current).closed_before, _original(current).done["kept"]
        current.public = _public_of(event, start, current)
        current.done = {**_make(actor, current), "kept": kept}
        current.moves = look.moves if before is None else differences(before, read_again(before))
        if moves_mark(current.moves) != seen:
            raise Conflict(
                "moves_changed",
                _("Something else has been recorded since: look again at what this would move."),
            )
        if redraw_from is not None:
            _require_affected(current.moves, redraw_from)
            current.done["redraw"] = {"from": redraw_from, "with_deals": with_deals}
        current.state, current.closed_before = State.APPLIED, closed
        current.applied_by, current.applied_at = actor.user, timezone.now()
        current.note = (text(note) or current.reason)[:REASON_LENGTH]
        current.save()
        if current.kind == Kind.UNDO:
            Correction.objects.filter(event=event, number=current.change["correction"]).update(
                state=State.UNDONE
            )
        _record(actor, current, "correction.apply", before={"state": State.PROPOSED})
        if not waits_for(current) and access_to_finish(actor, event):
            _finish(actor, current)
    current.refresh_from_db()
    return current


def finish_correction(*, actor: Actor, correction: Correction) -> Correction:
    """Does what a correction made earlier still waits for: closes its round, draws anew, publishes.

    Raises NotAllowed; Conflict if that is done; Refused while a deal waits for its check, or as the draws and
    the publications refuse.
    """
    event = correction.event
    require_director(actor, event.tournament)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        current = Correction.objects.select_for_update(no_key=True).get(pk=correction.pk)
        if current.state != State.APPLIED or current.published_at is not None:
            raise Conflict("correction_finished", _("There is nothing left to do for this correction."))
        waiting = waits_for(current)
        if waiting:
            raise Refused.for_problems(waiting)
        _finish(actor, current)
    current.refresh_from_db()
    return current


def drop_correction(*, actor: Actor, correction: Correction) -> None:
    """A proposed correction is not made. Raises NotAllowed; Conflict if it was made or dropped before."""
    require_director(actor, correction.event.tournament)
    with transaction.atomic():
        current = Correction.objects.select_for_update(no_key=True).get(pk=correction.pk)
        _require_proposed(current)
        current.state = State.DROPPED
        current.save(update_fields=["state"])
        _record(actor, current, "correction.drop", before={"state": State.PROPOSED})


def waits_for(correction: Correction) -> list[Problem]:
    """What keeps a correction that was made from being finished: a check by somebody else, a replay."""
    deal = _unchecked_deal(correction)
    if deal is not None:
        return [
            Problem(
                "waits_for_check",
                _("Table %(table)s, deal %(deal)s: somebody else has to check the record first."),
                {"table": deal.table.number, "deal": deal.number},
            )
        ]
    others = correction.event.corrections.filter(state=State.APPLIED, published_at=None)
    for other in others.exclude(pk=correction.pk).order_by("number"):
        # What it has made unchecked would be missing in whatever is published now.
        if _unchecked_deal(other) is not None:
            return [
                Problem(
                    "waits_for_other",
                    _("Correction %(number)s waits for a check: what is published now would lack its deal."),
                    {"number": other.number},
                )
            ]
    round = Round.objects.get(pk=correction.round_id)
    reopened = correction.closed_before and round.state == Round.State.PLAYING
    if reopened and not correction.done["kept"]["override"]:
        return missing_problems(round_board(round).missing)
    return []


def access_to_finish(actor: Actor, event: Event) -> bool:
    """Whether the actor may publish and draw, which finishing a correction can ask for."""
    return actor.is_system or access.can_organise(actor.person, event.tournament)


def moves_mark(moves: Json) -> str:
    """A mark of what a correction moves: two that move the same have the same."""
    return hashlib.sha256(json.dumps(moves, sort_keys=True).encode()).hexdigest()[:20]


def first_round(correction: Correction) -> int:
    """The first round whose standings a correction can move: a ruling on an entry stands in all of them, and
    takes the place of one that may have reached further back.
    """
    original = _original(correction)
    return 1 if original.kind in _RULINGS else original.round.number


# -- the parts


def _trail_now(event: Event) -> tuple[int, int]:
    """How many rows the tournament's audit trail has, and the last one's id."""
    rows = AuditRow.objects.filter(tournament=event.tournament_id)
    found = rows.aggregate(rows=Count("pk"), last=Max("pk"))
    return found["rows"], found["last"] or 0


def _make(actor: Actor, correction: Correction) -> Json:
    """Makes the change within the caller's transaction, its round reopened if need be."""
    round = Round.objects.select_related("event__tournament", "stage").get(pk=correction.round_id)
    if round.state == Round.State.CLOSED:
        reopen_round(actor=actor, round=round, reason=correction.reason)
        round = Round.objects.select_related("event__tournament", "stage").get(pk=correction.round_id)
    if correction.kind == Kind.UNDO:
        original = _original(correction)
        if original.state != State.APPLIED:
            raise Conflict("undone_already", _("This has been undone already."))
        CHANGES[original.kind].unmake(actor, round, original.change, original.done, correction.reason)
        return {}
    proposer = Actor(user=correction.proposed_by)
    second = actor.user is not None and correction.proposed_by_id not in (None, actor.user.pk)
    if correction.kind != Kind.DEAL or not second or correction.change.get("dispute"):
        return CHANGES[correction.kind].make(actor, round, correction.change, correction.reason)
    # Whoever proposed it has entered the record; whoever makes it is the second person who checks it.
    done = CHANGES[Kind.DEAL].make(proposer, round, correction.change, correction.reason)
    check_deal(
        actor=actor,
        deal=deal_of(round, correction.change),
        version=done["after"],
        relation=DealCheck.Relation.REFEREE,
        command_id=uuid4(),
    )
    return done


def _finish(actor: Actor, correction: Correction) -> None:
    event, kept = correction.event, correction.done["kept"]
    round = Round.objects.select_related("event__tournament").get(pk=correction.round_id)
    if correction.closed_before and round.state == Round.State.PLAYING:
        close_round(actor=actor, round=round, override_reason=kept["override"])
    redraw = correction.done.get("redraw")
    if redraw:
        draw_again(
            actor=actor,
            event=event,
            from_round=redraw["from"],
            with_deals=redraw["with_deals"],
            advancing=correction.moves["advancing"],
            reason=correction.reason,
        )
        correction.redrawn_from = redraw["from"]
    for what, number in correction.public:
        if redraw and number >= redraw["from"]:
            continue  # taken off with its draw
        publish(actor=actor, round=event.rounds.get(number=number), what=what, note=correction.note)
    if kept["finished"] and not event.rounds.exclude(state=Round.State.CLOSED).exists():
        finish_event(actor=actor, event=event)
    correction.published_at = timezone.now()
    correction.save(update_fields=["redrawn_from", "published_at"])
    _record(actor, correction, "correction.finish", before=None)


def _public_of(event: Event, start: int, correction: Correction) -> list[list[Any]]:
    """What is public of it and is to be published anew, results before the standings made of them."""
    published = Published(event)
    changed = correction.round.number
    if _original(correction).kind in _RULINGS:
        changed = 0  # no record changes, only what is made of them
    results: Sequence[int] = [changed] if changed in published.rounds(What.RESULTS) else []
    standings = [number for number in published.rounds(What.STANDINGS) if number >= start]
    return [[str(What.RESULTS), one] for one in results] + [[str(What.STANDINGS), one] for one in standings]


def _unchecked_deal(correction: Correction) -> Deal | None:
    """The deal that a correction has changed, while its record waits for a check."""
    original = _original(correction)
    if original.kind not in (Kind.DEAL, Kind.VOID):
        return None
    deal = deal_on_record(original.round, original.change)
    return deal if deal is not None and unchecked(current_version(deal)) else None


def _original(correction: Correction) -> Correction:
    """The correction itself, or for an undoing the one it takes back."""
    if correction.kind != Kind.UNDO:
        return correction
    found = Correction.objects.select_related("round__event__tournament", "event__tournament")
    return found.get(event=correction.event_id, number=correction.change["correction"])


def _finished(event: Event) -> bool:
    return Event.objects.filter(pk=event.pk, state=Event.State.FINISHED).exists()


def _require_proposed(correction: Correction) -> None:
    if correction.state != State.PROPOSED:
        raise Conflict(
            "not_proposed",
            _("This correction is now: %(state)s."),
            {"state": correction.get_state_display()},
        )


def _require_affected(moves: Json, redraw_from: int) -> None:
    affected = {one["round"] for one in moves["draws"]} | {one["first_round"] for one in moves["advancing"]}
    if redraw_from not in affected:
        raise Refused(
            "not_affected",
            _("The draw of round %(round)s does not change: there is nothing to make anew."),
            {"round": redraw_from},
            field="later",
        )


def _record(actor: Actor, correction: Correction, action: str, *, before: Any) -> None:
    record_audit(
        actor=actor,
        action=action,
        subject=correction,
        event=correction.event,
        before=before,
        after={
            "number": correction.number,
            "round": correction.round.number,
            "kind": str(correction.kind),
            "change": correction.change,
            "state": str(correction.state),
            "redraw": correction.done.get("redraw"),
            "public": correction.public,
        },
        reason=correction.reason,
    )
