"""Points as people type them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.points import read_points, show_points


@given(st.fractions(min_value=-1_000_000, max_value=1_000_000, max_denominator=60))
def test_points_are_read_as_python_writes_them(value):
    assert read_points(str(value)) == value


@given(st.integers(min_value=-1_000_000, max_value=1_000_000))
def test_whole_points_are_read_as_they_are_shown(value):
    assert read_points(show_points(value)) == value


@given(st.text(max_size=20))
def test_any_text_is_read_or_refused(typed):
    try:
        assert isinstance(read_points(typed), int | Fraction)
    except ValueError:
        pass


@pytest.mark.parametrize(
    "typed",
    ["", " ", "x", "1e9", "1e999999999", "-1E-999999999", "1/0", "NaN", "inf", "1_000", "--1", "9" * 13],
)
def test_what_is_no_number_of_points_is_refused(typed):
    with pytest.raises(ValueError, match="not a number of points"):
        read_points(typed)
