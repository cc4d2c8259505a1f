"""Organising: what can be corrected. Each is put on record as a proposal, and made after a look at what it
would move (tournament.api.corrections).
"""

from fractions import Fraction
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request

from referee.models import Correction, EntryRuling, Penalty
from referee.services.appeals import link_correction
from referee.services.corrections import propose_correction
from referee.services.entry_rulings import ruling_in_force
from referee.services.table_exchange import preview_exchange
from tournament.api.corrections import CorrectionActView, CorrectionOut
from tournament.api.fields import Body, PointsIn, PointsOut, ReasonBody, WholeNumber
from tournament.api.matches import WalkoverBody
from tournament.api.operations import operation
from tournament.api.paging import Listed
from tournament.models import Draw, Entry, Round, Seat
from tournament.queries.foresight import Json
from tournament.services.errors import Conflict

Kind = Correction.Kind
NOT_HERE = _("There is no such thing in this round.")


class SeatLetter(serializers.CharField):
    """A seat's letter: N, W, S or E; with more seats others."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=1, **kwargs)


class ProposalBody(ReasonBody):
    """``appeal`` is the number of the appeal that it follows from."""

    appeal = WholeNumber(min_value=1, allow_null=True, default=None)


class DealProposal(ProposalBody):
    """``version`` is the one that was read; ``record`` the whole deal as docs/rules.md §9 writes it."""

    table = WholeNumber()
    deal = WholeNumber()
    version = WholeNumber(min_value=1)
    record = serializers.JSONField()


class VoidProposal(ProposalBody):
    """``version`` is the one that was read."""

    table = WholeNumber()
    deal = WholeNumber()
    version = WholeNumber(min_value=1)


class PenaltyProposal(ProposalBody):
    """``player`` is the place of the player in the entry, null for the entry as a whole."""

    entry = WholeNumber(help_text="The entry's number.")
    rule = serializers.CharField(max_length=200, allow_blank=True)
    points = PointsIn()
    player = WholeNumber(min_value=1, allow_null=True, default=None)
    sure = serializers.BooleanField(default=False)


class PenaltyCancelProposal(ProposalBody):
    penalty = WholeNumber(help_text="Its id.")


class WalkoverProposal(WalkoverBody, ProposalBody):
    match = WholeNumber()


class WalkoverUndoProposal(ProposalBody):
    match = WholeNumber()


class WinnerProposal(ProposalBody):
    match = WholeNumber()
    winner = WholeNumber(min_value=1, help_text="The entry's number.")


class WinnerUndoProposal(ProposalBody):
    match = WholeNumber()


class SatBody(Body):
    """The player of seat ``seat`` sat at seat ``at``."""

    seat = SeatLetter()
    at = SeatLetter()


class SeenDealBody(Body):
    deal = WholeNumber()
    version = WholeNumber(min_value=1, help_text="The one that was read.")


class SeatsBody(Body):
    """Who sat where, and in which deals of the segment."""

    segment = WholeNumber(min_value=1, max_value=100, default=1)
    sat = serializers.ListField(child=SatBody(), max_length=10)
    deals = serializers.ListField(child=SeenDealBody(), max_length=500)


class SeatsProposal(SeatsBody, ProposalBody):
    table = WholeNumber()


class PlaceBody(Body):
    table = WholeNumber()
    seat = SeatLetter()


class TablesProposal(ProposalBody):
    """The players of these two seats sat at each other's tables."""

    first = PlaceBody()
    second = PlaceBody()


class SubstituteProposal(ProposalBody):
    """Somebody took another's seat: ``player`` is the place of one of the entry's, else ``name`` somebody
    from outside. ``after_deals``: so many deals had been dealt at the table until then.
    """

    table = WholeNumber()
    segment = WholeNumber(min_value=1, max_value=100, default=1)
    seat = SeatLetter()
    player = WholeNumber(min_value=1, allow_null=True, default=None)
    name = serializers.CharField(max_length=120, allow_blank=True, default="")
    after_deals = WholeNumber(max_value=999, allow_null=True, default=None)


