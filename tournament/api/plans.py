"""Organising: how a stage or round is played, late entries in its plan, and a bracket after corrections."""

from collections.abc import Mapping
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import Body, ObjectOut, ReasonBody, WholeNumber
from tournament.api.operations import operation
from tournament.api.rounds import RoundOut, WithdrawDrawBody
from tournament.api.stages import TAG, DrawnOut, StageActView, StageOut
from tournament.api.views import OrganiseView
from tournament.models import Event, Round, Stage
from tournament.pairing.options import OddAnswer
from tournament.queries.draw_newcomers import Admission, Joining, joining
from tournament.queries.plans import stated_terms
from tournament.queries.stale_draws import StaleDraws, stale_draws
from tournament.services.bracket_corrections import keep_bracket, withdraw_overtaken
from tournament.services.draw import SEEDS
from tournament.services.newcomers import take_in_newcomers
from tournament.services.terms import set_round_terms, set_stage_terms


class RoundTermsBody(Body):
    """All of how a round is played; ``{}``: as its stage says. ``plan`` is a round plan, e.g.
    ``{"kind": "set", "deals": 16}``; ``segments`` such as ``{"count": 2, "change": "partners"}``, or null.
    """

    plan = serializers.DictField(required=False)
    segments = serializers.DictField(required=False, allow_null=True)
    duplicate = serializers.BooleanField(required=False)


class StageTermsBody(RoundTermsBody):
    """All of how the rounds of a stage are played and what they are worth; ``{}``: as the event says."""

    measure = serializers.ChoiceField(Event.Measure.choices, required=False)


class TermsOut(serializers.Serializer):
    """What is stated for the stage or round itself, empty where nothing is; and what holds for it."""

    stated = ObjectOut()
    holds = ObjectOut()


class PlaceOut(serializers.Serializer):
    """A place that nobody plays at; ``entry``: the number of whose it was, null where it was empty."""

    entry = serializers.IntegerField(allow_null=True)
    group = serializers.IntegerField()


class WayOut(serializers.Serializer):
    """A way to take them in: meetings of a round robin that are lost, and meetings that come again."""

    how = serializers.ChoiceField([one.value for one in Admission])
    lost = serializers.IntegerField()
    repeats = serializers.IntegerField()


class NewcomersOut(serializers.Serializer):
    """Numbers of those who joined after the plan was made, none where all have a place; the first round they
    can play in, the free places, and the ways that are possible.
    """

    newcomers = serializers.ListField(child=serializers.IntegerField())
    round = serializers.IntegerField(allow_null=True)
    places = PlaceOut(many=True)
    ways = WayOut(many=True)


class NewcomersBody(Body):
    """Free places, or the rounds that are not published planned anew; there ``answer`` says what is done
    where the field does not fill the tables.
    """

    how = serializers.ChoiceField([one.value for one in Admission])
    seed = WholeNumber(max_value=SEEDS - 1, required=False, allow_null=True)
    answer = serializers.ChoiceField([one.value for one in OddAnswer], required=False)


class OvertakenOut(serializers.Serializer):
    round = serializers.IntegerField()
    match = serializers.IntegerField()
    entries = serializers.ListField(child=serializers.IntegerField())


class TurnedOut(OvertakenOut):
    """Numbers of who was known to have won, and who has by what is on record now; null: nobody."""

    was = serializers.IntegerField(allow_null=True)
    now = serializers.IntegerField(allow_null=True)


class StaleOut(serializers.Serializer):
    """Drawn matches that no longer belong, and played ones that turned; none where every draw stands.
    ``keepable``: naming the winners as they were known leaves every draw as it is.
    """

    overtaken = OvertakenOut(many=True)
    turned = TurnedOut(many=True)
    keepable = serializers.BooleanField()


class StageTermsView(OrganiseView):
    tag = TAG

    def found(self, *, stage: int, lock: bool) -> Stage:
        stages = self.event.stages.select_related("event__tournament", "event__ruleset_version")
        found = get_object_or_404(
            stages.select_for_update(of=("self",), no_key=True) if lock else stages, number=stage
        )
        return _with_terms(found, stated_terms(found.event))

    @operation(output=TermsOut)
    def get(self, request: Request, stage: int) -> Stage:
        """How the rounds of a stage are played."""
        return self.found(stage=stage, lock=False)

    @operation(input=StageTermsBody, output=TermsOut, versioned=True)
    def put(self, request: Request, stage: int, found: Stage, data: dict[str, Any]) -> Stage:
        """State how the rounds of a stage are played, before any of them is drawn."""
        set_stage_terms(actor=self.actor, stage=found, terms=data)
        return self.found(stage=stage, lock=False)


