"""Organising: the tournament, its events and entries."""

import io
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from scoring.models import RulesetVersion
from tournament.api.fields import LARGEST, Body, Nothing, PointsIn, PointsOut, ReasonBody, WholeNumber
from tournament.api.operations import Download, operation
from tournament.api.paging import Listed
from tournament.api.parsers import WorkbookParser
from tournament.api.public import EventOut, TournamentOut
from tournament.api.views import OrganiseView
from tournament.excel.reading import read_entries
from tournament.excel.template import entry_template
from tournament.excel.writing import result_workbook
from tournament.models import Entry, Event, Tournament
from tournament.pairing.options import OddAnswer
from tournament.queries.rulesets import choosable_versions
from tournament.services.entries import (
    EntryData,
    add_entry,
    delete_entry,
    edit_entry,
    return_entry,
    withdraw_entry,
)
from tournament.services.errors import Conflict
from tournament.services.events import create_event, edit_event, finish_event
from tournament.services.import_entries import import_entries, preview
from tournament.services.publicity import set_publicity
from tournament.services.structure_options import MOST_PLACES
from tournament.services.tournaments import edit_tournament
from tournament.tasks.workbooks import is_large
from tournament.views.manage.downloads import XLSX

TAG = "Organise: events and entries"


class TournamentBody(Body):
    """What is not sent stays."""

    name = serializers.CharField(max_length=120, required=False)
    slug = serializers.SlugField(max_length=60, required=False)
    venue = serializers.CharField(max_length=200, allow_blank=True, required=False)
    starts_on = serializers.DateField(allow_null=True, required=False)
    ends_on = serializers.DateField(allow_null=True, required=False)
    time_zone = serializers.CharField(max_length=60, required=False)


class OptionsBody(Body):
    """What is not sent stays; null takes away what was stated, so that the usual holds.

    ``segments`` such as ``{"count": 2, "change": "partners"}``; ``place_points`` from the first place to the
    last; ``victory_points`` as rows of the least difference and what both sides get.
    """

    segments = serializers.DictField(required=False, allow_null=True)
    duplicate = serializers.BooleanField(required=False, allow_null=True)
    place_points = serializers.ListField(
        child=WholeNumber(), max_length=MOST_PLACES, required=False, allow_null=True
    )
    victory_points = serializers.ListField(
        child=serializers.ListField(child=WholeNumber(), min_length=3, max_length=3),
        max_length=100,
        required=False,
        allow_null=True,
    )
    odd = serializers.ChoiceField([one.value for one in OddAnswer], required=False)
    bye_points = WholeNumber(min_value=-LARGEST, required=False)


class EventPatch(Body):
    """What is not sent stays. ``plan`` is a round plan, e.g. ``{"kind": "set", "deals": 16}``."""

    name = serializers.CharField(max_length=120, required=False)
    slug = serializers.SlugField(max_length=60, required=False)
    kind = serializers.ChoiceField(Event.Kind.choices, required=False)
    ruleset = serializers.SlugField(max_length=60, required=False, help_text="The key of a ruleset.")
    plan = serializers.DictField(required=False)
    measure = serializers.ChoiceField(Event.Measure.choices, required=False)
    planned_rounds = WholeNumber(required=False)
    clubs_apart_rounds = WholeNumber(required=False, max_value=60)
    options = OptionsBody(required=False)


class EventBody(EventPatch):
    """A new event. ``plan`` is a round plan, e.g. ``{"kind": "set", "deals": 16}``."""

    name = serializers.CharField(max_length=120)
    slug = serializers.SlugField(max_length=60)
    kind = serializers.ChoiceField(Event.Kind.choices)
    ruleset = serializers.SlugField(max_length=60, help_text="The key of a ruleset.")
    plan = serializers.DictField()
    measure = serializers.ChoiceField(Event.Measure.choices)
    planned_rounds = WholeNumber()
    first_format = serializers.CharField(max_length=30, required=False, help_text="The first stage's.")


class OwnEventOut(EventOut):
    ruleset = serializers.CharField(source="ruleset_version.book.key")
    ruleset_version = serializers.IntegerField(source="ruleset_version.number")
    plan = serializers.DictField()
    clubs_apart_rounds = serializers.IntegerField()
    options = serializers.SerializerMethodField(help_text="Those of OptionsBody that are stated.")
    state = serializers.ChoiceField(Event.State.choices)
    visibility = serializers.ChoiceField(Event.Visibility.choices)
    live = serializers.ChoiceField(Event.Live.choices)

    def get_options(self, event: Event) -> dict[str, Any]:
        return {name: event.options[name] for name in OptionsBody().fields if name in event.options}


class PublicityBody(Body):
    visibility = serializers.ChoiceField(Event.Visibility.choices)
    live = serializers.ChoiceField(Event.Live.choices)


