"""A table's calls for a referee, under /referee/api/: as every command of the table (`referee.api`)."""

from rest_framework.request import Request
from rest_framework.response import Response

from referee import serializers
from referee.api import TableAPIView
from referee.presenting_desk import call_json
from referee.services.calls import call_referee, withdraw_call


class CallInput(serializers.CommandInput):
    """``seat`` is who calls, "" where nobody said."""

    seat = serializers.SeatField()


class CallView(TableAPIView):
    """GET: the table's open call, if there is one. POST: the table calls a referee."""

    input_class = CallInput

    def get(self, request: Request, table: int) -> Response:
        return Response({"call": call_json(self.table)})

    def post(self, request: Request, table: int) -> Response:
        return self.done(call_referee(actor=self.actor, table=self.table, **self.read(request)))


class WithdrawCallView(TableAPIView):
    """POST: the table takes its call back."""

    def post(self, request: Request, table: int) -> Response:
        return self.done(withdraw_call(actor=self.actor, table=self.table, **self.read(request)))
