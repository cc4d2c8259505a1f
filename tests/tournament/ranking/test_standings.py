"""Standings: order, shared ranks, what decided, rounds and missing results."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.ranking.results import Adjustment, Encounter, Measure, Played, Results
from tournament.ranking.standings import Cell, Decision, Entered, StandingsError, rank
from tournament.ranking.tie_breaks import Criterion

C = Criterion


def entered(n):
    return [Entered(id=10 + k, number=k + 1) for k in range(n)]


def table(round, **totals):
    """Encounters of one table from totals by entrant, a10=120 …; None is missing."""
    who = [int(name[1:]) for name in totals]
    return [
        Encounter(
            w,
            round,
            tuple(o for o in who if o != w),
            () if total is None else ((Measure.TOTAL, total),),
            Played.PENDING if total is None else Played.PLAYED,
        )
        for w, total in zip(who, totals.values(), strict=True)
    ]


def ranks(standings):
    return [(row.rank, row.entrant) for row in standings.rows]


def test_equal_on_everything_share_the_rank_and_the_next_rank_is_left_out():
    results = Results(tuple(table(1, a10=100, a11=50, a12=50, a13=0)))
    standings = rank(entered(4), results, [C.TOTAL, C.GRAND_SLAMS])
    assert ranks(standings) == [(1, 10), (2, 11), (2, 12), (4, 13)]
    assert [row.shared for row in standings.rows] == [False, True, True, False]


def test_four_who_share_rank_39():
    amounts = [Encounter(10 + k, 1, (), ((Measure.TOTAL, 1000 - min(k, 38)),)) for k in range(42)]
    standings = rank(entered(43), Results(tuple(amounts)), [C.TOTAL])
    assert [row.rank for row in standings.rows[37:]] == [38, 39, 39, 39, 39, 43]


def test_each_tie_break_decides_in_the_order_chosen():
    amounts = {
        10: {Measure.TOTAL: 5, Measure.GAMES_WON: 1, Measure.DIFFERENCE: 9},
        11: {Measure.TOTAL: 5, Measure.GAMES_WON: 2, Measure.DIFFERENCE: 3},
        12: {Measure.TOTAL: 5, Measure.GAMES_WON: 2, Measure.DIFFERENCE: 4},
    }
    results = Results(tuple(Encounter(w, 1, (), tuple(a.items())) for w, a in amounts.items()))
    games_first = rank(entered(3), results, [C.TOTAL, C.GAMES_WON, C.DIFFERENCE])
    assert ranks(games_first) == [(1, 12), (2, 11), (3, 10)]
    assert [row.ahead for row in games_first.rows] == [
        Decision(C.DIFFERENCE, 4, 3),
        Decision(C.GAMES_WON, 2, 1),
        None,
    ]
    assert ranks(rank(entered(3), results, [C.TOTAL, C.DIFFERENCE, C.GAMES_WON]))[0] == (1, 10)


def test_penalties_count_in_the_score_and_fewest_penalties_decides():
    results = Results(
        tuple(table(1, a10=100, a11=50, a12=50)),
        (Adjustment(10, -50), Adjustment(12, -20, 1), Adjustment(12, 20, 0, penalty=False)),
    )
    standings = rank(entered(3), results, [C.TOTAL, C.FEWEST_PENALTIES])
    assert ranks(standings) == [(1, 11), (2, 12), (3, 10)]
    assert [(row.score, row.penalties) for row in standings.rows] == [(50, 0), (50, -20), (50, -50)]
    assert standings.rows[0].ahead == Decision(C.FEWEST_PENALTIES, 0, -20)


def test_penalty_can_be_added_to_victory_points_alone():
    results = Results((), (Adjustment(10, -2, measure=Measure.VICTORY_POINTS),))
    standings = rank(entered(2), results, [C.VICTORY_POINTS, C.TOTAL])
    assert [(row.entrant, row.score) for row in standings.rows] == [(11, 0), (10, -2)]
    assert dict(standings.rows[1].values)[C.TOTAL] == 0


def test_lot_decides_only_when_all_the_tied_have_drawn_and_the_lowest_is_ahead():
    one = Results(lots=((10, 3), (11, 1), (12, 2)))
    assert ranks(rank(entered(3), one, [C.TOTAL, C.LOT])) == [(1, 11), (2, 12), (3, 10)]
    two = Results(lots=((10, 3), (11, 1)))
    assert ranks(rank(entered(3), two, [C.TOTAL, C.LOT])) == [(1, 10), (1, 11), (1, 12)]


def test_after_a_round_leaves_out_what_came_later_penalties_too():
    results = Results(
        (*table(1, a10=10, a11=-10), *table(2, a10=-50, a11=50)),
        (Adjustment(10, -5, 2), Adjustment(11, 3, 0)),
    )
    assert ranks(rank(entered(2), results, [C.TOTAL], after_round=1)) == [(1, 10), (2, 11)]
    assert [row.score for row in rank(entered(2), results, [C.TOTAL], after_round=1).rows] == [10, -7]
    last = rank(entered(2), results, [C.TOTAL])
    assert (last.after_round, [row.score for row in last.rows]) == (2, [43, -45])
    assert [row.score for row in rank(entered(2), results, [C.TOTAL], after_round=0).rows] == [3, 0]


def test_missing_result_shows_as_missing_and_breaks_nothing():
    bye = Encounter(12, 1, (), ((Measure.TOTAL, 30),), Played.BYE)
    results = Results((*table(1, a10=None, a11=40), bye))
    standings = rank(entered(4), results, [C.TOTAL, C.BUCHHOLZ, C.SONNEBORN_BERGER, C.HEAD_TO_HEAD])
    assert {row.entrant: row.cells for row in standings.rows} == {
        11: (Cell(1, Played.PLAYED, 40),),
        12: (Cell(1, Played.BYE, 30),),
        10: (Cell(1, Played.PENDING, None),),
        13: (Cell(1, Played.ABSENT, None),),
    }
    assert not standings.complete
    assert standings.row(10).missing == 1


def test_growing_result_counts_for_what_there_is():
    pending = Encounter(10, 1, (11,), ((Measure.TOTAL, 15),), Played.PENDING)
    standings = rank(entered(2), Results((pending,)), [C.TOTAL])
    assert standings.rows[0].cells == (Cell(1, Played.PENDING, 15),)
    assert standings.rows[0].score == 15


def test_two_tables_of_one_round_count_together():
    results = Results((*table(1, a10=10, a11=20), *table(1, a10=Fraction(1, 3), a11=None)))
    cells = {row.entrant: row.cells for row in rank(entered(2), results, [C.TOTAL]).rows}
    assert cells == {10: (Cell(1, Played.PLAYED, Fraction(31, 3)),), 11: (Cell(1, Played.PENDING, 20),)}


@pytest.mark.parametrize(
    ("people", "criteria", "code"),
    [
        (entered(2), [], "no_criteria"),
        (entered(2), [C.TOTAL, C.TOTAL], "criterion_twice"),
        (entered(2), [C.LOT, C.TOTAL], "first_must_be_a_sum"),
        ([Entered(1, 1), Entered(1, 2)], [C.TOTAL], "entrant_twice"),
    ],
)
def test_standings_that_cannot_be_are_refused(people, criteria, code):
    with pytest.raises(StandingsError) as fault:
        rank(people, Results(), criteria)
    assert fault.value.code == code


def test_nobody_entered_gives_empty_standings():
    assert rank([], Results(), [C.TOTAL]).rows == ()


@st.composite
def events(draw):
    """Random events at tables of four with small amounts, so that ties are common."""
    n, rounds = draw(st.sampled_from([4, 8, 12])), draw(st.integers(1, 3))
    rng = random.Random(draw(st.integers(0, 10_000)))
    encounters = []
    for number in range(1, rounds + 1):
        order = rng.sample(range(10, 10 + n), n)
        for k in range(0, n, 4):
            totals = {f"a{w}": rng.choice([None, -1, 0, 0, 1]) for w in order[k : k + 4]}
            encounters += table(number, **totals)
    adjustments = tuple(Adjustment(10 + rng.randrange(n), -1, rng.randint(1, rounds)) for _ in range(3))
    lots = tuple((10 + k, lot) for k, lot in enumerate(rng.sample(range(n), n)))
    criteria = [C.TOTAL, *draw(st.permutations([c for c in C if c is not C.TOTAL]))]
    return n, Results(tuple(encounters), adjustments, lots), criteria[: draw(st.integers(1, len(criteria)))]


@settings(max_examples=60, deadline=None)
@given(events(), st.randoms(use_true_random=False))
def test_standings_are_in_order_say_what_decided_and_do_not_depend_on_the_order_of_input(event, rng):
    n, results, criteria = event
    standings = rank(entered(n), results, criteria)
    assert sorted(row.entrant for row in standings.rows) == list(range(10, 10 + n))
    for place, (row, following) in enumerate(zip(standings.rows, standings.rows[1:], strict=False), start=1):
        assert row.rank <= place
        if row.rank == following.rank:
            assert row.ahead is None
            assert row.shared
            assert following.shared
        else:
            assert following.rank == place + 1
            assert row.ahead is not None
            assert row.ahead.value > row.ahead.next_value
            before = criteria[: criteria.index(row.ahead.criterion)]
            values, theirs = dict(row.values), dict(following.values)
            assert all(values[c] == theirs[c] for c in before)
    shuffled = Results(
        tuple(rng.sample(results.encounters, len(results.encounters))),
        tuple(rng.sample(results.adjustments, len(results.adjustments))),
        results.lots,
    )
    assert rank(rng.sample(entered(n), n), shuffled, criteria) == standings
    if C.LOT in criteria:
        assert not any(row.shared for row in standings.rows)
