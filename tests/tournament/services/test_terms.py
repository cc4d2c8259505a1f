"""Stages and rounds played otherwise than their event: what is refused, what is frozen, what counts."""

import pytest

from referee.models import Penalty
from referee.queries.play import play_of, tables_in_play
from tests.factories import make_event, make_published_draw, make_ruleset_version
from tests.tournament.draws import close, draw_round, give_values
from tournament.models import AuditRow, Event, Round
from tournament.queries.plans import describe_terms, measures_by_round, round_terms, stage_terms
from tournament.queries.standings import event_standings
from tournament.services.advance import confirm_advancement
from tournament.services.audit import SYSTEM
from tournament.services.draw import withdraw_draw
from tournament.services.errors import Refused
from tournament.services.events import edit_event
from tournament.services.stages import StageData, add_stage, configure_stage
from tournament.services.terms import set_round_terms, set_stage_terms

pytestmark = pytest.mark.django_db

SET = {"kind": "set", "deals": 16}
BEST_OF_3 = {"kind": "game", "best_of": 3, "lose_line": -1000, "win_line": 1000}
BEST_OF_5 = BEST_OF_3 | {"best_of": 5}


def _terms(plan, measure=None, *, segments=None, duplicate=False):
    terms = {"plan": plan, "segments": segments, "duplicate": duplicate}
    return terms | {"measure": measure} if measure else terms


def _codes(refused):
    return {problem.code for problem in refused.value.problems}


@pytest.fixture
def event():
    """Pairs: a Swiss round of sets, then a knock-out of four for which nothing is stated yet."""
    made = make_event(Event.Kind.PAIRS, 4, plan=SET, planned_rounds=1)
    configure_stage(actor=SYSTEM, stage=made.stages.get(), data=StageData(format="swiss", rounds=1))
    add_stage(actor=SYSTEM, event=made, data=StageData(format="knockout", rounds=2, carry=False))
    made.refresh_from_db()
    return made


def _stage(event, number=2):
    return event.stages.get(number=number)


def _state(event, terms, number=2):
    return set_stage_terms(actor=SYSTEM, stage=_stage(event, number), terms=terms)


def _final(event, terms):
    return set_round_terms(actor=SYSTEM, round=event.rounds.get(number=3), terms=terms)


def _played_until_the_final(event):
    """Who has the lower number wins throughout: sets by 10 points for each place, games by 2 to 0."""
    give_values(draw_round(event, 1), lambda entry: -10 * entry.number)
    close(event.rounds.get(number=1))
    confirm_advancement(actor=SYSTEM, stage=_stage(event), numbers=[1, 2, 3, 4], reason="排位赛")
    give_values(draw_round(event, 2), lambda entry: 2 if entry.number < 3 else 0)
    close(event.rounds.get(number=2))


def test_a_round_is_played_as_it_says_else_as_its_stage_else_as_the_event(event):
    _state(event, _terms(BEST_OF_3, "games"))
    _final(event, _terms(BEST_OF_5))

    plans = [round_terms(one) for one in event.rounds.order_by("number")]
    assert [(one.plan.kind, one.plan.best_of, one.measure) for one in plans] == [
        ("set", 1, "difference"),
        ("game", 3, "games"),
        ("game", 5, "games"),
    ]
    assert measures_by_round(event) == {1: "difference", 2: "games", 3: "games"}
    assert describe_terms(stage_terms(_stage(event))) == describe_terms(plans[1])
    actions = AuditRow.objects.filter(event=event).values_list("action", flat=True)
    assert {"stage.terms", "round.terms"} <= set(actions)

    _final(event, {})
    assert round_terms(event.rounds.get(number=3)).plan.best_of == 3


def test_tables_play_the_plan_of_their_round(event):
    _state(event, _terms(BEST_OF_3, "games", segments={"count": 3, "change": "turn"}))
    _played_until_the_final(event)
    for number, kind, segments in ((1, "set", 1), (2, "game", 3)):
        for table in tables_in_play().filter(draw__round__event=event, draw__round__number=number):
            play = play_of(table)
            assert (play.plan.kind, play.segments) == (kind, segments)


def test_what_is_played_is_frozen_from_the_draw_until_it_is_withdrawn(event):
    _state(event, _terms(BEST_OF_3, "games"))
    _played_until_the_final(event)
    with pytest.raises(Refused) as refused:
        _state(event, {})
    assert _codes(refused) == {"stage_drawn"}
    with pytest.raises(Refused) as refused:
        set_round_terms(actor=SYSTEM, round=event.rounds.get(number=2), terms=_terms(BEST_OF_5))
    assert _codes(refused) == {"round_drawn"}
    # The final is not drawn yet: it may still become a longer one.
    _final(event, _terms(BEST_OF_5))
    draw = draw_round(event, 3)
    with pytest.raises(Refused):
        _final(event, {})
    withdraw_draw(actor=SYSTEM, draw=draw, reason="改赛制")
    assert round_terms(_final(event, {})).plan.best_of == 3


