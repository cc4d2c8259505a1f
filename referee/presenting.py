"""A table's state as its page needs it: every text in the reader's language, every figure ready to show."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from referee.models import DealCheck, DealVersion, Penalty, TableRuling
from referee.presenting_desk import call_json
from referee.presenting_offline import offline_json
from referee.presenting_rules import correction_look, ruling_json
from referee.presenting_signoff import hidden_from, signoff_json
from referee.presenting_time import time_json
from referee.queries import Column, DealLine, TableState, check_of, checking_seats, seats_at
from referee.queries.play import points_of
from referee.queries.signoffs import ONE, policy_of
from referee.services.records import DealProblem
from scoring.engine.cards import symbol
from scoring.engine.game import GameState
from scoring.engine.procedure import Procedure
from scoring.messages import seat_name, side_order
from tournament.models import Seat
from tournament.points import show_points
from tournament.queries import access
from tournament.services.errors import Problem
from tournament.templatetags.cards import seat_letter


def table_json(state: TableState, user: Any) -> dict[str, Any]:
    """Everything the table page shows."""
    play = state.play
    directing = access.can_direct(user, state.event.tournament)
    # A total would tell what a deal still to be entered a second time gave.
    policy = policy_of(state.event)
    blind_numbers = {
        line.number for line in play.deals if hidden_from(policy, line.state, directing=directing)
    }
    blind = bool(blind_numbers)
    letters = [seat.direction for seat in state.seats]
    return {
        "id": state.table.pk,
        "layout": state.layout,
        "seats": [
            {
                "seat": seat.direction,
                "name": seat_name(seat.direction, letters),
                "sign": seat_letter(seat.direction, letters),
                "player": seat.player.name,
                "entry": seat.entry.name,
            }
            for seat in state.seats
        ],
        "playing": state.playing,
        "call": call_json(state.table),
        "state": state.status,
        "state_text": _status_text(state.status),
        "stopped": state.table.stop_reason if state.table.stopped_at else None,
        "plan_text": plan_text(state),
        "time": time_json(state),
        "best_of": play.plan.best_of if play.plan.kind == "game" else 1,
        "next": play.next_number if state.playing else None,
        "next_based_on": state.next_based_on,
        "open_numbers": list(play.open_numbers),
        "procedure": _procedure(state, state.procedure) if play.next_number is not None else [],
        "pig_choices": _pig_choices(state, letters) if play.next_number is not None else [],
        "columns": [_column(column, letters) for column in play.columns],
        "games": [
            _game(state, number, game, blind=blind)
            for number, game in enumerate(play.state.games, 1)
            if game.deals > 0
        ],
        "segment": _segment_title(play.segment_shown) if play.segments > 1 else "",
        "next_segment": play.segment + 1 if _may_start_segment(state) else None,
        "subtotals": _subtotals(state, blind=blind) if play.segments > 1 else [],
        "deals": [_deal(state, line, user, directing) for line in play.deals if line.state != "withdrawn"],
        "rulings": _rulings(state, blind=blind_numbers, directing=directing),
        "penalties": [_penalty(state, one, user, directing) for one in state.penalties],
        "at": timezone.now().timestamp(),
        "offline": offline_json(state, user),
    }


def live_score_json(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The score of an entry not yet complete, ready to show."""
    return {
        "scores": {
            seat: {
                "score": show_points(score),
                "credited": show_points(points_of(_own_credit(answer, seat))),
                "formula": answer["formula"][seat],
            }
            for seat, score in answer["scores"].items()
        },
        "errors": [],
    }


def error_json(problem: Problem) -> dict[str, str]:
    """One fault; card and seat are "" where neither is concerned."""
    found = {"code": problem.code, "field": problem.field, "card": "", "seat": "", "message": str(problem)}
    if isinstance(problem, DealProblem):
        found |= {"card": problem.card, "seat": problem.seat}
    return found


def plan_text(state: TableState) -> str:
    """How long the round lasts, in a few words."""
    plan = state.play.plan
    if plan.kind == "set":
        return ngettext("set of %(deals)s deal", "set of %(deals)s deals", plan.deals) % {"deals": plan.deals}
    lines = " / ".join(show_points(line) for line in (plan.lose_line, plan.win_line) if line is not None)
    if plan.kind == "time":
        return _("%(minutes)s minutes, games to %(lines)s") % {"minutes": plan.minutes, "lines": lines}
    if plan.best_of > 1:
        return _("best of %(games)s games to %(lines)s") % {"games": plan.best_of, "lines": lines}
    return _("one game to %(lines)s") % {"lines": lines}


def _own_credit(answer: Mapping[str, Any], seat: str) -> int | str:
    """What a seat's own figure becomes: zero-sum rulesets adjust it; a side's sum is shown with the sides."""
    adjusted = answer.get("adjusted")
    return adjusted[seat] if adjusted else answer["scores"][seat]


