"""The table's interface about sign-off: a seat's word, a second entry, the ruling of a dispute."""

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from referee import serializers
from referee.api import ChangeView, TableAPIView
from referee.models import Dispute
from referee.services import signoffs
from referee.services.table_corrections import rule_dispute_or_propose


class SignView(TableAPIView):
    input_class = serializers.SignInput

    def post(self, request: Request, table: int, number: int) -> Response:
        body = self.read(request)
        return self.done(signoffs.sign_deal(actor=self.actor, deal=self.deal(number), **body))


class SecondView(TableAPIView):
    input_class = serializers.SecondInput

    def post(self, request: Request, table: int, number: int) -> Response:
        body = self.read(request)
        return self.done(signoffs.enter_second(actor=self.actor, deal=self.deal(number), **body))


class RuleView(ChangeView):
    """Settles a dispute of this table."""

    input_class = serializers.DisputeInput

    def post(self, request: Request, table: int, dispute: int) -> Response:
        known = Dispute.objects.select_related("version__deal")
        found = get_object_or_404(known, pk=dispute, version__deal__table=self.table)
        found.version.deal.table = self.table
        body = self.read(request)
        return self.made(rule_dispute_or_propose(actor=self.actor, dispute=found, **body))
