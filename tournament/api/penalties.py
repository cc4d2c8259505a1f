"""Organising: penalties of an event."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request

from referee.models import Penalty
from referee.services.penalties import cancel_penalty, give_penalty
from tournament.api.fields import Body, PointsIn, PointsOut, Reason, ReasonBody, WholeNumber
from tournament.api.foresight import require_light
from tournament.api.operations import command_id, operation
from tournament.api.paging import Listed
from tournament.api.views import OrganiseView

TAG = "Organise: penalties"
_NONE = _("There is no such thing in this event.")


class PenaltyBody(Body):
    """``points`` are added to the entry's result of the round, in the event's measure: negative takes away,
    0 is a warning. ``sure`` confirms more than a whole round is worth.
    """

    entry = WholeNumber(help_text="The entry's number.")
    round = WholeNumber()
    rule = serializers.CharField(max_length=200, allow_blank=True)
    points = PointsIn()
    reason = Reason()
    sure = serializers.BooleanField(default=False)


class PenaltyOut(serializers.Serializer):
    id = serializers.IntegerField()
    entry = serializers.IntegerField(source="entry.number")
    round = serializers.IntegerField(source="round.number")
    table = serializers.IntegerField(source="table.number", allow_null=True)
    deal = serializers.IntegerField(source="deal.number", allow_null=True)
    player = serializers.CharField(source="player.name", allow_null=True)
    rule = serializers.CharField()
    points = PointsOut()
    reason = serializers.CharField()
    given_at = serializers.DateTimeField()
    cancelled_at = serializers.DateTimeField(allow_null=True)
    cancel_reason = serializers.CharField(allow_blank=True)


class PenaltiesView(OrganiseView):
    tag = TAG

    @operation(output=PenaltyOut, paged=True)
    def get(self, request: Request) -> Listed:
        """All penalties, cancelled ones too, the newest first."""
        return Listed(_penalties(self.event.pk).order_by("-given_at", "-id"))

    @operation(input=PenaltyBody, output=PenaltyOut, status=201, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> Penalty:
        """Give an entry a penalty. A correction where others go by the round."""
        values = dict(data)
        number = values.pop("entry")
        entry = self.event.entries.filter(number=number).first()
        round_ = self.event.rounds.filter(number=values.pop("round")).first()
        faults = {name: _NONE for name, one in (("entry", entry), ("round", round_)) if one is None}
        if faults:
            raise serializers.ValidationError(faults)
        require_light(round_)
        outcome = give_penalty(
            actor=self.actor,
            event=self.event,
            entry=entry,
            round=round_,
            command_id=command_id(request),
            **values,
        )
        return _penalties(self.event.pk).get(pk=outcome.body["penalty"])


class CancelPenaltyView(OrganiseView):
    tag = TAG

    @operation(input=ReasonBody, output=PenaltyOut, once=True)
    def post(self, request: Request, penalty: int, data: dict[str, Any]) -> Penalty:
        """Cancel a penalty: it no longer counts, and stays on record. A correction where others go by
        the round.
        """
        found = get_object_or_404(_penalties(self.event.pk), pk=penalty)
        require_light(found.round)
        cancel_penalty(actor=self.actor, penalty=found, command_id=command_id(request), **data)
        return _penalties(self.event.pk).get(pk=penalty)


def _penalties(event: int) -> Any:
    return Penalty.objects.filter(event=event).select_related(
        "event__tournament", "entry", "round", "table", "deal", "player"
    )
