"""Penalties 罚分: given, and cancelled; both stay on record (docs/rules.md §5).

A penalty counts in the result of an entry, not in a deal. Where the round plan lets penalties end a game,
one given in a deal can change who wins it, so the table's results are brought up to date.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.models import Deal, Penalty, PenaltyRule
from referee.queries import seats_at, seats_of, segment_shown
from referee.services.commands import Outcome, run_once
from referee.services.guards import lock_table, require_person, require_play, require_referee
from referee.services.penalty_reasons import penalty_reason
from tournament.models import Entry, Event, Player, Round, Seat, Table
from tournament.points import UNITS, show_points, to_units
from tournament.queries import access
from tournament.queries.penalty_units import most_of_a_round
from tournament.queries.plans import Terms, round_terms
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, NotAllowed, Problem, Refused
from tournament.services.live import mark_round
from tournament.services.permissions import require_director
from tournament.services.results import update_table_results
from tournament.services.validation import REASON_LENGTH, required_reason, text

#: Longest name of a rule, as its column.
RULE_LENGTH = 120
#: Further from 0 than any disciplinary code goes; a typing mistake beyond it is refused.
MOST_POINTS = 100_000

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
    faults = [
        *_faults(rule, points, reason),
        *_out_of_scale(round_terms(round), points, sure),
        *_strangers(event, round, entry, player=player, table=table, deal=deal),
        *_misfits(event, table, target, partners, article),
    ]
    if faults:
        raise Refused.for_problems(faults)
    for one in (entry, *partners):
        _require_giver(actor, event, table, one)
    payload = {
        "round": round.pk,
        "entry": entry.pk,
        "rule": rule,
        "points": str(points),
        "reason": typed,
        "player": player and player.pk,
        "table": table and table.pk,
        "deal": deal and deal.pk,
        "game": game,
        "target": target,
        "partners": [one.pk for one in partners],
        "article": article and article.pk,
    }

    def work() -> dict[str, Any]:
        if not _directs(actor, event):
            assert table is not None, "_require_giver asked for it"
            require_play(lock_table(table))
        other = instead() if instead else None
        if other is not None:
            return other
        given = []
        for one in (entry, *partners):
            penalty = Penalty.objects.create(
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
            given.append(penalty_facts(penalty))
            record_audit(
                actor=actor,
                action="penalty.give",
                subject=penalty,
                event=event,
                after=given[-1],
                reason=reason,
            )
            _update(penalty)
        return {**given[0], "also": [one["penalty"] for one in given[1:]]}

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
        raise Refused(
            "unknown_seat", _("There is no seat “%(seat)s” at this table."), {"seat": seat}, field="seat"
        )
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
        locked = Penalty.objects.select_for_update().get(pk=penalty.pk)
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


def _faults(rule: str, points: int | Fraction, reason: str) -> list[Problem]:
    faults = []
    if not rule:
        faults.append(Problem("rule_missing", _("Please name the rule that was broken."), {}, "rule"))
    elif len(rule) > RULE_LENGTH:
        faults.append(
            Problem(
                "rule_too_long",
                _("The rule is longer than %(limit)s characters."),
                {"limit": RULE_LENGTH},
                "rule",
            )
        )
    if abs(points) > MOST_POINTS:
        faults.append(
            Problem(
                "points_range",
                _("The points must lie between −%(most)s and %(most)s."),
                {"most": MOST_POINTS},
                "points",
            )
        )
    elif not storable(points):
        faults.append(
            Problem(
                "points_fraction",
                _("The points must be a whole number of 1/%(units)s points."),
                {"units": UNITS},
                "points",
            )
        )
    if not reason:
        faults.append(Problem("reason_missing", _("Please state the reason."), {}, "reason"))
    elif len(reason) > REASON_LENGTH:
        faults.append(
            Problem(
                "reason_too_long",
                _("The reason is longer than %(limit)s characters."),
                {"limit": REASON_LENGTH},
                "reason",
            )
        )
    return faults


def _out_of_scale(terms: Terms, points: int | Fraction, sure: bool) -> Iterator[Problem]:
    """Points of a deal given where victory points or games count: mistaken far more often than meant."""
    most = most_of_a_round(terms)
    if most is not None and abs(points) > most and not sure:
        yield Problem(
            "out_of_scale",
            _(
                "This round counts %(measure)s, of which a round is worth %(most)s at most: confirm that "
                "%(points)s is meant."
            ),
            {"measure": terms.measure_name, "most": most, "points": show_points(points)},
            "points",
        )


def storable(points: int | Fraction) -> bool:
    """Whether the points are a whole number of the units that points are stored in."""
    try:
        to_units(points)
    except ValueError:
        return False
    return True


def _strangers(
    event: Event,
    round_: Round,
    entry: Entry,
    *,
    player: Player | None,
    table: Table | None,
    deal: Deal | None,
) -> list[Problem]:
    """What of the given facts belongs to another event, round, entry or table."""
    checks = (
        (round_.event_id == event.pk, "round", _("This round is of another event.")),
        (entry.event_id == event.pk, "entry", _("This entry is of another event.")),
        (player is None or player.entry_id == entry.pk, "player", _("This player is of another entry.")),
        (
            table is None or table.draw.round_id == round_.pk,
            "table",
            _("This table is of another round."),
        ),
        (
            deal is None or (table is not None and deal.table_id == table.pk),
            "deal",
            _("This deal is of another table."),
        ),
    )
    return [Problem(f"wrong_{field}", message, {}, field) for good, field, message in checks if not good]


def _misfits(
    event: Event, table: Table | None, target: str, partners: Sequence[Entry], article: PenaltyRule | None
) -> Iterator[Problem]:
    """What of whom it is against, and under which article, does not belong to the event."""
    if target not in Penalty.Target:
        yield Problem("unknown_target", _("A penalty is against a player, a side or an entry."), {}, "target")
    elif partners and (target != Penalty.Target.SIDE or table is None):
        yield Problem("not_a_side", _("Only a side at a table has several entries."), {}, "target")
    if any(one.event_id != event.pk for one in partners):
        yield Problem("wrong_entry", _("This entry is of another event."), {}, "entry")
    if article is not None and (
        article.tournament_id != event.tournament_id or article.event_id not in (None, event.pk)
    ):
        yield Problem("wrong_article", _("This article is of another catalogue."), {}, "rule")
