"""At a table: rulings beside the cards captured, logs of tricks, and what only the desk does there."""

from collections.abc import Mapping
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from referee import serializers as bodies
from referee.models import Penalty, Reseating, TableRuling
from referee.presenting import live_score_json
from referee.queries import seats_of, version_facts
from referee.services import reseating as reseatings
from referee.services import table_exchange, trick_log
from referee.services.records import score_record
from referee.services.table_corrections import (
    give_seat_penalty_or_propose,
    record_ruling_or_propose,
    rule_colour_or_propose,
)
from tournament.api.fields import Body, ObjectOut, PointsIn, PointsOut, ReasonBody, WholeNumber
from tournament.api.foresight import require_light
from tournament.api.operations import command_id, operation
from tournament.api.paging import Listed
from tournament.api.proposals import PlaceBody, SeatsBody, exchanged_seats, sat_by_seat
from tournament.api.tables import DoneOut, TableView
from tournament.api.views import OrganiseView, Purpose
from tournament.models import Seat
from tournament.queries.foresight import Json

DESK = "Organise: at a table"


class LiveScoreBody(bodies.ScoreInput, Body):
    """A record, perhaps incomplete."""


class LiveScoreOut(serializers.Serializer):
    score = ObjectOut()


class RulingBody(bodies.RulingInput, Body):
    """``facts`` by ``kind``. claim: ``seat`` claims ``tricks`` of the ``remaining``, ``agreed`` lists seats.
    card_count: ``hands`` (cards by seat), ``procedure`` draw (``agreed`` by all seats) or redeal. exposure:
    ``seat``, ``card``, the ``exposure`` shown, ``ruling`` stands, taken_back or as_kind with ``as_kind``.
    ``version`` is a recorded deal's that was read.
    """

    command_id = None


class ColourBody(bodies.ColourInput, Body):
    """The seat takes that trick's scoring cards, which another seat has in the record."""

    command_id = None


class TrickLogBody(bodies.TrickLogInput, Body):
    """``tricks``: each a list of ``{"seat", "cards"}`` in the order played; ``exposed`` as in a record."""

    command_id = None


class TableRulingOut(serializers.Serializer):
    id = serializers.IntegerField()
    deal = serializers.IntegerField(source="deal_number")
    version = serializers.IntegerField(source="version.number", allow_null=True)
    kind = serializers.ChoiceField(TableRuling.Kind.choices)
    facts = ObjectOut()
    note = serializers.CharField(allow_blank=True)
    ruled_by = serializers.CharField(source="ruled_by.username", allow_null=True)
    ruled_at = serializers.DateTimeField()


class DealVersionOut(serializers.Serializer):
    """``record`` and ``answer`` (its score) are empty for a void deal; ``check`` while nobody has checked."""

    version = serializers.IntegerField()
    state = serializers.ChoiceField(["recorded", "checked", "void", "withdrawn"])
    record = serializers.SerializerMethodField()
    answer = serializers.SerializerMethodField()
    reason = serializers.CharField(allow_blank=True)
    entered_by = serializers.CharField(allow_blank=True)
    entered_on = serializers.CharField(allow_blank=True, help_text="The tablet's name.")
    entered_seat = serializers.CharField(allow_blank=True)
    entered_at = serializers.DateTimeField()
    check = serializers.SerializerMethodField()

    def get_record(self, version: Json) -> dict[str, Any]:
        return version["record"] or {}

    def get_answer(self, version: Json) -> dict[str, Any]:
        return version["answer"] or {}

    def get_check(self, version: Json) -> dict[str, Any]:
        return version["check"] or {}


class SeatPenaltyBody(bodies.PenaltyInput, Body):
    """``seat`` is who is punished, with ``target`` also its side or its entry; ``deal`` and ``game`` are
    numbers at the table; ``article`` is the id of a stored article.
    """

    command_id = None
    points = PointsIn()
    target = serializers.ChoiceField(Penalty.Target.choices, default=Penalty.Target.SEAT.value)


