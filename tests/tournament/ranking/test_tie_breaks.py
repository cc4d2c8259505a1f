"""Tie-breaks worked out by hand."""

from fractions import Fraction

import pytest

from tournament.ranking.results import Encounter, Measure, Played, Results
from tournament.ranking.standings import Decision, Entered, rank
from tournament.ranking.tie_breaks import Criterion, Sheet, values

# Three rounds of four teams, each against each: match points 2 for a win, 1 for a draw.
#        round 1     round 2     round 3
# 1      2:0 (2)     1:1 (3)     0:2 (4)     → 3
# 2      0:2 (1)     2:0 (4)     1:1 (3)     → 3
# 3      2:0 (4)     1:1 (1)     1:1 (2)     → 4
# 4      0:2 (3)     0:2 (2)     2:0 (1)     → 2
MATCHES = (
    (1, 1, 2, 2, 0),
    (1, 3, 4, 2, 0),
    (2, 1, 3, 1, 1),
    (2, 2, 4, 2, 0),
    (3, 1, 4, 0, 2),
    (3, 2, 3, 1, 1),
)


def encounter(who, round, others, amount, state=Played.PLAYED):
    amounts = () if amount is None else ((Measure.MATCH_POINTS, amount),)
    return Encounter(who, round, tuple(others), amounts, state)


def league(matches=MATCHES):
    return tuple(e for r, a, b, x, y in matches for e in (encounter(a, r, [b], x), encounter(b, r, [a], y)))


def sheet(encounters, n=4, lots=()):
    return Sheet(range(1, n + 1), Results(tuple(encounters), lots=lots), Measure.MATCH_POINTS)


def test_buchholz_adds_up_the_opponents_scores():
    assert values(Criterion.BUCHHOLZ, sheet(league()), [1, 2, 3, 4]) == {1: 9, 2: 9, 3: 8, 4: 10}


def test_median_buchholz_leaves_out_the_best_and_the_worst():
    assert values(Criterion.MEDIAN_BUCHHOLZ, sheet(league()), [1, 2, 3, 4]) == {1: 3, 2: 3, 3: 3, 4: 3}


def test_median_buchholz_of_two_rounds_leaves_out_none():
    two = sheet(league(MATCHES[:4]))
    assert values(Criterion.MEDIAN_BUCHHOLZ, two, [1, 2, 3, 4]) == values(
        Criterion.BUCHHOLZ, two, [1, 2, 3, 4]
    )


def test_sonneborn_berger_adds_up_the_beaten_and_half_the_drawn():
    # 1: beat 2 (3), drew 3 (4/2); 2: beat 4 (2), drew 3 (4/2); 3: beat 4 (2), drew 1 and 2 (3/2 each)
    assert values(Criterion.SONNEBORN_BERGER, sheet(league()), [1, 2, 3, 4]) == {1: 5, 2: 4, 3: 5, 4: 3}


def test_result_between_the_tied_decides():
    standings = rank(
        [Entered(k, k) for k in (1, 2, 3, 4)],
        Results(league()),
        [Criterion.MATCH_POINTS, Criterion.HEAD_TO_HEAD],
    )
    assert [(row.rank, row.entrant) for row in standings.rows] == [(1, 3), (2, 1), (3, 2), (4, 4)]
    assert standings.rows[1].ahead == Decision(Criterion.HEAD_TO_HEAD, 1, 0)
    assert dict(standings.rows[0].values)[Criterion.HEAD_TO_HEAD] is None


def test_result_between_the_tied_needs_everyone_to_have_met_equally_often():
    s = sheet(league(MATCHES[:2]))
    assert values(Criterion.HEAD_TO_HEAD, s, [1, 2]) == {1: 1, 2: 0}
    assert values(Criterion.HEAD_TO_HEAD, s, [1, 3]) == {1: None, 3: None}
    assert values(Criterion.HEAD_TO_HEAD, s, [1, 2, 3]) == {1: None, 2: None, 3: None}


def test_three_who_beat_each_other_in_a_ring_stay_tied():
    ring = league(((1, 1, 2, 2, 0), (2, 2, 3, 2, 0), (3, 3, 1, 2, 0)))
    standings = rank(
        [Entered(k, k) for k in (1, 2, 3)], Results(ring), [Criterion.MATCH_POINTS, Criterion.HEAD_TO_HEAD]
    )
    assert [row.rank for row in standings.rows] == [1, 1, 1]


