"""Organising: rounds, their draws, and what is published of them."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import (
    Body,
    Moment,
    Nothing,
    ObjectOut,
    PointsIn,
    PointsOut,
    Reason,
    ReasonBody,
    WholeNumber,
)
from tournament.api.operations import operation
from tournament.api.paging import Listed
from tournament.api.views import OrganiseView
from tournament.models import Draw, Publication, Round
from tournament.pairing.options import OddAnswer
from tournament.queries.draw_sources import violations_now
from tournament.queries.draws import living_draw, same_as_stored
from tournament.services.draw import SEEDS, make_draw, publish_draw, swap_seats, withdraw_draw
from tournament.services.protest_time import final_time
from tournament.services.publicity import hold_round_back, release_round
from tournament.services.publish import latest_publication, publish, withdraw_publication
from tournament.services.rounds import close_round, reopen_round

ROUNDS, DRAWS, PUBLISHING = "Organise: rounds", "Organise: draws", "Organise: publishing"


class RoundOut(serializers.Serializer):
    number = serializers.IntegerField()
    stage = serializers.IntegerField(source="stage.number")
    state = serializers.ChoiceField(Round.State.choices)
    starts_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    override_reason = serializers.CharField(allow_blank=True)
    held_back = serializers.BooleanField()


class SeatOut(serializers.Serializer):
    segment = serializers.IntegerField()
    seat = serializers.CharField(source="direction")
    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    player = serializers.CharField(source="player.name")


class DrawnTableOut(serializers.Serializer):
    number = serializers.IntegerField()
    match = serializers.IntegerField(source="match.number")
    seats = SeatOut(many=True, source="seats.all")


class ByeOut(serializers.Serializer):
    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    points = PointsOut()


class DrawOut(serializers.Serializer):
    """A draw. ``violations`` are what the checker finds: codes, with the entries' numbers."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(Draw.State.choices)
    method = serializers.CharField()
    seed = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)
    quality = ObjectOut()
    violations = serializers.ListField(child=ObjectOut())
    tables = DrawnTableOut(many=True)
    byes = ByeOut(many=True)


class VerifiedOut(serializers.Serializer):
    same = serializers.BooleanField(help_text="Drawn again from inputs and seed, it is what is stored.")


class DrawBody(Body):
    """Without a seed one is taken at random; without an answer the event's own counts."""

    seed = WholeNumber(max_value=SEEDS - 1, required=False, allow_null=True)
    answer = serializers.ChoiceField([one.value for one in OddAnswer], required=False)
    bye_points = PointsIn(required=False)


class SwapBody(Body):
    """Numbers of two entries."""

    first = WholeNumber()
    second = WholeNumber()


class WithdrawDrawBody(ReasonBody):
    with_deals = serializers.BooleanField(default=False, help_text="Deals recorded shall no longer count.")


class CloseBody(Body):
    override_reason = Reason(help_text="Needed where something is missing.")


class PublishBody(Body):
    """Provisional for so many minutes, or until a time; without either for the event's time for
    appeals, if it has one."""

    what = serializers.ChoiceField(Publication.What.choices)
    note = Reason(help_text="What changed and why.")
    final_minutes = WholeNumber(required=False, min_value=1)
    final_at = Moment(required=False)


class UnpublishBody(ReasonBody):
    what = serializers.ChoiceField(Publication.What.choices)


class PublicationOut(serializers.Serializer):
    what = serializers.ChoiceField(Publication.What.choices)
    version = serializers.IntegerField()
    note = serializers.CharField(allow_blank=True)
    withdrawn = serializers.BooleanField()
    published_at = serializers.DateTimeField()
    final_at = serializers.DateTimeField(allow_null=True)


class OwnRoundsView(OrganiseView):
    tag = ROUNDS

    @operation(output=RoundOut, paged=True)
    def get(self, request: Request) -> Listed:
        """All rounds of the event."""
        return Listed(self.event.rounds.select_related("stage").order_by("number"))


class RoundView(OrganiseView):
    tag = ROUNDS

    @operation(output=RoundOut)
    def get(self, request: Request, round: int) -> Round:
        """A round."""
        return self.round(round)