class ReseatBody(SeatsBody, ReasonBody):
    """Players found at wrong seats."""


class ReseatingOut(serializers.Serializer):
    """``moved``: from the seat at which somebody sat to the seat that is theirs."""

    id = serializers.IntegerField()
    segment = serializers.IntegerField()
    moved = ObjectOut()
    deals = serializers.SerializerMethodField()
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)
    undo_reason = serializers.CharField(allow_blank=True)

    def get_deals(self, made: Reseating) -> list[int]:
        return [one.before.deal.number for one in made.deals.all()]


class LookBody(Body):
    """The players of these two seats sat at each other's tables."""

    first = PlaceBody()
    second = PlaceBody()


class SeenTableBody(Body):
    table = WholeNumber()
    deals = serializers.ListField(child=WholeNumber(), max_length=500)


class ExchangeBody(LookBody, ReasonBody):
    """``deals`` are the numbers of the deals that were looked at, of both tables."""

    deals = serializers.ListField(child=SeenTableBody(), max_length=2)


class ExchangeLineOut(serializers.Serializer):
    """The player comes to a table, and its deals become theirs: ``points`` in place of ``before``."""

    player = serializers.CharField(source="seat.player.name")
    entry = serializers.IntegerField(source="seat.entry.number")
    goes_to = serializers.IntegerField(source="goes_to.number")
    deals = serializers.ListField(child=serializers.IntegerField())
    before = PointsOut(allow_null=True)
    points = PointsOut(allow_null=True)


class TablePlaceOut(serializers.Serializer):
    table = serializers.IntegerField(source="table.number")
    seat = serializers.CharField(source="direction")
    entry = serializers.IntegerField(source="entry.number")
    player = serializers.CharField(source="player.name")


class DeskTableView(TableView):
    """What a tablet's token may not do at its own table."""

    purposes = (Purpose.ORGANISE,)
    tag = DESK


class LiveScoreView(TableView):
    @operation(input=LiveScoreBody, output=LiveScoreOut)
    def post(self, request: Request, round: int, table: int, data: dict[str, Any]) -> Mapping[str, Any]:
        """The score of a record as far as it goes. Nothing is stored."""
        event = self.table.draw.round.event
        scored = score_record(
            seats=tuple(seat.direction for seat in seats_of(self.table, 1)),
            mode=event.scoring_mode,
            ruleset=event.ruleset_version.ruleset(),
            record=data["record"],
            partial=True,
        )
        return {"score": live_score_json(scored.answer)}


class TableRulingView(TableView):
    @operation(input=RulingBody, output=DoneOut, once=True)
    def post(
        self, request: Request, round: int, table: int, deal: int, data: dict[str, Any]
    ) -> Mapping[str, Any]:
        """Rule on a claim, a wrong number of cards, or a misplaced exposure, which changes the record.

        Where published results or later draws go by the round, the other record is proposed: the outcome has
        the number of the ``correction`` beside the ruling.
        """
        return self.do(record_ruling_or_propose, table=self.table, number=deal, **data)


class ColourView(TableView):
    @operation(input=ColourBody, output=DoneOut, once=True)
    def post(
        self, request: Request, round: int, table: int, deal: int, data: dict[str, Any]
    ) -> Mapping[str, Any]:
        """Rule a discard of the wrong colour: the record changes, and needs its check.

        Where published results or later draws go by the round, the other record is proposed: the outcome has
        the number of the ``correction`` beside the ruling.
        """
        return self.do(rule_colour_or_propose, deal=self.on_record(deal), **data)


class TrickLogView(TableView):
    @operation(input=TrickLogBody, output=DoneOut, once=True)
    def post(
        self, request: Request, round: int, table: int, deal: int, data: dict[str, Any]
    ) -> Mapping[str, Any]:
        """Store the log of a deal's tricks; the outcome says what was captured and what was irregular."""
        return self.do(trick_log.record_trick_log, table=self.table, number=deal, **data)


