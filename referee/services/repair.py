"""Draws made anew after a correction 重编: those from a round on are withdrawn, that round is drawn again.

The same seed and the same way of seating; exchanges by hand were made for the old draw and are not repeated.
Rounds after it are drawn when their time comes, as ever: they need its results.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournament.models import Draw, Event, Round
from tournament.queries.draw_inputs import DrawInputs, as_points
from tournament.queries.draws import living_draw
from tournament.services.advance import confirm_advancement
from tournament.services.audit import Actor
from tournament.services.draw import make_draw, publish_draw, withdraw_draw
from tournament.services.errors import Refused
from tournament.services.rounds import reopen_round


def draw_again(
    *,
    actor: Actor,
    event: Event,
    from_round: int,
    with_deals: bool,
    advancing: Iterable[Mapping[str, Any]],
    reason: str,
) -> Draw:
    """Withdraws the draws from a round on and draws that round again; published if the old one was.

    Deals recorded there no longer count, for which ``with_deals`` must be set. ``advancing`` is what a
    correction moved there (tournament.queries.foresight): a stage that begins with this round takes those who
    now advance. Raises as the services of draws do, and Refused if the round is not drawn.
    """
    first = Round.objects.select_related("event__tournament", "stage").get(event=event, number=from_round)
    old = living_draw(first)
    if old is None:
        raise Refused("nothing_drawn", _("Round %(round)s is not drawn."), {"round": from_round})
    for round in event.rounds.filter(number__gte=from_round).order_by("-number"):
        draw = living_draw(round)
        if draw is None:
            continue
        if round.state == Round.State.CLOSED:
            reopen_round(actor=actor, round=draw.round, reason=reason)
        withdraw_draw(actor=actor, draw=draw, reason=reason, with_deals=with_deals)
    for one in advancing:
        if one["first_round"] == from_round:
            stage = event.stages.get(number=one["stage"])
            confirm_advancement(actor=actor, stage=stage, numbers=one["order"], reason=reason)
    inputs = DrawInputs.from_json(old.inputs)
    made = make_draw(
        actor=actor,
        round=Round.objects.select_related("event__tournament", "stage").get(pk=first.pk),
        seed=old.seed,
        answer=inputs.answer,
        bye_points=as_points(old.inputs["bye_points"]),
    )
    if old.state == Draw.State.PUBLISHED:
        return publish_draw(actor=actor, draw=made, reason=reason)
    return made
