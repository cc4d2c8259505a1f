"""Games, sets and timed play."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine import RulesetError
from scoring.engine.game import GamePlan, Penalty, game_state, round_state
from scoring.rulesets import load

GAME = GamePlan()


def deals(*rows: tuple[int, ...], sides: str = "AB") -> list[dict[str, int]]:
    return [dict(zip(sides, row, strict=True)) for row in rows]


def test_game_goes_on_until_a_line_is_met() -> None:
    state = game_state(deals((-300, 200), (-600, 100)), GAME)
    assert not state.finished
    assert state.totals == {"A": -900, "B": 300}
    assert (state.winners, state.pigs) == ((), ())
    assert state.ranking == (("B",), ("A",))


def test_lowest_at_the_lose_line_is_made_pig_and_the_highest_wins() -> None:
    state = game_state(deals((-300, 200, 0, 10), (-700, 100, 5, 300), sides="NWSE"), GAME)
    assert state.ended_by == "lose_line"
    assert state.pigs == ("N",)
    assert state.winners == ("E",)
    assert state.ranking == (("E",), ("W",), ("S",), ("N",))


def test_game_ended_at_the_win_line_has_a_winner_and_no_pig() -> None:
    state = game_state(deals((1000, -999)), GAME)
    assert (state.ended_by, state.pigs, state.winners) == ("win_line", (), ("A",))


def test_both_lines_met_lowest_loses_and_highest_wins() -> None:
    state = game_state(deals((1100, 1200, -1000, -1100), sides="NWSE"), GAME)
    assert (state.ended_by, state.pigs, state.winners) == ("both_lines", ("E",), ("W",))


def test_equal_lowest_are_pigs_together_and_equal_highest_share() -> None:
    state = game_state(deals((-1000, -1000, 50, 50), sides="NWSE"), GAME)
    assert state.pigs == ("N", "W")
    assert state.winners == ("S", "E")
    assert state.draw


def test_deals_after_the_end_are_left_alone() -> None:
    state = game_state(deals((-1000, 0), (5000, 5000)), GAME)
    assert (state.deals, state.totals) == (1, {"A": -1000, "B": 0})


@pytest.mark.parametrize(("inclusive", "ended"), [(True, True), (False, False)])
def test_line_met_exactly_ends_an_inclusive_game_only(inclusive: bool, ended: bool) -> None:
    assert game_state(deals((-1000, 0)), GamePlan(inclusive=inclusive)).finished is ended
    assert game_state(deals((0, 1000)), GamePlan(inclusive=inclusive)).finished is ended
    assert game_state(deals((-1001, 0)), GamePlan(inclusive=inclusive)).finished


def test_lines_of_800() -> None:
    plan = GamePlan(lose_line=-800, win_line=800)
    assert game_state(deals((-799, 799)), plan).finished is False
    assert game_state(deals((-800, 0)), plan).ended_by == "lose_line"


def test_without_a_win_line_only_the_lose_line_ends_the_game() -> None:
    plan = GamePlan.from_dict({}, load("computer"))
    assert not game_state(deals((3000, -1000)), plan).finished
    assert game_state(deals((3000, -1001)), plan).pigs == ("B",)


def test_double_pig_makes_pigs_of_lowest_and_highest() -> None:
    plan = GamePlan(double_pig=True)
    state = game_state(deals((-1000, 300, 20, 10), sides="NWSE"), plan)
    assert set(state.pigs) == {"N", "W"}
    assert state.winners == ("S",)


def test_double_pig_leaves_two_sides_a_winner() -> None:
    state = game_state(deals((-1000, 300)), GamePlan(double_pig=True))
    assert (state.pigs, state.winners) == (("A",), ("B",))


@pytest.mark.parametrize(
    ("totals", "winners"), [((-200, 100), ("B",)), ((-100, -200), ("A",)), ((50, 50), ("A", "B"))]
)
def test_stopped_game_is_won_by_the_side_ahead(totals: tuple[int, int], winners: tuple[str, ...]) -> None:
    state = game_state(deals(totals), GAME, stopped=True)
    assert (state.ended_by, state.pigs, state.winners) == ("time", (), winners)
    assert state.draw is (len(winners) == 2)


def test_penalties_are_added_and_do_not_end_a_game() -> None:
    state = game_state(deals((-900, 0)), GAME, penalties=[Penalty("A", -100)])
    assert not state.finished
    assert (state.played, state.totals) == ({"A": -900, "B": 0}, {"A": -1000, "B": 0})


def test_penalties_can_turn_a_finished_game() -> None:
    state = game_state(deals((-1000, -950)), GAME, penalties=[Penalty("B", -100, after_deal=1)])
    assert (state.pigs, state.winners) == (("B",), ("A",))


@pytest.mark.parametrize("after_deal", [1, None])
def test_penalties_end_a_game_where_the_rules_count_them(after_deal: int | None) -> None:
    plan = GamePlan(penalties_count=True)
    state = game_state(deals((-900, 0)), plan, penalties=[Penalty("A", -100, after_deal)])
    assert (state.ended_by, state.pigs) == ("lose_line", ("A",))


def test_set_ends_with_its_number_of_deals_and_makes_no_pig() -> None:
    plan = GamePlan(kind="set", deals=3)
    assert not game_state(deals((-5000, 0), (0, 0)), plan).finished
    state = game_state(deals((-5000, 0), (0, 0), (10, 20)), plan)
    assert (state.ended_by, state.pigs, state.winners) == ("deals", (), ("B",))


def test_best_of_three_ends_when_decided() -> None:
    plan = GamePlan(best_of=3)
    state = round_state(deals((-1000, 0), (-400, 0), (-600, 0)), plan)
    assert state.finished
    assert [game.deals for game in state.games] == [1, 2]
    assert state.wins == {"A": 0, "B": 2}
    assert state.totals == {"A": -2000, "B": 0}


def test_best_of_three_goes_to_a_third_game() -> None:
    plan = GamePlan(best_of=3)
    state = round_state(deals((-1000, 0), (0, -1000), (5, 5)), plan)
    assert not state.finished
    assert len(state.games) == 3
    assert [state.game_of(number) for number in (1, 2, 3, 4)] == [1, 2, 3, None]


def test_next_game_of_a_round_is_open_before_its_first_deal() -> None:
    state = round_state(deals((-1000, 0)), GamePlan(best_of=3))
    assert [game.deals for game in state.games] == [1, 0]
    assert state.games[1].totals == {"A": 0, "B": 0}


def test_deals_after_the_end_of_a_round_are_surplus() -> None:
    state = round_state(deals((-1000, 0), (7, 7)), GAME)
    assert (state.surplus, state.totals) == (1, {"A": -1000, "B": 0})


def test_timed_round_plays_game_after_game_until_stopped() -> None:
    plan = GamePlan(kind="time", minutes=60)
    played = deals((-1000, 0), (0, -1000), (10, 0))
    assert not round_state(played, plan).finished
    state = round_state(played, plan, stopped=True)
    assert state.finished
    assert [game.ended_by for game in state.games] == ["lose_line", "lose_line", "time"]
    assert state.wins == {"A": 2, "B": 1}


def test_round_stopped_just_after_a_game_opens_no_further_one() -> None:
    state = round_state(deals((-1000, 0)), GamePlan(best_of=3), stopped=True)
    assert state.finished
    assert len(state.games) == 1


def test_round_stopped_before_any_deal_is_a_draw() -> None:
    state = round_state([], GAME, sides=("A", "B"), stopped=True)
    assert state.finished
    assert state.wins == {"A": Fraction(1, 2), "B": Fraction(1, 2)}


def test_penalty_belongs_to_the_game_of_its_deal() -> None:
    plan = GamePlan(best_of=3)
    played = deals((-1000, -950), (0, -1000), (-1000, 0))
    state = round_state(played, plan, penalties=[Penalty("B", -100, after_deal=1), Penalty("A", -7)])
    assert state.games[0].winners == ("A",)
    assert state.totals["A"] == -1000 + 0 - 7
    assert state.surplus == 1


def test_fractions_are_kept() -> None:
    third = Fraction(1, 3)
    state = game_state([{"A": third, "B": -third}] * 3, GAME)
    assert state.totals == {"A": 1, "B": -1}


@pytest.mark.parametrize(
    "wrong",
    [
        {"deals": [{"A": 1}, {"B": 1}]},
        {"deals": [{"A": 1, "B": 2}], "sides": ("A", "C")},
        {"deals": [{"A": 1}], "penalties": [Penalty("X", -1)]},
    ],
)
def test_other_sides_are_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"sides|does not play"):
        round_state(plan=GAME, **wrong)


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        ({"kind": "chess"}, "ruleset_choice"),
        ({"deals": 0}, "ruleset_range"),
        ({"best_of": "3"}, "ruleset_wrong_type"),
        ({"inclusive": 1}, "ruleset_wrong_type"),
        ({"lose_line": None, "win_line": None}, "ruleset_lines"),
        ({"kind": "time"}, "missing_field"),
        ({"colour": 1}, "ruleset_unknown_field"),
    ],
)
def test_faulty_plan_is_refused(plan: dict[str, Any], code: str) -> None:
    with pytest.raises(RulesetError) as refused:
        GamePlan.from_dict(plan)
    assert [one.code for one in refused.value.faults] == [code]
    assert "{" not in refused.value.faults[0].message


def test_plan_takes_its_lines_from_the_ruleset_unless_it_states_them() -> None:
    assert GamePlan.from_dict({}, load("classic")).win_line is None
    assert GamePlan.from_dict({"win_line": 800}, load("classic")).win_line == 800
    plan = GamePlan.from_dict({"kind": "time", "minutes": 50}, load("huapai"))
    assert GamePlan.from_dict(plan.to_dict()) == plan


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(-1500, 1500)] * 2), max_size=30),
    st.integers(1, 5),
    st.booleans(),
    st.sampled_from(("game", "set", "time")),
)
def test_every_deal_belongs_to_one_game_or_is_surplus(
    rows: list[tuple[int, int]], best_of: int, stopped: bool, kind: str
) -> None:
    plan = GamePlan(kind=kind, best_of=best_of, deals=5, minutes=60)
    played = deals(*rows)
    state = round_state(played, plan, sides="AB", stopped=stopped)
    counted = [number for number in range(1, len(rows) + 1) if state.game_of(number) is not None]
    assert counted == list(range(1, len(rows) - state.surplus + 1))
    assert sum(game.deals for game in state.games) == len(counted)
    for side in "AB":
        assert state.totals[side] == sum(played[number - 1][side] for number in counted)
    assert sum(state.wins.values()) == sum(game.finished for game in state.games)
    assert all(game.finished for game in state.games[:-1])
    assert state.finished or not state.surplus
    # A longer list of deals never changes the games that are over.
    shorter = round_state(played[: len(rows) // 2], plan, sides="AB")
    for one, other in zip(shorter.games, state.games, strict=False):
        assert one == other or not one.finished
