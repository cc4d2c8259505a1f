"""The clock of a timed round 限时轮: started, moved, and deals let count though time was up."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.queries.play import play_of, tables_in_play
from tournament.models import Draw, LateDeal, Round, RoundClock, Table
from tournament.queries.draws import living_draw
from tournament.queries.plans import round_terms
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Refused
from tournament.services.locks import lock_round
from tournament.services.permissions import require_director
from tournament.services.results import update_table_results
from tournament.services.validation import required_reason

#: The furthest that a clock may be moved at once, in minutes.
FURTHEST = 600


def start_clock(*, actor: Actor, round: Round) -> RoundClock:
    """Starts the clock of a round in play: time is up after the minutes of its plan.

    Raises NotAllowed; Refused if the round is not timed; Conflict if it is not being played or the clock was
    started before.
    """
    require_director(actor, round.event.tournament)
    with transaction.atomic():
        draw = _draw_in_play(round)
        plan = round_terms(round).plan
        if plan.kind != "time" or plan.minutes is None:
            raise Refused("not_timed", _("This round has no fixed time."))
        if RoundClock.objects.filter(draw=draw).exists():
            raise Conflict("clock_started", _("The clock of round %(round)s runs."), {"round": round.number})
        ends_at = timezone.now() + timedelta(minutes=plan.minutes)
        clock = RoundClock.objects.create(draw=draw, ends_at=ends_at)
        record_audit(
            actor=actor,
            action="clock.start",
            subject=round,
            event=round.event,
            after={"ends_at": ends_at.isoformat()},
        )
        _update_results(draw)
    return clock


def move_clock(*, actor: Actor, round: Round, minutes: int, reason: str) -> RoundClock:
    """Gives so many minutes more, or takes them (negative). Deals are judged by the new end, those entered
    before too.

    Raises NotAllowed; Conflict if no clock runs; Refused without minutes or a reason.
    """
    require_director(actor, round.event.tournament)
    why = required_reason(reason)
    if not minutes or abs(minutes) > FURTHEST:
        raise Refused(
            "minutes_wrong",
            _("State minutes from 1 to %(most)s, negative to take some away."),
            {"most": FURTHEST},
            field="minutes",
        )
    with transaction.atomic():
        draw = _draw_in_play(round)
        clock = _running(draw, round)
        before = clock.ends_at
        clock.ends_at = before + timedelta(minutes=minutes)
        clock.save(update_fields=["ends_at"])
        record_audit(
            actor=actor,
            action="clock.move",
            subject=round,
            event=round.event,
            before={"ends_at": before.isoformat()},
            after={"ends_at": clock.ends_at.isoformat()},
            reason=why,
        )
        _update_results(draw)
    return clock


def let_deal_count(*, actor: Actor, table: Table, reason: str) -> LateDeal:
    """Lets one more deal be recorded at a table where time is up, e.g. one played in time that could not be
    sent.

    Raises NotAllowed; Conflict if the round is not being played, or deals can be recorded there anyway;
    Refused without a reason.
    """
    round_ = table.draw.round
    require_director(actor, round_.event.tournament)
    why = required_reason(reason)
    with transaction.atomic():
        draw = _draw_in_play(round_)
        current = tables_in_play().get(pk=table.pk, draw=draw)
        timing = play_of(current).timing
        if timing is None or not timing.over:
            raise Conflict(
                "time_not_up",
                _("Deals can still be recorded at table %(table)s."),
                {"table": current.number},
            )
        made = LateDeal.objects.create(
            table=current, deals=len(timing.late) + 1, reason=why, allowed_by=actor.user
        )
        record_audit(
            actor=actor,
            action="clock.late_deal",
            subject=current,
            event=round_.event,
            after={"table": current.number},
            reason=why,
        )
        update_table_results(current)
    return made


def settle_time(draw: Draw) -> None:
    """Brings the results of a timed round up to date with the clock, within the caller's transaction: time
    that passes changes what stands, and nobody records it.
    """
    if RoundClock.objects.filter(draw=draw).exists():
        _update_results(draw)


def _update_results(draw: Draw) -> None:
    for table in tables_in_play().filter(draw=draw, deals__isnull=False).distinct().order_by("number"):
        update_table_results(table)


def _draw_in_play(round: Round) -> Draw:
    """The published draw of the round, the round locked. Raises Conflict unless it is being played."""
    lock_round(round)
    current = Round.objects.get(pk=round.pk)
    draw = living_draw(current)
    if current.state != Round.State.PLAYING or draw is None:
        raise Conflict(
            "round_not_playing", _("Round %(round)s is not being played."), {"round": current.number}
        )
    return draw


def _running(draw: Draw, round: Round) -> RoundClock:
    clock = RoundClock.objects.filter(draw=draw).first()
    if clock is None:
        raise Conflict(
            "clock_not_started", _("The clock of round %(round)s was not started."), {"round": round.number}
        )
    return clock
