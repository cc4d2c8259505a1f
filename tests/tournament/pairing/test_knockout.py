"""Brackets: their shape, and played to the end for every number of entries."""

import random
from collections import Counter
from itertools import combinations

import pytest

from tests.tournament.pairing.events import first_meeting
from tournament.pairing.bracket import GamesPlan, Section, make_bracket, order_apart, seed_places
from tournament.pairing.knockout import MatchResult, Status, play
from tournament.pairing.model import PairingError

ALL_SIZES = range(2, 71)


def finish(bracket, choose):
    """Play every match that becomes ready until none is left; ``choose`` picks the winner of two."""
    results = {}
    while True:
        state = play(bracket, results)
        if not state.ready:
            return state, results
        for ready in state.ready:
            winner = choose(ready)
            results[ready.match.id] = MatchResult(ready.sides, (winner,) * ready.match.needed)


def by_lot(seed):
    rng = random.Random(seed)
    return lambda ready: rng.choice(ready.sides)


def better_seed(ready):
    return min(ready.sides)


@pytest.mark.parametrize("n", ALL_SIZES)
@pytest.mark.parametrize("third_place", [False, True])
def test_single_elimination_is_played_to_the_end(n, third_place):
    order = list(range(1, n + 1))
    bracket = make_bracket(order, third_place=third_place)
    state, results = finish(bracket, by_lot(n))
    assert state.finished
    assert not state.stale
    extra = third_place and n > 3
    assert len(results) == n - 1 + extra
    lost = Counter(m.loser for m in state.matches.values() if m.loser)
    assert lost[state.champion] == 0
    placings = state.placings()
    assert sorted(placings) == order
    assert placings[state.champion] == 1
    ranks = Counter(placings.values())
    assert ranks[1] == ranks[2] == 1 or n == 2
    if n > 3:
        assert (ranks[3], ranks[4]) == ((1, 1) if extra else (2, 0))
    assert sum(m.status is Status.BYE for m in state.matches.values()) == len(bracket.places) - n


@pytest.mark.parametrize("n", ALL_SIZES)
@pytest.mark.parametrize("decider", [False, True])
def test_double_elimination_is_played_to_the_end(n, decider):
    order = list(range(1, n + 1))
    bracket = make_bracket(order, double=True, decider=decider)
    for seed in range(2):
        state, results = finish(bracket, by_lot(1000 * n + seed))
        assert state.finished
        lost = Counter(m.loser for m in state.matches.values() if m.loser)
        champion = state.champion
        if decider:
            assert lost[champion] <= 1
            assert all(lost[e] == 2 for e in order if e != champion)
            assert len(results) == 2 * n - 2 + lost[champion]
        else:
            assert len(results) == 2 * n - 2
        placings = state.placings()
        assert sorted(placings) == order
        ranks = Counter(placings.values())
        assert all(ranks[r] == 1 for r in range(1, min(n, 4) + 1))
        assert placings[champion] == 1


@pytest.mark.parametrize("n", ALL_SIZES)
@pytest.mark.parametrize("double", [False, True])
def test_best_seeds_meet_last_and_come_in_their_order_when_they_always_win(n, double):
    state, _ = finish(make_bracket(range(1, n + 1), double=double, third_place=not double), better_seed)
    placings = state.placings()
    assert [placings[e] for e in range(1, min(n, 4) + 1)] == list(range(1, min(n, 4) + 1))


@pytest.mark.parametrize("n", ALL_SIZES)
def test_byes_go_to_the_best_seeds(n):
    bracket = make_bracket(range(1, n + 1))
    state = play(bracket, {})
    first = [m for m in state.matches.values() if m.match.level == 1]
    resting = {m.winner for m in first if m.status is Status.BYE}
    assert resting == set(range(1, len(bracket.places) - n + 1))


