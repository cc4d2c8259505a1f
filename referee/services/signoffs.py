"""Sign-off of a deal by its seats, or by a second record made blind (docs/rules.md §6).

What a seat says is appended and never changed. When everything the event asks for has been said, the version
gets its check and counts; a dispute holds it back until the desk has ruled (`referee.services.disputes`).
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.models import Deal, DealCheck, DealVersion, Dispute, SeatSignoff, SecondEntry
from referee.queries import check_of, play_after, play_of, seats_at
from referee.queries.play import Play
from referee.queries.signoffs import ALL, SECOND, blocking_disputes, differences, policy_of, verdicts_of
from referee.services.commands import Outcome, run_once
from referee.services.guards import (
    lock_table,
    require_current,
    require_play,
    require_referee,
    require_state,
)
from referee.services.records import score_record
from tournament.models import Seat, Table
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Refused
from tournament.services.results import update_table_results
from tournament.services.validation import REASON_LENGTH, text, unknown_seat

AGREE, DISPUTE = SeatSignoff.Verdict.AGREE, SeatSignoff.Verdict.DISPUTE


def sign_deal(
    *,
    actor: Actor,
    deal: Deal,
    version: int,
    seat: str,
    verdict: str,
    reason: str = "",
    record: Any = None,
    command_id: UUID,
) -> Outcome:
    """Stores that a seat agrees to a version, or disputes it.

    Any seat may dispute, whatever the event asks for; ``record`` is what it says is right, perhaps not
    complete. Where all seats must agree, the last agreement checks the deal; a seat that agrees after all
    takes its dispute back.

    Raises:
        Refused: no such seat, an unknown verdict, a dispute without a reason, faults of the record offered;
        the event does not ask seats to agree; the deal is checked, void or undone.
        Stale: the deal has moved on since.
        NotAllowed: neither a referee of this table nor its tablet.
    """
    table = deal.table
    require_referee(actor, table)
    if verdict not in SeatSignoff.Verdict:
        raise Refused("unknown_verdict", _("A seat agrees or disputes."), field="verdict")
    reason = text(reason)[:REASON_LENGTH]
    if verdict == DISPUTE and not reason:
        raise Refused("reason_missing", _("Please state the reason."), field="reason")
    payload = {
        "deal": deal.pk,
        "version": version,
        "seat": seat,
        "verdict": verdict,
        "reason": reason,
        "record": record,
    }

    def work() -> dict[str, Any]:
        locked, play, current = _open_version(table, deal, version)
        if verdict == AGREE and policy_of(locked.draw.round.event) != ALL:
            raise Conflict(
                "agreement_not_asked",
                _("In this event seats are not asked to agree: one second person checks, or enters again."),
            )
        by_letter = {one.direction: one for one in seats_at(locked, deal)}
        if seat not in by_letter:
            raise unknown_seat(seat, field="seat")
        offered = _offered(locked, by_letter, record) if verdict == DISPUTE else None
        before = verdicts_of(current)
        if before.get(seat) != verdict:
            _say(actor, current, by_letter[seat], verdict)
        if verdict == DISPUTE:
            raise_dispute(
                actor,
                current,
                Dispute.Kind.SEAT,
                seat=seat,
                offered=offered,
                reason=reason,
                found=differences(current.record, offered) if offered else [],
            )
        else:
            _take_back(actor, current, seat)
        _audit(actor, current, "deal.sign", {"verdicts": before}, {"seat": seat, "verdict": verdict})
        if _all_agree(current, by_letter):
            _complete(actor, locked, play, current, DealCheck.Relation.ALL)
            return _answer(current, "checked")
        return _answer(current, "disputed" if verdict == DISPUTE else "recorded")

    return run_once(actor=actor, command_id=command_id, action="deal.sign", payload=payload, work=work)


def enter_second(
    *, actor: Actor, deal: Deal, version: int, record: Any, entered_seat: str = "", command_id: UUID
) -> Outcome:
    """Stores a second record of the deal, made without seeing the first: where both agree card by card the
    deal is checked, else both go to the desk.

    Raises:
        Refused: with every fault of the record; the event asks for no second entry, there is one already, or
        it comes from the one who made the first.
        Stale: the deal has moved on since.
        NotAllowed: neither a referee of this table nor its tablet.
    """
    table = deal.table
    require_referee(actor, table)
    payload = {"deal": deal.pk, "version": version, "record": record, "entered_seat": entered_seat}

    def work() -> dict[str, Any]:
        locked, play, current = _open_version(table, deal, version)
        event = locked.draw.round.event
        if policy_of(event) != SECOND:
            raise Conflict("second_not_asked", _("In this event deals are entered once."))
        if SecondEntry.objects.filter(version=current).exists():
            raise Conflict(
                "second_entered", _("Deal %(deal)s has been entered twice."), {"deal": deal.number}
            )
        seats = tuple(one.direction for one in seats_at(locked, deal))
        if entered_seat and entered_seat not in seats:
            raise unknown_seat(entered_seat, field="entered_seat")
        _require_other_scorer(actor, current, entered_seat)
        scored = score_record(
            seats=seats,
            mode=event.scoring_mode,
            ruleset=event.ruleset_version.ruleset(),
            record=record,
        )
        found = differences(current.record, scored.record)
        SecondEntry.objects.create(
            version=current,
            record=scored.record,
            differences=found,
            entered_by=actor.user,
            entered_seat=entered_seat,
        )
        after = {"entered_seat": entered_seat, "record": scored.record, "differences": found}
        _audit(actor, current, "deal.second", None, after)
        if not found:
            _complete(actor, locked, play, current, DealCheck.Relation.SECOND)
            return _answer(current, "checked")
        raise_dispute(
            actor, current, Dispute.Kind.SECOND_ENTRY, seat=entered_seat, offered=scored.record, found=found
        )
        return _answer(current, "disputed")

    return run_once(actor=actor, command_id=command_id, action="deal.second", payload=payload, work=work)


def raise_dispute(
    actor: Actor,
    version: DealVersion,
    kind: str,
    *,
    seat: str = "",
    offered: Any = None,
    reason: str = "",
    found: Any = (),
) -> Dispute:
    """The open dispute of this kind and seat about the version, made where there is none; a newer offer takes
    the place of the older one's.
    """
    values = {
        "offered": offered,
        "reason": reason,
        "differences": list(found),
        "raised_by": actor.user,
    }
    dispute, _created = Dispute.objects.update_or_create(
        version=version, kind=kind, seat=seat, closed_at=None, defaults=values
    )
    return dispute


# -- the parts


def _open_version(table: Table, deal: Deal, version: int) -> tuple[Table, Play, DealVersion]:
    locked = lock_table(table)
    require_play(locked)
    play = play_of(locked)
    current = require_current(play, deal, version)
    require_state(current, DealVersion.State.RECORDED)
    if check_of(current):
        raise Conflict("already_checked", _("Deal %(deal)s is checked already."), {"deal": deal.number})
    return locked, play, current


def _offered(table: Table, seats: dict[str, Seat], record: Any) -> Any:
    if record is None:
        return None
    event = table.draw.round.event
    scored = score_record(
        seats=tuple(seats),
        mode=event.scoring_mode,
        ruleset=event.ruleset_version.ruleset(),
        record=record,
    )
    return scored.record


def _say(actor: Actor, version: DealVersion, seat: Seat, verdict: str) -> None:
    said = version.signoffs.filter(seat=seat.direction).count()
    SeatSignoff.objects.create(
        version=version,
        seat=seat.direction,
        place=said + 1,
        verdict=verdict,
        player=seat.player,
        user=actor.user,
    )


def _take_back(actor: Actor, version: DealVersion, seat: str) -> None:
    own = version.disputes.filter(kind=Dispute.Kind.SEAT, seat=seat, closed_at__isnull=True)
    own.update(
        outcome=Dispute.Outcome.STANDS,
        ruling=str(_("The seat agreed after all.")),
        closed_by=actor.user,
        closed_at=timezone.now(),
    )


def _require_other_scorer(actor: Actor, version: DealVersion, entered_seat: str) -> None:
    same_seat = entered_seat == version.entered_seat
    same_person = actor.user is not None and version.entered_by_id == actor.user.pk
    if same_seat and (entered_seat or same_person or actor.user is None):
        raise Refused(
            "own_entry",
            _("You entered this deal yourself: somebody else has to enter it again."),
            field="entered_seat",
        )


def _all_agree(version: DealVersion, letters: Iterable[str]) -> bool:
    """Whether the last word of every seat is that it agrees, and no dispute waits for the desk."""
    agreed = all(said == AGREE for said in {**dict.fromkeys(letters), **verdicts_of(version)}.values())
    return agreed and not blocking_disputes(version).exists()


def _complete(actor: Actor, table: Table, play: Play, version: DealVersion, relation: str) -> None:
    DealCheck.objects.create(version=version, relation=relation, user=actor.user)
    after = {"version": version.number, "check": {"relation": str(relation), "seat": "", "player": ""}}
    _audit(actor, version, "deal.check", {"version": version.number, "check": None}, after)
    version.refresh_from_db()
    update_table_results(table, play=play_after(play, table, version))


def _audit(actor: Actor, version: DealVersion, action: str, before: Any, after: dict[str, Any]) -> None:
    record_audit(
        actor=actor,
        action=action,
        subject=version.deal,
        event=version.deal.table.draw.round.event,
        before=before,
        after={"version": version.number, **after},
    )


def _answer(version: DealVersion, state: str) -> dict[str, Any]:
    deal = version.deal
    return {"deal": deal.pk, "number": deal.number, "version": version.number, "state": state}
