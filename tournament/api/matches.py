"""Organising: matches of a draw that are decided otherwise than by their deals, and the clock of a round."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import LARGEST, Body, Nothing, PointsIn, Reason, ReasonBody, WholeNumber
from tournament.api.foresight import require_light, require_open
from tournament.api.operations import operation
from tournament.api.paging import Listed
from tournament.api.views import OrganiseView
from tournament.models import Entry, Match, RoundClock
from tournament.queries.draws import living_draw
from tournament.services.clock import let_deal_count, move_clock, start_clock
from tournament.services.decisions import decide_match, undo_decision
from tournament.services.walkovers import record_walkover, undo_walkover

TAG = "Organise: matches and clock"


class MatchOut(serializers.Serializer):
    """``entries`` are the numbers of those who meet, ``tables`` of the tables they meet at."""

    number = serializers.IntegerField()
    entries = serializers.SerializerMethodField()
    tables = serializers.SerializerMethodField()
    walkover = serializers.SerializerMethodField(help_text="Why it is not played; null where it is.")
    winner = serializers.SerializerMethodField(help_text="Number of who was named its winner.")

    def get_entries(self, match: Match) -> list[int]:
        return sorted(_entries(match))

    def get_tables(self, match: Match) -> list[int]:
        return sorted(table.number for table in match.tables.all())

    def get_walkover(self, match: Match) -> str | None:
        return match.walkover.reason if hasattr(match, "walkover") else None

    def get_winner(self, match: Match) -> int | None:
        return match.decision.winner.number if hasattr(match, "decision") else None


class ScoreBody(Body):
    entry = WholeNumber(min_value=1)
    points = PointsIn()


class WalkoverBody(ReasonBody):
    """Numbers of who did not come, and the score stated for each entry of the match, in its measure."""

    absent = serializers.ListField(child=WholeNumber(min_value=1), max_length=10)
    scores = ScoreBody(many=True)
    met = serializers.BooleanField(default=False, help_text="Counts as a meeting.")


class WinnerBody(ReasonBody):
    winner = WholeNumber(min_value=1, help_text="The entry's number.")


class ClockOut(serializers.Serializer):
    ends_at = serializers.DateTimeField()


class MoveBody(Body):
    minutes = WholeNumber(min_value=-LARGEST, help_text="Negative takes time away.")
    reason = Reason()


class MatchesView(OrganiseView):
    tag = TAG

    @operation(output=MatchOut, paged=True)
    def get(self, request: Request, round: int) -> Listed:
        """The matches of the round's draw."""
        return Listed(_matches(self, round).order_by("number"))


class MatchView(OrganiseView):
    tag = TAG

    @operation(output=MatchOut)
    def get(self, request: Request, round: int, match: int) -> Match:
        """A match."""
        return _match(self, round, match)


class WalkoverView(OrganiseView):
    tag = TAG

    @operation(input=WalkoverBody, output=MatchOut, once=True)
    def post(self, request: Request, round: int, match: int, data: dict[str, Any]) -> Match:
        """A match is not played: scores are stated instead. A correction where others go by the round."""
        found = _match(self, round, match)
        require_light(found.draw.round)
        entries = _entries(found)
        record_walkover(
            actor=self.actor,
            match=found,
            absent=[_one_of(entries, number, "absent") for number in data["absent"]],
            scores={_one_of(entries, one["entry"], "scores").pk: one["points"] for one in data["scores"]},
            met=data["met"],
            reason=data["reason"],
        )
        return _match(self, round, match)


class UndoWalkoverView(OrganiseView):
    tag = TAG

    @operation(input=ReasonBody, output=MatchOut, once=True)
    def post(self, request: Request, round: int, match: int, data: dict[str, Any]) -> Match:
        """A match is played after all. A correction where others go by the round."""
        found = _match(self, round, match)
        require_light(found.draw.round)
        undo_walkover(actor=self.actor, match=found, **data)
        return _match(self, round, match)


class DecideView(OrganiseView):
    tag = TAG

    @operation(input=WinnerBody, output=MatchOut, once=True)
    def post(self, request: Request, round: int, match: int, data: dict[str, Any]) -> Match:
        """Name the winner of a match of a bracket, whatever its deals say.

        Where others go by who has won it already, this is a correction: propose one.
        """
        found = _match(self, round, match)
        require_open(found)
        winner = _one_of(_entries(found), data["winner"], "winner")
        decide_match(actor=self.actor, match=found, winner=winner, reason=data["reason"])
        return _match(self, round, match)


class UndecideView(OrganiseView):
    tag = TAG

    @operation(input=ReasonBody, output=MatchOut, once=True)
    def post(self, request: Request, round: int, match: int, data: dict[str, Any]) -> Match:
        """The deals decide a match of a bracket again. A correction where others go by who has won it."""
        found = _match(self, round, match)
        require_open(found)
        undo_decision(actor=self.actor, match=found, **data)
        return _match(self, round, match)


class ClockView(OrganiseView):
    tag = TAG

    @operation(output=ClockOut)
    def get(self, request: Request, round: int) -> RoundClock:
        """The clock of a timed round that was started."""
        return get_object_or_404(RoundClock, draw=living_draw(self.round(round)))


class StartClockView(OrganiseView):
    tag = TAG

    @operation(input=Nothing, output=ClockOut, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> RoundClock:
        """Start the clock of a timed round."""
        return start_clock(actor=self.actor, round=self.round(round))


class MoveClockView(OrganiseView):
    tag = TAG

    @operation(input=MoveBody, output=ClockOut, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> RoundClock:
        """Give a timed round more minutes, or take some."""
        return move_clock(actor=self.actor, round=self.round(round), **data)


class LateDealView(OrganiseView):
    tag = TAG

    @operation(input=ReasonBody, once=True)
    def post(self, request: Request, round: int, table: int, data: dict[str, Any]) -> None:
        """Let one more deal count at a table where time is up."""
        draw = living_draw(self.round(round))
        if draw is None:
            raise Http404
        tables = draw.tables.select_related("draw__round__event__tournament")
        let_deal_count(actor=self.actor, table=get_object_or_404(tables, number=table), **data)


def _matches(view: OrganiseView, round: int) -> Any:
    draw = living_draw(view.round(round))
    if draw is None:
        raise Http404
    matches = draw.matches.select_related("draw__round__event__tournament", "walkover", "decision__winner")
    return matches.prefetch_related("sides__entry", "tables__seats__entry")


def _match(view: OrganiseView, round: int, number: int) -> Match:
    """The match of that number. Raises Http404."""
    return get_object_or_404(_matches(view, round), number=number)


def _entries(match: Match) -> Mapping[int, Entry]:
    """Who meets in a match, by number: its sides, or who sits at its table."""
    sides = [side.entry for side in match.sides.all()]
    seated = [seat.entry for table in match.tables.all() for seat in table.seats.all()]
    return {entry.number: entry for entry in sides or seated}


def _one_of(entries: Mapping[int, Entry], number: int, field: str) -> Entry:
    """The entry of that number. Raises ValidationError where it is not in the match."""
    if number not in entries:
        raise serializers.ValidationError({field: _("It does not play in this match.")})
    return entries[number]