def test_losers_meet_their_conquerors_late_again():
    for n in (8, 16, 32, 64):
        state, _ = finish(make_bracket(range(1, n + 1), double=True), by_lot(n))
        met = {}
        for m in state.matches.values():
            both = frozenset(m.sides)
            if both in met and m.match.section is Section.LOSERS:
                assert m.match.level >= (n.bit_length() - 1), m.match.id
            met[both] = m.match.id


def test_seed_places_are_the_usual_ones():
    assert seed_places(4) == (1, 4, 2, 3)
    assert seed_places(16) == (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)


def test_best_of_three_needs_two_games_and_the_final_three():
    bracket = make_bracket([1, 2, 3, 4], games=GamesPlan(3, ((Section.FINAL, 5),)))
    results = {"M1.1": MatchResult((1, 4), (4, 1))}
    state = play(bracket, results)
    assert state.matches["M1.1"].status is Status.RUNNING
    assert state.matches["M1.1"].won == (1, 1)
    results["M1.1"] = MatchResult((1, 4), (4, 1, None))
    assert play(bracket, results).matches["M1.1"].status is Status.RUNNING
    results["M1.1"] = MatchResult((1, 4), (4, 1, None), awarded=4)
    assert play(bracket, results).matches["M1.1"].winner == 4
    results |= {"M1.1": MatchResult((4, 1), (1, 1)), "M1.2": MatchResult((2, 3), (3, 3))}
    final = play(bracket, results).ready
    assert [(m.match.section, m.sides, m.match.needed) for m in final] == [(Section.FINAL, (1, 3), 3)]


@pytest.mark.parametrize(
    ("best_of", "games", "winner"),
    [
        (3, (4, None, None), 4),
        (3, (4, None), None),
        (3, (None, None, None), None),
        (3, (4, 1, None), None),
        (5, (1, 1, None), None),
        (5, (1, 1, None, None), 1),
        (5, (1, 4, 4, None, None), 4),
    ],
)
def test_match_with_drawn_games_is_won_once_the_other_side_cannot_catch_up(best_of, games, winner):
    bracket = make_bracket([1, 2, 3, 4], games=GamesPlan(best_of))
    assert play(bracket, {"M1.1": MatchResult((1, 4), games)}).matches["M1.1"].winner == winner


def changed(bracket, before, after):
    """The matches that stand otherwise with other results, as they then stand."""
    was = play(bracket, before).matches
    return [state for name, state in play(bracket, after).matches.items() if state != was[name]]


def test_correction_changes_what_follows_and_marks_results_that_no_longer_count():
    bracket = make_bracket(range(1, 9))
    _, results = finish(bracket, better_seed)
    corrected = MatchResult((1, 8), (8,))
    moved = changed(bracket, results, results | {"M1.1": corrected})
    assert [m.match.id for m in moved] == ["M1.1", "M2.1", "M3.1"]
    assert [m.status for m in moved] == [Status.DECIDED, Status.READY, Status.WAITING]
    assert [m.stale for m in moved] == [False, True, True]
    state = play(bracket, results | {"M1.1": corrected})
    assert state.champion is None
    assert not state.finished
    assert [m.match.id for m in state.stale] == ["M2.1", "M3.1"]
    back = play(bracket, results)
    assert back.stale == ()
    assert back.champion == 1


def test_correction_that_does_not_change_the_winner_leaves_the_rest_alone():
    bracket = make_bracket(range(1, 9), games=GamesPlan(3))
    _, results = finish(bracket, better_seed)
    moved = changed(bracket, results, results | {"M1.1": MatchResult((1, 8), (1, 8, 1))})
    assert [m.match.id for m in moved] == ["M1.1"]


def test_taking_a_result_back_opens_the_match_again():
    bracket = make_bracket(range(1, 5))
    _, results = finish(bracket, better_seed)
    moved = changed(bracket, results, {name: one for name, one in results.items() if name != "M1.2"})
    assert [(m.match.id, m.status) for m in moved] == [("M1.2", Status.READY), ("M2.1", Status.WAITING)]