@pytest.mark.parametrize(
    ("terms", "codes"),
    [
        (_terms(SET, "games"), {"measure_plan"}),
        (_terms(BEST_OF_3, "place_points"), {"measure_kind"}),
        (_terms(BEST_OF_3 | {"best_of": 0}, "games"), {"ruleset_range"}),
        (_terms(BEST_OF_3, "games", segments={"count": 4}), {"segments_games"}),
        (_terms(SET, "difference", duplicate=True), {"duplicate_kind"}),
        ({"plan": SET}, {"terms_incomplete"}),
        (_terms(SET), {"terms_incomplete"}),
    ],
)
def test_nonsense_is_refused(event, terms, codes):
    with pytest.raises(Refused) as refused:
        _state(event, terms)
    assert _codes(refused) == codes
    assert _stage(event).terms == {}


def test_the_first_stage_is_worth_what_the_event_says(event):
    with pytest.raises(Refused) as refused:
        _state(event, _terms(SET, "points"), number=1)
    assert _codes(refused) == {"first_measure"}
    _state(event, _terms({"kind": "set", "deals": 8}, "difference"), number=1)


def test_points_count_on_only_between_stages_worth_the_same(event):
    def carry(on):
        configure_stage(
            actor=SYSTEM, stage=_stage(event), data=StageData(format="knockout", rounds=2, carry=on)
        )

    _state(event, _terms(BEST_OF_3, "games"))
    with pytest.raises(Refused) as refused:
        carry(True)
    assert _codes(refused) == {"carry_measure"}
    _state(event, {})
    carry(True)
    with pytest.raises(Refused) as refused:
        _state(event, _terms(BEST_OF_3, "games"))
    assert _codes(refused) == {"carry_measure"}


def test_a_change_of_the_event_may_not_break_what_its_stages_state(event):
    _state(event, _terms(BEST_OF_3, "victory_points"))
    with pytest.raises(Refused) as refused:
        edit_event(actor=SYSTEM, event=event, kind=Event.Kind.PAIRS, ruleset_version=_counting_penalties())
    assert _codes(refused) == {"penalties_measure"}
    assert "2" in str(refused.value)


def _counting_penalties():
    """A ruleset by which penalties help to end a game."""
    version = make_ruleset_version()
    version.pk = None
    version.number += 1
    version.data = {**version.data, "penalties_count_towards_lines": True}
    version.save()
    return version


@pytest.mark.parametrize(
    ("plan", "measure", "fits"),
    [
        (BEST_OF_3, "games", False),
        (BEST_OF_3, "victory_points", False),
        ({"kind": "time", "minutes": 60}, "games", False),
        (BEST_OF_3, "points", True),
        (BEST_OF_3, "difference", True),
        (SET, "victory_points", True),
    ],
)
def test_penalties_end_a_game_only_where_they_are_stated_in_points(plan, measure, fits):
    fields = {"plan": plan, "measure": measure, "ruleset_version": _counting_penalties()}
    event = make_event(Event.Kind.PAIRS)
    if fits:
        edit_event(actor=SYSTEM, event=event, **fields)
        return
    with pytest.raises(Refused) as refused:
        edit_event(actor=SYSTEM, event=event, **fields)
    assert _codes(refused) == {"penalties_measure"}


def test_place_points_do_not_go_with_penalties_that_end_a_game():
    event = make_event(Event.Kind.INDIVIDUAL)
    with pytest.raises(Refused) as refused:
        edit_event(actor=SYSTEM, event=event, measure="place_points", ruleset_version=_counting_penalties())
    assert _codes(refused) == {"penalties_measure"}


def test_each_stage_is_ranked_by_what_it_is_worth_and_the_total_adds_up_like_with_like(event):
    _state(event, _terms(BEST_OF_3, "games"))
    _played_until_the_final(event)
    give_values(draw_round(event, 3), lambda entry: {1: 1, 2: 3, 3: 3, 4: 0}[entry.number])
    close(event.rounds.get(number=3))

    found = event_standings(event)
    rows = {row.entry.number: row for row in found.rows}
    assert [row.entry.number for row in found.rows] == [2, 1, 3, 4]
    assert [cell.value for cell in rows[2].cells] == [-20, 2, 3]
    assert rows[2].total == -20
    assert rows[2].score == 5
    own = event_standings(event, stage=_stage(event))
    assert {row.entry.number: row.total for row in own.rows} == {1: 3, 2: 5, 3: 3, 4: 0}


def test_penalties_given_fix_what_a_stage_is_worth(event):
    Penalty.objects.create(
        event=event,
        round=event.rounds.get(number=2),
        entry=event.entries.get(number=1),
        points=-50,
        rule="迟到",
        reason="迟到十分钟",
    )
    with pytest.raises(Refused) as refused:
        _state(event, _terms(BEST_OF_3, "games"))
    assert _codes(refused) == {"penalties_given"}
    _state(event, _terms({"kind": "set", "deals": 8}, "difference"))


def test_a_published_first_round_leaves_later_stages_open():
    event = make_event(Event.Kind.PAIRS, 4, plan=SET, planned_rounds=1)
    add_stage(actor=SYSTEM, event=event, data=StageData(format="knockout", rounds=2, carry=False))
    make_published_draw(event)
    assert Event.objects.get(pk=event.pk).state == Event.State.STARTED
    _state(event, _terms(BEST_OF_3, "games"))
    assert Round.objects.get(event=event, number=2).stage.terms["measure"] == "games"
