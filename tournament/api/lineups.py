"""Organising: who of an entry sits where in a match, substitutes, and what each side has."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import Body, PointsOut, Reason, WholeNumber
from tournament.api.foresight import require_light
from tournament.api.matches import TAG
from tournament.api.operations import operation
from tournament.api.views import OrganiseView
from tournament.models import Draw, Match, Player
from tournament.queries.matches import MatchState, Side, match_state
from tournament.services.lineups import LONGEST_NAME, set_lineup, substitute


class SeatBody(Body):
    """``player`` is the player's place in the entry, 1 for the first; substitutes have 101 and on."""

    table = WholeNumber(min_value=1)
    seat = serializers.CharField(max_length=1)
    player = WholeNumber(min_value=1)


class LineupBody(Body):
    """All seats of an entry in a segment."""

    entry = WholeNumber(min_value=1, help_text="The entry's number.")
    segment = WholeNumber(min_value=1)
    seats = SeatBody(many=True)


class SubstituteBody(Body):
    """Whose seat goes to whom: to a player of the entry, by place, or to somebody from outside, by name.

    ``after_deals`` puts a change on record that was made before: so many deals had been dealt until then.
    """

    table = WholeNumber(min_value=1)
    segment = WholeNumber(min_value=1, default=1)
    seat = serializers.CharField(max_length=1)
    player = WholeNumber(min_value=1, required=False, allow_null=True)
    name = serializers.CharField(max_length=LONGEST_NAME, allow_blank=True, default="")
    after_deals = WholeNumber(required=False, allow_null=True)
    reason = Reason()


class PlayerOut(serializers.Serializer):
    place = serializers.IntegerField()
    name = serializers.CharField()


class SideOut(serializers.Serializer):
    """An entry of the match, who may play for it, and what it has at all tables so far: in the round's
    measure (null before the first deal), and in points by segment.
    """

    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    players = PlayerOut(many=True)
    value = PointsOut(allow_null=True)
    points = PointsOut()
    subtotals = serializers.ListField(child=PointsOut(allow_null=True))


class LineupSeatOut(serializers.Serializer):
    table = serializers.IntegerField(source="table.number")
    segment = serializers.IntegerField()
    seat = serializers.CharField(source="direction")
    entry = serializers.IntegerField(source="entry.number")
    player = serializers.IntegerField(source="player.place")
    name = serializers.CharField(source="player.name")


class SubstitutionOut(serializers.Serializer):
    """``after_dealing``: how many deals had been dealt at the table, replays counted, until the change."""

    table = serializers.IntegerField(source="table.number")
    segment = serializers.IntegerField()
    seat = serializers.CharField(source="direction")
    out = serializers.CharField(source="player_out.name")
    coming = serializers.CharField(source="player_in.name")
    after_dealing = serializers.IntegerField()
    reason = serializers.CharField()


class ComparedOut(serializers.Serializer):
    """A duplicate deal at both tables: what it makes for the first side, and whether it was dealt alike."""

    deal = serializers.IntegerField()
    swing = PointsOut()
    alike = serializers.BooleanField()


class LineupsOut(serializers.Serializer):
    """``open_segments``: those without a deal on record, whose line-ups can still be set. ``compared`` are
    the duplicate deals that both tables have played.
    """

    sides = SideOut(many=True)
    seats = LineupSeatOut(many=True)
    open_segments = serializers.SerializerMethodField()
    substitutions = SubstitutionOut(many=True)
    compared = serializers.SerializerMethodField()

    @extend_schema_field(ComparedOut(many=True))
    def get_compared(self, state: MatchState) -> Any:
        first = str(state.sides[0].entry.pk)
        rows = [
            {"deal": one.number, "swing": one.swing(first), "alike": one.dealt_alike}
            for one in state.compared
        ]
        return ComparedOut(rows, many=True).data

    def get_open_segments(self, state: MatchState) -> list[int]:
        return [segment for segment in state.segments if not state.begun(segment)]


class MatchActView(OrganiseView):
    """What can be done with a match of a published draw."""

    tag = TAG

    def state(self, round: int, number: int) -> MatchState:
        """The match of that number. Raises Http404."""
        matches = Match.objects.select_related("draw__round__event__tournament")
        found = get_object_or_404(
            matches.defer("draw__inputs", "draw__quality"),
            draw__round__event=self.event,
            draw__round__number=round,
            draw__state=Draw.State.PUBLISHED,
            number=number,
        )
        return match_state(found)


class LineupsView(MatchActView):
    @operation(output=LineupsOut)
    def get(self, request: Request, round: int, match: int) -> MatchState:
        """Who may play for each side of a match, who sits where, who was substituted, and what each has."""
        return self.state(round, match)

    @operation(input=LineupBody, output=LineupsOut, once=True)
    def post(self, request: Request, round: int, match: int, data: dict[str, Any]) -> MatchState:
        """Set the line-up of an entry in a segment, before its first deal."""
        state = self.state(round, match)
        side = _side(state, data["entry"])
        segment = data["segment"]
        own = state.seats_of(side.entry, segment) if segment in state.segments else []
        seats = {(seat.table.number, seat.direction): seat for seat in own}
        players = {player.place: player for player in side.players}
        chosen = {}
        for sent in data["seats"]:
            seat = seats.get((sent["table"], sent["seat"]))
            if seat is None:
                raise serializers.ValidationError({"seats": _("The entry does not have this seat.")})
            player = players.get(sent["player"])
            if player is not None:
                chosen[seat.pk] = player.pk
        set_lineup(actor=self.actor, match=state.match, entry=side.entry, segment=segment, players=chosen)
        return self.state(round, match)


class SubstituteView(MatchActView):
    @operation(input=SubstituteBody, output=LineupsOut, once=True)
    def post(self, request: Request, round: int, match: int, data: dict[str, Any]) -> MatchState:
        """Somebody takes another's seat from the next deal on, to the end of the match.

        Where results are published or later rounds go by them, this is a correction: propose one.
        """
        state = self.state(round, match)
        require_light(state.match.draw.round)
        values = dict(data)
        number, direction = values.pop("table"), values.pop("seat")
        table = next((one.table for one in state.tables if one.table.number == number), None)
        if table is None:
            raise serializers.ValidationError({"table": _("The match is not played at this table.")})
        place = values.pop("player", None)
        seat = next(
            (
                one
                for one in state.seats
                if (one.table.number, one.segment, one.direction) == (number, data["segment"], direction)
            ),
            None,
        )
        if place is not None and seat is not None:
            values["player"] = _player(_side(state, seat.entry.number), place)
        substitute(actor=self.actor, table=table, direction=direction, **values)
        return self.state(round, match)


def _side(state: MatchState, number: int) -> Side:
    """The side of that entry. Raises ValidationError."""
    for side in state.sides:
        if side.entry.number == number:
            return side
    raise serializers.ValidationError({"entry": _("It does not play in this match.")})


def _player(side: Side, place: int) -> Player:
    """The player at that place of the entry. Raises ValidationError."""
    for player in side.players:
        if player.place == place:
            return player
    raise serializers.ValidationError({"player": _("The entry has no player at this place.")})
