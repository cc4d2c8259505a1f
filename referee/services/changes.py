"""The kinds of change that a correction can be: how each is made, and how it is taken back.

A change is stated without ids of this site (tables, deals and entries by their numbers, other things by the
time they were made), so that it means the same in an archive brought elsewhere. Every change goes through
the service that makes it in a round in play; nothing here decides a rule.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import uuid4

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from referee.models import Correction, Dispute, Penalty, Reseating
from referee.queries import current_version, play_of
from referee.services.change_names import (
    changed_since,
    deal_of,
    dispute_of,
    entry_of,
    match_of,
    not_there,
    one_of,
    penalty_of,
    player_of,
    require_as_left,
    seat_of,
    table_of,
)
from referee.services.change_rulings import lift, rule, rule_again, unrule
from referee.services.deals import correct_deal, void_deal
from referee.services.disputes import rule_dispute
from referee.services.guards import lock_table, require_play
from referee.services.penalties import article_in, cancel_penalty, give_penalty
from referee.services.reseating import reseat, undo_reseating
from referee.services.table_exchange import exchange_tables
from referee.services.tables import resume_table, stop_table
from referee.services.versions import restore_version
from tournament.models import Match, MatchDecision, Round, Substitution, Walkover
from tournament.services.audit import Actor
from tournament.services.decisions import decide_match, undo_decision
from tournament.services.lineups import roster, substitute, undo_substitution
from tournament.services.walkovers import record_walkover, undo_walkover, walkover_state

Json = dict[str, Any]
Kind = Correction.Kind


@dataclass(frozen=True)
class Change:
    """``make(actor, round, change, reason)`` returns what ``unmake(actor, round, change, done, reason)``
    needs to know. Both raise what their services raise, or Conflict where something the change names is not
    there (any more).
    """

    make: Callable[[Actor, Round, Json, str], Json]
    unmake: Callable[[Actor, Round, Json, Json, str], object]


# -- deals


def _correct(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    deal = deal_of(round, change)
    if change.get("dispute"):
        # The other record of a dispute is taken by the desk's ruling, which is its check as well.
        rule_dispute(
            actor=actor,
            dispute=dispute_of(deal, change),
            outcome=Dispute.Outcome.OFFERED,
            ruling=reason,
            command_id=uuid4(),
        )
        taken = current_version(deal)
        return {"before": change["version"], "after": taken and taken.number}
    outcome = correct_deal(
        actor=actor,
        deal=deal,
        version=change["version"],
        record=change["record"],
        reason=reason,
        command_id=uuid4(),
    )
    return {"before": change["version"], "after": outcome.body["version"]}


def _void(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    deal = deal_of(round, change)
    outcome = void_deal(actor=actor, deal=deal, version=change["version"], reason=reason, command_id=uuid4())
    return {"before": change["version"], "after": outcome.body["version"]}


def _restore(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    deal = deal_of(round, change)
    table = lock_table(deal.table)
    require_play(table)
    current = play_of(table).version(deal.number)
    if current is None or current.number != done["after"]:
        raise changed_since(
            _("Deal %(deal)s has been changed since: correct it by itself."), deal=deal.number
        )
    restore_version(
        actor=actor, table=table, current=current, old=deal.versions.get(number=done["before"]), reason=reason
    )


# -- penalties


def _give(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    entry = entry_of(round, change["entry"])
    outcome = give_penalty(
        actor=actor,
        event=round.event,
        round=round,
        entry=entry,
        rule=change["rule"],
        points=Fraction(change["points"]),
        reason=reason,
        player=player_of(entry, change.get("player")),
        # What follows is known where it was given at a table.
        table=table_of(round, change["table"]) if change.get("table") else None,
        deal=deal_of(round, change) if change.get("deal") else None,
        game=change.get("game"),
        target=change.get("target", Penalty.Target.ENTRY),
        partners=[entry_of(round, number) for number in change.get("partners", ())],
        article=article_in(round.event, change.get("article", "")),
        sure=change["sure"],
        command_id=uuid4(),
    )
    first, *others = (
        {"given_at": Penalty.objects.get(pk=key).given_at.isoformat()}
        for key in (outcome.body["penalty"], *outcome.body["also"])
    )
    return {**first, "also": others} if others else first


def _ungive(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    for one in (done, *done.get("also", ())):
        cancel_penalty(actor=actor, penalty=penalty_of(round, one), reason=reason, command_id=uuid4())


def _cancel(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    cancel_penalty(actor=actor, penalty=penalty_of(round, change), reason=reason, command_id=uuid4())
    return {}


def _give_again(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    old = penalty_of(round, change)
    give_penalty(
        actor=actor,
        event=round.event,
        round=round,
        entry=old.entry,
        rule=old.rule,
        points=old.points,
        reason=old.reason,
        player=old.player,
        table=old.table,
        deal=old.deal,
        game=old.game,
        target=old.target,
        article=old.article,
        sure=True,
        command_id=uuid4(),
    )


# -- forfeits


def _state_walkover(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    match = match_of(round, change)
    before = Walkover.objects.filter(match=match).first()
    done = {"before": before and walkover_state(before)}
    _record_walkover(actor, match, change, reason)
    return {**done, "after": walkover_state(Walkover.objects.get(match=match))}


def _unstate(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    match = match_of(round, change)
    now = Walkover.objects.filter(match=match).first()
    require_as_left(done, now and walkover_state(now))
    if done["before"]:
        _record_walkover(actor, match, done["before"], reason)
    else:
        undo_walkover(actor=actor, match=match, reason=reason)


def _take_back(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    match = match_of(round, change)
    walkover = Walkover.objects.filter(match=match).first()
    if walkover is None:
        raise changed_since(_("The walkover was taken back before."))
    done = {"before": walkover_state(walkover), "after": None}
    undo_walkover(actor=actor, match=match, reason=reason)
    return done


def _record_walkover(actor: Actor, match: Match, state: Mapping[str, Any], reason: str) -> None:
    round = match.draw.round
    record_walkover(
        actor=actor,
        match=match,
        absent=[entry_of(round, number) for number in state["absent"]],
        scores={
            entry_of(round, int(number)).pk: Fraction(points) for number, points in state["scores"].items()
        },
        met=state["met"],
        reason=reason,
    )


# -- who has won, and the end of play


def _decide(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    match = match_of(round, change)
    before = _decided(match)
    decide_match(actor=actor, match=match, winner=entry_of(round, change["winner"]), reason=reason)
    return {"before": before, "after": change["winner"]}


def _undecide(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    match = match_of(round, change)
    before = _decided(match)
    if before is None:
        raise changed_since(_("The decision was taken back before."))
    undo_decision(actor=actor, match=match, reason=reason)
    return {"before": before, "after": None}


def _decide_as_before(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    match, before = match_of(round, change), done["before"]
    require_as_left(done, _decided(match))
    if before is None:
        undo_decision(actor=actor, match=match, reason=reason)
    else:
        decide_match(actor=actor, match=match, winner=entry_of(round, before), reason=reason)


def _decided(match: Match) -> int | None:
    """The number of who was named the winner."""
    found = MatchDecision.objects.select_related("winner").filter(match=match).first()
    return found and found.winner.number


def _stop(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    stop_table(actor=actor, table=table_of(round, change["table"]), reason=reason, command_id=uuid4())
    return {}


def _resume(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    table = table_of(round, change["table"])
    resume_table(actor=actor, table=table, reason=reason, command_id=uuid4())
    return {}


def _unstop(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    _resume(actor, round, change, reason)


def _unresume(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    _stop(actor, round, change, reason)


# -- seats and players


def _reseat(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    outcome = reseat(
        actor=actor,
        table=table_of(round, change["table"]),
        segment=change["segment"],
        sat=change["sat"],
        deals={int(number): version for number, version in change["deals"].items()},
        reason=reason,
        command_id=uuid4(),
    )
    return {"made_at": Reseating.objects.get(pk=outcome.body["reseating"]).made_at.isoformat()}


def _unseat(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    made = one_of(
        Reseating.objects.all(),
        table=table_of(round, change["table"]),
        made_at=parse_datetime(done["made_at"]),
    )
    undo_reseating(actor=actor, reseating=made, reason=reason, command_id=uuid4())


def _exchange(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    first, second = (seat_of(round, change[name]) for name in ("first", "second"))
    exchange_tables(
        actor=actor,
        first=first,
        second=second,
        deals={str(table_of(round, int(n)).pk): seen for n, seen in change["deals"].items()},
        reason=reason,
        command_id=uuid4(),
    )
    return {"after": _sitting(round, change)}


def _exchange_back(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    require_as_left(done, _sitting(round, change))
    tables = {str(change[name][0]): table_of(round, change[name][0]) for name in ("first", "second")}
    deals = {n: [line.number for line in play_of(table).deals] for n, table in tables.items()}
    _exchange(actor, round, {**change, "deals": deals}, reason)


def _sitting(round: Round, change: Json) -> list[int]:
    """The numbers of the entries whose players the draw has at the two seats."""
    return [seat_of(round, change[name]).entry.number for name in ("first", "second")]


def _substitute(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    seat = seat_of(round, (change["table"], change["seat"]), change["segment"])
    place = change.get("player")
    coming = next((one for one in roster(seat.table.match, seat.entry) if one.place == place), None)
    if place and coming is None:
        raise not_there()
    made = substitute(
        actor=actor,
        table=seat.table,
        segment=change["segment"],
        direction=change["seat"],
        player=coming,
        name=change.get("name", ""),
        after_deals=change.get("after_deals"),
        reason=reason,
    )
    return {"made_at": made.made_at.isoformat()}


def _unsubstitute(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    made = one_of(
        Substitution.objects.all(),
        table=table_of(round, change["table"]),
        segment=change["segment"],
        direction=change["seat"],
        made_at=parse_datetime(done["made_at"]),
    )
    undo_substitution(actor=actor, substitution=made, reason=reason)


CHANGES: Mapping[str, Change] = {
    Kind.DEAL: Change(_correct, _restore),
    Kind.VOID: Change(_void, _restore),
    Kind.PENALTY: Change(_give, _ungive),
    Kind.PENALTY_CANCEL: Change(_cancel, _give_again),
    Kind.WALKOVER: Change(_state_walkover, _unstate),
    Kind.WALKOVER_UNDO: Change(_take_back, _unstate),
    Kind.WINNER: Change(_decide, _decide_as_before),
    Kind.WINNER_UNDO: Change(_undecide, _decide_as_before),
    Kind.STOP: Change(_stop, _unstop),
    Kind.RESUME: Change(_resume, _unresume),
    Kind.SEATS: Change(_reseat, _unseat),
    Kind.TABLES: Change(_exchange, _exchange_back),
    Kind.SUBSTITUTE: Change(_substitute, _unsubstitute),
    Kind.RULING: Change(rule, unrule),
    Kind.RULING_LIFT: Change(lift, rule_again),
}
