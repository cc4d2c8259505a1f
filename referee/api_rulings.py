"""The table's interface about rulings: claims, card counts, exposures, discards, the log of tricks."""

from rest_framework.request import Request
from rest_framework.response import Response

from referee import serializers
from referee.api import TableAPIView
from referee.services import rulings, trick_log


class RulingView(TableAPIView):
    input_class = serializers.RulingInput

    def post(self, request: Request, table: int, number: int) -> Response:
        body = self.read(request)
        outcome = rulings.record_ruling(actor=self.actor, table=self.table, number=number, **body)
        return self.done(outcome)


class ColourView(TableAPIView):
    input_class = serializers.ColourInput

    def post(self, request: Request, table: int, number: int) -> Response:
        body = self.read(request)
        return self.done(rulings.rule_colour(actor=self.actor, deal=self.deal(number), **body))


class TrickLogView(TableAPIView):
    input_class = serializers.TrickLogInput

    def post(self, request: Request, table: int, number: int) -> Response:
        body = self.read(request)
        outcome = trick_log.record_trick_log(actor=self.actor, table=self.table, number=number, **body)
        return self.done(outcome)
