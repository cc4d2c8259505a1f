"""The bracket of a stage, its groups or heats: as the desk knows them, and as far as they are published."""

from collections.abc import Callable
from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.operations import operation
from tournament.api.stages import StageActView
from tournament.api.views import PublicEventView
from tournament.pairing.bracket import Section
from tournament.pairing.knockout import MatchState, Status
from tournament.queries.brackets import heats_of, stage_standing
from tournament.queries.draw_brackets import Standing
from tournament.queries.draw_sources import stage_groups
from tournament.queries.public_bracket import published_standing

UNDECIDED = "undecided"


class BracketSideOut(serializers.Serializer):
    """A side of a match: the number of the entry, null where it is not known yet or nobody; games won."""

    entry = serializers.IntegerField(allow_null=True)
    won = serializers.IntegerField()


class BracketMatchOut(serializers.Serializer):
    """``level`` is the match's round within its section; ``undecided``: played out without a winner."""

    id = serializers.CharField()
    section = serializers.ChoiceField([one.value for one in Section])
    level = serializers.IntegerField()
    best_of = serializers.IntegerField()
    state = serializers.ChoiceField([*(one.value for one in Status), UNDECIDED])
    sides = BracketSideOut(many=True)
    winner = serializers.IntegerField(allow_null=True)


class BracketOut(serializers.Serializer):
    """Matches in the order of the bracket, and who has won it all."""

    champion = serializers.IntegerField(allow_null=True)
    matches = BracketMatchOut(many=True)


class HeatOut(serializers.Serializer):
    """Numbers of who goes on from a round of heats: of each table, as the best of the rest, and by lot."""

    round = serializers.IntegerField()
    direct = serializers.ListField(child=serializers.IntegerField())
    best_of_rest = serializers.ListField(child=serializers.IntegerField())
    by_lot = serializers.ListField(child=serializers.IntegerField())


class OwnBracketOut(BracketOut):
    """With the groups of a stage of groups, and what heats have decided; empty for other formats."""

    groups = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    heats = HeatOut(many=True)


class OwnBracketView(StageActView):
    @operation(output=OwnBracketOut)
    def get(self, request: Request, stage: int) -> dict[str, Any]:
        """The bracket, groups or heats of a stage as they stand after the last closed round."""
        found = self.stage(stage)
        entries = {entry.pk: entry for entry in self.event.entries.all()}

        def number(who: int | None) -> int | None:
            return None if who is None else entries[who].number

        standing = stage_standing(found)
        shown = _shown(standing, number) if standing else {"champion": None, "matches": []}
        heats = [
            {
                "round": heat.round,
                "direct": [one.number for one in heat.direct],
                "best_of_rest": [one.number for one in heat.best_of_rest],
                "by_lot": [one.number for one in heat.by_lot],
            }
            for heat in heats_of(found, entries)
        ]
        return {
            **shown,
            "groups": [[number(who) for who in group] for group in stage_groups(found)],
            "heats": heats,
        }


class BracketView(PublicEventView):
    @operation(output=BracketOut)
    def get(self, request: Request, stage: int) -> dict[str, Any]:
        """The bracket of a stage, as far as its rounds are published."""
        standing = published_standing(self.published, stage)
        if standing is None:
            raise Http404
        return _shown(standing, lambda who: who)


def _shown(standing: Standing, number: Callable[[int | None], int | None]) -> dict[str, Any]:
    """The bracket as BracketOut shows it; ``number`` gives the number of an entry of the standing."""
    undecided = {one.match.id for one in standing.undecided}
    return {
        "champion": number(standing.state.champion),
        "matches": [_match(one, undecided, number) for one in standing.state.matches.values()],
    }


def _match(
    one: MatchState, undecided: set[str], number: Callable[[int | None], int | None]
) -> dict[str, Any]:
    return {
        **{name: getattr(one.match, name) for name in ("id", "level", "best_of")},
        "section": one.match.section.value,
        "state": UNDECIDED if one.match.id in undecided else one.status.value,
        "sides": [{"entry": number(who), "won": won} for who, won in zip(one.sides, one.won, strict=True)],
        "winner": number(one.winner),
    }