def test_decider_is_played_only_when_the_final_is_won_from_below():
    bracket = make_bracket([1, 2], double=True)
    results = {"M1.1": MatchResult((1, 2), (1,)), "F1.1": MatchResult((1, 2), (1,))}
    assert play(bracket, results).matches["D1.1"].status is Status.VOID
    assert play(bracket, results).champion == 1
    results["F1.1"] = MatchResult((1, 2), (2,))
    open_state = play(bracket, results)
    assert (open_state.champion, open_state.ready[0].match.id) == (None, "D1.1")
    results["D1.1"] = MatchResult((2, 1), (2,))
    assert play(bracket, results).placings() == {2: 1, 1: 2}


def test_placings_are_known_as_soon_as_somebody_is_out():
    bracket = make_bracket(range(1, 9), third_place=True)
    results = {
        f"M1.{k}": MatchResult(sides, (min(sides),))
        for k, sides in enumerate([(1, 8), (4, 5), (2, 7), (3, 6)], 1)
    }
    assert play(bracket, results).placings() == {8: 5, 7: 5, 6: 5, 5: 5}
    results["M2.1"] = MatchResult((1, 4), (1,))
    results["M2.2"] = MatchResult((2, 3), (2,))
    semi_finals = play(bracket, results)
    assert semi_finals.placings() == {4: 3, 3: 3, 8: 5, 7: 5, 6: 5, 5: 5}
    assert {who: semi_finals.exits()[who].match for who in (3, 4)} == dict.fromkeys(
        (3, 4), bracket.match("P1.1")
    )


@pytest.mark.parametrize("n", [size for size in ALL_SIZES if size > 3])
def test_whoever_won_the_final_is_first_before_the_third_place_is_played(n):
    bracket = make_bracket(range(1, n + 1), third_place=True)
    _, results = finish(bracket, better_seed)
    del results["P1.1"]
    placings = play(bracket, results).placings()
    assert [placings[e] for e in range(1, 5)] == [1, 2, 3, 3]


@pytest.mark.parametrize(
    ("results", "code"),
    [
        ({"X1.1": MatchResult((1, 4))}, "unknown_match"),
        ({"M1.1": MatchResult((1, 4), (2,))}, "not_a_side"),
        ({"M1.1": MatchResult((1, 4), awarded=3)}, "not_a_side"),
        ({"M1.1": MatchResult((1, 4), (1, 1, 1))}, "too_many_games"),
        ({"M1.1": MatchResult((1, 4), (1, 4, None, 4))}, "too_many_games"),
    ],
)
def test_results_that_cannot_be_are_refused(results, code):
    with pytest.raises(PairingError) as fault:
        play(make_bracket([1, 2, 3, 4], games=GamesPlan(3)), results)
    assert fault.value.code == code


@pytest.mark.parametrize(
    ("order", "games", "code"),
    [
        ([1], GamesPlan(), "too_few_entrants"),
        ([1, 2, 1], GamesPlan(), "duplicate_id"),
        ([1, 2], GamesPlan(2), "best_of_even"),
        ([1, 2], GamesPlan(1, ((Section.FINAL, 0),)), "best_of_even"),
    ],
)
def test_brackets_that_cannot_be_are_refused(order, games, code):
    with pytest.raises(PairingError) as fault:
        make_bracket(order, games=games)
    assert fault.value.code == code


@pytest.mark.parametrize("seed", range(5))
def test_order_apart_lets_clubs_meet_late_and_moves_nobody_out_of_a_tier(seed):
    tiers = [[1], [2], list(range(3, 17))]
    clubs = {e: [f"club {e % 4}"] for e in range(1, 17)}
    order = order_apart(tiers, clubs, seed=seed)
    assert order[:2] == (1, 2)
    assert sorted(order) == list(range(1, 17))
    for club in range(4):
        members = [e for e in order if e % 4 == club]
        rounds = sorted(first_meeting(order, a, b) for a, b in combinations(members, 2))
        assert rounds == [3, 3, 4, 4, 4, 4]
    assert order_apart(tiers, clubs, seed=seed) == order
