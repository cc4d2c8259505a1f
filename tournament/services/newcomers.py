"""Taking entries that joined late into the plan of their stage."""

import secrets
from collections.abc import Sequence
from fractions import Fraction

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import Draw, Event, Round, Stage
from tournament.pairing.model import PairingError
from tournament.pairing.options import OddAnswer
from tournament.queries.draw_newcomers import Admission, joining
from tournament.queries.draws import living_draw
from tournament.services.audit import Actor, record_audit
from tournament.services.draw import SEEDS, make_draw, withdraw_draw
from tournament.services.draw_guards import chosen_answer, pairing_refused
from tournament.services.errors import Refused
from tournament.services.house import add_missing_house_players
from tournament.services.permissions import require_organiser


def take_in_newcomers(
    *,
    actor: Actor,
    stage: Stage,
    how: Admission,
    seed: int | None = None,
    answer: OddAnswer | str | None = None,
) -> list[Draw]:
    """Takes everybody who joined after the plan was made into it, by free places or by planning the rounds
    that are not published anew; what is published stays.

    Returns the previews: of the first round that is not published, and of all further ones that had one.
    ``seed`` None takes a random one. ``answer`` says what is done in rounds planned anew where the field does
    not fill tables of four; None goes on with what the plan began with. Raises NotAllowed; Refused if nobody
    is waiting or it cannot be done so.
    """
    require_organiser(actor, stage.event.tournament)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=stage.event_id)
        found = joining(stage)
        if found is None:
            raise Refused("nothing_to_do", gettext_lazy("Everybody who takes part has a place in the plan."))
        wanted = found.answer
        if how is Admission.REDRAW:
            wanted = chosen_answer(found.round, answer or wanted)
        if how is Admission.REDRAW and wanted is OddAnswer.HOUSE:
            add_missing_house_players(actor=actor, round=found.round)
            found = joining(stage) or found
        used_seed = secrets.randbelow(SEEDS) if seed is None else seed
        try:
            plan = found.admitted(how, used_seed, wanted)
        except PairingError as fault:
            raise pairing_refused(fault) from fault
        numbers = [one.number for one in found.newcomers]
        byes = _withdraw_previews(actor, found.waiting, numbers)
        drawn = [
            make_draw(
                actor=actor,
                round=round,
                seed=used_seed,
                answer=wanted,
                bye_points=byes.get(round.pk),
                plan=plan if round == found.round else None,
            )
            for round in found.waiting
            if round == found.round or round.pk in byes
        ]
        record_audit(
            actor=actor,
            action="stage.newcomers",
            subject=stage,
            event=stage.event,
            after={"how": how.value, "numbers": numbers, "round": found.round.number, "seed": used_seed},
        )
    return drawn


def _withdraw_previews(actor: Actor, rounds: Sequence[Round], numbers: list[int]) -> dict[int, Fraction]:
    """Takes back the previews made without the newcomers, the last first; by round what a bye was worth."""
    reason = _("Made anew with those who joined: %(numbers)s") % {"numbers": ", ".join(map(str, numbers))}
    points = {}
    for round in reversed(rounds):
        draw = living_draw(round)
        if draw is not None:
            points[round.pk] = Fraction(draw.inputs["bye_points"])
            withdraw_draw(actor=actor, draw=draw, reason=reason[:300])
    return points
