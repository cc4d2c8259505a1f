"""Drawing a round: preview, swaps by hand, publication, withdrawal.

A draw is a pure function of stored inputs and a stored seed. The checker, which shares no code with the
generators, looks at every draw; what it finds is stored with it, and passing over it needs a reason.
"""

import secrets
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.models import Draw, EntryResult, Publication, Round
from tournament.pairing.model import PairingError
from tournament.pairing.options import OddAnswer
from tournament.queries.brackets import BRACKETS
from tournament.queries.draw_check import impossible, violations
from tournament.queries.draw_formats import with_positions
from tournament.queries.draw_inputs import DrawInputs, StageInputs
from tournament.queries.draw_sources import collect_inputs, violations_now
from tournament.queries.draws import draw_from, recorded_deals
from tournament.services import publish
from tournament.services.audit import Actor, record_audit
from tournament.services.draw_guards import (
    already_drawn,
    check_may_draw,
    check_may_publish,
    check_may_withdraw,
    chosen_answer,
    pairing_refused,
    preview_of,
)
from tournament.services.draw_rows import byes_state, store_tables
from tournament.services.errors import Refused
from tournament.services.events import start_event
from tournament.services.house import add_missing_house_players
from tournament.services.locks import lock_round
from tournament.services.permissions import require_organiser
from tournament.services.validation import required_reason, text

#: Seeds fit an unsigned 31-bit number: short enough to be read out and typed again.
SEEDS = 2**31


def make_draw(
    *,
    actor: Actor,
    round: Round,
    seed: int | None = None,
    answer: OddAnswer | str | None = None,
    bye_points: int | Fraction | None = None,
    plan: StageInputs | None = None,
) -> Draw:
    """Draws a round as a preview: only organisers see it.

    ``seed`` None takes a random one. ``answer`` says what is done when the field does not fit tables of four;
    None takes the event's own (``options["odd"]``), else byes; a plan goes on with the answer it began with.
    House players that are needed and not entered yet are entered. ``bye_points`` is the score in points
    stated for a bye; None takes the event's own (``options["bye_points"]``), else 0. ``plan`` is what the
    stage goes by from this round on where that is changed (`services.newcomers`).

    Raises NotAllowed; Conflict if the round has a draw already, two at once included; Refused if it
    cannot be drawn now or with these entries.
    """
    event = round.event
    require_organiser(actor, event.tournament)
    wanted = chosen_answer(round, answer)
    points = Fraction(event.options.get("bye_points", 0)) if bye_points is None else Fraction(bye_points)
    with transaction.atomic():
        lock_round(round)
        current = Round.objects.select_related("event", "stage").get(pk=round.pk)
        check_may_draw(current)
        if wanted is OddAnswer.HOUSE and add_missing_house_players(actor=actor, round=current):
            current.refresh_from_db()
        used_seed = secrets.randbelow(SEEDS) if seed is None else seed
        method = current.stage.format
        try:
            inputs = with_positions(method, collect_inputs(current, wanted, plan), used_seed)
            drawn = draw_from(method, current.event.kind, inputs, used_seed)
        except PairingError as fault:
            raise pairing_refused(fault) from fault
        try:
            with transaction.atomic():
                draw = Draw.objects.create(
                    round=current,
                    number=current.draws.count() + 1,
                    method=method,
                    seed=used_seed,
                    inputs={**inputs.to_json(), "bye_points": str(points)},
                    made_by=actor.user,
                )
        except IntegrityError as fault:
            raise already_drawn(current) from fault
        store_tables(draw, drawn, points)
        _store_quality(draw, drawn, inputs)
        current.state = Round.State.DRAWN
        current.save(update_fields=["state"])
        record_audit(
            actor=actor,
            action="draw.make",
            subject=draw,
            event=current.event,
            after={
                "round": current.number,
                "draw": draw.number,
                "seed": used_seed,
                "quality": draw.quality,
                "byes": byes_state(draw),
            },
        )
    return draw


