"""Organising: stages, and who advances to them."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import Body, ObjectOut, PointsOut, Reason, ReasonBody, WholeNumber
from tournament.api.operations import operation
from tournament.api.paging import Listed
from tournament.api.rounds import DrawBody
from tournament.api.views import OrganiseView
from tournament.models import Stage
from tournament.queries.advancement import Preview, advancement_preview
from tournament.services.advance import confirm_advancement, withdraw_advancement
from tournament.services.draw_plan import draw_whole_plan
from tournament.services.errors import Refused
from tournament.services.stages import StageData, add_stage, configure_stage, remove_stage

TAG = "Organise: stages"


class StageBody(Body):
    """``options`` are those of the format; the usual ones where not given."""

    format = serializers.CharField(max_length=30)
    rounds = WholeNumber(min_value=1, max_value=60)
    name = serializers.CharField(max_length=80, allow_blank=True, default="")
    options = serializers.DictField(default=dict)
    carry = serializers.BooleanField(default=True, help_text="Points of the stages before count on.")


class StageOut(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    format = serializers.CharField()
    options = ObjectOut()
    rounds = serializers.SerializerMethodField()
    members = serializers.SerializerMethodField(help_text="Numbers of the entries, by their seeds.")

    def get_rounds(self, stage: Stage) -> list[int]:
        return list(stage.rounds.order_by("number").values_list("number", flat=True))

    def get_members(self, stage: Stage) -> list[int]:
        return list(stage.members.order_by("place").values_list("entry__number", flat=True))


class PlacesQuery(serializers.Serializer):
    places = WholeNumber(min_value=1, max_value=2000, help_text="How many advance.")


class AdvancingOut(serializers.Serializer):
    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    rank = serializers.IntegerField()
    total = PointsOut()
    missing = serializers.IntegerField()
    place = serializers.IntegerField(allow_null=True)
    tied = serializers.BooleanField()
    may_change = serializers.BooleanField()
    group = serializers.IntegerField(allow_null=True)


class AdvancementOut(serializers.Serializer):
    """Who would advance now; ``settled``: nothing has to be decided or waited for."""

    after_round = serializers.IntegerField()
    settled = serializers.BooleanField()
    lines = AdvancingOut(many=True)


class AdvanceBody(Body):
    """Numbers of those who advance, the first seed first."""

    numbers = serializers.ListField(child=WholeNumber(min_value=1), min_length=1, max_length=2000)
    reason = Reason(help_text="Needed where a place is open or the list differs from the standings.")


class DrawnOut(serializers.Serializer):
    rounds = serializers.ListField(child=serializers.IntegerField())


class StagesView(OrganiseView):
    tag = TAG

    @operation(output=StageOut, paged=True)
    def get(self, request: Request) -> Listed:
        """All stages in their order."""
        return Listed(self.event.stages.order_by("number"))

    @operation(input=StageBody, output=StageOut, status=201, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> Stage:
        """Add a stage after the last."""
        return add_stage(actor=self.actor, event=self.event, data=StageData(**data))


class StageView(OrganiseView):
    tag = TAG

    def found(self, *, stage: int, lock: bool) -> Stage:
        stages = self.event.stages.select_related("event__tournament")
        return get_object_or_404(
            stages.select_for_update(of=("self",), no_key=True) if lock else stages, number=stage
        )

    @operation(output=StageOut)
    def get(self, request: Request, stage: int) -> Stage:
        """A stage."""
        return self.found(stage=stage, lock=False)

    @operation(input=StageBody, output=StageOut, versioned=True)
    def put(self, request: Request, stage: int, found: Stage, data: dict[str, Any]) -> Stage:
        """Change a stage: the whole of it is stated."""
        return configure_stage(actor=self.actor, stage=found, data=StageData(**data))

    @operation(versioned=True)
    def delete(self, request: Request, stage: int, found: Stage) -> None:
        """Remove the last stage, as long as none of its rounds is drawn."""
        remove_stage(actor=self.actor, stage=found)


class StageActView(OrganiseView):
    """What can be done with a stage."""

    tag = TAG

    def stage(self, number: int) -> Stage:
        """The stage of that number. Raises Http404."""
        return get_object_or_404(self.event.stages.select_related("event__tournament"), number=number)


class AdvanceView(StageActView):
    @operation(query=PlacesQuery, output=AdvancementOut)
    def get(self, request: Request, stage: int, query: dict[str, Any]) -> Preview:
        """Who would advance to a stage now, and whose place a result still to come could change."""
        try:
            return advancement_preview(self.stage(stage), query["places"])
        except ValueError as fault:
            raise Refused(
                "first_stage", _("Everybody plays in the first stage: nobody advances to it.")
            ) from fault

    @operation(input=AdvanceBody, output=StageOut, once=True)
    def post(self, request: Request, stage: int, data: dict[str, Any]) -> Stage:
        """Confirm who advances."""
        confirm_advancement(actor=self.actor, stage=self.stage(stage), **data)
        return self.stage(stage)


class WithdrawAdvanceView(StageActView):
    @operation(input=ReasonBody, output=StageOut, once=True)
    def post(self, request: Request, stage: int, data: dict[str, Any]) -> Stage:
        """Take back who advances."""
        withdraw_advancement(actor=self.actor, stage=self.stage(stage), **data)
        return self.stage(stage)


class DrawPlanView(StageActView):
    @operation(input=DrawBody, output=DrawnOut, status=201, once=True)
    def post(self, request: Request, stage: int, data: dict[str, Any]) -> dict[str, Any]:
        """Draw all rounds of a planned stage as previews, or none."""
        draws = draw_whole_plan(actor=self.actor, stage=self.stage(stage), **data)
        return {"rounds": [draw.round.number for draw in draws]}
