"""Draws of tables of four: by lot and Swiss."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.events import field, play, with_results
from tournament.pairing.checker import Expected, check_draw
from tournament.pairing.four import draw_random_four, draw_swiss_four
from tournament.pairing.model import Constraints, Entrant, History, PairingError, pair
from tournament.pairing.options import OddAnswer, odd_options

PINNED = [(("N", 3), ("W", 1), ("S", 7), ("E", 6)), (("N", 2), ("W", 8), ("S", 5), ("E", 4))]
"""What seed 2024 draws for eight players; a change of it changes draws that were published."""

ODD_TABLES = Expected(size=4, other_sizes=frozenset({3, 5}))


def repeats(draws):
    met = Counter(pair(a, b) for draw in draws for t in draw.tables for a, b in combinations(t.entrants, 2))
    return sum(times - 1 for times in met.values())


@pytest.mark.parametrize(
    ("n", "rounds", "most"), [(16, 5, 0), (40, 8, 0), (100, 12, 0), (200, 8, 0), (40, 12, 31)]
)
def test_swiss_four_reaches_the_figures(n, rounds, most):
    draws = [draw for draw, _, _ in play(field(n), rounds, draw_swiss_four, planned_rounds=rounds)]
    assert repeats(draws) <= most
    assert sum(draw.quality.repeats for draw in draws) == repeats(draws)
    if n >= 40:
        assert [draw.quality.club_clashes for draw in draws[:3]] == [0, 0, 0]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_draws_pass_the_checker_and_measure_what_it_measures(data):
    n = data.draw(st.integers(4, 30))
    answers = [o.answer for o in odd_options(n) if o.answer is not OddAnswer.HOUSE]
    answer = data.draw(st.sampled_from(answers))
    generator = data.draw(st.sampled_from([draw_random_four, draw_swiss_four]))
    entrants = field(n, clubs=data.draw(st.integers(1, 9)))
    constraints = Constraints.of(
        clubs_apart_rounds=data.draw(st.integers(0, 3)), forbidden=[(100, 102), (103, 101)]
    )
    for draw, before, history in play(
        entrants,
        data.draw(st.integers(1, 4)),
        generator,
        data.draw(st.integers(0, 99)),
        constraints,
        answer=answer,
    ):
        report = check_draw(draw, before, history, constraints=constraints, expected=ODD_TABLES)
        assert report.possible
        assert "bye_again" not in {v.code for v in report.violations}
        assert report.quality == draw.quality


@pytest.mark.parametrize("generator", [draw_random_four, draw_swiss_four])
def test_same_input_gives_same_draw_whatever_the_order_of_entrants(generator):
    entrants = field(23)
    shuffled = random.Random(7).sample(entrants, len(entrants))
    one = generator(entrants, round=1, seed=5, answer=OddAnswer.THREES)
    assert one == generator(shuffled, round=1, seed=5, answer=OddAnswer.THREES)
    assert one != generator(entrants, round=1, seed=6, answer=OddAnswer.THREES)


def test_draw_is_the_same_on_every_machine():
    draw = draw_random_four([Entrant(k, k) for k in range(1, 9)], round=1, seed=2024)
    assert [t.seats for t in draw.tables] == PINNED


def test_swiss_four_seats_equals_together_with_the_leaders_first():
    entrants = [replace(e, points=1000 - 10 * k) for k, e in enumerate(field(24))]
    draw = draw_swiss_four(entrants, round=2, seed=1)
    expected = [{e.id for e in entrants[k : k + 4]} for k in range(0, 24, 4)]
    assert [set(table.entrants) for table in draw.tables] == expected
    assert draw.quality.max_points_gap == 30


def test_swiss_four_seats_by_points_with_the_penalty_in_them():
    entrants = [replace(e, points=1000 - 10 * k) for k, e in enumerate(field(8))]
    punished = [replace(entrants[0], points=500), *entrants[1:]]
    draw = draw_swiss_four(punished, round=2, seed=1)
    assert entrants[0].id not in draw.tables[0].entrants
    assert entrants[4].id in draw.tables[0].entrants


def test_forbidden_pairs_and_team_mates_never_meet_though_they_are_equal():
    entrants = [
        replace(e, team="T" if k < 4 else "", points=0 if k < 6 else 900) for k, e in enumerate(field(24))
    ]
    wishes = Constraints.of(forbidden=[(104, 105)])
    for draw, before, history in play(entrants, 4, draw_swiss_four, constraints=wishes):
        codes = {v.code for v in check_draw(draw, before, history, constraints=wishes).violations}
        assert not codes & {"team", "forbidden"}
        assert draw.quality.forbidden_meetings == 0


def test_seeds_are_kept_apart_in_the_first_round():
    entrants = [replace(e, seed=k + 1 if k < 6 else None) for k, e in enumerate(field(24))]
    draw = draw_random_four(entrants, round=1, constraints=Constraints(seeds_apart_rounds=1), seed=3)
    seeded = {e.id for e in entrants[:6]}
    assert max(len(seeded & set(t.entrants)) for t in draw.tables) == 1


def test_club_too_large_to_keep_apart_is_spread_evenly():
    entrants = [replace(e, club="big" if k < 10 else f"own {k}") for k, e in enumerate(field(16))]
    draw = draw_random_four(entrants, round=1, constraints=Constraints(clubs_apart_rounds=1), seed=3)
    big = {e.id for e in entrants[:10]}
    assert sorted(len(big & set(t.entrants)) for t in draw.tables) == [2, 2, 3, 3]
    assert draw.quality.club_clashes == 8
    assert sum(reason.code == "club" for t in draw.tables for reason in t.reasons) == 8


def test_absent_entrants_are_not_drawn():
    entrants = field(13)
    entrants[4] = replace(entrants[4], present=False)
    draw = draw_random_four(entrants, round=1, seed=1)
    assert draw.table_of(entrants[4].id) is None
    assert sum(t.size for t in draw.tables) == 12


@pytest.mark.parametrize(("n", "rounds"), [(11, 8), (14, 6), (23, 5)])
def test_tables_of_three_come_round(n, rounds):
    entrants = field(n)
    threes = Counter()
    for draw, _, _ in play(entrants, rounds, draw_swiss_four, answer=OddAnswer.THREES):
        threes.update(e for t in draw.tables if t.size == 3 for e in t.entrants)
    assert max(threes.values()) - min(threes[e.id] for e in entrants) <= 1


def test_house_players_fill_tables_apart_and_never_sit_out():
    entrants = field(14) + [Entrant(id=900 + k, number=90 + k, house=True) for k in range(3)]
    draw = draw_swiss_four(entrants, round=1, seed=1, answer=OddAnswer.HOUSE)
    assert draw.byes == ()
    assert [t.size for t in draw.tables] == [4] * 4
    house = [sum(e >= 900 for e in t.entrants) for t in draw.tables]
    assert sorted(house) == [0, 0, 1, 1]


def test_house_players_missing_is_refused_with_the_number_needed():
    with pytest.raises(PairingError) as fault:
        draw_swiss_four(field(14), round=1, seed=1, answer=OddAnswer.HOUSE)
    assert fault.value.code == "house_players_needed"
    assert fault.value.params == {"needed": 2, "given": 0}


@pytest.mark.parametrize(
    ("entrants", "code"),
    [
        ([Entrant(1, 1), Entrant(1, 2), Entrant(3, 3), Entrant(4, 4)], "duplicate_id"),
        ([Entrant(1, 1), Entrant(2, 1), Entrant(3, 3), Entrant(4, 4)], "duplicate_number"),
        ([Entrant(1, 1), Entrant(2, 2)], "too_few_entrants"),
    ],
)
def test_field_that_cannot_be_drawn_is_refused(entrants, code):
    with pytest.raises(PairingError) as fault:
        draw_random_four(entrants, round=1, seed=1)
    assert fault.value.code == code


def test_seats_come_round_within_two_over_eight_rounds():
    seats = Counter()
    for draw, _, _ in play(field(40), 8, draw_swiss_four):
        seats.update((e, seat) for t in draw.tables for seat, e in t.seats)
    assert all(sum(seats[e.id, s] for s in "NWSE") == 8 for e in field(40))
    assert max(seats.values()) <= 4
    assert min(seats[e.id, s] for e in field(40) for s in "NWSE") >= 1
    assert draw.quality.seat_spread <= 2


def test_reasons_tell_points_and_repeats():
    entrants = field(8)
    history = History()
    rng = random.Random(1)
    for number in (1, 2, 3):
        draw = draw_swiss_four(entrants, history, round=number, seed=number)
        history, entrants = history.plus(draw), with_results(draw, entrants, rng)
    assert draw.quality.repeats > 0
    told = [r for t in draw.tables for r in t.reasons if r.code == "repeat"]
    assert len(told) == draw.quality.repeats
    assert all(r["times"] >= 2 and 1 <= r["last_round"] <= 2 for r in told)
    gaps = [r["gap"] for t in draw.tables for r in t.reasons if r.code == "points"]
    assert max(gaps) == draw.quality.max_points_gap
