"""Organising: changes of many things at once, looked at, done, and undone as one."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import Body, Reason, ReasonBody, WholeNumber
from tournament.api.operations import operation
from tournament.api.paging import MOST, Listed
from tournament.api.views import OrganiseView
from tournament.models import AuditRow
from tournament.queries.bulk import ClearedRound, Withdrawals, clearing, withdrawals
from tournament.services.bulk import (
    CLEAR,
    WITHDRAW,
    bulk_changes,
    clear_rounds,
    is_undone,
    undo_bulk,
    withdraw_many,
)

TAG = "Organise: many at once"


class NumbersBody(Body):
    """Numbers of the entries."""

    numbers = serializers.ListField(child=WholeNumber(min_value=1), min_length=1, max_length=2000)


class WithdrawManyBody(NumbersBody):
    """Numbers of the entries that play no more, and why."""

    reason = Reason()


class FromRoundBody(Body):
    """The first of the rounds."""

    from_round = WholeNumber(min_value=1)


class ClearBody(FromRoundBody):
    """The first of the rounds whose draws are withdrawn, and why."""

    with_deals = serializers.BooleanField(default=False, help_text="Deals recorded shall no longer count.")
    reason = Reason()


class WithdrawalsOut(serializers.Serializer):
    """Numbers: who would go, who has gone already, who is not entered; the open rounds in which those who go
    are seated; how many would be left.
    """

    going = serializers.SerializerMethodField()
    already = serializers.SerializerMethodField()
    unknown = serializers.ListField(child=serializers.IntegerField())
    seated_in = serializers.ListField(child=serializers.IntegerField())
    left = serializers.IntegerField()

    def get_going(self, found: Withdrawals) -> list[int]:
        return [entry.number for entry in found.entries]

    def get_already(self, found: Withdrawals) -> list[int]:
        return [entry.number for entry in found.already]


class ClearedOut(serializers.Serializer):
    """A round whose draw would be withdrawn, with what hangs on it; ``public`` is what is published of it."""

    round = serializers.IntegerField(source="round.number")
    tables = serializers.IntegerField()
    deals = serializers.IntegerField()
    penalties = serializers.IntegerField()
    public = serializers.ListField(child=serializers.CharField())


class ChangeOut(serializers.Serializer):
    """A change of many things: the numbers of the entries withdrawn, or of the rounds cleared."""

    id = serializers.IntegerField()
    action = serializers.ChoiceField([WITHDRAW, CLEAR])
    at = serializers.DateTimeField()
    actor = serializers.CharField(source="actor_name")
    reason = serializers.CharField()
    numbers = serializers.SerializerMethodField()
    undone = serializers.SerializerMethodField()

    def get_numbers(self, row: AuditRow) -> list[int]:
        if row.action == WITHDRAW:
            return list(row.after["numbers"])
        return sorted(one["round"] for one in row.after["draws"])

    def get_undone(self, row: AuditRow) -> bool:
        known = getattr(row, "undone", None)
        return is_undone(row) if known is None else known


class ChangesOfManyView(OrganiseView):
    tag = TAG

    @operation(output=ChangeOut, paged=True)
    def get(self, request: Request) -> Listed:
        """The latest changes of many things, and whether each was undone."""
        found = bulk_changes(self.event, MOST)
        for row, undone in found:
            row.undone = undone
        return Listed([row for row, _undone in found])


class PreviewWithdrawManyView(OrganiseView):
    tag = TAG

    @operation(input=NumbersBody, output=WithdrawalsOut)
    def post(self, request: Request, data: dict[str, Any]) -> Withdrawals:
        """What withdrawing several entries would do. Nothing is stored."""
        return withdrawals(self.event, data["numbers"])


class WithdrawManyView(OrganiseView):
    tag = TAG

    @operation(input=WithdrawManyBody, output=ChangeOut, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> AuditRow:
        """Withdraw several entries, all or none."""
        return withdraw_many(actor=self.actor, event=self.event, **data)


class PreviewClearView(OrganiseView):
    tag = TAG

    @operation(input=FromRoundBody, output=ClearedOut, many=True)
    def post(self, request: Request, data: dict[str, Any]) -> list[ClearedRound]:
        """What clearing a round and all later ones would do. Nothing is stored."""
        return clearing(self.event, data["from_round"])


class ClearView(OrganiseView):
    tag = TAG

    @operation(input=ClearBody, output=ChangeOut, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> AuditRow:
        """Withdraw the draws of a round and of all later ones. Penalties stay."""
        return clear_rounds(actor=self.actor, event=self.event, **data)


class UndoManyView(OrganiseView):
    tag = TAG

    @operation(input=ReasonBody, output=ChangeOut, once=True)
    def post(self, request: Request, change: int, data: dict[str, Any]) -> AuditRow:
        """Take a change of many things back."""
        rows = AuditRow.objects.filter(event=self.event, action__in=(WITHDRAW, CLEAR))
        row = get_object_or_404(rows, pk=change)
        undo_bulk(actor=self.actor, event=self.event, row=row, **data)
        return row