def _may_start_segment(state: TableState) -> bool:
    play = state.play
    return state.playing and not play.finished and play.plan.kind == "time" and play.segment < play.segments


def _segment_title(segment: int) -> str:
    return _("Segment %(number)s") % {"number": segment}


def _status_text(status: str) -> str:
    return {
        "waiting": _("waits for a check or a replay"),
        "playing": _("being played"),
        "done": _("all played and checked"),
        "closed": _("round closed"),
    }[status]


def _procedure(state: TableState, steps: Procedure) -> list[dict[str, str]]:
    players = {seat.direction: seat.player.name for seat in state.seats}

    def who(letter: str) -> str:
        return f"{seat_name(letter, players)} {players[letter]}"

    if steps.leads is not None:
        leads = who(steps.leads)
    elif steps.must_lead:
        leads = _("holder of %(card)s, with that card") % {"card": symbol(steps.must_lead)}
    else:
        leads = _("holder of %(card)s") % {"card": symbol(steps.leads_card or "")}
    found = [
        {"label": _("Shuffles"), "text": who(steps.shuffles)},
        {"label": _("Cuts"), "text": who(steps.cuts)},
        {"label": _("Draws first"), "text": who(steps.draws_first)},
        {"label": _("Leads"), "text": leads},
    ]
    if steps.ask_pig:
        seats = _(" or ").join(seat_name(letter, players) for letter in steps.ask_pig)
        one = _("the one of %(seats)s who took the first pig") % {"seats": seats}
        for place, rule in ((0, state.ruleset.later_shuffle), (3, state.ruleset.later_lead)):
            if rule == "pig":
                found[place]["text"] = one
    return found


def _pig_choices(state: TableState, at: Collection[str]) -> list[dict[str, Any]]:
    """What comes next by who took the first pig, where that decides it and is not on record."""
    return [
        {"seat": seat, "name": seat_name(seat, at), "procedure": _procedure(state, steps)}
        for seat, steps in state.by_pig.items()
    ]


def _subtotals(state: TableState, *, blind: bool) -> list[dict[str, Any]]:
    return [
        {
            "segment": segment,
            "title": _segment_title(segment),
            "totals": {key: show_points(None if blind else value) for key, value in sums.items()},
        }
        for segment, sums in state.play.subtotals.items()
    ]


def _column(column: Column, at: Collection[str]) -> dict[str, str]:
    letters = [seat_letter(one, at) for one in side_order([seat.direction for seat in column.seats])]
    people = pgettext("between names", ", ").join(
        f"{seat_name(seat.direction, at)} {seat.player.name}" for seat in column.seats
    )
    return {"key": column.key, "sign": "".join(letters), "title": people}


def _game(state: TableState, number: int, game: GameState, *, blind: bool) -> dict[str, Any]:
    return {
        "number": number,
        "title": _("Game %(number)s") % {"number": number},
        "finished": game.finished,
        "totals": {key: show_points(None if blind else value) for key, value in game.totals.items()},
        # A deal to be replayed may change who has won.
        "result": _game_result(state, game)
        if game.finished and game.deals and not blind and not state.play.outstanding
        else "",
    }


def _game_result(state: TableState, game: GameState) -> str:
    """How a game ended, in words."""
    named = {column.key: "–".join(seat.player.name for seat in column.seats) for column in state.play.columns}

    def sides(keys: tuple[str, ...]) -> str:
        return pgettext("between names", ", ").join(named[key] for key in keys)

    if len(game.winners) == len(game.totals):
        return _("Drawn.")
    if game.pigs:
        text = _("Won: %(winners)s. Made pig: %(pigs)s.")
        return text % {"winners": sides(game.winners), "pigs": sides(game.pigs)}
    return _("Won: %(winners)s.") % {"winners": sides(game.winners)}


def _deal(state: TableState, line: DealLine, user: Any, directing: bool) -> dict[str, Any]:
    version = line.version
    players = _players(state, version)
    check = check_of(version)
    policy = policy_of(state.event)
    hidden = hidden_from(policy, line.state, directing=directing)
    answer = {} if hidden else version.answer or {}
    signed = state.signoffs.get(version.pk)
    disputed = signed is not None and signed.disputed
    return {
        "deal": version.deal_id,
        "number": line.number,
        "version": version.number,
        "state": line.state,
        "game": line.game,
        "segment": version.deal.segment,
        "record": None if hidden else version.record,
        "hidden": hidden,
        "signoff": signoff_json(signed, policy, line.state, directing=directing, at=tuple(players)),
        "reason": version.reason,
        "columns": None
        if hidden
        else line.amounts and {key: show_points(value) for key, value in line.amounts.items()},
        "scores": [
            {
                "seat": seat.direction,
                "player": seat.player.name,
                "score": show_points(answer["scores"][seat.direction]),
                "credited": show_points(points_of(_own_credit(answer, seat.direction))),
                "formula": answer["formula"][seat.direction],
            }
            for seat in (players[one.direction] for one in state.seats)
            if answer
        ],
        "entered": _entered(version, players),
        "entered_time": _time(state, version.created_at),
        "check": check and {"text": _checked_by(check, players), "time": _time(state, check.created_at)},
        "checkers": _checkers(state, line, user)
        if line.state == "recorded" and state.playing and policy == ONE and not disputed
        else [],
        "actions": _actions(line, directing, hidden=hidden) if state.playing else [],
    }


