"""Drawing all rounds of a stage whose format plans them at once."""

from fractions import Fraction

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import Draw, Event, Round, Stage
from tournament.pairing.options import OddAnswer
from tournament.queries.draw_formats import FORMATS
from tournament.services.audit import Actor
from tournament.services.draw import make_draw
from tournament.services.errors import Refused
from tournament.services.permissions import require_organiser


def draw_whole_plan(
    *,
    actor: Actor,
    stage: Stage,
    seed: int | None = None,
    answer: OddAnswer | str | None = None,
    bye_points: int | Fraction | None = None,
) -> list[Draw]:
    """Previews of all rounds of the stage that are not drawn, or of none. They are published one by one.

    The arguments are those of make_draw. Raises NotAllowed; Refused if the format does not plan ahead, if
    every round is drawn, or as make_draw does.
    """
    require_organiser(actor, stage.event.tournament)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=stage.event_id)
        if not FORMATS[stage.format].planned:
            raise Refused("not_planned", _("Only a format that plans ahead can be drawn for all rounds."))
        waiting = list(stage.rounds.filter(state=Round.State.PLANNED).order_by("number"))
        if not waiting:
            raise Refused("nothing_to_do", _("All rounds of this stage are drawn."))
        return [
            make_draw(actor=actor, round=round, seed=seed, answer=answer, bye_points=bye_points)
            for round in waiting
        ]
