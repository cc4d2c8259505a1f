"""The kinds of change that a correction can be: how each is made, and how it is taken back.

A change is stated without ids of this site (tables, deals and entries by their numbers, other things by the
time they were made), so that it means the same in an archive brought elsewhere. Every change goes through
the service that makes it in a round in play; nothing here decides a rule.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar
from uuid import uuid4

from django.db.models import Model, QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from referee.models import Correction, Deal, DealVersion, Penalty, Reseating
from referee.queries import check_of, play_of
from referee.services.deals import correct_deal, void_deal
from referee.services.entry_rulings import (
    lift_entry_ruling,
    restore_entry_ruling,
    rule_on_entry,
    ruling_in_force,
)
from referee.services.guards import lock_table, require_play
from referee.services.penalties import article_in, cancel_penalty, give_penalty
from referee.services.reseating import reseat, undo_reseating
from referee.services.table_exchange import exchange_tables
from referee.services.versions import restore_version
from tournament.models import Draw, Entry, Match, Player, Round, Seat, Substitution, Table, Walkover
from tournament.services.audit import Actor
from tournament.services.errors import Conflict
from tournament.services.lineups import roster, substitute, undo_substitution
from tournament.services.walkovers import record_walkover, undo_walkover, walkover_state

Json = dict[str, Any]
Kind = Correction.Kind
_Named = TypeVar("_Named", bound=Model)


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
        raise _changed_since(
            _("Deal %(deal)s has been changed since: correct it by itself."), deal=deal.number
        )
    restore_version(
        actor=actor, table=table, current=current, old=deal.versions.get(number=done["before"]), reason=reason
    )


# -- penalties


def _give(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    entry = _entry(round, change["entry"])
    outcome = give_penalty(
        actor=actor,
        event=round.event,
        round=round,
        entry=entry,
        rule=change["rule"],
        points=Fraction(change["points"]),
        reason=reason,
        player=_player(entry, change.get("player")),
        # What follows is known where it was given at a table.
        table=table_of(round, change["table"]) if change.get("table") else None,
        deal=deal_of(round, change) if change.get("deal") else None,
        game=change.get("game"),
        target=change.get("target", Penalty.Target.ENTRY),
        partners=[_entry(round, number) for number in change.get("partners", ())],
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
    return done


def _unstate(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    match = match_of(round, change)
    if done["before"]:
        _record_walkover(actor, match, done["before"], reason)
    else:
        undo_walkover(actor=actor, match=match, reason=reason)


def _take_back(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    match = match_of(round, change)
    walkover = Walkover.objects.filter(match=match).first()
    if walkover is None:
        raise _changed_since(_("The walkover was taken back before."))
    done = {"before": walkover_state(walkover)}
    undo_walkover(actor=actor, match=match, reason=reason)
    return done


def _record_walkover(actor: Actor, match: Match, state: Mapping[str, Any], reason: str) -> None:
    round = match.draw.round
    record_walkover(
        actor=actor,
        match=match,
        absent=[_entry(round, number) for number in state["absent"]],
        scores={
            _entry(round, int(number)).pk: Fraction(points) for number, points in state["scores"].items()
        },
        met=state["met"],
        reason=reason,
    )


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
    made = _one(
        Reseating.objects.all(),
        table=table_of(round, change["table"]),
        made_at=parse_datetime(done["made_at"]),
    )
    undo_reseating(actor=actor, reseating=made, reason=reason, command_id=uuid4())


def _exchange(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    first, second = (_seat(round, change[name]) for name in ("first", "second"))
    exchange_tables(
        actor=actor,
        first=first,
        second=second,
        deals={str(table_of(round, int(n)).pk): seen for n, seen in change["deals"].items()},
        reason=reason,
        command_id=uuid4(),
    )
    return {}


def _exchange_back(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    tables = {str(change[name][0]): table_of(round, change[name][0]) for name in ("first", "second")}
    deals = {n: [line.number for line in play_of(table).deals] for n, table in tables.items()}
    _exchange(actor, round, {**change, "deals": deals}, reason)


def _substitute(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    seat = _seat(round, (change["table"], change["seat"]), change["segment"])
    place = change.get("player")
    coming = next((one for one in roster(seat.table.match, seat.entry) if one.place == place), None)
    if place and coming is None:
        raise _not_there()
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
    made = _one(
        Substitution.objects.all(),
        table=table_of(round, change["table"]),
        segment=change["segment"],
        direction=change["seat"],
        made_at=parse_datetime(done["made_at"]),
    )
    undo_substitution(actor=actor, substitution=made, reason=reason)


# -- entries


def _rule(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    rule_on_entry(
        actor=actor,
        entry=_entry(round, change["entry"]),
        unranked=change["unranked"],
        annul_from=change["annul_from"],
        opponents=change["opponents"],
        opponents_points=Fraction(change["opponents_points"]),
        reason=reason,
    )
    return {}


def _unrule(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    lift_entry_ruling(actor=actor, entry=_entry(round, change["entry"]), reason=reason)


def _lift(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    entry = _entry(round, change["entry"])
    ruling = ruling_in_force(entry)
    done = {"made_at": ruling.made_at.isoformat()} if ruling else {}
    lift_entry_ruling(actor=actor, entry=entry, reason=reason)
    return done


def _rule_again(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    restore_entry_ruling(
        actor=actor,
        entry=_entry(round, change["entry"]),
        made_at=parse_datetime(done["made_at"]),
        reason=reason,
    )


CHANGES: Mapping[str, Change] = {
    Kind.DEAL: Change(_correct, _restore),
    Kind.VOID: Change(_void, _restore),
    Kind.PENALTY: Change(_give, _ungive),
    Kind.PENALTY_CANCEL: Change(_cancel, _give_again),
    Kind.WALKOVER: Change(_state_walkover, _unstate),
    Kind.WALKOVER_UNDO: Change(_take_back, _unstate),
    Kind.SEATS: Change(_reseat, _unseat),
    Kind.TABLES: Change(_exchange, _exchange_back),
    Kind.SUBSTITUTE: Change(_substitute, _unsubstitute),
    Kind.RULING: Change(_rule, _unrule),
    Kind.RULING_LIFT: Change(_lift, _rule_again),
}


# -- what a change names


def deal_of(round: Round, change: Mapping[str, Any]) -> Deal:
    """The deal that a change names, by its table and number. Raises Conflict where it is not there."""
    return _one(_deals(round, change))


def deal_on_record(round: Round, change: Mapping[str, Any]) -> Deal | None:
    """The deal that a change names; None where its draw has been withdrawn since."""
    return _deals(round, change).first()


def table_of(round: Round, number: int) -> Table:
    """A table of the round's draw, by its number."""
    tables = Table.objects.select_related("match", "draw__round__event__tournament")
    return _one(tables, draw__round=round, draw__state=Draw.State.PUBLISHED, number=number)


