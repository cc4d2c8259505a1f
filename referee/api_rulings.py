"""The table's interface about rulings: claims, card counts, exposures, discards, the log of tricks."""

from rest_framework.request import Request
from rest_framework.response import Response

from referee import serializers
from referee.api import ChangeView, TableAPIView
from referee.services import trick_log
from referee.services.table_corrections import record_ruling_or_propose, rule_colour_or_propose


class RulingView(ChangeView):
    input_class = serializers.RulingInput

    def post(self, request: Request, table: int, number: int) -> Response:
        body = self.read(request)
        outcome = record_ruling_or_propose(actor=self.actor, table=self.table, number=number, **body)
        return self.made(outcome)


class ColourView(ChangeView):
    input_class = serializers.ColourInput

    def post(self, request: Request, table: int, number: int) -> Response:
        body = self.read(request)
        return self.made(rule_colour_or_propose(actor=self.actor, deal=self.deal(number), **body))


class TrickLogView(TableAPIView):
    input_class = serializers.TrickLogInput

    def post(self, request: Request, table: int, number: int) -> Response:
        body = self.read(request)
        outcome = trick_log.record_trick_log(actor=self.actor, table=self.table, number=number, **body)
        return self.done(outcome)
