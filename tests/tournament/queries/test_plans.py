"""A round plan in words, as the organiser's overview has it."""

import pytest
from django.utils.translation import override

from tests.factories import make_event
from tournament.models import Event
from tournament.queries.plans import describe_terms, event_terms, unlike_rounds
from tournament.services.audit import SYSTEM
from tournament.services.stages import StageData, add_stage

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("kind", "plan", "options", "words"),
    [
        (Event.Kind.PAIRS, {"kind": "set", "deals": 16}, {}, "16 deals"),
        (
            Event.Kind.TEAMS,
            {"kind": "set", "deals": 16},
            {"segments": {"count": 2}, "duplicate": True},
            "16 deals · 2 segments · the same deals at both tables",
        ),
        (
            Event.Kind.INDIVIDUAL,
            {"kind": "game", "best_of": 3, "lose_line": -800, "win_line": 800},
            {},
            "best of 3 games to −800 or 800",
        ),
        (
            Event.Kind.INDIVIDUAL,
            {"kind": "time", "minutes": 45, "finish_current_deal": False},
            {},
            "45 minutes, games to −1000 or 1000 · the deal in play does not count",
        ),
    ],
)
def test_plan_in_words(kind, plan, options, words):
    event = make_event(kind, plan=plan, options=options, measure=Event.Measure.POINTS)
    with override("en"):
        assert describe_terms(event_terms(event)) == words
    assert event_terms(event).tables_depend is bool(options.get("duplicate"))


def test_rounds_worth_something_else_are_told_with_what_they_count():
    event = make_event(Event.Kind.PAIRS, planned_rounds=2)
    assert unlike_rounds(event, (1, 2)) == []
    add_stage(actor=SYSTEM, event=event, data=StageData(format="knockout", rounds=2, carry=False))
    stage = event.stages.get(number=2)
    stage.terms = {"plan": {"kind": "game"}, "measure": "games", "segments": None, "duplicate": False}
    stage.save()
    assert unlike_rounds(event, (1, 2, 3, 4)) == [("3, 4", Event.Measure.GAMES.label)]
    assert unlike_rounds(event, (1, 3)) == [("3", Event.Measure.GAMES.label)]
