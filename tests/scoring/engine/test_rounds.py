"""What a round is worth."""

from fractions import Fraction
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine import RulesetError
from scoring.engine.game import GamePlan, Penalty, round_state
from scoring.engine.rounds import SIXTEEN_DEALS, VPTable, round_result

SET = GamePlan(kind="set", deals=1)


def test_points_are_the_totals_with_penalties() -> None:
    state = round_state([{"A": 100, "B": 50}], SET, penalties=[Penalty("A", -60)])
    result = round_result(state, "points")
    assert (result.points, result.winners) == ({"A": 40, "B": 50}, ("B",))


def test_difference_of_two_sides_is_one_minus_the_other() -> None:
    result = round_result(round_state([{"A": 100, "B": 60}], SET), "difference")
    assert result.points == {"A": 40, "B": -40}


def test_difference_among_several_is_against_the_mean_of_the_others() -> None:
    result = round_result(round_state([{"A": 10, "B": 0, "C": 0, "D": 1}], SET), "difference")
    assert result.points == {
        "A": Fraction(29, 3),
        "B": Fraction(-11, 3),
        "C": Fraction(-11, 3),
        "D": Fraction(-7, 3),
    }


def test_games_won_are_counted_and_a_draw_is_shared() -> None:
    state = round_state([{"A": -1000, "B": 0}, {"A": 5, "B": 5}], GamePlan(best_of=3), stopped=True)
    result = round_result(state, "games")
    assert result.points == {"A": Fraction(1, 2), "B": Fraction(3, 2)}
    assert result.winners == ("B",)


def test_victory_points_come_from_the_table() -> None:
    assert round_result(round_state([{"A": 0, "B": 1160}], SET), "victory_points").points == {"A": 7, "B": 13}


def test_narrow_win_in_the_equal_row_is_still_a_win() -> None:
    result = round_result(round_state([{"A": 1, "B": 0}], SET), "victory_points")
    assert (result.points, result.winners) == ({"A": 10, "B": 10}, ("A",))


def test_equal_totals_are_a_draw_by_any_measure() -> None:
    state = round_state([{"A": 7, "B": 7}], SET)
    for measure in ("points", "difference", "games", "victory_points"):
        assert round_result(state, measure).draw


@given(st.integers(-20_000, 20_000), st.integers(1, 64))
def test_victory_points_always_add_up_and_never_fall(difference: int, deals: int) -> None:
    table = SIXTEEN_DEALS.scaled(deals)
    own, other = table.points(difference)
    assert own + other == table.total == 20
    assert table.points(-difference) == (other, own)
    assert table.points(difference + 1)[0] >= own


def test_scaled_table_keeps_sixteen_deals_as_they_are() -> None:
    assert SIXTEEN_DEALS.scaled(16) == SIXTEEN_DEALS
    # A half of each: 325 and 575 lie between two tens.
    assert [row[0] for row in SIXTEEN_DEALS.scaled(4).steps[:4]] == [0, 100, 330, 580]
    assert SIXTEEN_DEALS.scaled(64).steps == tuple(
        (2 * least, won, lost) for least, won, lost in SIXTEEN_DEALS.steps
    )


@pytest.mark.parametrize("deals", range(1, 65))
def test_a_scaled_table_has_the_tens_nearest_to_the_root(deals):
    for (least, *_points), (grown, *_same) in zip(
        SIXTEEN_DEALS.steps, SIXTEEN_DEALS.scaled(deals).steps, strict=True
    ):
        # grown - 5 <= least * sqrt(deals / 16) < grown + 5, in squares
        assert max(grown - 5, 0) ** 2 * 16 <= least**2 * deals < (grown + 5) ** 2 * 16


@pytest.mark.parametrize(
    ("rows", "codes"),
    [
        ([], ["ruleset_wrong_type"]),
        ("10", ["ruleset_wrong_type"]),
        ([[0, 10]], ["ruleset_wrong_type"]),
        ([[0, 10, "x"]], ["ruleset_wrong_type"]),
        ([[5, 10, 10]], ["vp_first_row"]),
        ([[0, 11, 9]], ["vp_first_row"]),
        ([[0, 10, 10], [0, 11, 9]], ["vp_order"]),
        ([[0, 10, 10], [50, 9, 11]], ["vp_order"]),
        ([[0, 10, 10], [50, 11, 10], [40, 12, 8]], ["vp_order", "vp_sum"]),
    ],
)
def test_faulty_table_is_refused_with_all_faults(rows: object, codes: list[str]) -> None:
    with pytest.raises(RulesetError) as refused:
        VPTable.from_json(rows)
    assert [one.code for one in refused.value.faults] == codes
    assert all("{" not in one.message for one in refused.value.faults)


def test_table_goes_to_json_and_back() -> None:
    assert VPTable.from_json(SIXTEEN_DEALS.to_json()) == SIXTEEN_DEALS


def test_unknown_measure_and_victory_points_of_four_are_errors() -> None:
    with pytest.raises(ValueError, match="measure"):
        round_result(round_state([{"A": 1, "B": 0}], SET), "luck")
    with pytest.raises(ValueError, match="two sides"):
        round_result(round_state([{"A": 1, "B": 0, "C": 2}], SET), "victory_points")


def test_shipped_table_follows_its_formula() -> None:
    """Rounded to 50 points, from the middle between two numbers of victory points on (docs/rules.md §5)."""
    tau = (sqrt(5) - 1) / 2
    for least, ahead, _behind in SIXTEEN_DEALS.steps[1:]:
        part = (ahead - 10.5) / 10
        exact = 8000 * log(1 - part * (1 - tau**3)) / (3 * log(tau))
        assert abs(least - exact) <= 50
