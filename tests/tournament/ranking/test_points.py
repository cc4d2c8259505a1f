"""Place points."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.ranking.points import place_points


@pytest.mark.parametrize(
    ("results", "awarded"),
    [
        ((120, -40, 60, -200), (4, 1, 2, 0)),
        ((120, 120, 60, -200), (3, 3, 1, 0)),
        ((0, 0, 0, -200), (Fraction(7, 3), Fraction(7, 3), Fraction(7, 3), 0)),
        ((5, 5, 5, 5), (Fraction(7, 4),) * 4),
        ((9, 3, 3, 1), (4, Fraction(3, 2), Fraction(3, 2), 0)),
    ],
)
def test_place_points_are_shared_by_the_equal(results, awarded):
    assert place_points(dict(enumerate(results))) == dict(enumerate(awarded))


def test_place_points_of_a_table_of_three_and_of_five():
    assert place_points({1: 10, 2: 20, 3: 0}) == {2: 4, 1: 2, 3: 1}
    assert place_points({k: -k for k in range(5)}) == {0: 4, 1: 2, 2: 1, 3: 0, 4: 0}


@given(st.lists(st.integers(-9, 9), min_size=4, max_size=4))
def test_place_points_of_a_table_always_add_up(results):
    assert sum(place_points(dict(enumerate(results))).values()) == 7
