"""Draws of two sides: Swiss by exact matching, and by lot."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.events import field, play
from tournament.pairing.checker import Expected, check_draw
from tournament.pairing.model import Constraints, Entrant, History, PairingError, PlayedTable, SitOut
from tournament.pairing.random_sides import draw_random_sides
from tournament.pairing.swiss import draw_swiss

CLUBS_APART = Constraints(clubs_apart_rounds=99)


def meeting_cost(
    a: Entrant, b: Entrant, met: dict[frozenset[int], int], lean: dict[int, int], side: tuple[int, int]
) -> int:
    """Rematches, then clubs, then sides twice too often, then points with sides, in one number; counted here
    once more for the oracle. ``lean``: how much more often on side A than on B.
    """
    both = min(abs(lean.get(a.id, 0)), abs(lean.get(b.id, 0))) * (lean.get(a.id, 0) * lean.get(b.id, 0) > 0)
    return (
        met.get(frozenset((a.id, b.id)), 0) * 10**24
        + (a.club == b.club) * 2 * 10**18
        + (both >= 2) * 10**18
        + (int(a.points - b.points) * side[0]) ** 2
        + side[1] * (both >= 1)
    )


def leaning(history: History) -> dict[int, int]:
    lean: dict[int, int] = {}
    for table in history.tables:
        for side, who in table.seats:
            lean[who] = lean.get(who, 0) + (1 if side == "A" else -1)
    return lean


def counted(history: History) -> dict[frozenset[int], int]:
    met: dict[frozenset[int], int] = {}
    for table in history.tables:
        both = frozenset(who for _, who in table.seats)
        met[both] = met.get(both, 0) + 1
    return met


def side_price(entrants: list[Entrant]) -> tuple[int, int]:
    """In how many levels a step of the points is cut, and what the same side due to both costs: as much as a
    gap of a 16th of the widest.
    """
    points = [int(e.points) for e in entrants]
    step = math.gcd(*(p - min(points) for p in points)) or 1
    steps = (max(points) - min(points)) // step
    levels = 1023 // steps if steps else 1
    return levels, (steps * levels // 16 * step) ** 2


def optimum(entrants: list[Entrant], history: History) -> int:
    """The least cost of all pairings, by another library."""
    met, lean, side = counted(history), leaning(history), side_price(entrants)
    graph = nx.Graph()
    for k, a in enumerate(entrants):
        for b in entrants[k + 1 :]:
            graph.add_edge(a.id, b.id, weight=10**30 - meeting_cost(a, b, met, lean, side))
    by_id = {e.id: e for e in entrants}
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    return sum(meeting_cost(by_id[a], by_id[b], met, lean, side) for a, b in pairs)


@settings(max_examples=25, deadline=None)
@given(n=st.integers(2, 8).map(lambda k: 2 * k), rounds=st.integers(1, 5), seed=st.integers(0, 999))
def test_swiss_costs_no_more_than_the_oracle_finds(n, rounds, seed):
    for draw, before, history in play(field(n, seed), rounds, draw_swiss, seed, CLUBS_APART):
        by_id = {e.id: e for e in before}
        met, lean, side = counted(history), leaning(history), side_price(before)
        cost = sum(
            meeting_cost(*(by_id[who] for who in table.entrants), met, lean, side) for table in draw.tables
        )
        assert cost == optimum(before, history)


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(2, 25),
    rounds=st.integers(1, 8),
    seed=st.integers(0, 999),
    generator=st.sampled_from([draw_swiss, draw_random_sides]),
)
def test_draws_pass_the_checker_and_measure_what_it_measures(n, rounds, seed, generator):
    for draw, before, history in play(field(n, seed), rounds, generator, seed):
        wishes = Constraints(clubs_apart_rounds=3)
        report = check_draw(draw, before, history, constraints=wishes, expected=Expected(size=2))
        assert report.possible
        assert report.quality == draw.quality
        assert "bye_again" not in {v.code for v in report.violations}
        assert len(draw.byes) == n % 2


def test_swiss_gives_the_bye_to_the_lowest_who_had_none():
    entrants = [replace(e, points=100 - k) for k, e in enumerate(field(7))]
    first = draw_swiss(entrants, round=2, seed=1)
    assert first.byes == (entrants[-1].id,)
    again = draw_swiss(entrants, History(sit_outs=(SitOut(1, entrants[-1].id),)), round=2, seed=1)
    assert again.byes == (entrants[-2].id,)


def test_swiss_rather_repeats_than_gives_a_second_bye():
    a, b, c = (Entrant(k, k) for k in (1, 2, 3))
    history = History((PlayedTable(1, (("A", 1), ("B", 2))),), (SitOut(1, 3),))
    history = History(
        (*history.tables, PlayedTable(2, (("A", 1), ("B", 3)))), (*history.sit_outs, SitOut(2, 2))
    )
    draw = draw_swiss([a, b, c], history, round=3, seed=1)
    assert draw.byes == (1,)
    assert draw.quality.repeats == 0
    full = History((*history.tables, PlayedTable(3, (("A", 2), ("B", 3)))), (*history.sit_outs, SitOut(3, 1)))
    assert draw_swiss([a, b, c], full, round=4, seed=1).quality.repeats == 1


def test_swiss_keeps_forbidden_pairs_and_team_mates_apart_at_the_price_of_points():
    entrants = [
        replace(e, points=100 if k < 2 else 0, team="T" if k in (2, 3) else "")
        for k, e in enumerate(field(4))
    ]
    wishes = Constraints.of(forbidden=[(100, 101)])
    draw = draw_swiss(entrants, round=1, seed=1, constraints=wishes)
    assert draw.quality.forbidden_meetings == 0
    assert draw.quality.max_points_gap == 100


def test_swiss_widens_its_window_until_no_avoidable_rematch_is_left():
    # The first 60 have all met each other, so each of them must go far down the list.
    entrants = [Entrant(k, k, points=1000 - k) for k in range(200)]
    met = History(tuple(PlayedTable(1, (("A", a), ("B", b))) for a in range(60) for b in range(a)))
    draw = draw_swiss(entrants, met, round=2, seed=1)
    assert draw.quality.repeats == 0
    assert all(min(t.entrants) >= 60 or max(t.entrants) >= 60 for t in draw.tables)


@settings(max_examples=15, deadline=None)
@given(n=st.integers(4, 20).map(lambda k: 2 * k), seed=st.integers(0, 9_999))
def test_nobody_has_one_side_thrice_more_than_the_other_while_it_can_be_avoided(n, seed):
    for draw, _, _ in play(field(n, seed), n // 2, draw_swiss, seed):
        # All have played every round, so the difference is odd after an odd round.
        assert draw.quality.seat_spread <= 2 - draw.round % 2


def test_all_but_a_few_change_sides_in_a_wide_field():
    for draw, before, history in play(field(200, clubs=40), 6, draw_swiss):
        lean = leaning(history.plus(draw))
        assert sum(abs(lean[e.id]) > 1 for e in before) <= 20
        assert max(abs(lean[e.id]) for e in before) <= 2 - draw.round % 2


def test_sides_never_outweigh_a_win():
    # All winners had side A: they meet one another all the same.
    tables = tuple(PlayedTable(1, (("A", k), ("B", k + 4))) for k in range(4))
    entrants = [Entrant(k, k, points=2 if k < 4 else 0) for k in range(8)]
    draw = draw_swiss(entrants, History(tables), round=2, seed=1)
    assert draw.quality.max_points_gap == 0


@settings(max_examples=30, deadline=None)
@given(
    n=st.integers(4, 12),
    seed=st.integers(0, 99_999),
    generator=st.sampled_from([draw_swiss, draw_random_sides]),
)
def test_small_field_plays_every_round_it_can_without_a_rematch(n, seed, generator):
    rounds = n - 1 + n % 2
    sat_out = []
    for draw, _, _ in play(field(n, seed), rounds, generator, seed, planned_rounds=rounds):
        assert draw.quality.repeats == 0
        sat_out += draw.byes
    assert sorted(sat_out) == sorted(e.id for e in field(n, seed)) * (n % 2)


def test_field_that_can_no_longer_play_without_rematches_is_drawn_by_points():
    # Two groups of three who have met nobody but each other's: round 4 pairs within them or repeats.
    left, right = (1, 2, 3), (4, 5, 6)
    tables = tuple(
        PlayedTable(r + 1, (("A", a), ("B", right[(k + r) % 3])))
        for r in range(3)
        for k, a in enumerate(left)
    )
    entrants = [Entrant(k, k, points=-k) for k in (*left, *right)]
    draw = draw_swiss(entrants, History(tables), round=4, seed=1, planned_rounds=5)
    assert draw.quality.repeats == 1


def test_half_points_are_paired_exactly():
    points = [Fraction(5, 2), 2, Fraction(5, 2), 2, Fraction(7, 3), Fraction(7, 3)]
    entrants = [Entrant(k, k, points=p) for k, p in enumerate(points)]
    draw = draw_swiss(entrants, round=3, seed=4)
    assert [set(t.entrants) for t in draw.tables] == [{0, 2}, {4, 5}, {1, 3}]
    assert draw.quality.max_points_gap == 0


def test_house_side_plays_only_in_an_odd_field():
    house = Entrant(50, 50, house=True)
    odd = draw_swiss([*field(5), house], round=1, seed=1)
    assert odd.byes == ()
    assert odd.table_of(50)
    even = draw_swiss([*field(6), house], round=1, seed=1)
    assert even.table_of(50) is None
    assert even.byes == ()


def test_same_input_gives_same_draw_whatever_the_order_of_entrants():
    entrants = field(21)
    shuffled = random.Random(3).sample(entrants, 21)
    for generator in (draw_swiss, draw_random_sides):
        assert generator(entrants, round=1, seed=9) == generator(shuffled, round=1, seed=9)
        assert generator(entrants, round=1, seed=9) != generator(entrants, round=1, seed=10)


def test_single_entrant_is_refused():
    with pytest.raises(PairingError) as fault:
        draw_swiss(field(1), round=1, seed=1)
    assert fault.value.code == "too_few_entrants"


def test_thousand_sides_are_drawn_without_a_rematch():
    for draw, _, _ in play(field(1000, clubs=60), 4, draw_swiss):
        assert draw.quality.repeats == 0
        assert draw.quality.club_clashes == 0
