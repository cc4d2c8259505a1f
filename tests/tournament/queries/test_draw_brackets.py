"""Brackets as they are drawn round by round, for every number of entries, and seeded after groups."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from tests.tournament.pairing.events import first_meeting
from tournament.pairing.bracket import make_bracket
from tournament.pairing.checker import Expected, check_draw
from tournament.pairing.knockout import play
from tournament.pairing.model import NO_HISTORY, NO_WISHES, Entrant, PairingError
from tournament.queries.draw_brackets import draw_bracket, rounds_double, rounds_single, seeding, standing
from tournament.queries.draw_inputs import DrawInputs, Outcome, StageInputs

KNOCKOUT = {"third_place": False}
DOUBLE = {"decider": True}


def played(entries, options, seed):
    """Every round's draw of a bracket in which the better seeds have number 1, 2, 3 …; results by lot. At
    last the stage with all its results.
    """
    rng = random.Random(seed)
    field = tuple(Entrant(k, k) for k in range(1, entries + 1))
    stage = StageInputs(options=options, positions=tuple(one.id for one in field))
    draws, history = [], NO_HISTORY
    while True:
        number = len(draws) + 1
        try:
            draw = draw_bracket(DrawInputs(number, 99, field, history, NO_WISHES, stage), seed)
        except PairingError as end:
            assert end.code == "finished"  # noqa: PT017 - it ends only so
            return draws, stage
        there = {who for table in draw.tables for who in table.entrants} | set(draw.byes)
        report = check_draw(
            draw,
            [one for one in field if one.id in there],
            history,
            expected=Expected(size=2, repeats_allowed=True),
        )
        assert {one.code for one in report.violations} <= {"bye_again", "byes_fill_a_table"}
        assert report.quality == draw.quality
        draws.append(draw)
        history = history.plus(draw)
        outcomes = [
            Outcome(number, table.number, tuple(zip(table.entrants, rng.sample((1, 2), 2), strict=True)))
            for table in draw.tables
        ]
        outcomes += [Outcome(number, 0, ((who, 0),), who) for who in draw.byes]
        stage = replace(stage, outcomes=(*stage.outcomes, *outcomes))


def losses(stage):
    """How often each was beaten, counted from the results alone."""
    return Counter(
        min(one.values, key=lambda value: value[1])[0] for one in stage.outcomes if len(one.values) == 2
    )


@pytest.mark.parametrize("entries", range(2, 71))
def test_knock_out_is_drawn_round_by_round_until_all_but_one_are_beaten(entries):
    draws, stage = played(entries, KNOCKOUT, entries)
    beaten = losses(stage)
    assert len(draws) == rounds_single(entries, KNOCKOUT) == (entries - 1).bit_length()
    assert (len(beaten), set(beaten.values())) == (entries - 1, {1})
    assert sorted(draws[0].byes) == list(range(1, 2 ** len(draws) - entries + 1))
    assert not any(draw.byes for draw in draws[1:])
    assert standing(stage).state.champion not in beaten


@pytest.mark.parametrize("entries", [*range(2, 20), 24, 31, 32, 33, 47, 64, 70])
def test_double_elimination_is_drawn_round_by_round_until_all_but_one_are_beaten_twice(entries):
    draws, stage = played(entries, DOUBLE, entries)
    beaten = losses(stage)
    champion = standing(stage).state.champion
    assert len(draws) <= rounds_double(entries, DOUBLE)
    assert beaten.pop(champion, 0) <= 1
    assert (len(beaten), set(beaten.values())) == (entries - 1, {2})


def seeded(groups, seed):
    """The order of seeding of a knock-out after groups, given as ids in the order of their places."""
    origins = tuple(
        (who, number, place)
        for number, group in enumerate(groups, start=1)
        for place, who in enumerate(group, start=1)
    )
    field = tuple(Entrant(who, who) for who, _, _ in origins)
    stage = StageInputs(options=KNOCKOUT, origins=origins)
    return seeding(DrawInputs(1, 9, field, NO_HISTORY, NO_WISHES, stage), seed)


@pytest.mark.parametrize("groups", [2, 4, 8, 16])
@pytest.mark.parametrize("seed", range(3))
def test_two_of_a_group_meet_in_the_final_at_the_earliest(groups, seed):
    qualifiers = [[10 * g + 1, 10 * g + 2] for g in range(groups)]
    order = seeded(qualifiers, seed)
    assert {who % 10 for who in order[:groups]} == {1}
    rounds = (2 * groups).bit_length() - 1
    for winner, second in qualifiers:
        assert first_meeting(order, winner, second) == rounds
    opening = play(make_bracket(order), {}).ready
    assert all(sorted(who % 10 for who in match.sides) == [1, 2] for match in opening)


@pytest.mark.parametrize("groups", [2, 4, 8])
def test_four_of_a_group_are_in_four_quarters(groups):
    qualifiers = [[10 * g + k for k in (1, 2, 3, 4)] for g in range(groups)]
    order = seeded(qualifiers, seed=1)
    rounds = (4 * groups).bit_length() - 1
    for group in qualifiers:
        meetings = sorted(first_meeting(order, a, b) for a, b in combinations(group, 2))
        assert meetings == [rounds - 1] * 2 + [rounds] * 4


def test_best_of_the_rest_are_kept_from_their_group_mates_too():
    qualifiers = [[10 * g + k for k in ((1, 2, 3) if g < 4 else (1, 2))] for g in range(6)]
    order = seeded(qualifiers, seed=1)
    assert len(order) == 16
    for group in qualifiers:
        assert min(first_meeting(order, a, b) for a, b in combinations(group, 2)) >= 3


class Troubled:
    """A bracket in which some leave after every round, and some results turn out to be wrong."""

    def __init__(self, entries, options, seed):
        self.rng = random.Random(seed)
        self.field = tuple(Entrant(k, k) for k in range(1, entries + 1))
        self.stage = StageInputs(options=options, positions=tuple(one.id for one in self.field))
        self.gone = set()

    def draw(self, number):
        """The round; where neither side of a match is there, one of them is taken back for it."""
        back = set()
        while True:
            there = tuple(replace(one, present=one.id not in self.gone - back) for one in self.field)
            try:
                return draw_bracket(DrawInputs(number, 99, there, NO_HISTORY, NO_WISHES, self.stage), number)
            except PairingError as end:
                if end.code != "both_gone":
                    assert end.code == "finished"  # noqa: PT017 - it ends only so
                    return None
                one = int(end.params["numbers"].split(", ")[0])
                assert one in self.gone - back
                back.add(one)

    def note(self, number, draw):
        """Plays the round, then lets some leave and turns some results of it and of the round before."""
        outcomes = [
            Outcome(number, table.number, tuple(zip(table.entrants, self.rng.sample((1, 2), 2), strict=True)))
            for table in draw.tables
        ]
        outcomes += [Outcome(number, 0, ((who, 0),), who) for who in draw.byes]
        self.stage = replace(self.stage, outcomes=(*self.stage.outcomes, *outcomes))
        self.gone |= {one.id for one in self.field if self.rng.random() < 0.15}

    def correct(self):
        """A match of some round was won by the other side: the rounds after it are withdrawn. Which round is
        to be drawn next.
        """
        played = [one for one in self.stage.outcomes if len(one.values) == 2]
        if not played:
            return None
        wrong = self.rng.choice(played)
        (a, first), (b, second) = wrong.values
        right = replace(wrong, values=((a, second), (b, first)))
        kept = [one for one in self.stage.outcomes if one.round <= wrong.round]
        self.stage = replace(self.stage, outcomes=tuple(right if one == wrong else one for one in kept))
        return wrong.round + 1


@pytest.mark.parametrize("entries", range(2, 71))
@pytest.mark.parametrize("options", [{"third_place": True}, DOUBLE])
def test_bracket_ends_whoever_leaves_and_whatever_is_corrected(entries, options):
    event = Troubled(entries, options, entries)
    most = (rounds_double if "decider" in options else rounds_single)(entries, options)
    number, corrections = 1, 3
    while draw := event.draw(number):
        assert number <= most
        assert draw.tables or draw.byes
        event.note(number, draw)
        number += 1
        if corrections and event.rng.random() < 0.3:
            corrections -= 1
            number = event.correct() or number
    now = standing(event.stage)
    assert now.state.champion is not None
    assert now.stale == ()
    # Everybody else is out, but for the two of a match for third place that nobody came to.
    still_in = {one.id for one in event.field} - set(now.state.placings())
    assert still_in <= {who for one in now.state.ready for who in one.sides} & event.gone