class EntryRulingBody(ReasonBody):
    """``annul_from``: its results are annulled from that round on, 1 for all; null keeps them. Those who met
    it there have their results as played, or ``opponents_points`` in the event's measure.
    """

    unranked = serializers.BooleanField(default=True, help_text="Last, without a rank, and drawn no more.")
    annul_from = WholeNumber(min_value=1, allow_null=True, default=None)
    opponents = serializers.ChoiceField(
        EntryRuling.Opponents.choices, default=EntryRuling.Opponents.PLAYED.value
    )
    opponents_points = PointsIn(default=0)


class EntryRulingOut(serializers.Serializer):
    """A ruling on an entry; it is in force until it is lifted."""

    unranked = serializers.BooleanField()
    annul_from = serializers.IntegerField(allow_null=True)
    opponents = serializers.ChoiceField(EntryRuling.Opponents.choices)
    opponents_points = PointsOut()
    reason = serializers.CharField()
    made_by = serializers.CharField(source="made_by.username", allow_null=True)
    made_at = serializers.DateTimeField()
    lift_reason = serializers.CharField(allow_blank=True)
    lifted_at = serializers.DateTimeField(allow_null=True)


class ProposeView(CorrectionActView):
    """Puts a change of a round on record as a proposal."""

    def propose(self, round: Round, kind: str, change: Json, data: Json) -> int:
        """Its number. Raises what the change raises."""
        appeal = None
        if data.get("appeal") is not None:
            appeal = self.event.appeals.filter(number=data["appeal"]).first()
            if appeal is None:
                raise serializers.ValidationError({"appeal": _("There is no such appeal in this event.")})
            appeal.event = self.event
        made = propose_correction(
            actor=self.actor, round=round, kind=kind, change=change, reason=data["reason"]
        )
        if appeal is not None:
            link_correction(actor=self.actor, appeal=appeal, correction=made)
        return made.number


