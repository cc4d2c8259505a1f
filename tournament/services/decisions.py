"""Matches of a bracket that the deals do not decide: equal results, a side that did not come."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import Draw, Entry, Match, MatchDecision
from tournament.queries.draw_formats import FORMATS
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Refused
from tournament.services.live import mark_table
from tournament.services.locks import lock_round
from tournament.services.permissions import require_director
from tournament.services.publish import touch_public_pages
from tournament.services.validation import required_reason


def decide_match(*, actor: Actor, match: Match, winner: Entry, reason: str) -> MatchDecision:
    """Names the winner of a match of a bracket, whatever its deals say; replaces an earlier decision.

    Raises NotAllowed; Refused without a reason, if the entry is no side of the match, the draw is not
    published or its format does not eliminate, or once a later round is drawn.
    """
    event = match.draw.round.event
    require_director(actor, event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        current = _open(match)
        if not current.sides.filter(entry=winner).exists():
            raise Refused(
                "not_a_side",
                _("Number %(number)s does not play in this match."),
                {"number": winner.number},
                field="winner",
            )
        return store_decision(actor=actor, match=current, winner=winner, reason=kept)


def store_decision(*, actor: Actor, match: Match, winner: Entry, reason: str) -> MatchDecision:
    """Stores who has won, replacing an earlier decision; within the caller's transaction, who has made sure
    that it may be.
    """
    round = match.draw.round
    before = MatchDecision.objects.filter(match=match).first()
    decision, _made = MatchDecision.objects.update_or_create(
        match=match, defaults={"winner": winner, "reason": reason, "decided_by": actor.user}
    )
    record_audit(
        actor=actor,
        action="match.decide",
        subject=match,
        event=round.event,
        before={"winner": before.winner.number} if before else None,
        after={"winner": winner.number},
        reason=reason,
    )
    _mark(match)
    touch_public_pages(event=round.event, round=round)
    return decision


def undo_decision(*, actor: Actor, match: Match, reason: str) -> None:
    """The deals decide again. Raises as decide_match; does nothing where nothing was decided."""
    event = match.draw.round.event
    require_director(actor, event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        current = _open(match)
        decision = MatchDecision.objects.filter(match=current).first()
        if decision is None:
            return
        record_audit(
            actor=actor,
            action="match.undecide",
            subject=current,
            event=event,
            before={"winner": decision.winner.number},
            after=None,
            reason=kept,
        )
        decision.delete()
        _mark(current)
        touch_public_pages(event=event, round=current.draw.round)


def _mark(match: Match) -> None:
    for table in match.tables.select_related("draw__round__event"):
        mark_table(table)


def _open(match: Match) -> Match:
    """The match, its round locked, if its outcome may still be decided."""
    lock_round(match.draw.round)
    current = Match.objects.select_related("draw__round__event", "draw__round__stage").get(pk=match.pk)
    round = current.draw.round
    if current.draw.state != Draw.State.PUBLISHED or not FORMATS[round.stage.format].eliminates:
        raise Refused("not_in_bracket", _("Only a match of a bracket in play can be decided so."))
    later = Draw.objects.filter(round__event=round.event_id, round__number__gt=round.number)
    if following := later.exclude(state=Draw.State.WITHDRAWN).order_by("-round__number").first():
        raise Refused(
            "later_drawn",
            _("Round %(later)s is drawn already, knowing who won: withdraw that draw first."),
            {"later": following.round.number},
        )
    return current
