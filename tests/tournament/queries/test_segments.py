"""Segments of a round: which deals are in which, and who sits where."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.queries.segments import (
    Change,
    seated_in,
    segment_numbers,
    segment_of_number,
    segment_sizes,
)

TABLE = [("N", 1, 1), ("W", 2, 1), ("S", 3, 1), ("E", 4, 1)]
TEAM_TABLES = [
    [("N", 1, 1), ("W", 2, 1), ("S", 1, 2), ("E", 2, 2)],
    [("N", 2, 3), ("W", 1, 4), ("S", 2, 4), ("E", 1, 3)],
]


@given(st.integers(1, 200), st.integers(1, 8))
def test_segments_share_all_deals_evenly(deals, count):
    count = min(count, deals)
    sizes = segment_sizes(deals, count)
    assert sum(sizes) == deals
    assert max(sizes) - min(sizes) <= 1
    numbers = [number for one in range(1, count + 1) for number in segment_numbers(deals, count, one)]
    assert numbers == list(range(1, deals + 1))
    for one in range(1, count + 1):
        assert {segment_of_number(deals, count, number) for number in segment_numbers(deals, count, one)} == {
            one
        }


def test_kept_seats_are_those_of_the_first_segment():
    assert seated_in([TABLE], Change.KEEP, 3) == [TABLE]


@pytest.mark.parametrize("size", [3, 4, 5])
def test_turning_seats_everybody_once_in_each_direction(size):
    table = [("ABCDE"[place], place, 1) for place in range(size)]
    seen = {
        (who, seat) for one in range(1, size + 1) for seat, who, _ in seated_in([table], Change.TURN, one)[0]
    }
    assert len(seen) == size * size
    # North's player goes where West sat: one seat on in the order of play.
    assert seated_in([table], Change.TURN, 2)[0][1][1] == 0


def test_turning_keeps_partners_opposite():
    second = seated_in([TABLE], Change.TURN, 2)[0]
    assert {second[0][1], second[2][1]} in ({1, 3}, {2, 4})


def test_changing_partners_gives_everybody_each_partner_once():
    pairs = []
    for segment in (1, 2, 3):
        seats = [who for _, who, _ in seated_in([TABLE], Change.PARTNERS, segment)[0]]
        assert sorted(seats) == [1, 2, 3, 4]
        pairs += [frozenset((seats[0], seats[2])), frozenset((seats[1], seats[3]))]
    assert sorted(map(sorted, pairs)) == sorted(map(list, combinations((1, 2, 3, 4), 2)))


def test_changing_opponents_lets_the_first_teams_pairs_exchange_tables():
    first, second = seated_in(TEAM_TABLES, Change.OPPONENTS, 2)
    assert [place for _, who, place in first if who == 2] == [1, 2]
    assert {place for _, who, place in first if who == 1} == {3, 4}
    assert {place for _, who, place in second if who == 1} == {1, 2}
    assert [(seat, who) for seat, who, _ in first] == [(seat, who) for seat, who, _ in TEAM_TABLES[0]]
    assert seated_in(TEAM_TABLES, Change.OPPONENTS, 3) == TEAM_TABLES
