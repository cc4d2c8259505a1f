"""Recording at a table: what a tablet there may do, with a token to record; and what else a referee may, with
one to organise.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from referee import serializers as bodies
from referee.models import Deal
from referee.presenting import table_json
from referee.presenting_signoff import told_version
from referee.queries import table_state, tables_in_play
from referee.queries.signoffs import policy_of
from referee.services import calls, checks, deals, signoffs, tables
from referee.services.commands import Outcome
from referee.services.table_corrections import (
    correct_or_propose,
    resume_or_propose,
    stop_or_propose,
    void_or_propose,
)
from tournament.api.fields import Body, Nothing, ObjectOut, ReasonBody, WholeNumber
from tournament.api.operations import command_id, operation
from tournament.api.views import OTHER_TOURNAMENT, ApiView, Purpose
from tournament.models import Draw, Event, Table
from tournament.queries import access
from tournament.services.errors import NotAllowed, Stale

OTHER_TABLE = _("This token belongs to another table.")


class RecordBody(bodies.RecordInput, Body):
    """A deal as docs/rules.md §9 writes it; ``based_on`` is the version it takes the place of, 0 for none."""

    command_id = None


class CheckBody(bodies.CheckInput, Body):
    """Who checks: the seat ``next`` or ``opposite`` to the one that entered it, say."""

    command_id = None


class UndoBody(bodies.UndoInput, Body):
    command_id = None


class VoidBody(bodies.VoidInput, Body):
    """Version 0: the deal was never entered."""

    command_id = None


class SignBody(bodies.SignInput, Body):
    """``record``: what a disputing seat says is right."""

    command_id = None


class SecondBody(bodies.SecondInput, Body):
    command_id = None


class CorrectBody(bodies.CorrectInput, Body):
    command_id = None


class CallBody(Body):
    seat = bodies.SeatField(help_text="Who calls; empty where nobody said.")


class SegmentBody(Body):
    segment = WholeNumber(min_value=1, max_value=100)


class TableOut(serializers.Serializer):
    """The table as its page shows it."""

    table = ObjectOut()


class DoneOut(TableOut):
    """What was done, and the table as it stands then."""

    outcome = ObjectOut()


class TableView(ApiView):
    """A table of a round whose draw is, or was, published."""

    purposes = (Purpose.RECORD, Purpose.ORGANISE)
    tag = "Record at a table"
    table: Table

    def admit(self, request: Request, **parts: Any) -> None:
        token = self.token_for(request)
        if token.tournament.slug != parts["tournament"]:
            raise NotAllowed("other_tournament", OTHER_TOURNAMENT)
        bound = (token.event and token.event.slug, token.table_number)
        if token.purpose == Purpose.RECORD and bound != (parts["event"], parts["table"]):
            raise NotAllowed("other_table", OTHER_TABLE)
        event = get_object_or_404(Event, tournament=token.tournament, slug=parts["event"])
        known = tables_in_play().filter(
            draw__round__event=event,
            draw__round__number=parts["round"],
            draw__state__in=(Draw.State.PUBLISHED, Draw.State.WITHDRAWN),
            number=parts["table"],
        )
        # Of several draws of the round the last: one withdrawn answers why nothing can be recorded.
        found = known.prefetch_related("seats__player", "seats__entry").order_by("-draw__number").first()
        if found is None:
            raise exceptions.NotFound
        self.table = found

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Stale):
            exc.current = self._told(exc.current)
        return super().handle_exception(exc)

    def on_record(self, number: int) -> Deal:
        """The deal of that number at this table. Raises Http404."""
        deal = get_object_or_404(Deal, table=self.table, number=number)
        deal.table = self.table
        return deal

    def do(self, service: Callable[..., Outcome], **facts: Any) -> dict[str, Any]:
        """Has a service carry out a command; what it did, and the table read afresh."""
        outcome = service(actor=self.actor, command_id=command_id(self.request), **facts)
        return {"outcome": outcome.body, "table": self.shown()}

    def shown(self) -> dict[str, Any]:
        fresh = Table.objects.get(pk=self.table.pk)
        return table_json(table_state(fresh), self.actor.person)

    def _told(self, facts: Any) -> Any:
        """A version as the sender may see it: without what is kept from the second entry."""
        event = self.table.draw.round.event
        directing = access.can_direct(self.actor.person, event.tournament)
        return facts and told_version(facts, policy_of(event), directing=directing)


class TableStateView(TableView):
    @operation(output=TableOut)
    def get(self, request: Request, round: int, table: int) -> Mapping[str, Any]:
        """The table: its seats, deals, games, and what comes next."""
        return {"table": self.shown()}


class CallView(TableView):
    @operation(input=CallBody, output=DoneOut, once=True)
    def post(self, request: Request, round: int, table: int, data: dict[str, Any]) -> Mapping[str, Any]:
        """Call a referee to the table."""
        return self.do(calls.call_referee, table=self.table, **data)


class WithdrawCallView(TableView):
    @operation(input=Nothing, output=DoneOut, once=True)
    def post(self, request: Request, round: int, table: int, data: dict[str, Any]) -> Mapping[str, Any]:
        """Take the table's call back, as long as no referee has taken it."""
        return self.do(calls.withdraw_call, table=self.table, **data)