def _rulings(state: TableState, *, blind: set[int], directing: bool) -> list[dict[str, Any]]:
    """Rulings and logs of tricks; not the log of a deal to be entered blind, which tells all."""
    records = {line.number: line.version.record for line in state.play.deals}
    letters = [seat.direction for seat in state.seats]
    return [
        ruling_json(
            one,
            records.get(one.deal_number),
            letters,
            proposed=state.proposed,
            look=correction_look(state.event) if directing else None,
        )
        for one in state.table.rulings.all()
        if one.kind != TableRuling.Kind.TRICK_LOG or one.deal_number not in blind
    ]


def _actions(line: DealLine, directing: bool, *, hidden: bool) -> list[str]:
    if line.state == "void":
        return ["enter"]
    log = [] if hidden else ["log"]
    if line.state == "recorded":
        return ["check", "undo", "void", "ruling", *log, *(["correct"] if directing else [])]
    return [*log, *(["void", "correct"] if directing else [])]


def _players(state: TableState, version: DealVersion) -> dict[str, Seat]:
    """Who sat where when the deal was played."""
    return {seat.direction: seat for seat in seats_at(state.table, version.deal)}


def _entered(version: Any, players: Mapping[str, Seat]) -> str:
    if version.entered_seat in players:
        return f"{seat_name(version.entered_seat, players)} {players[version.entered_seat].player.name}"
    if version.device:
        return _("tablet %(name)s") % {"name": version.device.name}
    return _("referee %(name)s") % {"name": _person(version.entered_by)}


def _checked_by(check: DealCheck, players: Collection[str]) -> str:
    if check.relation in (DealCheck.Relation.ALL, DealCheck.Relation.SECOND):
        return check.get_relation_display()
    if check.player is None:
        return _("referee %(name)s") % {"name": _person(check.user)}
    return f"{check.get_relation_display()} {seat_name(check.seat, players)} {check.player.name}"


def _person(user: Any) -> str:
    """A user's name as colleagues know it: the full name where the account has one."""
    return (user.get_full_name() or user.get_username()) if user else ""


def _checkers(state: TableState, line: DealLine, user: Any) -> list[dict[str, str]]:
    """Who may check the deal: seats by their relation to the one that entered, and this referee."""
    version = line.version
    players = _players(state, version)
    in_order = tuple(seat.direction for seat in state.seats)
    relations = dict(DealCheck.Relation.choices)
    found = [
        {
            "relation": str(relation),
            "seat": letter,
            "label": f"{relations[relation]} {seat_name(letter, in_order)}"
            if relation != DealCheck.Relation.PLAYER
            else seat_name(letter, in_order),
            "player": players[letter].player.name,
        }
        for relation, letters in checking_seats(in_order, version.entered_seat).items()
        for letter in letters
    ]
    # A tablet on which nobody is logged in has no referee to check.
    if user.is_authenticated and (version.entered_seat or version.entered_by_id != user.pk):
        found.append(
            {
                "relation": DealCheck.Relation.REFEREE.value,
                "seat": "",
                "label": str(relations[DealCheck.Relation.REFEREE]),
                "player": _person(user),
            }
        )
    return found


def _penalty(state: TableState, penalty: Penalty, user: Any, directing: bool) -> dict[str, Any]:
    who = penalty.player.name if penalty.player else penalty.entry.name
    own = user.is_authenticated and penalty.given_by_id == user.pk
    return {
        "penalty": penalty.pk,
        "who": who,
        "seat": next(
            (
                one.direction
                for one in state.seats
                if one.entry_id == penalty.entry_id and penalty.player_id in (None, one.player_id)
            ),
            "",
        ),
        "rule": penalty.rule,
        "shown": show_points(penalty.points),
        "reason": penalty.reason,
        "cancelled": penalty.cancelled_at is not None,
        "cancel_reason": penalty.cancel_reason,
        "may_cancel": penalty.cancelled_at is None and (directing or (own and state.playing)),
    }


def _time(state: TableState, moment: datetime) -> str:
    return timezone.localtime(moment, state.event.tournament.tz).strftime("%H:%M")
