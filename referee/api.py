"""The table's interface for tablets: JSON in and out, under /referee/api/.

Every command answers ``{"outcome": …, "repeated": bool, "table": …}`` with the table as it stands then; every
refusal ``{"errors": [{"code", "field", "card", "seat", "message"}]}`` in the reader's language. A stale
command answers 409 with ``current`` and ``offered`` beside the errors.
"""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework import exceptions, status
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from referee import serializers
from referee.models import Deal, Penalty
from referee.presenting import error_json, live_score_json, table_json
from referee.presenting_signoff import told_version
from referee.queries import seats_of, table_state, tables_in_play
from referee.queries.signoffs import policy_of
from referee.services import checks, deals, tables
from referee.services.commands import Outcome
from referee.services.records import score_record
from referee.services.table_corrections import (
    cancel_penalty_or_propose,
    correct_or_propose,
    give_seat_penalty_or_propose,
    resume_or_propose,
    stop_or_propose,
    void_or_propose,
)
from referee.tablets import SomebodyKnown, TabletAuthentication, actor_at
from tournament.models import Draw, Table
from tournament.queries import access
from tournament.services.errors import Problem, Refused, Stale


class TableAPIView(APIView):
    """A view of one table: only tables that are or were published exist, and only for those who referee
    them and the tablet bound to them.
    """

    input_class: type[Serializer] = serializers.CommandInput
    authentication_classes = [SessionAuthentication, TabletAuthentication]
    permission_classes = [SomebodyKnown]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        found = tables_in_play().prefetch_related("seats__player", "seats__entry")
        # What a tablet still holds for a draw withdrawn meanwhile is refused with the reason, by services.
        known = (Draw.State.PUBLISHED, Draw.State.WITHDRAWN)
        self.table: Table = get_object_or_404(found, pk=kwargs["table"], draw__state__in=known)
        self.actor = actor_at(request, self.table)

    def read(self, request: Request) -> dict[str, Any]:
        """The body, with values of the right types. Raises ValidationError."""
        serializer = self.input_class(data=request.data)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def deal(self, number: int) -> Deal:
        """The deal of that number at this table. Raises Http404."""
        deal = get_object_or_404(Deal, table=self.table, number=number)
        deal.table = self.table
        return deal

    def table_now(self) -> dict[str, Any]:
        """The table read afresh, as the page shows it."""
        fresh = self.table.__class__.objects.get(pk=self.table.pk)
        return table_json(table_state(fresh), self.request.user)

    def told(self, facts: Any) -> Any:
        """The version in force as the sender may see it: without what is kept from the second entry."""
        event = self.table.draw.round.event
        directing = access.can_direct(self.request.user, event.tournament)
        return facts and told_version(facts, policy_of(event), directing=directing)

    def done(self, outcome: Outcome) -> Response:
        return Response({"outcome": outcome.body, "repeated": outcome.repeated, "table": self.table_now()})

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Refused):
            body: dict[str, Any] = {"errors": [error_json(one) for one in exc.problems]}
            if isinstance(exc, Stale):
                body |= {"current": self.told(exc.current), "offered": exc.offered}
            if exc.status == status.HTTP_409_CONFLICT:
                body["table"] = self.table_now()
            return Response(body, status=exc.status)
        if isinstance(exc, exceptions.ValidationError):
            return Response({"errors": _field_errors(exc.detail)}, status=status.HTTP_400_BAD_REQUEST)
        if isinstance(exc, Http404):
            exc = exceptions.NotFound()
        if isinstance(exc, exceptions.APIException):
            response = super().handle_exception(exc)
            code = exc.get_codes() if isinstance(exc.get_codes(), str) else exc.default_code
            response.data = {"errors": [error_json(Problem(code, str(exc.detail)))]}
            return response
        return super().handle_exception(exc)


def _field_errors(detail: Any, field: str = "") -> list[dict[str, str]]:
    """DRF's nested faults as a flat list, each naming its field."""
    if isinstance(detail, dict):
        return [one for name, part in detail.items() for one in _field_errors(part, name)]
    if isinstance(detail, list):
        return [one for part in detail for one in _field_errors(part, field)]
    code = getattr(detail, "code", "invalid")
    name = "" if field == "non_field_errors" else field
    code = "command_id_missing" if (name, code) == ("command_id", "required") else code
    text = f"{name}: {detail}" if name else str(detail)
    return [error_json(Problem(code, "%(text)s", {"text": text}, name))]


