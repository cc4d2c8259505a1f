"""Penalties 罚分: given, and cancelled; both stay on record (docs/rules.md §5).

A penalty counts in the result of an entry, not in a deal. Where the round plan lets penalties end a game,
one given in a deal can change who wins it, so the table's results are brought up to date.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.models import Deal, Penalty, PenaltyRule
from referee.queries import seats_at, seats_of, segment_shown
from referee.services.commands import Outcome, run_once
from referee.services.guards import lock_table, require_person, require_play, require_referee
from referee.services.penalty_faults import penalty_faults
from referee.services.penalty_reasons import penalty_reason
from tournament.models import Entry, Event, Player, Round, Seat, Table
from tournament.queries import access
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, NotAllowed, Refused
from tournament.services.live import mark_round
from tournament.services.locks import lock_round
from tournament.services.permissions import require_director
from tournament.services.results import update_table_results
from tournament.services.validation import required_reason, text, unknown_seat

_Scope = Penalty.Scope
#: What is done in place of a change, asked for within its transaction; None: the change is made.
Instead = Callable[[], dict[str, Any] | None]


def give_penalty(
    *,
    actor: Actor,
    event: Event,
    round: Round,
    entry: Entry,
    rule: str,
    points: int | Fraction,
    reason: str,
    player: Player | None = None,
    table: Table | None = None,
    deal: Deal | None = None,
    game: int | None = None,
    target: str = Penalty.Target.ENTRY,
    partners: Sequence[Entry] = (),
    article: PenaltyRule | None = None,
    sure: bool = False,
    command_id: UUID,
    instead: Instead | None = None,
) -> Outcome:
    """Gives a penalty: ``points`` are added to the entry's result of that round, so negative takes away; 0 is
    a warning. They are in the event's own measure (games, victory points …); ``sure`` says that more than a
    whole round is worth in it is meant. ``target`` says whom it is against: the player in a seat, a side
    (``partners`` are its other entries, and each of them gets the points), or the entry. It is for a deal,
    else for a ``game`` (its number at the table), else for the round. ``article`` is the catalogue's, if it
    was given under one, and says why where no ``reason`` is stated. ``instead`` is asked first whether it is
    to be proposed.

    The chief referee and organisers may give one to any entry, in a closed round too; a table's referee only
    at their table while its round is being played.

    Raises:
        Refused: every fault: no rule, neither reason nor article, points out of range, facts that do not
            belong together.
        NotAllowed: the actor may not give this penalty.
    """
    rule, typed = text(rule), text(reason)
    reason = penalty_reason(event=event, rule=rule, reason=typed, article=article)

    def against(one: Entry) -> Penalty:
        return Penalty(
            event=event,
            round=round,
            entry=one,
            player=player if one == entry else None,
            table=table,
            deal=deal,
            game=None if deal else game,
            target=target,
            scope=_Scope.DEAL if deal else _Scope.GAME if game else _Scope.ROUND,
            article=article,
            rule=rule,
            points=points,
            reason=reason,
            given_by=actor.user,
        )

    asked = against(entry)
    faults = penalty_faults(asked, partners, sure=sure)
    if faults:
        raise Refused.for_problems(faults)
    for one in (entry, *partners):
        _require_giver(actor, event, table, one)

    def work() -> dict[str, Any]:
        lock_round(round)
        if not _directs(actor, event):
            assert table is not None, "_require_giver asked for it"
            require_play(lock_table(table))
        other = instead() if instead else None
        if other is not None:
            return other
        given = [_put_on_record(actor, against(one)) for one in (entry, *partners)]
        return {**given[0], "also": [one["penalty"] for one in given[1:]]}

    payload = {**_asked_for(asked, partners), "reason": typed, "game": game}
    return run_once(actor=actor, command_id=command_id, action="penalty.give", payload=payload, work=work)


def seat_penalty_facts(
    *, table: Table, seat: str, target: str, article: int | None, deal: Deal | None
) -> dict[str, Any]:
    """What give_penalty takes for a penalty given at the table: to whoever sits in the seat of that letter,
    or sat there in ``deal``; with ``target`` to their side or entry. ``article`` is an article's id. Raises
    Refused for a seat that is not at this table, an article that is not there.
    """
    around = seats_at(table, deal) if deal else seats_of(table, segment_shown(table))
    found = next((one for one in around if one.direction == seat), None)
    if found is None:
        raise unknown_seat(seat, field="seat")
    under = None if article is None else PenaltyRule.objects.filter(pk=article).first()
    if article is not None and under is None:
        raise Refused("wrong_article", _("This article is of another catalogue."), field="rule")
    return {
        "event": table.draw.round.event,
        "round": table.draw.round,
        "entry": found.entry,
        "player": None if target == Penalty.Target.ENTRY else found.player,
        "partners": _partners(around, found) if target == Penalty.Target.SIDE else (),
        "table": table,
        "deal": deal,
        "target": target,
        "article": under,
    }


def article_in(event: Event, code: str) -> PenaltyRule | None:
    """The article of that code that an event goes by: its own before the tournament's, the newest first."""
    known = PenaltyRule.objects.filter(tournament=event.tournament_id, article=code)
    own = known.filter(event=event).order_by("retired_at", "-pk") if code else known.none()
    return own.first() or (known.filter(event=None).order_by("-pk").first() if code else None)


