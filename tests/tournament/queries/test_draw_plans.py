"""Rounds of a plan as they are drawn: to the end, with the wishes minded, and with broken tables."""

from dataclasses import replace

import pytest

from tests.tournament.pairing.events import field
from tournament.models import Event
from tournament.pairing.checker import Expected, check_draw
from tournament.pairing.model import NO_HISTORY, NO_WISHES, Constraints, PairingError
from tournament.queries.draw_formats import generate, with_positions
from tournament.queries.draw_inputs import DrawInputs, StageInputs


def begun(key, entrants, rounds, constraints=NO_WISHES, seed=3):
    """The inputs of the first round, everybody's place in the plan fixed."""
    inputs = DrawInputs(1, rounds, tuple(entrants), NO_HISTORY, constraints, StageInputs(rounds=rounds))
    return with_positions(key, inputs, seed)


def every_round(kind, key, inputs):
    """The inputs and the draw of every round, each knowing those before it."""
    history = NO_HISTORY
    for number in range(1, inputs.planned_rounds + 1):
        now = replace(inputs, round=number, history=history)
        draw = generate(key, kind, now, number)
        yield now, draw
        history = history.plus(draw)


def test_movement_is_drawn_to_its_end_and_passes_the_checker():
    inputs = begun("movement", field(24), rounds=7)
    for now, draw in every_round(Event.Kind.INDIVIDUAL, "movement", inputs):
        report = check_draw(draw, now.entrants, now.history)
        assert report.violations == ()
        assert report.quality == draw.quality
    with pytest.raises(PairingError) as fault:
        generate("movement", Event.Kind.INDIVIDUAL, replace(inputs, round=8), 8)
    assert (fault.value.code, fault.value.params) == ("round_not_in_plan", {"round": 8, "rounds": 7})


def test_places_in_a_movement_keep_clubs_apart_in_the_first_rounds_and_forbidden_pairs_in_all():
    wishes = Constraints.of(clubs_apart_rounds=3, forbidden=[(100, 101), (110, 120)])
    inputs = begun("movement", field(52, clubs=13), 6, wishes)
    assert sorted(inputs.stage.positions) == [one.id for one in inputs.entrants]
    for _, draw in every_round(Event.Kind.INDIVIDUAL, "movement", inputs):
        assert draw.quality.club_clashes == 0
        assert draw.quality.forbidden_meetings == 0
    another = begun("movement", field(52, clubs=13), 6, wishes, seed=4)
    assert inputs.stage.positions != another.stage.positions


@pytest.mark.parametrize(("gone", "sizes", "byes"), [(1, [3, 4, 4, 4], 0), (2, [4, 4, 4], 2)])
def test_three_left_at_a_table_of_a_movement_play_on_and_two_sit_out(gone, sizes, byes):
    inputs = begun("movement", field(16), rounds=3)
    whole = generate("movement", Event.Kind.INDIVIDUAL, inputs, 1)
    away = whole.tables[0].entrants[:gone]
    there = tuple(replace(one, present=one.id not in away) for one in inputs.entrants)

    draw = generate("movement", Event.Kind.INDIVIDUAL, replace(inputs, entrants=there), 1)

    assert check_draw(draw, there, expected=Expected(other_sizes=frozenset({3}))).violations == ()
    assert sorted(table.size for table in draw.tables) == sizes
    assert len(draw.byes) == byes
    assert {table.entrants for table in whole.tables[1:]} <= {table.entrants for table in draw.tables}


def test_whist_is_drawn_to_its_end_and_everybody_rests_once():
    inputs = begun("whist", field(9), rounds=9)
    rested = []
    for now, draw in every_round(Event.Kind.CHANGING, "whist", inputs):
        expected = Expected(repeats_allowed=True)
        assert check_draw(draw, now.entrants, now.history, expected=expected).violations == ()
        rested += draw.byes
    assert sorted(rested) == [one.id for one in inputs.entrants]


@pytest.mark.parametrize(("players", "clubs", "apart"), [(16, 5, 1), (16, 8, 3), (9, 4, 1), (20, 5, 1)])
def test_whist_keeps_clubs_apart_in_the_first_rounds(players, clubs, apart):
    constraints = Constraints(clubs_apart_rounds=apart)
    inputs = begun("whist", field(players, clubs=clubs), rounds=3, constraints=constraints)
    for now, draw in every_round(Event.Kind.CHANGING, "whist", inputs):
        expected = Expected(repeats_allowed=True)
        found = check_draw(draw, now.entrants, now.history, constraints=constraints, expected=expected)
        assert found.violations == ()
