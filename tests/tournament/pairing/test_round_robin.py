"""Round robin against the published Berger tables."""

from collections import Counter

import pytest

from tests.tournament.pairing.events import field
from tournament.pairing.checker import Expected, check_draw
from tournament.pairing.model import NO_HISTORY, PairingError
from tournament.pairing.round_robin import berger_rounds, draw_positions, draw_round_robin, rounds_needed

# As printed in handbooks: the first named plays on side A.
PUBLISHED = {
    4: """1-4 2-3
          4-3 1-2
          2-4 3-1""",
    6: """1-6 2-5 3-4
          6-4 5-3 1-2
          2-6 3-1 4-5
          6-5 1-4 2-3
          3-6 4-2 5-1""",
    8: """1-8 2-7 3-6 4-5
          8-5 6-4 7-3 1-2
          2-8 3-1 4-7 5-6
          8-6 7-5 1-4 2-3
          3-8 4-2 5-1 6-7
          8-7 1-6 2-5 3-4
          4-8 5-3 6-2 7-1""",
    10: """1-10 2-9 3-8 4-7 5-6
           10-6 7-5 8-4 9-3 1-2
           2-10 3-1 4-9 5-8 6-7
           10-7 8-6 9-5 1-4 2-3
           3-10 4-2 5-1 6-9 7-8
           10-8 9-7 1-6 2-5 3-4
           4-10 5-3 6-2 7-1 8-9
           10-9 1-8 2-7 3-6 4-5
           5-10 6-4 7-3 8-2 9-1""",
}


@pytest.mark.parametrize("n", PUBLISHED)
def test_berger_rounds_are_the_published_tables(n):
    published = [
        tuple(tuple(int(p) for p in match.split("-")) for match in line.split())
        for line in PUBLISHED[n].splitlines()
    ]
    assert list(berger_rounds(n)) == published


@pytest.mark.parametrize("n", range(2, 41, 2))
@pytest.mark.parametrize("double", [False, True])
def test_everybody_meets_everybody_with_sides_in_balance(n, double):
    rounds = berger_rounds(n, double=double)
    assert len(rounds) == rounds_needed(n, double=double) == rounds_needed(n - 1, double=double) or n == 2
    for matches in rounds:
        assert sorted(p for match in matches for p in match) == list(range(1, n + 1))
    met = Counter(frozenset(match) for matches in rounds for match in matches)
    assert len(met) == n * (n - 1) // 2
    assert set(met.values()) == {2 if double else 1}
    on_a = Counter(a for matches in rounds for a, _ in matches)
    spread = {2 * on_a[p] - len(rounds) for p in range(1, n + 1)}
    assert spread == ({0} if double else {-1, 1})


@pytest.mark.parametrize("n", [0, 1, 7])
def test_berger_rounds_of_odd_or_no_positions_are_refused(n):
    with pytest.raises(PairingError) as fault:
        berger_rounds(n)
    assert fault.value.code == "berger_positions"


@pytest.mark.parametrize("n", [5, 8])
@pytest.mark.parametrize("double", [False, True])
def test_round_robin_is_played_to_the_end(n, double):
    entrants = field(n)
    positions = draw_positions(entrants, seed=4)
    assert sorted(positions) == [e.id for e in entrants]
    history, byes = NO_HISTORY, Counter()
    for number in range(3, 3 + rounds_needed(n, double=double)):
        draw = draw_round_robin(
            entrants, history, round=number, positions=positions, double=double, first_round=3
        )
        report = check_draw(draw, entrants, history, expected=Expected(size=2, repeats_allowed=double))
        assert report.violations == ()
        assert report.quality == draw.quality
        byes.update(draw.byes)
        history = history.plus(draw)
    assert byes == ({} if n % 2 == 0 else Counter({e.id: 1 + double for e in entrants}))
    with pytest.raises(PairingError) as fault:
        draw_round_robin(
            entrants, history, round=number + 1, positions=positions, double=double, first_round=3
        )
    assert fault.value.code == "round_not_in_plan"


def test_opponent_of_a_withdrawn_entrant_sits_out():
    entrants = field(6)
    positions = [e.id for e in entrants]
    entrants[0] = type(entrants[0])(id=100, number=1, present=False)
    draw = draw_round_robin(entrants, round=1, positions=positions)
    assert draw.byes == (105,)
    assert [set(t.entrants) for t in draw.tables] == [{101, 104}, {102, 103}]


def test_seeds_take_the_first_positions():
    entrants = [type(e)(id=e.id, number=e.number, seed={103: 2, 105: 1}.get(e.id)) for e in field(6)]
    assert draw_positions(entrants, seed=1)[:2] == (105, 103)


def test_unknown_position_is_refused():
    with pytest.raises(PairingError) as fault:
        draw_round_robin(field(4), round=1, positions=[100, 101, 102, 7])
    assert fault.value.code == "unknown_position"
