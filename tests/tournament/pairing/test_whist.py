"""Whist movements: partner of everyone once, opponent of everyone twice."""

from collections import Counter
from itertools import combinations

import pytest

from tournament.pairing.model import PairingError
from tournament.pairing.whist import full_rounds, plan_whist, whist_players


def test_whist_exists_for_every_size_an_event_of_one_day_has():
    assert whist_players()[:14] == (4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29)


@pytest.mark.parametrize("players", whist_players())
def test_everybody_is_partner_once_and_opponent_twice(players):
    plan = plan_whist(players)
    partners, opponents, rests, seats = Counter(), Counter(), Counter(), Counter()
    assert len(plan) == full_rounds(players)
    for tables in plan:
        seated = [p for table in tables for _, p in table]
        assert len(set(seated)) == len(seated) == players // 4 * 4
        rests.update(set(range(players)) - set(seated))
        for table in tables:
            n, w, s, e = (p for _, p in table)
            assert [seat for seat, _ in table] == list("NWSE")
            partners.update([frozenset((n, s)), frozenset((w, e))])
            opponents.update(frozenset((one, other)) for one in (n, s) for other in (w, e))
            seats.update(table)
    pairs = {frozenset(two) for two in combinations(range(players), 2)}
    assert partners == dict.fromkeys(pairs, 1)
    assert opponents == dict.fromkeys(pairs, 2)
    assert rests == (dict.fromkeys(range(players), 1) if players % 4 else {})
    assert all(seats[s, p] - seats[t, p] <= 3 for p in range(players) for s in "NWSE" for t in "NWSE")


@pytest.mark.parametrize("players", [3, 6, 7, 10, 45])
def test_whist_of_other_numbers_is_refused(players):
    with pytest.raises(PairingError) as fault:
        plan_whist(players)
    assert fault.value.code == "no_whist"


def test_whist_for_fewer_rounds_is_the_beginning_and_for_more_begins_again():
    whole = plan_whist(8)
    assert plan_whist(8, 3) == whole[:3]
    again = plan_whist(8, 9)[7]
    assert [{p for _, p in t} for t in again] == [{p for _, p in t} for t in whole[0]]
    with pytest.raises(PairingError):
        plan_whist(8, 0)
