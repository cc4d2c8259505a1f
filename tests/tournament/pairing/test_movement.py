"""Planned movements: the counting bound, seats, odd fields, and their draws."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.events import field
from tournament.pairing.designs import ROTATIONS, cyclic_rounds, doubled_rounds, rotated_rounds
from tournament.pairing.model import PairingError
from tournament.pairing.movement import plan_movement
from tournament.pairing.options import OddAnswer, odd_options
from tournament.pairing.planned import assign_positions
from tournament.pairing.seat_plan import plan_seats


def counting_bound(players, rounds):
    """Meetings at tables of four beyond the number of pairs: the fewest repeats there can be."""
    return max(0, 3 * players * rounds // 2 - players * (players - 1) // 2)


def check_round(tables, players):
    assert sorted(p for table in tables for p in table) == list(range(players))


def repeats(rounds):
    met = Counter(two for tables in rounds for table in tables for two in combinations(sorted(table), 2))
    return sum(times - 1 for times in met.values())


def spread(rounds, players):
    sat = Counter(seat for tables in rounds for table in tables for seat in table)
    return max(max(sat[s, p] for s in "NWSE") - min(sat[s, p] for s in "NWSE") for p in range(players))


def in_seats(tables):
    return [[p for _, p in seats] for seats in tables]


@pytest.mark.parametrize("players", ROTATIONS)
def test_rotated_design_is_complete_and_repeats_nobody(players):
    rounds = rotated_rounds(players)
    assert len(rounds) == ROTATIONS[players].ring == (players - 1) // 3
    for tables in rounds:
        check_round(tables, players)
        assert {len(table) for table in tables} == {4}
    assert repeats(rounds) == 0


@pytest.mark.parametrize("players", [*range(52, 161, 4), 200, 1000])
def test_cyclic_plan_of_twelve_rounds_repeats_nobody(players):
    rounds = cyclic_rounds(players, 12)
    assert len(rounds) == 12
    for tables in rounds:
        check_round(tables, players)
    assert repeats(rounds) == 0


def test_doubled_plan_of_32_players_repeats_nobody_in_as_many_rounds_as_there_can_be():
    rounds = doubled_rounds(32)
    # Each meets three in a round, and there are 31 others.
    assert len(rounds) == 31 // 3
    for tables in rounds:
        check_round(tables, 32)
        assert {len(table) for table in tables} == {4}
    assert repeats(rounds) == 0


@pytest.mark.parametrize(
    ("players", "rounds", "repeated"),
    [
        (16, 5, 0),
        (24, 7, 0),
        (28, 9, 0),
        (32, 8, 0),
        (32, 10, 0),
        (36, 11, 0),
        (40, 13, 0),
        (44, 12, 0),
        (44, 14, 0),
        (48, 15, 0),
        (16, 8, 72),
        (8, 7, 56),
        (20, 5, 0),
        (52, 12, 0),
        (56, 12, 0),
        (68, 12, 0),
    ],
)
def test_movement_meets_the_counting_bound_with_seats_in_balance(players, rounds, repeated):
    movement = plan_movement(players, rounds)
    assert len(movement.rounds) == rounds
    for tables in movement.rounds:
        check_round(in_seats(tables), players)
        assert all(sorted(seat for seat, _ in seats) == sorted("NWSE") for seats in tables)
    assert repeated == counting_bound(players, rounds)
    assert repeats(map(in_seats, movement.rounds)) == movement.repeats == movement.bound == repeated
    assert spread(movement.rounds, players) == movement.seat_spread == (0 if rounds % 4 == 0 else 1)


def test_movement_of_5000_players_is_made_at_once():
    movement = plan_movement(5000, 12)
    assert (movement.repeats, movement.seat_spread) == (0, 0)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_seats_are_in_balance_after_every_round(data):
    players = 4 * data.draw(st.integers(1, 8))
    order = list(range(players))
    rounds = [data.draw(st.permutations(order)) for _ in range(data.draw(st.integers(1, 9)))]
    tables = [order[k : k + 4] for order in rounds for k in range(0, players, 4)]
    seated = plan_seats(tables)
    for table, seats in zip(tables, seated, strict=True):
        assert [seat for seat, _ in seats] == list("NWSE")
        assert sorted(p for _, p in seats) == sorted(table)
    for last in range(1, len(rounds) + 1):
        sat = Counter(seat for seats in seated[: last * players // 4] for seat in seats)
        assert all(sat[s, p] - sat[t, p] <= 1 for p in range(players) for s in "NWSE" for t in "NWSE")


@settings(max_examples=15, deadline=None)
@given(
    st.integers(3, 23),
    st.integers(1, 4),
    st.sampled_from([OddAnswer.THREES, OddAnswer.FIVES, OddAnswer.BYES]),
)
@example(3, 2, OddAnswer.THREES)
def test_movement_of_an_odd_field_seats_everybody_or_lets_them_sit_out_by_turns(players, rounds, answer):
    assume(answer in {option.answer for option in odd_options(players)})
    movement = plan_movement(players, rounds, answer=answer)
    rested = Counter()
    for tables, resting in zip(movement.rounds, movement.byes, strict=True):
        assert sorted([p for t in in_seats(tables) for p in t] + list(resting)) == list(range(players))
        rested.update(resting)
    assert repeats(map(in_seats, movement.rounds)) == movement.repeats >= movement.bound
    assert max(rested.values(), default=0) - min(rested[p] for p in range(players)) <= 1


@pytest.mark.parametrize(
    ("players", "rounds", "answer", "most"),
    [
        (17, 5, OddAnswer.BYES, 4),
        (21, 5, OddAnswer.BYES, 1),
        (25, 5, OddAnswer.FIVES, 1),
        (22, 5, OddAnswer.FIVES, 16),
    ],
)
def test_plan_found_by_search_is_the_best_of_several(players, rounds, answer, most):
    # One attempt alone comes to anything up to 9, 3, 3 and 19, as its seed has it.
    assert max(plan_movement(players, rounds, answer=answer, seed=seed).repeats for seed in range(4)) <= most


def test_tables_of_three_of_a_design_come_to_everybody_once_at_most():
    movement = plan_movement(23, 7, answer=OddAnswer.THREES)
    threes = Counter(p for tables in movement.rounds for t in in_seats(tables) if len(t) == 3 for p in t)
    assert movement.repeats == 0
    assert max(threes.values()) == 1
    assert sum(threes.values()) == 21


@pytest.mark.parametrize(("players", "answer"), [(3, OddAnswer.THREES), (5, OddAnswer.FIVES)])
def test_whoever_sits_at_odd_tables_has_each_of_their_seats_equally_often(players, answer):
    movement = plan_movement(players, players, answer=answer)
    sat = Counter(seat for tables in movement.rounds for seats in tables for seat in seats)
    assert set(sat.values()) == {1}
    assert len(sat) == players * players


def test_movement_with_house_players_counts_them_as_positions():
    movement = plan_movement(22, 5, answer=OddAnswer.HOUSE)
    assert (movement.positions, movement.house, movement.repeats) == (24, 2, 0)


def test_movement_needs_rounds_and_an_answer():
    for arguments, code in (
        ((16, 0), "rounds_needed"),
        ((17, 3), "answer_needed"),
        ((2, 3), "too_few_entrants"),
    ):
        with pytest.raises(PairingError) as fault:
            plan_movement(*arguments)
        assert fault.value.code == code


def test_positions_that_do_not_fit_are_refused():
    movement = plan_movement(16, 3)
    with pytest.raises(PairingError) as fault:
        assign_positions(field(15), movement.rounds, seed=1)
    assert (fault.value.code, fault.value.params) == ("positions", {"present": 15, "needed": 16})


@pytest.mark.parametrize(
    ("players", "rounds", "above"),
    [(20, 6, 6), (20, 7, 0), (20, 8, 0), (24, 8, 6), (24, 9, 0), (36, 12, 9), (40, 12, 0)],
)
def test_rounds_beyond_a_design_stay_near_what_counting_allows(players, rounds, above):
    plan = plan_movement(players, rounds)
    assert plan.bound == counting_bound(players, rounds)
    assert plan.repeats <= plan.bound + above