class TableRulingsView(DeskTableView):
    @operation(output=TableRulingOut, paged=True)
    def get(self, request: Request, round: int, table: int) -> Listed:
        """Everything ruled at the table beside the cards, with the logs of tricks, the latest first."""
        found = self.table.rulings.select_related("version", "ruled_by")
        return Listed(found.order_by("-pk"))


class DealVersionsView(DeskTableView):
    @operation(output=DealVersionOut, paged=True)
    def get(self, request: Request, round: int, table: int, deal: int) -> Listed:
        """All versions of a deal, the newest first."""
        versions = self.on_record(deal).versions.select_related("deal", "entered_by", "device")
        return Listed([version_facts(one) for one in versions.order_by("-number")])


class SeatPenaltyView(DeskTableView):
    @operation(input=SeatPenaltyBody, output=DoneOut, once=True)
    def post(self, request: Request, round: int, table: int, data: dict[str, Any]) -> Mapping[str, Any]:
        """Give a penalty at the table: to a player, their side or their entry; for a deal, game or round.

        Where published results or later draws go by the round it is proposed instead: the outcome has the
        number of the ``correction``, to be looked at and made.
        """
        number = data.pop("deal")
        deal = None if number is None else self.on_record(number)
        return self.do(give_seat_penalty_or_propose, table=self.table, deal=deal, **data)


class ReseatingsView(DeskTableView):
    @operation(output=ReseatingOut, paged=True)
    def get(self, request: Request, round: int, table: int) -> Listed:
        """Exchanges of seats at the table, those undone too, the latest first."""
        return Listed(self.table.reseatings.prefetch_related("deals__before__deal").order_by("-pk"))

    @operation(input=ReseatBody, output=DoneOut, once=True)
    def post(self, request: Request, round: int, table: int, data: dict[str, Any]) -> Mapping[str, Any]:
        """Move deals to the seats of those who played them, in a round that nothing goes by yet."""
        require_light(self.table.draw.round)
        return self.do(
            reseatings.reseat,
            table=self.table,
            segment=data["segment"],
            sat=sat_by_seat(data),
            deals={one["deal"]: one["version"] for one in data["deals"]},
            reason=data["reason"],
        )


class UndoReseatingView(DeskTableView):
    @operation(input=ReasonBody, output=DoneOut, once=True)
    def post(
        self, request: Request, round: int, table: int, reseating: int, data: dict[str, Any]
    ) -> Mapping[str, Any]:
        """Take an exchange of seats back. Where others go by the round, correct the seats instead."""
        found = get_object_or_404(Reseating, table=self.table, pk=reseating)
        require_light(self.table.draw.round)
        found.table = self.table
        return self.do(reseatings.undo_reseating, reseating=found, **data)


class LookAtExchangeView(OrganiseView):
    tag = DESK

    @operation(input=LookBody, output=ExchangeLineOut, many=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> Any:
        """What exchanging two players between tables would do. Nothing is stored."""
        return table_exchange.preview_exchange(*exchanged_seats(self.round(round), data))


class ExchangeView(OrganiseView):
    tag = DESK

    @operation(input=ExchangeBody, output=TablePlaceOut, many=True, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> list[Seat]:
        """Exchange two players who sat at each other's tables: the deals there are theirs.

        In a round that nothing goes by yet; else it is a correction. Doing it again puts them back.
        """
        of_round = self.round(round)
        require_light(of_round)
        first, second = exchanged_seats(of_round, data)
        tables = {one.table.number: str(one.table_id) for one in (first, second)}
        table_exchange.exchange_tables(
            actor=self.actor,
            first=first,
            second=second,
            deals={tables[one["table"]]: one["deals"] for one in data["deals"] if one["table"] in tables},
            reason=data["reason"],
            command_id=command_id(request),
        )
        return list(exchanged_seats(of_round, data))
