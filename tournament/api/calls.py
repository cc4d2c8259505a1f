"""Organising: the desk while a round is played: calls for a referee, disputes, what waits for a look."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from referee.models import Dispute, TableCall
from referee.queries.board import BoardLine, live_board
from referee.queries.calls import calls_of
from referee.queries.proposed import proposed_for
from referee.queries.review import ReviewLine, review_queue
from referee.services.calls import close_call, take_call
from referee.services.table_corrections import rule_dispute_or_propose
from tournament.api.fields import Body, Nothing, Reason
from tournament.api.operations import command_id, operation
from tournament.api.paging import Listed
from tournament.api.views import OrganiseView
from tournament.models import Draw, Event

TAG = "Organise: calls and disputes"


#: Where: an event, a round of it, a table.
class AtTableOut(serializers.Serializer):
    event = serializers.CharField(source="table.draw.round.event.slug")
    round = serializers.IntegerField(source="table.draw.round.number")
    table = serializers.IntegerField(source="table.number")


class TableCallOut(AtTableOut):
    """``seat`` is who called, empty where nobody said; ``outcome`` is empty while the call is open."""

    id = serializers.IntegerField()
    seat = serializers.CharField(allow_blank=True)
    called_at = serializers.DateTimeField()
    taken_by = serializers.CharField(source="taken_by.username", allow_null=True)
    taken_at = serializers.DateTimeField(allow_null=True)
    outcome = serializers.ChoiceField(["", *TableCall.Outcome.values])
    ruling = serializers.CharField(allow_blank=True)
    closed_at = serializers.DateTimeField(allow_null=True)


class RulingTextBody(Body):
    ruling = Reason(help_text="What was ruled at the table.")


class DisputeOut(serializers.Serializer):
    """``version`` of the deal is disputed; ``offered`` holds the other record (or a tablet's scores), empty
    where none was given.
    """

    id = serializers.IntegerField()
    round = serializers.IntegerField(source="version.deal.table.draw.round.number")
    table = serializers.IntegerField(source="version.deal.table.number")
    deal = serializers.IntegerField(source="version.deal.number")
    version = serializers.IntegerField(source="version.number")
    kind = serializers.ChoiceField(Dispute.Kind.choices)
    seat = serializers.CharField(allow_blank=True)
    record = serializers.SerializerMethodField()
    offered = serializers.SerializerMethodField()
    reason = serializers.CharField(allow_blank=True)
    raised_at = serializers.DateTimeField()
    outcome = serializers.ChoiceField(["", *Dispute.Outcome.values])
    ruling = serializers.CharField(allow_blank=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    correction = serializers.SerializerMethodField(
        help_text="Number of the correction proposed that would put the other record in place; else null."
    )

    def get_correction(self, dispute: Dispute) -> int | None:
        proposed = proposed_for(dispute)
        return proposed and proposed.number

    def get_record(self, dispute: Dispute) -> dict[str, Any]:
        return dispute.version.record or {}

    def get_offered(self, dispute: Dispute) -> dict[str, Any]:
        return dispute.offered or {}


class DisputeBody(Body):
    """``stands``: the record is right; ``offered``: the other takes its place; ``noted``: for an alarm about
    a tablet's figure, which changes nothing.
    """

    outcome = serializers.ChoiceField(
        [Dispute.Outcome.STANDS.value, Dispute.Outcome.OFFERED.value, Dispute.Outcome.NOTED.value]
    )
    ruling = Reason()


class SignOut(serializers.Serializer):
    """Something unusual about a deal."""

    code = serializers.ChoiceField(["beyond", "quick", "figure", "ahead", "behind", "idle"])
    deal = serializers.IntegerField(allow_null=True)


class LiveLineOut(AtTableOut):
    """``planned`` is how many deals a set has; ``unsigned``, ``void`` and ``disputed`` are numbers of deals.
    ``silent``: nothing has been heard of its tablet for a minute.
    """

    state = serializers.ChoiceField(["unsigned", "replay", "done", "stopped", "playing", "empty"])
    recorded = serializers.IntegerField()
    planned = serializers.IntegerField(allow_null=True)
    unsigned = serializers.ListField(child=serializers.IntegerField())
    void = serializers.ListField(child=serializers.IntegerField())
    disputed = serializers.ListField(child=serializers.IntegerField())
    since = serializers.DateTimeField(allow_null=True)
    call = serializers.IntegerField(source="call.pk", allow_null=True)
    silent = serializers.BooleanField()
    referees = serializers.ListField(child=serializers.CharField())
    signs = SignOut(many=True)


class ReviewQuery(serializers.Serializer):
    everything = serializers.BooleanField(default=False, help_text="Those too that wait for nothing.")


class ReviewLineOut(AtTableOut):
    """A deal in force. ``signs`` are what is unusual about it."""

    deal = serializers.IntegerField(source="version.deal.number")
    version = serializers.IntegerField(source="version.number")
    state = serializers.CharField()
    waits = serializers.BooleanField()
    disputes = serializers.SerializerMethodField()
    signs = SignOut(many=True)

    def get_disputes(self, line: ReviewLine) -> list[int]:
        return [one.pk for one in line.disputes]


class LiveBoardView(OrganiseView):
    tag = TAG

    @operation(output=LiveLineOut, paged=True)
    def get(self, request: Request) -> Listed:
        """Every table of the rounds being played, with what waits for the desk."""
        lines: list[BoardLine] = live_board(self.tournament)
        return Listed(lines)


class ReviewView(OrganiseView):
    tag = TAG

    @operation(output=ReviewLineOut, query=ReviewQuery, paged=True)
    def get(self, request: Request, query: dict[str, Any]) -> Listed:
        """Deals of the rounds being played that wait for a check, a ruling or a second look."""
        groups = review_queue(self.actor.person, self.tournament, everything=query["everything"])
        return Listed([line for group in groups for line in group.lines])


class CallsView(OrganiseView):
    tag = TAG

    @operation(output=TableCallOut, paged=True)
    def get(self, request: Request) -> Listed:
        """All calls of the tournament with their rulings: the open ones first, the longest waiting first."""
        return Listed(calls_of(self.tournament))


class CallActView(OrganiseView):
    """What can be done about a call."""

    tag = TAG

    def call(self, pk: int) -> TableCall:
        """The tournament's call of that id. Raises Http404."""
        return get_object_or_404(calls_of(self.tournament), pk=pk)


class TableCallView(CallActView):
    @operation(output=TableCallOut)
    def get(self, request: Request, call: int) -> TableCall:
        """A table's call for a referee."""
        return self.call(call)


class TakeCallView(CallActView):
    @operation(input=Nothing, output=TableCallOut, once=True)
    def post(self, request: Request, call: int, data: dict[str, Any]) -> TableCall:
        """Go to the table that calls."""
        take_call(actor=self.actor, call=self.call(call))
        return self.call(call)


class CloseCallView(CallActView):
    @operation(input=RulingTextBody, output=TableCallOut, once=True)
    def post(self, request: Request, call: int, data: dict[str, Any]) -> TableCall:
        """Close a call with the ruling given at the table."""
        close_call(actor=self.actor, call=self.call(call), command_id=command_id(request), **data)
        return self.call(call)


class DisputesView(OrganiseView):
    tag = TAG

    @operation(output=DisputeOut, paged=True)
    def get(self, request: Request) -> Listed:
        """Disputes of the event's deals, the latest first; those with an outcome are settled."""
        return Listed(_disputes(self.event).order_by("-pk"))


class RuleDisputeView(OrganiseView):
    tag = TAG

    @operation(input=DisputeBody, output=DisputeOut, once=True)
    def post(self, request: Request, dispute: int, data: dict[str, Any]) -> Dispute:
        """Settle a dispute; the ruling is the deal's check as well.

        Where others go by the record, the other one is proposed: the dispute stays open, with the number of
        the ``correction`` that settles it once it is made.
        """
        found = get_object_or_404(_disputes(self.event), pk=dispute)
        rule_dispute_or_propose(actor=self.actor, dispute=found, command_id=command_id(request), **data)
        return _disputes(self.event).get(pk=dispute)


def _disputes(event: Event) -> Any:
    """Of published draws, as the review shows them."""
    found = Dispute.objects.filter(
        version__deal__table__draw__round__event=event,
        version__deal__table__draw__state=Draw.State.PUBLISHED,
    )
    deep = "version__deal__table__draw__"
    return found.select_related(f"{deep}round__event__tournament").defer(f"{deep}inputs", f"{deep}quality")