class CloseRoundView(OrganiseView):
    tag = ROUNDS

    @operation(input=CloseBody, output=RoundOut, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> Round:
        """Close a round in play. Refused with all that is missing, unless a reason is given."""
        close_round(actor=self.actor, round=self.round(round), **data)
        return self.round(round)


class ReopenRoundView(OrganiseView):
    tag = ROUNDS

    @operation(input=ReasonBody, output=RoundOut, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> Round:
        """Open a closed round again, so that deals can be corrected or added."""
        reopen_round(actor=self.actor, round=self.round(round), **data)
        return self.round(round)


class DrawActView(OrganiseView):
    """What can be done with a round's draw."""

    tag = DRAWS

    def draw(self, number: int) -> Draw:
        """The living draw of the round. Raises Http404."""
        draw = living_draw(self.round(number))
        if draw is None:
            raise Http404
        return draw


class DrawView(DrawActView):
    @operation(output=DrawOut)
    def get(self, request: Request, round: int) -> dict[str, Any]:
        """The round's draw: the preview, or the published one."""
        return draw_shown(self.draw(round))

    @operation(input=DrawBody, output=DrawOut, status=201, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> dict[str, Any]:
        """Draw a round as a preview, which only organisers see."""
        return draw_shown(make_draw(actor=self.actor, round=self.round(round), **data))


class SwapView(DrawActView):
    @operation(input=SwapBody, output=DrawOut, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> dict[str, Any]:
        """Exchange two entries of a preview; the checker runs again."""
        return draw_shown(swap_seats(actor=self.actor, draw=self.draw(round), **data))


class PublishDrawView(DrawActView):
    @operation(input=ReasonBody, output=DrawOut, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> dict[str, Any]:
        """Publish a preview and open its tables. With violations only with a reason."""
        return draw_shown(publish_draw(actor=self.actor, draw=self.draw(round), **data))


class WithdrawDrawView(DrawActView):
    @operation(input=WithdrawDrawBody, output=DrawOut, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> dict[str, Any]:
        """Take a draw back: the round can be drawn anew. Penalties stay."""
        return draw_shown(withdraw_draw(actor=self.actor, draw=self.draw(round), **data))


class VerifyDrawView(DrawActView):
    @operation(output=VerifiedOut)
    def get(self, request: Request, round: int) -> dict[str, bool]:
        """Draw again from the stored inputs and seed, and compare."""
        return {"same": same_as_stored(self.draw(round))}


class PublishView(OrganiseView):
    tag = PUBLISHING

    @operation(input=PublishBody, output=PublicationOut, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> Publication:
        """Publish a round's pairings, results or standings as the next version."""
        final = final_time(minutes=data.get("final_minutes"), at=data.get("final_at"))
        return publish(
            actor=self.actor, round=self.round(round), what=data["what"], note=data["note"], final_at=final
        )


class UnpublishView(OrganiseView):
    tag = PUBLISHING

    @operation(input=UnpublishBody, output=PublicationOut, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> Publication:
        """Take a matter off the public pages by a version that says so."""
        publication = latest_publication(self.round(round), data["what"])
        if publication is None:
            raise Http404
        return withdraw_publication(actor=self.actor, publication=publication, reason=data["reason"])


class HoldBackView(OrganiseView):
    tag = PUBLISHING

    @operation(input=ReasonBody, output=RoundOut, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> Round:
        """Keep results and standings of a round from the public until released."""
        hold_round_back(actor=self.actor, round=self.round(round), **data)
        return self.round(round)


class ReleaseView(OrganiseView):
    tag = PUBLISHING

    @operation(input=Nothing, output=RoundOut, once=True)
    def post(self, request: Request, round: int, data: dict[str, Any]) -> Round:
        """End the holding back."""
        release_round(actor=self.actor, round=self.round(round))
        return self.round(round)


def draw_shown(draw: Draw) -> dict[str, Any]:
    """The draw as DrawOut shows it. A constant number of queries."""
    quality = dict(draw.quality)
    stored = quality.pop("violations", [])
    found = violations_now(draw) if draw.state == Draw.State.PREVIEW else stored
    numbers = dict(draw.round.event.entries.values_list("pk", "number"))
    tables = draw.tables.select_related("match").prefetch_related("seats__entry", "seats__player")
    return {
        **{name: getattr(draw, name) for name in ("number", "state", "method", "seed", "reason")},
        "quality": quality,
        "violations": list(_with_numbers(found, numbers)),
        "tables": tables.order_by("number"),
        "byes": draw.byes.select_related("entry").order_by("entry__number"),
    }


def _with_numbers(found: Iterable[Mapping[str, Any]], numbers: Mapping[int, int]) -> Iterable[dict[str, Any]]:
    """Violations with the numbers that people know in place of ids."""
    for one in found:
        yield {**one, "entrants": [numbers[pk] for pk in one["entrants"] if pk in numbers]}