class EntryPatch(Body):
    """What is not sent stays."""

    number = WholeNumber(required=False)
    name = serializers.CharField(max_length=200, allow_blank=True, required=False)
    club = serializers.CharField(max_length=200, allow_blank=True, required=False)
    players = serializers.ListField(
        child=serializers.CharField(max_length=200, allow_blank=True), max_length=60, required=False
    )
    seeding = WholeNumber(allow_null=True, required=False)
    first_round = WholeNumber(required=False)
    start_points = PointsIn(required=False)


class EntryBody(EntryPatch):
    """A new entry; without a number it gets the next one. A single player needs only a name."""


class EntryOut(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    club = serializers.CharField(allow_blank=True)
    players = serializers.SerializerMethodField()
    status = serializers.ChoiceField(Entry.Status.choices)
    seeding = serializers.IntegerField(allow_null=True)
    first_round = serializers.IntegerField()
    start_points = PointsOut()
    house = serializers.BooleanField()

    def get_players(self, entry: Entry) -> list[str]:
        return [player.name for player in sorted(entry.players.all(), key=lambda one: one.place)]


class ImportOut(serializers.Serializer):
    """Numbers of the entries added and changed, and how many rows say nothing new."""

    added = serializers.ListField(child=serializers.IntegerField())
    changed = serializers.ListField(child=serializers.IntegerField())
    unchanged = serializers.IntegerField()


class ImportRowOut(serializers.Serializer):
    row = serializers.IntegerField()
    status = serializers.CharField()
    name = serializers.CharField(allow_blank=True)


class ImportFaultOut(serializers.Serializer):
    cell = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    message = serializers.CharField()


class ImportPreviewOut(serializers.Serializer):
    """What importing would do; with any fault it cannot be done."""

    ok = serializers.BooleanField()
    rows = ImportRowOut(many=True)
    faults = ImportFaultOut(many=True)


class OwnTournamentView(OrganiseView):
    tag = TAG

    def found(self, *, lock: bool) -> Tournament:
        tournaments = Tournament.objects.select_for_update(no_key=True) if lock else Tournament.objects
        return tournaments.get(pk=self.tournament.pk)

    @operation(output=TournamentOut)
    def get(self, request: Request) -> Tournament:
        """The tournament of the token."""
        return self.found(lock=False)

    @operation(input=TournamentBody, output=TournamentOut, versioned=True)
    def patch(self, request: Request, found: Tournament, data: dict[str, Any]) -> Tournament:
        """Change the tournament."""
        return edit_tournament(actor=self.actor, tournament=found, **data)


class OwnEventsView(OrganiseView):
    tag = TAG

    @operation(output=OwnEventOut, paged=True)
    def get(self, request: Request) -> Listed:
        """All events of the tournament."""
        return Listed(self.tournament.events.select_related("ruleset_version__book"))

    @operation(input=EventBody, output=OwnEventOut, status=201, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> Event:
        """Create an event with its first stage and its rounds."""
        return create_event(actor=self.actor, tournament=self.tournament, **_event_values(data, {}))


class OwnEventView(OrganiseView):
    tag = TAG

    def found(self, *, lock: bool) -> Event:
        events = Event.objects.select_related("tournament", "ruleset_version__book")
        return (events.select_for_update(of=("self",), no_key=True) if lock else events).get(pk=self.event.pk)

    @operation(output=OwnEventOut)
    def get(self, request: Request) -> Event:
        """An event with its settings."""
        return self.found(lock=False)

    @operation(input=EventPatch, output=OwnEventOut, versioned=True)
    def patch(self, request: Request, found: Event, data: dict[str, Any]) -> Event:
        """Change an event. Once it has started, its kind, ruleset, plan and measure stay."""
        return edit_event(actor=self.actor, event=found, **_event_values(data, found.options))


class FinishEventView(OrganiseView):
    tag = TAG

    @operation(input=Nothing, output=OwnEventOut, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> Event:
        """Mark an event finished; all its rounds must be closed."""
        return finish_event(actor=self.actor, event=self.event)


class PublicityView(OrganiseView):
    tag = "Organise: publishing"

    @operation(input=PublicityBody, output=OwnEventOut, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> Event:
        """Decide whether the public may know of the event, and what is published by itself."""
        return set_publicity(actor=self.actor, event=self.event, **data)


class WorkbookView(OrganiseView):
    tag = "Organise: exports"

    @operation(media_type=XLSX)
    def get(self, request: Request) -> Download:
        """The result workbook of an event. That of a large one is ordered (workbooks)."""
        if is_large(self.event):
            raise Conflict("workbook_large", _("The event has many deals: order its workbook."))
        return Download(result_workbook(self.event, get_language()), f"{self.event.name}.xlsx")


class TemplateView(OrganiseView):
    tag = "Organise: exports"

    @operation(media_type=XLSX)
    def get(self, request: Request) -> Download:
        """An empty entry list with the columns that this kind of event needs."""
        return Download(entry_template(self.event, get_language()), f"{self.event.name}.xlsx")


class OwnEntriesView(OrganiseView):
    tag = TAG

    @operation(output=EntryOut, paged=True)
    def get(self, request: Request) -> Listed:
        """All entries, by number."""
        return Listed(self.event.entries.prefetch_related("players").order_by("number"))

    @operation(input=EntryBody, output=EntryOut, status=201, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> Entry:
        """Add an entry."""
        return add_entry(actor=self.actor, event=self.event, data=_entry_data(EntryData(), data))


class EntryView(OrganiseView):
    """One entry of the event."""

    tag = TAG

    def found(self, *, number: int, lock: bool) -> Entry:
        return _entry(self.event, number, lock=lock)

    @operation(output=EntryOut)
    def get(self, request: Request, number: int) -> Entry:
        """An entry."""
        return self.found(number=number, lock=False)

    @operation(input=EntryPatch, output=EntryOut, versioned=True)
    def patch(self, request: Request, number: int, found: Entry, data: dict[str, Any]) -> Entry:
        """Change an entry. Once it has been drawn, its number stays and no player is removed."""
        stored = EntryData(
            name=found.name,
            club=found.club,
            players=tuple(player.name for player in found.players.order_by("place")),
            number=found.number,
            seeding=found.seeding,
            first_round=found.first_round,
            start_points=found.start_points,
        )
        return edit_entry(actor=self.actor, entry=found, data=_entry_data(stored, data))

    @operation(versioned=True)
    def delete(self, request: Request, number: int, found: Entry) -> None:
        """Remove an entry made by mistake, before it has been drawn."""
        delete_entry(actor=self.actor, entry=found)


class WithdrawEntryView(OrganiseView):
    tag = TAG

    @operation(input=ReasonBody, output=EntryOut, once=True)
    def post(self, request: Request, number: int, data: dict[str, Any]) -> Entry:
        """An entry plays no more; its results stay."""
        return withdraw_entry(actor=self.actor, entry=_entry(self.event, number), **data)


class ReturnEntryView(OrganiseView):
    tag = TAG

    @operation(input=ReasonBody, output=EntryOut, once=True)
    def post(self, request: Request, number: int, data: dict[str, Any]) -> Entry:
        """A withdrawn entry takes part again from the next draw on."""
        return return_entry(actor=self.actor, entry=_entry(self.event, number), **data)


class ImportEntriesView(OrganiseView):
    tag = TAG
    parser_classes = [WorkbookParser]

    @operation(reads_file=True, output=ImportOut, once=True)
    def post(self, request: Request, data: bytes) -> dict[str, Any]:
        """Import entries from a workbook, all or nothing."""
        sheet = read_entries(io.BytesIO(data), self.event)
        outcome = import_entries(actor=self.actor, event=self.event, sheet=sheet)
        return {
            "added": [entry.number for entry in outcome.added],
            "changed": [entry.number for entry in outcome.changed],
            "unchanged": outcome.unchanged,
        }


class ImportPreviewView(OrganiseView):
    tag = TAG
    parser_classes = [WorkbookParser]

    @operation(reads_file=True, output=ImportPreviewOut)
    def post(self, request: Request, data: bytes) -> dict[str, Any]:
        """What importing a workbook would do. Nothing is stored."""
        plan = preview(event=self.event, sheet=read_entries(io.BytesIO(data), self.event))
        rows = [
            {"row": one.row, "status": one.status, "name": one.data.name if one.data else ""}
            for one in plan.rows
        ]
        faults = [{"cell": one.cell, "code": one.code, "message": str(one)} for one in plan.faults]
        return {"ok": plan.ok, "rows": rows, "faults": faults}


def _entry(event: Event, number: int, *, lock: bool = False) -> Entry:
    entries = event.entries.select_related("event__tournament")
    found = entries.select_for_update(of=("self",), no_key=True) if lock else entries
    return get_object_or_404(found, number=number)


def _entry_data(stored: EntryData, data: Mapping[str, Any]) -> EntryData:
    """What is stored, with what was sent in its place."""
    sent = dict(data)
    if "players" in sent:
        sent["players"] = tuple(sent["players"])
    return replace(stored, **sent)


def _event_values(data: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """What the services take; ``options`` are those stored. Raises ValidationError for a ruleset that does
    not exist.
    """
    values = dict(data)
    if "options" in values:
        merged = {**options, **values["options"]}
        values["options"] = {name: value for name, value in merged.items() if value is not None}
    key = values.pop("ruleset", None)
    if key is not None:
        version: RulesetVersion | None = choosable_versions().filter(book__key=key).first()
        if version is None:
            raise serializers.ValidationError({"ruleset": _("There is no such ruleset.")})
        values["ruleset_version"] = version
    return values
