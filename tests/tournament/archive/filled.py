"""A tournament with at least one row of everything that an archive holds."""

from random import Random
from typing import Any
from uuid import uuid4

from django.db import models
from django.utils import timezone

from tests.checked_deals import checked_deal
from tests.factories import actor, make_event, make_published_draw, make_user
from tests.played import random_record
from tests.tournament.draws import close
from tournament.models import Event, Table, Tournament
from tournament.points import PointsField
from tournament.queries.archive.sections import PEOPLE, RULESETS, SECTIONS, section_of
from tournament.services.audit_seals import seal_rows
from tournament.services.bulk import clear_rounds, withdraw_many
from tournament.services.constraints import keep_apart
from tournament.services.entries import withdraw_entry
from tournament.services.publish import publish_round

#: What constraints of the database ask of a row that is made up.
_ASKED: dict[str, dict[str, Any]] = {
    "calls": {"outcome": "", "ruling": "", "closed_at": None},
    "disputes": {"outcome": "", "closed_at": None},
}


def filled_tournament(slug: str = "cup") -> Tournament:
    """Two events, one of them played by the services; rows that no service made here are made up."""
    event = make_event(
        entries=10,
        slug="singles",
        planned_rounds=3,
        clubs_apart_rounds=1,
        plan={"kind": "set", "deals": 2},
    )
    tournament = event.tournament
    Tournament.objects.filter(pk=tournament.pk).update(slug=slug, venue="体育馆 · 二楼")
    tournament.refresh_from_db()
    event.tournament = tournament
    organiser = actor(make_user("organiser", tournament, username=f"zhang-{slug}"))
    keep_apart(actor=organiser, event=event, numbers=[1, 2])
    withdraw_entry(actor=organiser, entry=event.entries.get(number=10), reason="病")
    first = make_published_draw(event, 1)
    for table in first.tables.order_by("number"):
        _play(table)
    close(first.round)
    publish_round(actor=organiser, round=first.round)
    make_published_draw(event, 2)
    clear_rounds(actor=organiser, event=event, from_round=2, reason="名单有误")
    withdraw_many(actor=organiser, event=event, numbers=[8], reason="早退")
    make_event(Event.Kind.PAIRS, 4, tournament=tournament, slug="pairs")
    _make_up_the_rest(tournament)
    seal_rows(tournament=tournament)
    return tournament


def _play(table: Table) -> None:
    """Two deals at the table, both checked."""
    for number in (1, 2):
        checked_deal(table, number, random_record(Random(table.number * 10 + number)))


def _make_up_the_rest(tournament: Tournament) -> None:
    for section in SECTIONS:
        rows = section.model._base_manager.filter(**{section.path: tournament.pk})
        if section.name != "audit_chain" and not rows.exists():
            values = {field.attname: _made_up(field, tournament) for field in section.fields}
            values |= {
                name: f"{section.name}-{name}"[:12]
                for name, maker in section.left_out.items()
                if maker is not None
            }
            section.model._base_manager.create(**{**values, **_ASKED.get(section.name, {})})


def _made_up(field: models.Field, tournament: Tournament) -> Any:
    if field.is_relation:
        return _related(field, tournament)
    if field.choices:
        return next(value for value, _label in field.flatchoices if value)
    if isinstance(field, models.JSONField):
        return [] if field.get_default() == [] else {"乙": [1, None, "x"], "甲": {"b": True}}
    if isinstance(field, PointsField):
        return 7
    if isinstance(field, models.BooleanField):
        return True
    if isinstance(field, models.IntegerField):
        return 1
    if isinstance(field, models.DateTimeField):
        return timezone.now()
    if isinstance(field, models.DateField):
        return timezone.localdate()
    if isinstance(field, models.UUIDField):
        return uuid4()
    if isinstance(field, models.GenericIPAddressField):
        return "192.0.2.9"
    return "王"


def _related(field: models.Field, tournament: Tournament) -> Any:
    target = section_of(field.related_model)
    if target == PEOPLE:
        return make_user().pk
    if target == RULESETS:
        return tournament.events.first().ruleset_version_id
    section = next(one for one in SECTIONS if one.name == target)
    rows = section.model._base_manager.filter(**{section.path: tournament.pk}).order_by("-pk")
    taken = field.model._base_manager.values_list(field.attname, flat=True) if field.unique else []
    return rows.exclude(pk__in=[pk for pk in taken if pk is not None]).first().pk