def swap_seats(*, actor: Actor, draw: Draw, first: int, second: int) -> Draw:
    """Exchanges two entries, by their numbers, in a preview: seats, sides or a bye. The checker runs again.

    Raises NotAllowed; Refused if a number is not in the draw or the draw is no longer a preview.
    """
    event = draw.round.event
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        current = preview_of(draw)
        if current.method in BRACKETS:
            raise Refused("bracket_swap", _("In a bracket the seeding and the results say who meets."))
        inputs = DrawInputs.from_json(current.inputs)
        ids = {entrant.number: entrant.id for entrant in inputs.present()}
        for field, number in (("first", first), ("second", second)):
            if number not in ids:
                raise Refused(
                    "not_in_draw",
                    _("Number %(number)s is not in this draw."),
                    {"number": number},
                    field=field,
                )
        if first == second:
            raise Refused("same_entry", _("These are one and the same entry."), field="second")
        changed = inputs.with_swap(ids[first], ids[second])
        drawn = draw_from(current.method, event.kind, changed, current.seed)
        points = Fraction(current.inputs["bye_points"])
        before = current.quality
        current.matches.all().delete()
        current.byes.all().delete()
        store_tables(current, drawn, points)
        current.inputs = {**changed.to_json(), "bye_points": str(points)}
        current.save(update_fields=["inputs"])
        _store_quality(current, drawn, changed)
        record_audit(
            actor=actor,
            action="draw.swap",
            subject=current,
            event=event,
            before={"quality": before},
            after={"swapped": [first, second], "quality": current.quality, "byes": byes_state(current)},
        )
    return current


def publish_draw(*, actor: Actor, draw: Draw, reason: str = "") -> Draw:
    """Makes the preview the round's draw: public, and open for the referees. Starts the event if need be.

    Checked once more against the entries as they are now. Raises NotAllowed; Refused if the checker finds
    violations and no reason is given, or if the draw is no longer a preview.
    """
    event = draw.round.event
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        current = preview_of(draw)
        check_may_publish(current)
        found = violations_now(current)
        unplayable = impossible(found)
        if unplayable:
            raise Refused(
                "unplayable",
                _(
                    "The draw cannot be played as it is: %(count)s entries have withdrawn, returned or come "
                    "since, or stand twice. Withdraw it and draw again."
                ),
                {"count": len(unplayable)},
            )
        if found and not text(reason):
            raise Refused(
                "violations",
                _("The checker has found %(count)s violations: state a reason to publish all the same."),
                {"count": len(found)},
                field="reason",
            )
        start_event(actor=actor, event=event)
        current.quality = {**current.quality, "violations": found}
        current.state = Draw.State.PUBLISHED
        current.published_at = timezone.now()
        current.reason = required_reason(reason) if found else ""
        current.save(update_fields=["quality", "state", "published_at", "reason"])
        Round.objects.filter(pk=current.round_id).update(state=Round.State.PLAYING)
        record_audit(
            actor=actor,
            action="draw.publish",
            subject=current,
            event=event,
            before={"state": Draw.State.PREVIEW},
            after={"state": Draw.State.PUBLISHED, "violations": found},
            reason=current.reason,
        )
        publish.publish(actor=actor, round=current.round, what=Publication.What.DRAW)
    current.round.refresh_from_db()
    return current


def withdraw_draw(*, actor: Actor, draw: Draw, reason: str, with_deals: bool = False) -> Draw:
    """Takes a draw back: the round can be drawn anew. The withdrawn draw and all penalties stay on record.

    A published draw is taken off the public pages. If deals have been recorded at its tables, ``with_deals``
    must say that they shall no longer count (they stay on record). Raises NotAllowed; Refused without a
    reason, if the round is closed, a later round is drawn, or deals would be lost without ``with_deals``.
    """
    event = draw.round.event
    require_organiser(actor, event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        lock_round(draw.round)
        current = Draw.objects.select_related("round__event__tournament").get(pk=draw.pk)
        check_may_withdraw(current, with_deals)
        before = current.state
        current.state = Draw.State.WITHDRAWN
        current.withdrawn_at = timezone.now()
        current.reason = kept
        current.save(update_fields=["state", "withdrawn_at", "reason"])
        EntryResult.objects.filter(table__draw=current).delete()
        Round.objects.filter(pk=current.round_id).update(state=Round.State.PLANNED)
        record_audit(
            actor=actor,
            action="draw.withdraw",
            subject=current,
            event=event,
            before={"state": before},
            after={"state": current.state, "deals_set_aside": recorded_deals(current)},
            reason=kept,
        )
        if before == Draw.State.PUBLISHED:
            publish.withdraw_everything(actor=actor, round=current.round, reason=kept)
    current.round.refresh_from_db()
    return current


def _store_quality(draw: Draw, drawn: Any, inputs: DrawInputs) -> None:
    measured = {
        name: str(value) if isinstance(value, Fraction) else value
        for name, value in asdict(drawn.quality).items()
    }
    draw.quality = {**measured, "violations": violations(draw, inputs, inputs.entrants)}
    draw.save(update_fields=["quality"])
