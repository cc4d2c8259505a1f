"""The states of a round: planned → drawn → playing → closed, and back with a reason.

services.draw makes a round drawn and playing; here it is closed and reopened.
"""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.models import Round
from tournament.queries.board import Missing, TableLine, round_board
from tournament.queries.draws import living_draw
from tournament.services.audit import Actor, record_audit
from tournament.services.clock import settle_time
from tournament.services.errors import Conflict, Problem, Refused
from tournament.services.locks import lock_round
from tournament.services.permissions import require_director
from tournament.services.validation import required_reason, text

#: What is missing at a table, for people. Placeholder: deals, their numbers.
MISSING = {
    "no_deal": _("no deal recorded yet"),
    "disputed": _("in dispute: deals %(deals)s"),
    "called": _("a call for a referee has no ruling"),
    "unchecked": _("not checked: deals %(deals)s"),
    "void": _("void, to be replayed: deals %(deals)s"),
    "unfinished": _("play is not finished"),
}


def close_round(*, actor: Actor, round: Round, override_reason: str = "") -> Round:
    """Closes a round in play.

    Raises NotAllowed; Conflict if it is not in play; Refused, naming all that is missing at every table,
    unless an override reason is given, which is kept with the round.
    """
    require_director(actor, round.event.tournament)
    with transaction.atomic():
        current = _locked(round)
        if current.state != Round.State.PLAYING:
            raise _not_in_state(current)
        draw = living_draw(current)
        if draw is not None:
            settle_time(draw)
        problems = missing_problems(round_board(current).missing)
        if problems and not text(override_reason):
            raise Refused.for_problems(problems)
        current.state = Round.State.CLOSED
        current.closed_at = timezone.now()
        current.closed_by = actor.user
        current.override_reason = required_reason(override_reason) if problems else ""
        current.save(update_fields=["state", "closed_at", "closed_by", "override_reason"])
        record_audit(
            actor=actor,
            action="round.close",
            subject=current,
            event=current.event,
            before={"state": Round.State.PLAYING},
            after={"state": current.state, "missing": [problem_state(one) for one in problems]},
            reason=current.override_reason,
        )
    return current


def reopen_round(*, actor: Actor, round: Round, reason: str) -> Round:
    """Opens a closed round again, so that deals can be corrected or added.

    Raises NotAllowed; Conflict if it is not closed; Refused without a reason.
    """
    require_director(actor, round.event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        current = _locked(round)
        if current.state != Round.State.CLOSED:
            raise _not_in_state(current)
        before = {"state": current.state, "override_reason": current.override_reason}
        current.state = Round.State.PLAYING
        current.closed_at = current.closed_by = None
        current.override_reason = ""
        current.save(update_fields=["state", "closed_at", "closed_by", "override_reason"])
        if current.event.state == current.event.State.FINISHED:
            current.event.state = current.event.State.STARTED
            current.event.save(update_fields=["state"])
        record_audit(
            actor=actor,
            action="round.reopen",
            subject=current,
            event=current.event,
            before=before,
            after={"state": current.state},
            reason=kept,
        )
    return current


def missing_problems(lines: Iterable[TableLine]) -> list[Problem]:
    """Everything that keeps a round open, one problem for each thing at each table."""
    return [missing_problem(line, missing) for line in lines for missing in line.missing]


def missing_problem(line: TableLine, missing: Missing) -> Problem:
    """One thing that is missing at a table."""
    return Problem(
        missing.code,
        _("Table %(table)s: %(missing)s."),
        {"table": line.number, "missing": missing_text(missing), "deals": _numbers(missing)},
    )


def missing_text(missing: Missing) -> str:
    """What is missing, without the table it is missing at."""
    return str(MISSING[missing.code]) % {"deals": _numbers(missing)}


def problem_state(problem: Problem) -> dict[str, str]:
    """A problem for the audit trail, independent of language."""
    facts = {name: str(problem.params[name]) for name in ("table", "deals") if problem.params[name]}
    return {"code": problem.code, **facts}


def _numbers(missing: Missing) -> str:
    return ", ".join(map(str, missing.deals))


def _locked(round: Round) -> Round:
    lock_round(round)
    return Round.objects.select_related("event__tournament").get(pk=round.pk)


def _not_in_state(round: Round) -> Conflict:
    return Conflict(
        "round_state",
        _("Round %(round)s is now: %(state)s."),
        {"round": round.number, "state": round.get_state_display()},
    )
