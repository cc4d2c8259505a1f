"""Organising: result workbooks that take a while, and lists that come back filled in."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import get_language
from rest_framework import serializers
from rest_framework.request import Request

from referee.services.paper import LineStatus, PaperPreview, import_paper, preview_paper
from referee.services.penalty_lists import PenaltyPreview, import_penalties, preview_penalties
from tournament.api.events import ImportFaultOut
from tournament.api.fields import Body
from tournament.api.operations import Download, command_id, operation
from tournament.api.paging import Listed
from tournament.api.parsers import WorkbookParser
from tournament.api.views import OrganiseView
from tournament.excel.paper_book import paper_workbook
from tournament.excel.paper_reading import read_paper
from tournament.excel.penalty_lists import penalty_template, read_penalties
from tournament.excel.table_cards import table_cards
from tournament.models import Round, WorkbookOrder
from tournament.tasks.workbooks import lost, order_workbook
from tournament.views.manage.downloads import XLSX

EXPORTS, PAPER, LISTS = "Organise: exports", "Organise: deals from paper", "Organise: penalties"


class OrderBody(Body):
    """Without an event the workbook is that of the whole tournament, with its medals."""

    event = serializers.SlugField(max_length=60, required=False)


class OrderOut(serializers.Serializer):
    """``done`` of ``steps`` are made; ``lost``: nobody works on it any more, order it anew."""

    id = serializers.IntegerField()
    event = serializers.CharField(source="event.slug", allow_null=True)
    language = serializers.CharField()
    state = serializers.ChoiceField(WorkbookOrder.State.choices)
    done = serializers.IntegerField()
    steps = serializers.IntegerField()
    lost = serializers.SerializerMethodField()
    ordered_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)

    def get_lost(self, order: WorkbookOrder) -> bool:
        return lost(order)


class PaperLineOut(serializers.Serializer):
    """A deal of the sheets against what is on record; ``misadded`` are the seats whose written score is not
    what their cards come to.
    """

    table = serializers.IntegerField(source="paper.table")
    deal = serializers.IntegerField(source="paper.number")
    status = serializers.ChoiceField([one.value for one in LineStatus])
    misadded = serializers.ListField(child=serializers.CharField())


class PaperOut(serializers.Serializer):
    """What an import does; with any fault it is not done. What differs from what is on record stays as that
    is, and is decided at the desk.
    """

    ok = serializers.BooleanField()
    lines = PaperLineOut(many=True)
    faults = ImportFaultOut(many=True)


class PenaltyLineOut(serializers.Serializer):
    row = serializers.IntegerField(source="paper.row")
    entry = serializers.IntegerField(source="paper.number")
    round = serializers.IntegerField(source="paper.round")
    status = serializers.ChoiceField(["new", "unchanged", "wrong"])


class PenaltyListOut(serializers.Serializer):
    """What an import does; with any fault it is not done."""

    ok = serializers.SerializerMethodField()
    lines = PenaltyLineOut(many=True)
    faults = ImportFaultOut(many=True)

    def get_ok(self, plan: PenaltyPreview) -> bool:
        return not plan.faults


class OrdersView(OrganiseView):
    tag = EXPORTS

    @operation(output=OrderOut, paged=True)
    def get(self, request: Request) -> Listed:
        """Result workbooks that were ordered, the newest first. They are kept for a day."""
        return Listed(self.tournament.workbook_orders.select_related("event").defer("content"))

    @operation(input=OrderBody, output=OrderOut, status=201, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> WorkbookOrder:
        """Order the result workbook of an event, or of the whole tournament. One under way is taken."""
        event = self.event_of(data.get("event"))
        language = get_language() or "zh-hans"
        return order_workbook(actor=self.actor, tournament=self.tournament, event=event, language=language)


class OrderView(OrganiseView):
    tag = EXPORTS

    @operation(output=OrderOut)
    def get(self, request: Request, order: int) -> WorkbookOrder:
        """How far an ordered workbook is."""
        orders = self.tournament.workbook_orders.select_related("event").defer("content")
        return get_object_or_404(orders, pk=order)


class OrderedWorkbookView(OrganiseView):
    tag = EXPORTS

    @operation(media_type=XLSX)
    def get(self, request: Request, order: int) -> Download:
        """An ordered workbook that is ready."""
        ready = self.tournament.workbook_orders.filter(
            state=WorkbookOrder.State.READY, expires_at__gt=timezone.now()
        )
        found = get_object_or_404(ready.select_related("event"), pk=order)
        if found.content is None:
            raise Http404
        return Download(bytes(found.content), f"{(found.event or self.tournament).name}.xlsx")


class ScoreSheetsView(OrganiseView):
    tag = PAPER

    @operation(media_type=XLSX)
    def get(self, request: Request, round: int) -> Download:
        """Score sheets of a round to be printed, or filled in and brought back."""
        found = self.full_round(round)
        return Download(paper_workbook(found, get_language()), f"{self.event.name} {round}.xlsx")

    def full_round(self, number: int) -> Round:
        """The round with all that its sheets need. Raises Http404."""
        rounds = Round.objects.select_related("event__tournament", "event__ruleset_version__book", "stage")
        return get_object_or_404(rounds, event=self.event, number=number)


class TableCardsView(ScoreSheetsView):
    @operation(media_type=XLSX)
    def get(self, request: Request, round: int) -> Download:
        """A page for each table of a round, its number large, to stand on it."""
        return Download(
            table_cards(self.full_round(round), get_language()), f"{self.event.name} {round}.xlsx"
        )


class PreviewPaperView(ScoreSheetsView):
    parser_classes = [WorkbookParser]
    http_method_names = ["post"]

    @operation(reads_file=True, output=PaperOut)
    def post(self, request: Request, round: int, data: bytes) -> PaperPreview:
        """What bringing in filled-in score sheets would do. Nothing is stored."""
        return preview_paper(round=self.full_round(round), sheet=read_paper(data, round_number=round))


class PaperView(ScoreSheetsView):
    parser_classes = [WorkbookParser]
    http_method_names = ["post"]

    @operation(reads_file=True, output=PaperOut, once=True)
    def post(self, request: Request, round: int, data: bytes) -> PaperPreview:
        """Record the deals of filled-in score sheets that are not on record, all or nothing."""
        return import_paper(
            actor=self.actor,
            round=self.full_round(round),
            sheet=read_paper(data, round_number=round),
            command_id=command_id(request),
        )


class PenaltyTemplateView(OrganiseView):
    tag = LISTS

    @operation(media_type=XLSX)
    def get(self, request: Request) -> Download:
        """An empty list of penalties to be filled in."""
        return Download(penalty_template(self.event, get_language()), f"{self.event.name}.xlsx")


class PreviewPenaltiesView(OrganiseView):
    tag = LISTS
    parser_classes = [WorkbookParser]

    @operation(reads_file=True, output=PenaltyListOut)
    def post(self, request: Request, data: bytes) -> PenaltyPreview:
        """What giving the penalties of a workbook would do. Nothing is stored."""
        return preview_penalties(actor=self.actor, event=self.event, sheet=read_penalties(data))


class ImportPenaltiesView(OrganiseView):
    tag = LISTS
    parser_classes = [WorkbookParser]

    @operation(reads_file=True, output=PenaltyListOut, once=True)
    def post(self, request: Request, data: bytes) -> PenaltyPreview:
        """Give the penalties of a workbook, all or nothing. What is on record already is left alone."""
        return import_penalties(
            actor=self.actor, event=self.event, sheet=read_penalties(data), command_id=command_id(request)
        )