def match_of(round: Round, change: Mapping[str, Any]) -> Match:
    """The match that a change names."""
    matches = Match.objects.select_related("draw__round__event__tournament", "draw__round__stage")
    return _one(matches, draw__round=round, draw__state=Draw.State.PUBLISHED, number=change["match"])


def penalty_of(round: Round, change: Mapping[str, Any]) -> Penalty:
    """The penalty that a change names, by the time it was given."""
    penalties = Penalty.objects.select_related("entry", "event__tournament", "table__draw__round__event")
    return _one(penalties, round=round, given_at=parse_datetime(change["given_at"]))


def unchecked(version: DealVersion | None) -> bool:
    """Whether a version counts and waits for its check."""
    return version is not None and version.state == DealVersion.State.RECORDED and not check_of(version)


def _deals(round: Round, change: Mapping[str, Any]) -> QuerySet[Deal]:
    return Deal.objects.select_related("table__draw__round__event__tournament").filter(
        table__draw__round=round,
        table__draw__state=Draw.State.PUBLISHED,
        table__number=change["table"],
        number=change["deal"],
    )


def _entry(round: Round, number: int) -> Entry:
    return _one(Entry.objects.select_related("event__tournament"), event=round.event_id, number=number)


def _player(entry: Entry, place: int | None) -> Player | None:
    return _one(entry.players.all(), place=place) if place else None


def _seat(round: Round, where: Any, segment: int = 1) -> Seat:
    table, direction = where
    seats = Seat.objects.select_related(
        "player", "entry", "table__match", "table__draw__round__event__tournament"
    )
    return _one(seats, table=table_of(round, table), segment=segment, direction=direction)


def _one(found: QuerySet[_Named], **named: Any) -> _Named:
    """The one thing that a change names: a draw may have been withdrawn since the change was proposed."""
    one = found.filter(**named).first()
    if one is None:
        raise _not_there()
    return one


def _not_there() -> Conflict:
    return Conflict("not_there", _("What this change names is not there, or not any more."))


def _changed_since(message: Any, **params: Any) -> Conflict:
    return Conflict("changed_since", message, params)