def test_meeting_twice_counts_both_results_for_sonneborn_berger():
    twice = sheet(league(((1, 1, 2, 2, 0), (2, 2, 1, 2, 0))), 2)
    assert values(Criterion.SONNEBORN_BERGER, twice, [1, 2]) == {1: 2, 2: 2}
    assert values(Criterion.HEAD_TO_HEAD, twice, [1, 2]) == {1: 1, 2: 1}


def test_bye_counts_as_an_opponent_with_the_own_score():
    encounters = (*league(MATCHES[:1]), encounter(3, 1, [], 2, Played.BYE))
    assert values(Criterion.BUCHHOLZ, sheet(encounters, 3), [1, 2, 3]) == {1: 0, 2: 2, 3: 2}
    assert values(Criterion.SONNEBORN_BERGER, sheet(encounters, 3), [3]) == {3: 0}


@pytest.mark.parametrize("pending", [None, 1])
def test_pending_match_beats_nobody(pending):
    encounters = (encounter(1, 1, [2], pending, Played.PENDING), encounter(2, 1, [1], 2))
    assert values(Criterion.SONNEBORN_BERGER, sheet(encounters, 2), [1, 2]) == {1: 0, 2: 0}
    assert values(Criterion.HEAD_TO_HEAD, sheet(encounters, 2), [1, 2]) == {1: None, 2: None}


def test_table_of_four_counts_the_mean_of_the_opponents_and_everyone_beaten():
    places = {1: 4, 2: 2, 3: 2, 4: 0}
    encounters = [encounter(w, 1, [o for o in places if o != w], p) for w, p in places.items()]
    s = sheet(encounters)
    assert values(Criterion.BUCHHOLZ, s, [1, 2]) == {1: Fraction(4, 3), 2: 2}
    assert values(Criterion.SONNEBORN_BERGER, s, [1, 2]) == {1: Fraction(4, 3), 2: Fraction(1, 3)}
    assert values(Criterion.HEAD_TO_HEAD, s, [1, 2, 3]) == {1: 2, 2: Fraction(1, 2), 3: Fraction(1, 2)}


def test_house_player_counts_as_an_opponent_with_the_own_score():
    encounters = [encounter(1, 1, [2, 99], 4), encounter(2, 1, [1, 99], 2), encounter(99, 1, [1, 2], 0)]
    assert values(Criterion.BUCHHOLZ, sheet(encounters, 2), [1, 2]) == {1: 3, 2: 3}


@pytest.mark.parametrize(
    ("met", "buchholz", "sonneborn_berger"),
    [
        # 1: 2's 0 and its own 4; 2: 1's 4 and its own 0 for the round it missed; 3: its own 2 twice.
        (False, {1: 4, 2: 4, 3: 4}, {1: 0, 2: 0, 3: 0}),
        # 1: 2's 0 and 3's 2; 3: its own 2 for the bye and 1's 4.
        (True, {1: 2, 2: 4, 3: 6}, {1: 2, 2: 0, 3: 0}),
    ],
)
def test_walkover_counts_for_tie_breaks_by_opponents_only_as_a_meeting(met, buchholz, sonneborn_berger):
    """Round 1: 1 beats 2, 3 sits out. Round 2: 1 has a walkover over 3, 2 is absent. Scores 4, 0, 2."""
    stated = {"state": Played.WALKOVER, "met": met}
    encounters = (
        *league(MATCHES[:1]),
        encounter(3, 1, [], 2, Played.BYE),
        Encounter(1, 2, (3,), ((Measure.MATCH_POINTS, 2),), **stated),
        Encounter(3, 2, (1,), ((Measure.MATCH_POINTS, 0),), **stated),
    )
    found = sheet(encounters, 3)
    assert values(Criterion.BUCHHOLZ, found, [1, 2, 3]) == buchholz
    assert values(Criterion.SONNEBORN_BERGER, found, [1, 2, 3]) == sonneborn_berger
    assert values(Criterion.HEAD_TO_HEAD, found, [1, 3]) == ({1: 1, 3: 0} if met else {1: None, 3: None})


def test_who_has_withdrawn_counts_with_what_it_had_and_its_own_missed_rounds_as_own_score():
    # 2 leaves after round 1 with 0 points; 1 and 3 play round 2.
    found = sheet(league(((1, 1, 2, 2, 0), (2, 1, 3, 1, 1))), 3)
    assert values(Criterion.BUCHHOLZ, found, [1, 2, 3]) == {1: 1, 2: 3, 3: 4}
