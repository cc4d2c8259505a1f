"""Creating and changing a tournament 比赛."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import Membership, Role, Tournament
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Problem, Refused
from tournament.services.permissions import require_founder, require_organiser
from tournament.services.publish import touch_public_pages
from tournament.services.validation import problems_of, text

_FIELDS = ("name", "slug", "venue", "starts_on", "ends_on", "time_zone")
#: Years that days of a tournament can have: near the ends of the calendar days cannot be counted on, nor
#: times told in every zone.
FIRST_YEAR, LAST_YEAR = 1900, 2999


def create_tournament(
    *,
    actor: Actor,
    name: str,
    slug: str,
    venue: str = "",
    starts_on: date | None = None,
    ends_on: date | None = None,
    time_zone: str = "Asia/Shanghai",
) -> Tournament:
    """Creates a tournament; whoever creates it becomes its organiser.

    Raises NotAllowed, or Refused with every fault of the fields.
    """
    require_founder(actor)
    tournament = Tournament(
        name=text(name),
        slug=slug,
        venue=text(venue),
        starts_on=starts_on,
        ends_on=ends_on,
        time_zone=time_zone,
    )
    with transaction.atomic():
        _save(tournament)
        if actor.user is not None:
            Membership.objects.create(tournament=tournament, user=actor.user, role=Role.ORGANISER)
        record_audit(
            actor=actor,
            action="tournament.create",
            subject=tournament,
            tournament=tournament,
            after=_state(tournament),
        )
    return tournament


def edit_tournament(*, actor: Actor, tournament: Tournament, **changes: Any) -> Tournament:
    """Changes some of name, slug, venue, starts_on, ends_on, time_zone. Raises as create_tournament does."""
    require_organiser(actor, tournament)
    with transaction.atomic():
        current = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
        before = _state(current)
        for name in _FIELDS:
            if name in changes:
                value = changes[name]
                setattr(current, name, text(value) if name in ("name", "venue") else value)
        _save(current)
        after = _state(current)
        if after != before:
            record_audit(
                actor=actor,
                action="tournament.edit",
                subject=current,
                tournament=current,
                before=before,
                after=after,
            )
            for event in current.events.all():
                touch_public_pages(event=event)
    return current


def day_problems(**days: date | None) -> Iterator[Problem]:
    """What is wrong with days of a tournament, each under its field's name."""
    for name, day in days.items():
        if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
            yield Problem(
                "day_year",
                _("The year is from %(first)s to %(last)s."),
                {"first": FIRST_YEAR, "last": LAST_YEAR},
                name,
            )


def _save(tournament: Tournament) -> None:
    faults = list(day_problems(starts_on=tournament.starts_on, ends_on=tournament.ends_on))
    try:
        tournament.full_clean()
    except ValidationError as fault:
        faults.extend(problems_of(fault))
    if faults:
        raise Refused.for_problems(faults)
    try:
        with transaction.atomic():
            tournament.save()
    except IntegrityError as fault:
        raise Conflict(
            "address_taken",
            _("Another tournament already has the address “%(slug)s”."),
            {"slug": tournament.slug},
            field="slug",
        ) from fault


def _state(tournament: Tournament) -> dict[str, Any]:
    return {
        name: value.isoformat() if isinstance(value := getattr(tournament, name), date) else value
        for name in _FIELDS
    }