class SegmentView(TableView):
    @operation(input=SegmentBody, output=DoneOut, once=True)
    def post(self, request: Request, round: int, table: int, data: dict[str, Any]) -> Mapping[str, Any]:
        """Begin the next segment of a timed round."""
        return self.do(tables.start_segment, table=self.table, **data)


class StopView(TableView):
    @operation(input=ReasonBody, output=DoneOut, once=True)
    def post(self, request: Request, round: int, table: int, data: dict[str, Any]) -> Mapping[str, Any]:
        """End play at the table (a token to organise).

        Where published results or later draws go by the round it is proposed instead: the outcome has the
        number of the ``correction``, to be looked at and made.
        """
        return self.do(stop_or_propose, table=self.table, **data)


class ResumeView(TableView):
    @operation(input=ReasonBody, output=DoneOut, once=True)
    def post(self, request: Request, round: int, table: int, data: dict[str, Any]) -> Mapping[str, Any]:
        """Take back that play was ended (a token to organise); as ending it, at once or proposed."""
        return self.do(resume_or_propose, table=self.table, **data)


class RecordView(TableView):
    @operation(input=RecordBody, output=DoneOut, once=True)
    def post(
        self, request: Request, round: int, table: int, deal: int, data: dict[str, Any]
    ) -> Mapping[str, Any]:
        """Record a deal, unchecked."""
        return self.do(deals.record_deal, table=self.table, number=deal, **data)


class CheckView(TableView):
    @operation(input=CheckBody, output=DoneOut, once=True)
    def post(
        self, request: Request, round: int, table: int, deal: int, data: dict[str, Any]
    ) -> Mapping[str, Any]:
        """Somebody else has checked a version."""
        return self.do(checks.check_deal, deal=self.on_record(deal), **data)


class SignView(TableView):
    @operation(input=SignBody, output=DoneOut, once=True)
    def post(
        self, request: Request, round: int, table: int, deal: int, data: dict[str, Any]
    ) -> Mapping[str, Any]:
        """A seat agrees to a version, or disputes it."""
        return self.do(signoffs.sign_deal, deal=self.on_record(deal), **data)


class SecondView(TableView):
    @operation(input=SecondBody, output=DoneOut, once=True)
    def post(
        self, request: Request, round: int, table: int, deal: int, data: dict[str, Any]
    ) -> Mapping[str, Any]:
        """Enter a deal a second time, blind."""
        return self.do(signoffs.enter_second, deal=self.on_record(deal), **data)


class UndoView(TableView):
    @operation(input=UndoBody, output=DoneOut, once=True)
    def post(
        self, request: Request, round: int, table: int, deal: int, data: dict[str, Any]
    ) -> Mapping[str, Any]:
        """Take back an entry that nobody has checked yet."""
        return self.do(deals.undo_deal, deal=self.on_record(deal), **data)


class VoidView(TableView):
    @operation(input=VoidBody, output=DoneOut, once=True)
    def post(
        self, request: Request, round: int, table: int, deal: int, data: dict[str, Any]
    ) -> Mapping[str, Any]:
        """Declare a deal void: it stays on record and is replayed.

        A deal that others go by is proposed to be void instead: the outcome has the number
        of the ``correction``.
        """
        if data["version"]:
            return self.do(void_or_propose, deal=self.on_record(deal), **data)
        facts = {"number": deal, "reason": data["reason"]}
        return self.do(deals.void_unrecorded_deal, table=self.table, **facts)


class CorrectView(TableView):
    @operation(input=CorrectBody, output=DoneOut, once=True)
    def post(
        self, request: Request, round: int, table: int, deal: int, data: dict[str, Any]
    ) -> Mapping[str, Any]:
        """Correct a deal that may be checked already (a token to organise).

        Where published results or later draws go by the round it is proposed instead: the outcome has the
        number of the ``correction``, to be looked at and made.
        """
        return self.do(correct_or_propose, deal=self.on_record(deal), **data)