class RoundTermsView(OrganiseView):
    tag = TAG

    def found(self, *, round: int, lock: bool) -> Round:
        rounds = self.event.rounds.select_related("event__tournament", "event__ruleset_version", "stage")
        found = get_object_or_404(
            rounds.select_for_update(of=("self",), no_key=True) if lock else rounds, number=round
        )
        return _with_terms(found, stated_terms(found.event) | found.stage.terms)

    @operation(output=TermsOut)
    def get(self, request: Request, round: int) -> Round:
        """How a round is played."""
        return self.found(round=round, lock=False)

    @operation(input=RoundTermsBody, output=TermsOut, versioned=True)
    def put(self, request: Request, round: int, found: Round, data: dict[str, Any]) -> Round:
        """State how one round is played, before it is drawn."""
        set_round_terms(actor=self.actor, round=found, terms=data)
        return self.found(round=round, lock=False)


class NewcomersView(StageActView):
    @operation(output=NewcomersOut)
    def get(self, request: Request, stage: int) -> dict[str, Any]:
        """Who joined after the plan of a stage was made, and how they can be taken into it."""
        waiting = joining(self.stage(stage))
        if waiting is None:
            return {"newcomers": [], "round": None, "places": [], "ways": []}
        numbers = dict(self.event.entries.values_list("pk", "number"))
        return {
            "newcomers": [entry.number for entry in waiting.newcomers],
            "round": waiting.round.number,
            "places": [
                {"entry": numbers.get(place.entry), "group": place.group + 1} for place in waiting.places
            ],
            "ways": list(_ways(waiting)),
        }

    @operation(input=NewcomersBody, output=DrawnOut, status=201, once=True)
    def post(self, request: Request, stage: int, data: dict[str, Any]) -> dict[str, Any]:
        """Take them all into the plan; what comes of it are previews. What is published stays."""
        values = {**data, "how": Admission(data["how"])}
        draws = take_in_newcomers(actor=self.actor, stage=self.stage(stage), **values)
        return {"rounds": [draw.round.number for draw in draws]}


class OvertakenView(StageActView):
    @operation(output=StaleOut)
    def get(self, request: Request, stage: int) -> dict[str, Any]:
        """Matches of a bracket that later corrections have overtaken."""
        return _stale_shown(self.event, stale_draws(self.stage(stage)))


class KeepBracketView(StageActView):
    @operation(input=ReasonBody, output=StageOut, once=True)
    def post(self, request: Request, stage: int, data: dict[str, Any]) -> Stage:
        """The bracket goes on as it was drawn: matches that turned are decided as they were known."""
        keep_bracket(actor=self.actor, stage=self.stage(stage), **data)
        return self.stage(stage)


class WithdrawOvertakenView(StageActView):
    @operation(input=WithdrawDrawBody, output=RoundOut, once=True)
    def post(self, request: Request, stage: int, data: dict[str, Any]) -> Round:
        """Withdraw the draws from the first overtaken round on; answers that round, to be drawn anew."""
        return withdraw_overtaken(actor=self.actor, stage=self.stage(stage), **data)


def _with_terms(found: Any, above: Mapping[str, Any]) -> Any:
    """A stage or round as TermsOut shows it."""
    found.stated, found.holds = found.terms, {**above, **found.terms}
    return found


def _ways(waiting: Joining) -> Any:
    for how in Admission:
        outlook = waiting.outlook(how)
        if outlook is not None:
            yield {"how": how.value, "lost": outlook.lost, "repeats": outlook.repeats}


def _stale_shown(event: Event, stale: StaleDraws | None) -> dict[str, Any]:
    if stale is None:
        return {"overtaken": [], "turned": [], "keepable": False}
    numbers = dict(event.entries.values_list("pk", "number"))

    def shown(one: Any) -> dict[str, Any]:
        return {
            "round": one.round,
            "match": one.match.number,
            "entries": [numbers[who] for who in one.sides],
        }

    return {
        "overtaken": [shown(one) for one in stale.overtaken],
        "turned": [
            {**shown(one), "was": numbers.get(one.was), "now": numbers.get(one.now)} for one in stale.turned
        ],
        "keepable": stale.keepable,
    }
