"""How ties in the standings are broken: the organiser's criteria in order, and drawn lots."""

import secrets
from collections.abc import Sequence
from random import Random
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import Event
from tournament.queries.criteria import CRITERIA, offered_tie_breaks
from tournament.ranking.tie_breaks import Criterion
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Problem, Refused
from tournament.services.permissions import require_organiser
from tournament.services.publish import touch_public_pages

#: Lots are numbers from 1; so many for each entry that a late one stands the same chance as the others.
_LOTS_PER_ENTRY = 10
_LEAST_LOTS = 1000


def choose_tie_breaks(*, actor: Actor, event: Event, tie_breaks: Sequence[str]) -> Event:
    """Sets by what ties are broken, in this order; the event's own measure comes before them all.

    Published standings stay as they are until they are published anew. Raises NotAllowed, or Refused with
    every fault: a criterion that this kind of event does not have, or that stands twice.
    """
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        current = (
            Event.objects.select_for_update(of=("self",), no_key=True)
            .select_related("tournament")
            .get(pk=event.pk)
        )
        faults = list(_faults(current, tie_breaks))
        if faults:
            raise Refused.for_problems(faults)
        before = current.options.get("tie_breaks", [])
        if before != list(tie_breaks):
            current.options = {**current.options, "tie_breaks": list(tie_breaks)}
            current.save(update_fields=["options"])
            record_audit(
                actor=actor,
                action="event.tie_breaks",
                subject=current,
                event=current,
                before={"tie_breaks": before},
                after={"tie_breaks": list(tie_breaks)},
            )
            touch_public_pages(event=current)
    return current


def draw_lots(*, actor: Actor, event: Event, seed: int | None = None) -> dict[int, int]:
    """Draws a lot for every entry that has none; returns all lots by number of the entry.

    A lot once drawn stays, so drawing again changes nothing for those who have one. ``seed`` None takes a
    random one; it is kept in the audit trail, with which the draw can be repeated. Raises NotAllowed.
    """
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        current = (
            Event.objects.select_for_update(of=("self",), no_key=True)
            .select_related("tournament")
            .get(pk=event.pk)
        )
        drawn = {int(number): lot for number, lot in current.options.get("lots", {}).items()}
        numbers = current.entries.filter(house=False).order_by("number").values_list("number", flat=True)
        without = [number for number in numbers if number not in drawn]
        if not without:
            return drawn
        used_seed = secrets.randbelow(2**31) if seed is None else seed
        highest = max(_LEAST_LOTS, _LOTS_PER_ENTRY * (len(drawn) + len(without)))
        taken = set(drawn.values())
        free = [lot for lot in range(1, highest + 1) if lot not in taken]
        new = dict(zip(without, Random(used_seed).sample(free, len(without)), strict=True))  # noqa: S311
        drawn |= new
        current.options = {**current.options, "lots": _stored(drawn)}
        current.save(update_fields=["options"])
        record_audit(
            actor=actor,
            action="event.lots",
            subject=current,
            event=current,
            after={"seed": used_seed, "lots": _stored(new)},
        )
        touch_public_pages(event=current)
    return drawn


def _stored(lots: dict[int, int]) -> dict[str, Any]:
    return {str(number): lot for number, lot in sorted(lots.items())}


def _faults(event: Event, tie_breaks: Sequence[str]) -> list[Problem]:
    offered = set(offered_tie_breaks(event))
    faults = []
    for place, name in enumerate(tie_breaks, start=1):
        field = f"tie_break_{place}"
        if name not in offered:
            faults.append(
                Problem(
                    "tie_break_unknown",
                    _("“%(name)s” cannot break ties in this event."),
                    {"name": name},
                    field,
                )
            )
        elif name in tie_breaks[: place - 1]:
            faults.append(
                Problem(
                    "tie_break_twice",
                    _("“%(name)s” is chosen twice."),
                    {"name": CRITERIA[Criterion(name)]},
                    field,
                )
            )
    return faults
