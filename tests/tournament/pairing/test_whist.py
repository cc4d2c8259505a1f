"""Whist movements: partner of everyone once, opponent of everyone twice."""

from collections import Counter
from itertools import combinations

import pytest

from tournament.pairing.model import PairingError
from tournament.pairing.whist import full_rounds, plan_whist
from tournament.pairing.whist_starts import whole_whist

WHOLE = tuple(n for n in range(4, 102) if whole_whist(n))


def test_whist_exists_for_every_size_an_event_of_one_day_has():
    assert WHOLE[:14] == (4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29)


@pytest.mark.parametrize("players", WHOLE)
def test_everybody_is_partner_once_and_opponent_twice(players):
    rounds = whole_whist(players)
    assert len(rounds) == full_rounds(players)
    partners, opponents, rests = Counter(), Counter(), Counter()
    for games in rounds:
        playing = [p for game in games for p in game]
        assert len(set(playing)) == len(playing) == players // 4 * 4
        rests.update(set(range(players)) - set(playing))
        for a, b, c, d in games:
            partners.update([frozenset((a, c)), frozenset((b, d))])
            opponents.update(frozenset((one, other)) for one in (a, c) for other in (b, d))
    pairs = {frozenset(two) for two in combinations(range(players), 2)}
    assert partners == dict.fromkeys(pairs, 1)
    assert opponents == dict.fromkeys(pairs, 2)
    assert rests == (dict.fromkeys(range(players), 1) if players % 4 else {})


@pytest.mark.parametrize("players", [4, 8, 9, 16, 25, 33, 48, 64])
def test_the_plan_seats_the_whole_movement_with_partners_opposite_and_every_seat_as_often(players):
    plan = plan_whist(players)
    for tables, games in zip(plan, whole_whist(players), strict=True):
        assert all([seat for seat, _ in table] == list("NWSE") for table in tables)
        seated = {frozenset((frozenset((n, s)), frozenset((w, e)))) for (n, w, s, e) in _players(tables)}
        assert seated == {frozenset((frozenset((a, c)), frozenset((b, d)))) for a, b, c, d in games}
    spreads = _spreads(plan, players)
    assert max(spreads) <= 2
    assert players == 4 or sum(spread < 2 for spread in spreads) >= players * 0.9


def test_whole_movements_are_known_for_nearly_all_that_can_be_up_to_a_hundred_and_one():
    missing = {n for n in range(4, 102) if n % 4 < 2} - set(WHOLE)
    assert missing <= {69, 72, 84, 100}


_SEARCHED = [
    (6, 6),
    (7, 7),
    (10, 8),
    (11, 8),
    (22, 8),
    (30, 8),
    (60, 8),
    (69, 8),
    (72, 12),
    (100, 10),
    (102, 8),
]


@pytest.mark.parametrize(("players", "rounds"), _SEARCHED)
def test_without_a_whole_movement_partners_are_new_and_byes_come_round(players, rounds):
    plan = plan_whist(players, rounds)
    partners, opponents, rests = _counts(plan, players)
    assert len(plan) == rounds
    assert max(partners.values()) == 1
    assert players < 20 or max(opponents.values()) <= 2
    times = [rests[p] for p in range(players)]
    assert sum(times) == players % 4 * rounds
    assert max(times) - min(times) <= 1


@pytest.mark.parametrize("players", [16, 24, 36, 45, 48, 52, 64, 80, 96])
@pytest.mark.parametrize("rounds", [4, 7, 8])
def test_short_event_has_new_partners_and_even_seats_and_nobody_stays_at_a_table(players, rounds):
    plan = plan_whist(players, rounds)
    partners, opponents, _ = _counts(plan, players)
    assert max(partners.values()) == 1
    assert max(opponents.values()) <= (1 if players in {16, 52, 64} and rounds < players // 3 else 2)
    spreads = _spreads(plan, players)
    # In four rounds, and for some fields in any multiple of four, there is no way that is even for all.
    assert max(spreads) <= (1 if rounds % 4 else 2)
    assert sum(spread < 2 for spread in spreads) >= players * 0.8
    tables = Counter((p, number) for tables in plan for number, table in enumerate(tables) for _, p in table)
    assert max(tables.values()) < max(4, rounds * 3 // 4)


def _players(tables):
    return [tuple(p for _, p in table) for table in tables]


def _spreads(plan, players):
    """Of each player, how often the seat they had most less the one they had least."""
    seats = Counter(seat for tables in plan for table in tables for seat in table)
    times = [[seats[seat, p] for seat in "NWSE"] for p in range(players)]
    return [max(one) - min(one) for one in times]


def _counts(plan, players):
    """How often any two were partners and opponents, and anybody sat out."""
    partners, opponents, rests = Counter(), Counter(), Counter()
    for tables in plan:
        rests.update(set(range(players)) - {p for table in tables for _, p in table})
        for table in tables:
            n, w, s, e = (p for _, p in table)
            partners.update([frozenset((n, s)), frozenset((w, e))])
            opponents.update(frozenset((one, other)) for one in (n, s) for other in (w, e))
    return partners, opponents, rests


def test_whist_of_three_is_refused():
    with pytest.raises(PairingError) as fault:
        plan_whist(3)
    assert fault.value.code == "no_whist"


def test_whist_for_fewer_rounds_is_the_beginning_and_for_more_begins_again():
    whole = plan_whist(8)

    def tables(plan):
        return [[frozenset(players) for players in _players(one)] for one in plan]

    assert tables(plan_whist(8, 3)) == tables(whole[:3])
    assert set(tables(plan_whist(8, 9))[7]) == set(tables(whole)[0])
    assert tables(plan_whist(22, 9))[:7] == tables(plan_whist(22, 7))
    with pytest.raises(PairingError):
        plan_whist(8, 0)