def cancel_penalty(
    *, actor: Actor, penalty: Penalty, reason: str, command_id: UUID, instead: Instead | None = None
) -> Outcome:
    """Cancels a penalty: it no longer counts, and stays on record with the reason. ``instead`` as above.

    Raises:
        Refused: no reason given, or cancelled before.
        NotAllowed: neither chief referee nor organiser, nor the referee who gave it while the round is
        played.
    """
    event = penalty.event
    own = actor.user is not None and penalty.given_by_id == actor.user.pk
    if not (own and penalty.table and access.can_referee_table(actor.user, penalty.table)):
        require_director(actor, event.tournament)
    reason = required_reason(reason)

    def work() -> dict[str, Any]:
        lock_round(penalty.round)
        locked = Penalty.objects.get(pk=penalty.pk)
        if not _directs(actor, event):
            require_play(lock_table(penalty.table))
        if locked.cancelled_at is not None:
            raise Conflict("penalty_cancelled", _("This penalty was cancelled before."))
        other = instead() if instead else None
        if other is not None:
            return other
        before = penalty_facts(locked)
        locked.cancelled_by, locked.cancelled_at, locked.cancel_reason = actor.user, timezone.now(), reason
        locked.save(update_fields=["cancelled_by", "cancelled_at", "cancel_reason"])
        facts = penalty_facts(locked)
        record_audit(
            actor=actor,
            action="penalty.cancel",
            subject=locked,
            event=event,
            before=before,
            after=facts,
            reason=reason,
        )
        _update(locked)
        return facts

    payload = {"penalty": penalty.pk, "reason": reason}
    return run_once(actor=actor, command_id=command_id, action="penalty.cancel", payload=payload, work=work)


def penalty_facts(penalty: Penalty) -> dict[str, Any]:
    """A penalty ready for JSON, without who gave it (the audit trail says that)."""
    return {
        "penalty": penalty.pk,
        "entry": penalty.entry_id,
        "player": penalty.player_id,
        "round": penalty.round_id,
        "table": penalty.table_id,
        "deal": penalty.deal_id,
        "game": penalty.game,
        "target": str(penalty.target),
        "scope": str(penalty.scope),
        "rule": penalty.rule,
        "points": str(penalty.points),
        "reason": penalty.reason,
        "cancelled": penalty.cancelled_at is not None,
        "cancel_reason": penalty.cancel_reason,
    }


def _asked_for(penalty: Penalty, partners: Sequence[Entry]) -> dict[str, Any]:
    """What a command to give the penalty asks for, but for what is stored otherwise than it was typed."""
    return {
        "round": penalty.round_id,
        "entry": penalty.entry_id,
        "rule": penalty.rule,
        "points": str(penalty.points),
        "player": penalty.player_id,
        "table": penalty.table_id,
        "deal": penalty.deal_id,
        "target": penalty.target,
        "partners": [one.pk for one in partners],
        "article": penalty.article_id,
    }


def _put_on_record(actor: Actor, penalty: Penalty) -> dict[str, Any]:
    """Stores a penalty against one entry, brings results up to date; what is now on record of it."""
    penalty.save()
    facts = penalty_facts(penalty)
    record_audit(
        actor=actor,
        action="penalty.give",
        subject=penalty,
        event=penalty.event,
        after=facts,
        reason=penalty.reason,
    )
    _update(penalty)
    return facts


def _partners(around: Sequence[Seat], seat: Seat) -> tuple[Entry, ...]:
    """The other entries of the seat's side, which is every second seat of a table of four."""
    opposite = [one for one in around if len(around) == 4 and one.order % 2 == seat.order % 2]
    return tuple({one.entry_id: one.entry for one in opposite if one.entry_id != seat.entry_id}.values())


def _update(penalty: Penalty) -> None:
    if penalty.deal is not None and penalty.table is not None:
        update_table_results(penalty.table)
    mark_round(penalty.round)


def _directs(actor: Actor, event: Event) -> bool:
    return actor.is_system or access.can_direct(actor.person, event.tournament)


def _require_giver(actor: Actor, event: Event, table: Table | None, entry: Entry) -> None:
    if _directs(actor, event):
        return
    require_person(actor)
    if table is None or not table.seats.filter(entry=entry).exists():
        raise NotAllowed(
            "not_at_your_table", _("You may give penalties only to those who play at your table.")
        )
    require_referee(actor, table)
