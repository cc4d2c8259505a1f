"""Organising: announcements and the schedule."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import Body, Moment, Nothing
from tournament.api.operations import operation
from tournament.api.paging import Listed
from tournament.api.public import AnnouncementOut, ScheduleLineOut
from tournament.api.rounds import RoundOut
from tournament.api.views import OrganiseView
from tournament.models import Announcement, Round, ScheduleItem
from tournament.queries.notices import whole_schedule
from tournament.services.notices import (
    edit_announcement,
    post_announcement,
    restore_announcement,
    withdraw_announcement,
)
from tournament.services.schedule import add_schedule_item, plan_round, remove_schedule_item

TAG = "Organise: announcements and schedule"


class AnnouncementBody(Body):
    title = serializers.CharField(max_length=200)
    body = serializers.CharField(max_length=5000, allow_blank=True, default="")
    pinned = serializers.BooleanField(default=False)


class NewAnnouncementBody(AnnouncementBody):
    event = serializers.SlugField(max_length=60, required=False, help_text="Of this event alone.")


class OwnAnnouncementOut(AnnouncementOut):
    id = serializers.IntegerField()
    withdrawn_at = serializers.DateTimeField(allow_null=True)


class ItemBody(Body):
    title = serializers.CharField(max_length=200)
    starts_at = Moment()
    ends_at = Moment(allow_null=True, default=None)
    place = serializers.CharField(max_length=200, allow_blank=True, default="")
    event = serializers.SlugField(max_length=60, required=False, help_text="Of this event alone.")


class ItemOut(serializers.Serializer):
    id = serializers.IntegerField()
    title = serializers.CharField()
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(allow_null=True)
    place = serializers.CharField(allow_blank=True)
    event = serializers.CharField(source="event.slug", allow_null=True)


class OwnLineOut(ScheduleLineOut):
    """``item`` is the id of a line that is no round."""

    item = serializers.IntegerField(source="item.pk", allow_null=True)


class TimeBody(Body):
    starts_at = Moment(allow_null=True, help_text="null takes the time off.")


class OwnAnnouncementsView(OrganiseView):
    tag = TAG

    @operation(output=OwnAnnouncementOut, paged=True)
    def get(self, request: Request) -> Listed:
        """All announcements, withdrawn ones too."""
        return Listed(self.tournament.announcements.select_related("event"))

    @operation(input=NewAnnouncementBody, output=OwnAnnouncementOut, status=201, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> Announcement:
        """Put up an announcement. It is public at once."""
        values = {**data, "event": self.event_of(data.get("event"))}
        return post_announcement(actor=self.actor, tournament=self.tournament, **values)


class AnnouncementView(OrganiseView):
    tag = TAG

    def found(self, *, announcement: int, lock: bool) -> Announcement:
        rows = self.tournament.announcements.select_related("event", "tournament")
        return get_object_or_404(
            rows.select_for_update(of=("self",), no_key=True) if lock else rows, pk=announcement
        )

    @operation(output=OwnAnnouncementOut)
    def get(self, request: Request, announcement: int) -> Announcement:
        """An announcement."""
        return self.found(announcement=announcement, lock=False)

    @operation(input=AnnouncementBody, output=OwnAnnouncementOut, versioned=True)
    def put(
        self, request: Request, announcement: int, found: Announcement, data: dict[str, Any]
    ) -> Announcement:
        """Change an announcement: the whole of it is stated."""
        return edit_announcement(actor=self.actor, announcement=found, **data)

    @operation(versioned=True)
    def delete(self, request: Request, announcement: int, found: Announcement) -> None:
        """Take an announcement off the pages; it stays on record."""
        withdraw_announcement(actor=self.actor, announcement=found)


class RestoreView(OrganiseView):
    tag = TAG

    @operation(input=Nothing, output=OwnAnnouncementOut, once=True)
    def post(self, request: Request, announcement: int, data: dict[str, Any]) -> Announcement:
        """Put an announcement that was taken off the pages up again."""
        rows = self.tournament.announcements.select_related("event", "tournament")
        return restore_announcement(actor=self.actor, announcement=get_object_or_404(rows, pk=announcement))


class OwnScheduleView(OrganiseView):
    tag = TAG

    @operation(output=OwnLineOut, paged=True)
    def get(self, request: Request) -> Listed:
        """The schedule of all events, public or not."""
        return Listed([line for day in whole_schedule(self.tournament) for line in day.lines])

    @operation(input=ItemBody, output=ItemOut, status=201, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> ScheduleItem:
        """Add a line that is no round, such as the opening or lunch."""
        values = {**data, "event": self.event_of(data.get("event"))}
        return add_schedule_item(actor=self.actor, tournament=self.tournament, **values)


class ScheduleItemView(OrganiseView):
    tag = TAG

    def found(self, *, item: int, lock: bool) -> ScheduleItem:
        rows = self.tournament.schedule_items.select_related("event", "tournament")
        return get_object_or_404(rows.select_for_update(of=("self",), no_key=True) if lock else rows, pk=item)

    @operation(output=ItemOut)
    def get(self, request: Request, item: int) -> ScheduleItem:
        """A line of the schedule that is no round."""
        return self.found(item=item, lock=False)

    @operation(versioned=True)
    def delete(self, request: Request, item: int, found: ScheduleItem) -> None:
        """Take a line off the schedule."""
        remove_schedule_item(actor=self.actor, item=found)


class RoundTimeView(OrganiseView):
    tag = TAG

    @operation(input=TimeBody, output=RoundOut, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> Round:
        """Say when a round is to begin."""
        plan_round(actor=self.actor, round=self.round(round), **data)
        return self.round(round)