class StateView(TableAPIView):
    """GET: the table as the page shows it."""

    def get(self, request: Request, table: int) -> Response:
        return Response({"table": self.table_now()})


class ScoreView(TableAPIView):
    """POST: the score of what has been entered so far. Nothing is stored."""

    input_class = serializers.ScoreInput

    def post(self, request: Request, table: int) -> Response:
        body = self.read(request)
        event = self.table.draw.round.event
        try:
            scored = score_record(
                seats=tuple(seat.direction for seat in seats_of(self.table, 1)),
                mode=event.scoring_mode,
                ruleset=event.ruleset_version.ruleset(),
                record=body["record"],
                partial=True,
            )
        except Refused as refusal:
            return Response({"errors": [error_json(one) for one in refusal.problems]})
        return Response(live_score_json(scored.answer))


class RecordView(TableAPIView):
    input_class = serializers.RecordInput

    def post(self, request: Request, table: int, number: int) -> Response:
        outcome = deals.record_deal(actor=self.actor, table=self.table, number=number, **self.read(request))
        return self.done(outcome)


class CheckView(TableAPIView):
    input_class = serializers.CheckInput

    def post(self, request: Request, table: int, number: int) -> Response:
        body = self.read(request)
        return self.done(checks.check_deal(actor=self.actor, deal=self.deal(number), **body))


class UndoView(TableAPIView):
    input_class = serializers.UndoInput

    def post(self, request: Request, table: int, number: int) -> Response:
        body = self.read(request)
        return self.done(deals.undo_deal(actor=self.actor, deal=self.deal(number), **body))


class ChangeView(TableAPIView):
    """A change of what is on record: made at once, or proposed, and then ``look`` is the address of the page
    that says what it would move.
    """

    def made(self, outcome: Outcome) -> Response:
        answer = self.done(outcome)
        if "correction" in outcome.body:
            event = self.table.draw.round.event
            where = (event.tournament.slug, event.slug, outcome.body["correction"])
            answer.data["look"] = reverse("manage:correction", args=where)
        return answer


class VoidView(ChangeView):
    """Voids a recorded deal, or (version 0) one that was never entered."""

    input_class = serializers.VoidInput

    def post(self, request: Request, table: int, number: int) -> Response:
        body = self.read(request)
        known = Deal.objects.filter(table=self.table, number=number).exists()
        if body["version"] and known:
            return self.made(void_or_propose(actor=self.actor, deal=self.deal(number), **body))
        body.pop("version")
        outcome = deals.void_unrecorded_deal(actor=self.actor, table=self.table, number=number, **body)
        return self.done(outcome)


class CorrectView(ChangeView):
    input_class = serializers.CorrectInput

    def post(self, request: Request, table: int, number: int) -> Response:
        body = self.read(request)
        return self.made(correct_or_propose(actor=self.actor, deal=self.deal(number), **body))


class StopView(ChangeView):
    input_class = serializers.ReasonInput

    def post(self, request: Request, table: int) -> Response:
        return self.made(stop_or_propose(actor=self.actor, table=self.table, **self.read(request)))


class ResumeView(ChangeView):
    input_class = serializers.ReasonInput

    def post(self, request: Request, table: int) -> Response:
        return self.made(resume_or_propose(actor=self.actor, table=self.table, **self.read(request)))


class SegmentView(TableAPIView):
    """POST: the next segment of a timed round begins."""

    input_class = serializers.SegmentInput

    def post(self, request: Request, table: int) -> Response:
        return self.done(tables.start_segment(actor=self.actor, table=self.table, **self.read(request)))


class PenaltyView(ChangeView):
    input_class = serializers.PenaltyInput

    def post(self, request: Request, table: int) -> Response:
        body = self.read(request)
        number = body.pop("deal")
        deal = None if number is None else self.deal(number)
        outcome = give_seat_penalty_or_propose(actor=self.actor, table=self.table, deal=deal, **body)
        return self.made(outcome)


class CancelPenaltyView(ChangeView):
    input_class = serializers.ReasonInput

    def post(self, request: Request, table: int, penalty: int) -> Response:
        found = get_object_or_404(
            Penalty.objects.select_related("event__tournament", "table"), pk=penalty, table=self.table
        )
        return self.made(cancel_penalty_or_propose(actor=self.actor, penalty=found, **self.read(request)))
