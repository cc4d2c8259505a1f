"""What must hold before a draw is made, published or withdrawn, and the refusals that say what does not."""

from django.utils.translation import gettext_lazy as _

from tournament.models import Draw, Round
from tournament.pairing.model import PairingError
from tournament.pairing.options import OddAnswer
from tournament.queries.draw_formats import FORMATS, answers_for
from tournament.queries.draw_sources import is_first
from tournament.queries.draws import living_draw, recorded_deals
from tournament.services.errors import Conflict, Refused
from tournament.services.locks import lock_round


def preview_of(draw: Draw) -> Draw:
    """The draw as it is now, its round locked. Raises Conflict if it is no longer a preview."""
    lock_round(draw.round)
    current = Draw.objects.select_related("round__event__tournament").get(pk=draw.pk)
    if current.state != Draw.State.PREVIEW:
        raise Conflict(
            "not_preview",
            _("This draw is no longer a preview: it is %(state)s."),
            {"state": current.get_state_display()},
        )
    return current


def check_may_draw(round: Round) -> None:
    """Raises Refused or Conflict if the round cannot be drawn now."""
    if round.state == Round.State.CLOSED:
        raise Refused("round_closed", _("Round %(round)s is closed."), {"round": round.number})
    if living_draw(round) is not None:
        raise already_drawn(round)
    stage = round.stage
    if not is_first(stage) and not stage.members.exists():
        raise Refused("stage_empty", _("Nobody has advanced to this stage yet: confirm who does."))
    earlier = round.event.rounds.filter(number__lt=round.number)
    unpublished = earlier.filter(state__in=(Round.State.PLANNED, Round.State.DRAWN))
    if FORMATS[stage.format].planned:
        # The plan was fixed with its first round: the others need not wait until that is published.
        unpublished = unpublished.exclude(stage=stage, state=Round.State.DRAWN)
    if first := unpublished.first():
        raise Refused(
            "earlier_not_drawn",
            _("Round %(earlier)s must be drawn and published before round %(round)s."),
            {"earlier": first.number, "round": round.number},
        )
    if FORMATS[stage.format].needs_results:
        unclosed = earlier.exclude(state=Round.State.CLOSED).first()
        if unclosed is not None:
            raise Refused(
                "earlier_not_closed",
                _("Round %(earlier)s must be closed before round %(round)s is drawn."),
                {"earlier": unclosed.number, "round": round.number},
            )


def check_may_publish(draw: Draw) -> None:
    """Raises Refused while an earlier round is a preview."""
    earlier = draw.round.event.rounds.filter(number__lt=draw.round.number)
    waiting = earlier.filter(state__in=(Round.State.PLANNED, Round.State.DRAWN)).first()
    if waiting is not None:
        raise Refused(
            "earlier_not_published",
            _("Publish round %(earlier)s before round %(round)s."),
            {"earlier": waiting.number, "round": draw.round.number},
        )


def check_may_withdraw(draw: Draw, with_deals: bool) -> None:
    """Raises Refused or Conflict if the draw cannot be taken back now."""
    if draw.state == Draw.State.WITHDRAWN:
        raise Conflict("withdrawn_already", _("This draw has been withdrawn already."))
    if draw.round.state == Round.State.CLOSED:
        raise Refused(
            "round_closed",
            _("Round %(round)s is closed: reopen it first."),
            {"round": draw.round.number},
        )
    later = Draw.objects.filter(
        round__event=draw.round.event_id, round__number__gt=draw.round.number
    ).exclude(state=Draw.State.WITHDRAWN)
    if following := later.order_by("-round__number").first():
        raise Refused(
            "later_drawn",
            _("Round %(later)s is drawn already, knowing who met in this one: withdraw that draw first."),
            {"later": following.round.number},
        )
    deals = recorded_deals(draw)
    if deals and not with_deals:
        raise Refused(
            "deals_recorded",
            _("%(count)s deals have been recorded in this round: confirm that they shall no longer count."),
            {"count": deals},
            field="with_deals",
        )


def already_drawn(round: Round) -> Conflict:
    """The answer to whoever draws second."""
    return Conflict(
        "already_drawn",
        _("Round %(round)s has a draw already, perhaps made by somebody else just now."),
        {"round": round.number},
    )


def chosen_answer(round: Round, answer: OddAnswer | str | None) -> OddAnswer:
    """The answer asked for, else the event's usual one. Raises Refused for one that does not fit."""
    event = round.event
    possible = answers_for(event.kind, round.stage.format)
    usual = event.options.get("odd", OddAnswer.BYES)
    if usual not in possible:
        usual = OddAnswer.BYES if OddAnswer.BYES in possible else possible[0]
    try:
        wanted = OddAnswer(answer or usual)
    except ValueError as fault:
        raise Refused(
            "no_such_answer",
            _("“%(answer)s” is not a way to seat the field."),
            {"answer": answer},
            field="answer",
        ) from fault
    if wanted is OddAnswer.BYES and wanted not in possible:
        raise Refused("nobody_rests", _("In this format nobody can sit out."), field="answer")
    if wanted not in possible:
        raise Refused(
            "needs_four",
            _("This kind of event is played by four at a table only: some entries must sit out."),
            field="answer",
        )
    return wanted


_PAIRING_MESSAGES = {
    "too_few_entrants": _("Only %(present)s entries take part: too few for a draw."),
    "answer_impossible": _("With %(present)s entries this way of seating is not possible: choose another."),
    "answer_needed": _("%(present)s entries do not fill tables of four: choose how they are seated."),
    "house_players_needed": _("%(needed)s house players are needed, and there are %(given)s."),
    "duplicate_number": _("Number %(value)s stands twice."),
    "round_not_in_plan": _("The plan of this stage has %(rounds)s rounds: there is nothing left to draw."),
    "not_in_plan": _(
        "The plan was made without these entries: %(numbers)s. Choose how they are taken into it, or let "
        "them start in the next stage."
    ),
    "no_free_place": _("%(needed)s entries have joined, and the plan has %(given)s free places."),
    "no_redraw": _("This plan cannot be changed under way: only free places can be taken."),
    "no_whist": _("A whist movement needs at least four players, and there are %(players)s."),
    "undecided": _("%(count)s matches have no winner: decide them on the page of the bracket."),
    "both_gone": _(
        "Of these neither side of a match is there any more: %(numbers)s. Take one of the two back: it goes "
        "on without playing, and can leave again before the round after."
    ),
    "groups": _("%(present)s entries are too few for %(groups)s groups: each needs two or more."),
    "finished": _("The winner is known: there is nothing left to draw."),
}


def pairing_refused(fault: PairingError) -> Refused:
    """Why the generators could not draw, for people."""
    message = _PAIRING_MESSAGES.get(fault.code, _("No draw can be made with these entries."))
    field = "answer" if fault.code.startswith(("answer", "house")) else ""
    return Refused(fault.code, message, dict(fault.params), field=field)
