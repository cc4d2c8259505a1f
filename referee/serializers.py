"""The bodies that the table's interface takes. They read types; every rule is judged in the services."""

from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from tournament.points import read_points
from tournament.services.validation import REASON_LENGTH


class SeatField(serializers.CharField):
    """A seat's letter, or "" for none."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=1, allow_blank=True, default="", **kwargs)


class PointsInput(serializers.Field):
    """Points as a whole number or a text such as "-5/2"."""

    default_error_messages = {"invalid": _("“{value}” is not a number of points.")}

    def to_internal_value(self, data: Any) -> Fraction | int:
        if isinstance(data, bool) or not isinstance(data, int | str) or len(str(data)) > 20:
            self.fail("invalid", value=str(data)[:20])
        try:
            return read_points(str(data))
        except ValueError:
            self.fail("invalid", value=str(data)[:20])


class MomentInput(serializers.DateTimeField):
    """A time of our days. Time zones of long ago have odd seconds, those far ahead are unknown, and near both
    ends of the calendar a time cannot be told in every zone.
    """

    default_error_messages = {"years": _("The year is from {first} to {last}.")}
    FIRST, LAST = 2000, 2100

    def to_internal_value(self, value: Any) -> Any:
        try:
            when = super().to_internal_value(value)
        except OverflowError:
            self.fail("years", first=self.FIRST, last=self.LAST)
        if not self.FIRST <= when.year <= self.LAST:
            self.fail("years", first=self.FIRST, last=self.LAST)
        return when


class TabletMoment(MomentInput):
    """A time by a tablet's own clock. One that has lost it says 1970; its records are taken all the same."""

    FIRST = 1969


class CommandInput(serializers.Serializer):
    """Every command carries an id that its sender made."""

    command_id = serializers.UUIDField()


class ReasonField(serializers.CharField):
    """Why something is done; whether it may be empty is the service's to say."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=REASON_LENGTH, allow_blank=True, default="", **kwargs)


class ScoreInput(serializers.Serializer):
    """A record, perhaps incomplete, to be scored and not stored."""

    record = serializers.JSONField()


class RecordInput(CommandInput):
    record = serializers.JSONField()
    based_on = serializers.IntegerField(min_value=0, max_value=10_000, default=0)
    entered_seat = SeatField()
    shown = serializers.DictField(default=None, allow_null=True)
    seating = serializers.CharField(max_length=200, allow_blank=True, default="")
    tablet_at = TabletMoment(default=None, allow_null=True)


class SignInput(CommandInput):
    """``record``: what a disputing seat says is right."""

    version = serializers.IntegerField(min_value=1, max_value=10_000)
    seat = serializers.CharField(max_length=1)
    verdict = serializers.CharField(max_length=10)
    reason = ReasonField()
    record = serializers.JSONField(default=None, allow_null=True)


class SecondInput(CommandInput):
    version = serializers.IntegerField(min_value=1, max_value=10_000)
    record = serializers.JSONField()
    entered_seat = SeatField()


class DisputeInput(CommandInput):
    outcome = serializers.CharField(max_length=10)
    ruling = ReasonField()


class RulingInput(CommandInput):
    """What ``facts`` hold depends on the kind: `referee.services.rulings`. ``version``: a recorded deal's."""

    version = serializers.IntegerField(min_value=1, max_value=10_000, allow_null=True, default=None)
    kind = serializers.CharField(max_length=15)
    facts = serializers.DictField()
    note = ReasonField()


class ColourInput(CommandInput):
    version = serializers.IntegerField(min_value=1, max_value=10_000)
    cards = serializers.ListField(child=serializers.CharField(max_length=8), max_length=32)
    to_seat = serializers.CharField(max_length=1)
    note = ReasonField()


class TrickLogInput(CommandInput):
    tricks = serializers.JSONField()
    exposed = serializers.JSONField(default=list)


class CheckInput(CommandInput):
    version = serializers.IntegerField(min_value=1, max_value=10_000)
    relation = serializers.CharField(max_length=10)
    seat = SeatField()


class UndoInput(CommandInput):
    version = serializers.IntegerField(min_value=1, max_value=10_000)
    reason = ReasonField()


class VoidInput(CommandInput):
    """Version 0: the deal was never entered."""

    version = serializers.IntegerField(min_value=0, max_value=10_000)
    reason = ReasonField()


class CorrectInput(CommandInput):
    version = serializers.IntegerField(min_value=1, max_value=10_000)
    record = serializers.JSONField()
    entered_seat = SeatField()
    reason = ReasonField()


class ReasonInput(CommandInput):
    reason = ReasonField()


class SegmentInput(CommandInput):
    segment = serializers.IntegerField(min_value=1, max_value=100)


class PenaltyInput(CommandInput):
    """``seat`` is who is punished, with ``target`` also its side or its entry; ``deal`` the number of a deal
    at the table, ``game`` that of a game, if it was in one; ``article`` the id of a stored article. ``sure``
    confirms points beyond what a round is worth in the event's measure.
    """

    seat = serializers.CharField(max_length=1)
    target = serializers.CharField(max_length=6, default="seat")
    article = serializers.IntegerField(min_value=1, allow_null=True, default=None)
    game = serializers.IntegerField(min_value=1, max_value=1000, allow_null=True, default=None)
    rule = serializers.CharField(max_length=200, allow_blank=True)
    points = PointsInput()
    reason = ReasonField()
    deal = serializers.IntegerField(min_value=1, max_value=10_000, allow_null=True, default=None)
    sure = serializers.BooleanField(default=False)
