"""Organising: who is in the field of a draw, and by what ties are broken."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import Body, Nothing, ObjectOut, Reason, WholeNumber
from tournament.api.operations import operation
from tournament.api.paging import Listed
from tournament.api.views import OrganiseView
from tournament.models import Absence, ApartGroup, Event
from tournament.queries.criteria import CRITERIA
from tournament.services.constraints import keep_apart, let_meet, mark_absent, set_apart_rounds, unmark_absent
from tournament.services.draw import SEEDS
from tournament.services.tie_breaks import choose_tie_breaks, draw_lots

TAG = "Organise: constraints and tie-breaks"


class ApartBody(Body):
    """Numbers of two or more entries that never meet while it can be avoided."""

    numbers = serializers.ListField(child=WholeNumber(min_value=1), max_length=2000)
    name = serializers.CharField(max_length=120, allow_blank=True, default="")


class ApartOut(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    numbers = serializers.SerializerMethodField()

    def get_numbers(self, group: ApartGroup) -> list[int]:
        return sorted(entry.number for entry in group.entries.all())


class ApartRoundsBody(Body):
    """In how many of the first rounds those of one club, and the seeded, are kept apart."""

    clubs = WholeNumber()
    seeds = WholeNumber()


class ApartRoundsOut(serializers.Serializer):
    clubs = serializers.IntegerField(source="clubs_apart_rounds")
    seeds = serializers.SerializerMethodField()

    def get_seeds(self, event: Event) -> int:
        return event.options.get("seeds_apart_rounds", 0)


class AbsentBody(Body):
    """Numbers of entries that do not come to the round."""

    numbers = serializers.ListField(child=WholeNumber(min_value=1), max_length=2000)
    reason = Reason()


class AbsenceOut(serializers.Serializer):
    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    reason = serializers.CharField(allow_blank=True)


class TieBreaksBody(Body):
    """Criteria in their order; the event's own measure comes before them all."""

    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField([one.value for one in CRITERIA]), max_length=len(CRITERIA)
    )


class TieBreaksOut(serializers.Serializer):
    tie_breaks = serializers.SerializerMethodField()

    def get_tie_breaks(self, event: Event) -> list[str]:
        return list(event.options.get("tie_breaks", ()))


class LotsBody(Body):
    seed = WholeNumber(max_value=SEEDS - 1, required=False, allow_null=True)


class LotsOut(serializers.Serializer):
    lots = ObjectOut(help_text="Lots by number of the entry; the lowest comes first.")


class SettingView(OrganiseView):
    """Something that is kept with the event itself."""

    tag = TAG

    def found(self, *, lock: bool) -> Event:
        events = Event.objects.select_related("tournament")
        return (events.select_for_update(of=("self",), no_key=True) if lock else events).get(pk=self.event.pk)


class ApartGroupsView(OrganiseView):
    tag = TAG

    @operation(output=ApartOut, paged=True)
    def get(self, request: Request) -> Listed:
        """Groups of entries that are kept apart."""
        return Listed(self.event.apart_groups.prefetch_related("entries").order_by("id"))

    @operation(input=ApartBody, output=ApartOut, status=201, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> ApartGroup:
        """Keep two or more entries apart."""
        return keep_apart(actor=self.actor, event=self.event, **data)


class ApartGroupView(OrganiseView):
    tag = TAG

    def found(self, *, group: int, lock: bool) -> ApartGroup:
        groups = self.event.apart_groups.select_related("event__tournament")
        return get_object_or_404(
            groups.select_for_update(of=("self",), no_key=True) if lock else groups, pk=group
        )

    @operation(output=ApartOut)
    def get(self, request: Request, group: int) -> ApartGroup:
        """A group of entries that are kept apart."""
        return self.found(group=group, lock=False)

    @operation(versioned=True)
    def delete(self, request: Request, group: int, found: ApartGroup) -> None:
        """Let the entries of a group meet again."""
        let_meet(actor=self.actor, group=found)


class ApartRoundsView(SettingView):
    @operation(output=ApartRoundsOut)
    def get(self, request: Request) -> Event:
        """In how many rounds clubs and seeds are kept apart."""
        return self.found(lock=False)

    @operation(input=ApartRoundsBody, output=ApartRoundsOut, versioned=True)
    def put(self, request: Request, found: Event, data: dict[str, Any]) -> Event:
        """Say in how many rounds clubs and seeds are kept apart."""
        return set_apart_rounds(actor=self.actor, event=found, **data)


class AbsencesView(OrganiseView):
    tag = TAG

    @operation(output=AbsenceOut, paged=True)
    def get(self, request: Request, round: int) -> Listed:
        """Entries that do not come to a round."""
        return Listed(self._absences(round))

    @operation(input=AbsentBody, output=AbsenceOut, many=True, status=201, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> list[Absence]:
        """Mark entries that do not come to a round, before it is drawn."""
        return mark_absent(actor=self.actor, round=self.round(round), **data)

    def _absences(self, number: int) -> Any:
        return self.round(number).absences.select_related("entry").order_by("entry__number")


class PresentView(OrganiseView):
    tag = TAG

    @operation(input=Nothing, once=True)
    def post(self, request: Request, round: int, number: int, data: dict[str, Any]) -> None:
        """An entry that was marked absent comes after all."""
        unmark_absent(actor=self.actor, round=self.round(round), number=number)


class TieBreaksView(SettingView):
    @operation(output=TieBreaksOut)
    def get(self, request: Request) -> Event:
        """By what ties are broken; empty: as is usual for the event."""
        return self.found(lock=False)

    @operation(input=TieBreaksBody, output=TieBreaksOut, versioned=True)
    def put(self, request: Request, found: Event, data: dict[str, Any]) -> Event:
        """Choose by what ties are broken, in this order."""
        return choose_tie_breaks(actor=self.actor, event=found, **data)


class LotsView(OrganiseView):
    tag = TAG

    @operation(input=LotsBody, output=LotsOut, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> dict[str, Any]:
        """Draw a lot for every entry that has none; answers all lots."""
        return {"lots": draw_lots(actor=self.actor, event=self.event, **data)}
