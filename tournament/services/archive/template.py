"""A tournament taken as the pattern of another: its structure without entries, draws and results."""

from datetime import date, timedelta
from typing import Any

from django.db import transaction

from referee.models import PenaltyRule
from tournament.models import Event, Round, ScheduleItem, Stage, Tournament
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Refused
from tournament.services.events import create_event
from tournament.services.permissions import require_organiser
from tournament.services.tournaments import create_tournament, day_problems

#: Options of an event that belong to its entries.
_OF_ENTRIES = ("lots",)
#: Fields of stages and rounds that tell what has happened in them.
_HAPPENED = frozenset({"state", "closed_at", "closed_by", "override_reason", "held_back", "live_pending"})


def copy_tournament(
    *, actor: Actor, tournament: Tournament, name: str, slug: str, starts_on: date | None = None
) -> Tournament:
    """A new tournament with the events, stages, rounds, penalty catalogue and schedule of this one.

    Times move by as many days as lie between the two first days, and are left out where one has none. Roles
    are not taken over: whoever copies is the organiser. Raises NotAllowed, or Refused with every fault.
    """
    require_organiser(actor, tournament)
    if faults := list(day_problems(starts_on=starts_on)):
        raise Refused.for_problems(faults)
    known = starts_on is not None and tournament.starts_on is not None
    move = starts_on - tournament.starts_on if known else None
    lasts = tournament.ends_on - tournament.starts_on if tournament.starts_on and tournament.ends_on else None
    with transaction.atomic():
        copied = create_tournament(
            actor=actor,
            name=name,
            slug=slug,
            venue=tournament.venue,
            starts_on=starts_on,
            ends_on=starts_on + lasts if starts_on is not None and lasts is not None else None,
            time_zone=tournament.time_zone,
        )
        events = {None: None}
        for event in tournament.events.order_by("pk"):
            events[event.pk] = _copy_event(actor, event, copied, move)
        for rule in PenaltyRule.objects.filter(tournament=tournament, retired_at=None).order_by("pk"):
            rule.pk, rule.tournament, rule.event = None, copied, events[rule.event_id]
            rule.save(force_insert=True)
        schedule = ScheduleItem.objects.filter(tournament=tournament).order_by("pk")
        for item in schedule if move is not None else ():
            item.pk, item.tournament, item.event = None, copied, events[item.event_id]
            item.starts_at += move
            item.ends_at = item.ends_at and item.ends_at + move
            item.save(force_insert=True)
        record_audit(
            actor=actor,
            action="tournament.copy",
            subject=copied,
            tournament=copied,
            after={"from": tournament.slug, "events": [event.slug for event in events.values() if event]},
        )
    return copied


def _copy_event(actor: Actor, event: Event, tournament: Tournament, move: timedelta | None) -> Event:
    copied = create_event(
        actor=actor,
        tournament=tournament,
        name=event.name,
        slug=event.slug,
        kind=event.kind,
        ruleset_version=event.ruleset_version,
        plan=event.plan,
        measure=event.measure,
        planned_rounds=event.planned_rounds,
        clubs_apart_rounds=event.clubs_apart_rounds,
        options={key: value for key, value in event.options.items() if key not in _OF_ENTRIES},
    )
    Event.objects.filter(pk=copied.pk).update(live=event.live)
    copied.rounds.all().delete()
    copied.stages.all().delete()
    stages = {
        stage.pk: Stage.objects.create(**{**_structure(stage), "event": copied})
        for stage in event.stages.order_by("number")
    }
    Round.objects.bulk_create(
        Round(
            **{
                **_structure(one),
                "event": copied,
                "stage": stages[one.stage_id],
                "starts_at": one.starts_at + move if one.starts_at and move is not None else None,
            }
        )
        for one in event.rounds.order_by("number")
    )
    return copied


def _structure(row: Stage | Round) -> dict[str, Any]:
    """Every field of a row but its id and what has happened in it since: a new field is copied too."""
    return {
        field.name: getattr(row, field.name)
        for field in row._meta.concrete_fields
        if not field.primary_key and field.name not in _HAPPENED
    }