class CorrectDealView(ProposeView):
    @operation(input=DealProposal, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> int:
        """Propose another record of a deal."""
        return self.propose(
            self.round(round), Kind.DEAL, _picked(data, "table", "deal", "version", "record"), data
        )


class CorrectVoidView(ProposeView):
    @operation(input=VoidProposal, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> int:
        """Propose to declare a deal void; it is to be replayed."""
        return self.propose(self.round(round), Kind.VOID, _picked(data, "table", "deal", "version"), data)


class CorrectPenaltyView(ProposeView):
    @operation(input=PenaltyProposal, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> int:
        """Propose a penalty in a round that others go by already."""
        change = _picked(data, "entry", "rule", "player", "sure") | {"points": str(data["points"])}
        return self.propose(self.round(round), Kind.PENALTY, change, data)


class CorrectPenaltyCancelView(ProposeView):
    @operation(input=PenaltyCancelProposal, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> int:
        """Propose to cancel a penalty of a round that others go by already."""
        of_round = self.round(round)
        penalty = Penalty.objects.filter(round=of_round, pk=data["penalty"]).first()
        if penalty is None:
            raise serializers.ValidationError({"penalty": NOT_HERE})
        change = {"given_at": penalty.given_at.isoformat()}
        return self.propose(of_round, Kind.PENALTY_CANCEL, change, data)


class CorrectWalkoverView(ProposeView):
    @operation(input=WalkoverProposal, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> int:
        """Propose that a match counts as not played, or as not played otherwise than stated."""
        scores = {str(one["entry"]): str(one["points"]) for one in data["scores"]}
        change = _picked(data, "match", "absent", "met") | {"scores": scores}
        return self.propose(self.round(round), Kind.WALKOVER, change, data)


class CorrectWalkoverUndoView(ProposeView):
    @operation(input=WalkoverUndoProposal, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> int:
        """Propose that the deals of a match count after all."""
        return self.propose(self.round(round), Kind.WALKOVER_UNDO, _picked(data, "match"), data)


class CorrectWinnerView(ProposeView):
    @operation(input=WinnerProposal, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> int:
        """Propose who has won a match of a bracket, whatever its deals say."""
        return self.propose(self.round(round), Kind.WINNER, _picked(data, "match", "winner"), data)


class CorrectWinnerUndoView(ProposeView):
    @operation(input=WinnerUndoProposal, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> int:
        """Propose that the deals decide a match of a bracket again."""
        return self.propose(self.round(round), Kind.WINNER_UNDO, _picked(data, "match"), data)


class CorrectSeatsView(ProposeView):
    @operation(input=SeatsProposal, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> int:
        """Propose to move deals to the seats of those who played them."""
        deals = {str(one["deal"]): one["version"] for one in data["deals"]}
        change = _picked(data, "table", "segment") | {"sat": sat_by_seat(data), "deals": deals}
        return self.propose(self.round(round), Kind.SEATS, change, data)


class CorrectTablesView(ProposeView):
    @operation(input=TablesProposal, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> int:
        """Propose to exchange two players who sat at each other's tables; the deals follow them."""
        of_round = self.round(round)
        first, second = exchanged_seats(of_round, data)
        seen = {str(line.goes_to.number): list(line.deals) for line in preview_exchange(first, second)}
        places = {name: [data[name]["table"], data[name]["seat"]] for name in ("first", "second")}
        return self.propose(of_round, Kind.TABLES, {**places, "deals": seen}, data)


class CorrectSubstituteView(ProposeView):
    @operation(input=SubstituteProposal, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> int:
        """Propose that a seat was another player's from some deal on."""
        change = _picked(data, "table", "segment", "seat", "player", "name", "after_deals")
        return self.propose(self.round(round), Kind.SUBSTITUTE, change, data)


class EntryRulingsView(ProposeView):
    @operation(output=EntryRulingOut, paged=True)
    def get(self, request: Request, number: int) -> Listed:
        """Rulings on an entry, lifted ones too, the latest first."""
        rulings = EntryRuling.objects.filter(entry=self._entry(number)).select_related("made_by")
        return Listed(rulings.order_by("-made_at", "-id"))

    @operation(input=EntryRulingBody, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, number: int, data: dict[str, Any]) -> int:
        """Propose a ruling on an entry: disqualified, results kept, or annulled from a round on."""
        self._entry(number)
        change = {
            "entry": number,
            **_picked(data, "unranked", "annul_from", "opponents"),
            "opponents_points": str(Fraction(data["opponents_points"])),
        }
        return self.propose(self._first(data["annul_from"]), Kind.RULING, change, data)

    def _entry(self, number: int) -> Entry:
        return get_object_or_404(self.event.entries, number=number)

    def _first(self, annul_from: int | None) -> Round:
        found = self.event.rounds.filter(number=annul_from or 1).first()
        if found is None:
            raise serializers.ValidationError({"annul_from": _("There is no such round.")})
        return self.round(found.number)


class LiftEntryRulingView(ProposeView):
    @operation(input=ReasonBody, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, number: int, data: dict[str, Any]) -> int:
        """Propose to lift the ruling on an entry: its results count, and it is ranked and drawn again."""
        ruling = ruling_in_force(get_object_or_404(self.event.entries, number=number))
        if ruling is None:
            raise Conflict("no_ruling", _("No ruling on this entry is in force."))
        return self.propose(self.round(ruling.annul_from or 1), Kind.RULING_LIFT, {"entry": number}, data)


def sat_by_seat(data: Json) -> dict[str, str]:
    """By seat of the draw, where its player sat."""
    return {one["seat"]: one["at"] for one in data["sat"]}


def exchanged_seats(round: Round, data: Json) -> tuple[Seat, Seat]:
    """The two seats that a body names. Raises ValidationError where one is not there."""
    found = [_seat(round, name, data[name]) for name in ("first", "second")]
    return found[0], found[1]


def _seat(round: Round, name: str, place: Json) -> Seat:
    seats = Seat.objects.select_related("player", "entry", "table__draw__round__event__tournament")
    seat = seats.filter(
        table__draw__round=round,
        table__draw__state=Draw.State.PUBLISHED,
        table__number=place["table"],
        segment=1,
        direction=place["seat"],
    ).first()
    if seat is None:
        raise serializers.ValidationError({name: NOT_HERE})
    return seat


def _picked(data: Json, *names: str) -> Json:
    return {name: data[name] for name in names}
