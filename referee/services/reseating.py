"""Players found at wrong seats after some deals: put right in one step, their deals moving with them.

The seats of a published draw stay as they are. Every deal concerned gets a new version in which what happened
at the seat where somebody sat has happened at the seat that is theirs; the former version stays on record.
What had been checked counts as checked by the referee who put it right, for the cards are the same; what had
not been checked, and what that referee entered, still waits for somebody else's check.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.models import DealCheck, DealVersion, Dispute, ReseatedDeal, Reseating
from referee.queries import Play, check_of, current_version, play_of, seats_of, version_facts
from referee.services.commands import Outcome, run_once
from referee.services.guards import lock_table, require_play, stale
from referee.services.records import score_record
from scoring.engine import DealRecord
from tournament.models import Seat, Table
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Refused
from tournament.services.permissions import require_director
from tournament.services.results import update_table_results
from tournament.services.validation import required_reason, unknown_seat


def reseat(
    *,
    actor: Actor,
    table: Table,
    segment: int,
    sat: Mapping[str, str],
    deals: Mapping[int, int],
    reason: str,
    command_id: UUID,
) -> Outcome:
    """Moves deals of a segment to the seats of those who played them.

    ``sat`` maps each seat whose player sat elsewhere to the seat at which they sat; ``deals`` maps the
    numbers of the deals so played to the versions their sender saw.

    Raises:
        Refused: nobody sat elsewhere; two at one seat; no such seat; partners would change; a deal is not on
        record in this segment, or is disputed; no reason given.
        Stale: a deal has moved on since.
        NotAllowed: neither chief referee nor organiser.
    """
    require_director(actor, table.draw.round.event.tournament)
    reason = required_reason(reason)
    payload = {
        "table": table.pk,
        "segment": segment,
        "sat": dict(sat),
        "deals": {str(number): version for number, version in deals.items()},
        "reason": reason,
    }

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        seats = seats_of(locked, segment)
        moved = _moved(locked, seats, sat)
        versions = _versions(play_of(locked), segment, deals)
        _require_undisputed(versions)
        made = Reseating.objects.create(
            table=locked, segment=segment, moved=moved, reason=reason, made_by=actor.user
        )
        pairs = [(one, _put_right(actor, locked, one, moved, reason)) for one in versions]
        ReseatedDeal.objects.bulk_create(
            ReseatedDeal(reseating=made, before=before, after=after) for before, after in pairs
        )
        record_audit(
            actor=actor,
            action="table.reseat",
            subject=locked,
            event=locked.draw.round.event,
            before={
                "segment": segment,
                "seats": {seat.direction: seat.player.name for seat in seats},
                "deals": _numbers(before for before, _after in pairs),
            },
            after={"moved": moved, "deals": _numbers(after for _before, after in pairs)},
            reason=reason,
        )
        update_table_results(locked)
        return {"reseating": made.pk, "table": locked.pk, "deals": [one.deal.number for one in versions]}

    return run_once(actor=actor, command_id=command_id, action="table.reseat", payload=payload, work=work)


def undo_reseating(*, actor: Actor, reseating: Reseating, reason: str, command_id: UUID) -> Outcome:
    """Takes a re-seating back: every deal of it gets the record it had before, as a new version.

    Raises:
        Refused: undone already; a deal of it has been changed or disputed since; no reason given.
        NotAllowed: neither chief referee nor organiser.
    """
    table = reseating.table
    require_director(actor, table.draw.round.event.tournament)
    reason = required_reason(reason)

    def work() -> dict[str, Any]:
        locked = lock_table(table)
        require_play(locked)
        current = Reseating.objects.select_for_update(no_key=True).get(pk=reseating.pk)
        if current.undone_at is not None:
            raise Conflict("reseating_undone", _("This exchange of seats was undone before."))
        pairs = list(current.deals.select_related("before__deal", "after__deal", "after__check_row"))
        versions = _unchanged(play_of(locked), [pair.after for pair in pairs])
        _require_undisputed(versions)
        back = {mine: seat for seat, mine in current.moved.items()}
        restored = [_put_right(actor, locked, one, back, reason) for one in versions]
        current.undone_by, current.undone_at, current.undo_reason = actor.user, timezone.now(), reason
        current.save(update_fields=["undone_by", "undone_at", "undo_reason"])
        record_audit(
            actor=actor,
            action="table.reseat_undo",
            subject=locked,
            event=locked.draw.round.event,
            before={"moved": current.moved, "deals": _numbers(versions)},
            after={"moved": {}, "deals": _numbers(restored)},
            reason=reason,
        )
        update_table_results(locked)
        return {"reseating": current.pk, "table": locked.pk, "deals": [one.deal.number for one in restored]}

    payload = {"reseating": reseating.pk, "reason": reason}
    return run_once(
        actor=actor, command_id=command_id, action="table.reseat_undo", payload=payload, work=work
    )


# -- the parts


def _moved(table: Table, seats: Sequence[Seat], sat: Mapping[str, str]) -> dict[str, str]:
    """From the seat at which somebody sat to the seat that is theirs. Raises Refused unless that is an
    exchange of the table's seats that leaves partners together.
    """
    letters = [seat.direction for seat in seats]
    strangers = sorted((set(sat) | set(sat.values())) - set(letters))
    if strangers:
        raise unknown_seat(strangers[0], field=f"sat_{strangers[0]}")
    where = {letter: sat.get(letter, letter) for letter in letters}
    for letter in letters:
        others = [one for one in letters if where[one] == where[letter]]
        if len(others) > 1:
            names = {seat.direction: seat.player.name for seat in seats}
            raise Refused(
                "two_at_a_seat",
                _("%(first)s and %(second)s cannot both have sat at seat %(seat)s."),
                {"first": names[others[0]], "second": names[others[1]], "seat": where[letter]},
                field=f"sat_{others[1]}",
            )
    if all(seat == own for own, seat in where.items()):
        raise Refused("nobody_moved", _("Everybody sat at the right seat: there is nothing to exchange."))
    if table.draw.round.event.scoring_mode == "partnership":
        sides = [{seat.direction for seat in seats if seat.order % 2 == place} for place in (1, 0)]
        if any({where[letter] for letter in side} not in sides for side in sides):
            raise Refused(
                "partners_changed",
                _(
                    "These deals were played with other partners than the draw names: they cannot be moved. "
                    "Void them, or let them stand."
                ),
            )
    return {seat: own for own, seat in where.items() if seat != own}


def _versions(play: Play, segment: int, deals: Mapping[int, int]) -> list[DealVersion]:
    if not deals:
        raise Refused("no_deals", _("Choose the deals that were played at the wrong seats."), field="deals")
    found = []
    for number, seen in sorted(deals.items()):
        current = play.version(number)
        if current is None or current.state != DealVersion.State.RECORDED or current.deal.segment != segment:
            raise Refused(
                "deal_not_recorded",
                _("Deal %(deal)s is not on record in this segment."),
                {"deal": number},
                field="deals",
            )
        if current.number != seen:
            raise stale(current.deal, current)
        found.append(current)
    return found


def _unchanged(play: Play, versions: Sequence[DealVersion]) -> list[DealVersion]:
    found = []
    for one in versions:
        current = play.version(one.deal.number)
        if current is None or current.pk != one.pk:
            raise Conflict(
                "changed_since",
                _("Deal %(deal)s has been changed since the seats were exchanged: correct it by itself."),
                {"deal": one.deal.number},
            )
        found.append(current)
    return found


def _require_undisputed(versions: Sequence[DealVersion]) -> None:
    disputes = Dispute.objects.filter(version__in=versions, closed_at=None, kind__in=Dispute.BLOCKING)
    first = disputes.select_related("version__deal").order_by("version__deal__order").first()
    if first is not None:
        raise Conflict(
            "deal_disputed",
            _("Deal %(deal)s is disputed: rule on that first."),
            {"deal": first.version.deal.number},
        )


def _put_right(
    actor: Actor, table: Table, current: DealVersion, moved: Mapping[str, str], reason: str
) -> DealVersion:
    """The next version of a deal, with its seats exchanged; whoever entered it has still entered it."""
    event = table.draw.round.event
    scored = score_record(
        seats=tuple(seat.direction for seat in seats_of(table, current.deal.segment)),
        mode=event.scoring_mode,
        ruleset=event.ruleset_version.ruleset(),
        record=DealRecord.from_json(current.record).reseated(moved).to_json(),
    )
    try:
        with transaction.atomic():
            version = DealVersion.objects.create(
                deal=current.deal,
                number=current.number + 1,
                state=DealVersion.State.RECORDED,
                record=scored.record,
                answer=scored.answer,
                ruleset_version=event.ruleset_version,
                entered_by_id=current.entered_by_id,
                device_id=current.device_id,
                entered_seat=moved.get(current.entered_seat, current.entered_seat),
                reason=reason,
            )
    except IntegrityError:
        raise stale(current.deal, current_version(current.deal)) from None
    own_entry = not current.entered_seat and current.entered_by_id == (actor.user and actor.user.pk)
    if check_of(current) is not None and not own_entry:
        DealCheck.objects.create(version=version, relation=DealCheck.Relation.REFEREE, user=actor.user)
    record_audit(
        actor=actor,
        action="deal.reseat",
        subject=current.deal,
        event=event,
        before=version_facts(current),
        after=version_facts(version),
        reason=reason,
    )
    return version


def _numbers(versions: Any) -> list[dict[str, int]]:
    return [{"deal": one.deal.number, "version": one.number} for one in versions]
