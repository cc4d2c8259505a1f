"""Organising: what the desk sees, published or not: the next step, the board of a round, the standings."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import PointsOut, WholeNumber
from tournament.api.operations import operation
from tournament.api.paging import Listed
from tournament.api.views import OrganiseView
from tournament.queries.board import Board, round_board
from tournament.queries.next_step import Step, next_step
from tournament.queries.standings import StandingsRow, event_standings
from tournament.services.events import least_entries

TAG = "Organise: the desk"
STEPS = (
    *("entries", "advance", "draw", "publish_draw", "play", "close"),
    *("publish_results", "publish_standings", "finish", "export"),
)


class StepOut(serializers.Serializer):
    """What comes next; while a round is played, ``done`` of ``total`` tables are complete."""

    code = serializers.ChoiceField(STEPS)
    round = serializers.IntegerField(source="round.number", allow_null=True)
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class MissingOut(serializers.Serializer):
    """What keeps a table from being done: ``disputed``, ``called``, ``no_deal``, ``unchecked``, ``void`` or
    ``unfinished``; with the numbers of the deals.
    """

    code = serializers.CharField()
    deals = serializers.ListField(child=serializers.IntegerField())


class BoardSeatOut(serializers.Serializer):
    seat = serializers.CharField(source="direction")
    entry = serializers.IntegerField(source="entry.number")
    player = serializers.CharField(source="player.name")


class BoardTableOut(serializers.Serializer):
    number = serializers.IntegerField()
    state = serializers.ChoiceField(["waiting", "playing", "unchecked", "done"])
    recorded = serializers.IntegerField(help_text="Deals.")
    checked = serializers.IntegerField(help_text="Deals.")
    walkover = serializers.BooleanField()
    missing = MissingOut(many=True)
    seats = BoardSeatOut(many=True)


class BoardOut(serializers.Serializer):
    complete = serializers.BooleanField(help_text="Nothing is missing: the round can be closed.")
    done = serializers.IntegerField(help_text="Tables.")
    tables = BoardTableOut(many=True, source="lines")


class StandingsQuery(serializers.Serializer):
    """After a round, else after the last one drawn; of a stage alone."""

    after = WholeNumber(required=False, min_value=1)
    stage = WholeNumber(required=False, min_value=1)


class OwnStandingsFactsOut(serializers.Serializer):
    after_round = serializers.IntegerField()
    rounds = serializers.ListField(child=serializers.IntegerField())
    complete = serializers.BooleanField()


class CellOut(serializers.Serializer):
    """What an entry has from a round; null where it is missing or was not played."""

    value = PointsOut(allow_null=True)
    bye = serializers.BooleanField()
    walkover = serializers.BooleanField()
    complete = serializers.BooleanField()
    annulled = serializers.BooleanField()


class OwnStandingsRowOut(serializers.Serializer):
    """``cells`` are by the rounds of ``rounds``."""

    rank = serializers.IntegerField(allow_null=True)
    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    cells = CellOut(many=True)
    start_points = PointsOut()
    penalties = PointsOut()
    total = PointsOut()
    shared = serializers.BooleanField()
    disqualified = serializers.BooleanField()
    tie_breaks = serializers.SerializerMethodField(help_text="Values by criterion, where they were needed.")

    def get_tie_breaks(self, row: StandingsRow) -> dict[str, int | str]:
        shown = PointsOut()
        return {
            criterion.value: shown.to_representation(value)
            for criterion, value in row.tie_breaks
            if value is not None
        }


class NextStepView(OrganiseView):
    tag = TAG

    @operation(output=StepOut)
    def get(self, request: Request) -> Step:
        """What comes next on the way to published results."""
        return next_step(self.event, least_entries(self.event.kind))


class BoardView(OrganiseView):
    tag = TAG

    @operation(output=BoardOut)
    def get(self, request: Request, round: int) -> Board:
        """How far each table of a round is, and what is missing."""
        return round_board(self.round(round))


class OwnStandingsView(OrganiseView):
    tag = TAG

    @operation(query=StandingsQuery, output=OwnStandingsRowOut, facts=OwnStandingsFactsOut, paged=True)
    def get(self, request: Request, query: dict[str, Any]) -> Listed:
        """The standings from everything recorded, published or not."""
        after, number = query.get("after"), query.get("stage")
        stage = self.event.stages.filter(number=number).first() if number else None
        if (number and stage is None) or (after and after > self.event.planned_rounds):
            raise Http404
        found = event_standings(self.event, after_round=after, stage=stage)
        facts = {name: getattr(found, name) for name in ("after_round", "rounds", "complete")}
        return Listed(found.rows, facts)
