"""Groups and heats."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from tests.tournament.pairing.events import field
from tournament.pairing.checker import Expected, check_draw
from tournament.pairing.groups import draw_group_round, draw_groups, group_rounds_needed
from tournament.pairing.heats import Tie, advance_from_heats, plan_heats
from tournament.pairing.model import NO_HISTORY, PairingError


@pytest.mark.parametrize(("n", "count"), [(16, 4), (17, 4), (23, 5), (8, 1), (6, 3)])
def test_groups_take_everybody_and_seeds_by_turns(n, count):
    entrants = [replace(e, seed=k + 1 if k < 2 * count and k < n else None) for k, e in enumerate(field(n))]
    groups = draw_groups(entrants, count, seed=5)
    assert sorted(e for group in groups for e in group) == [e.id for e in entrants]
    assert max(map(len, groups)) - min(map(len, groups)) <= 1
    assert [group[0] for group in groups] == [100 + k for k in range(count)]
    if n >= 2 * count:
        assert [group[1] for group in groups] == [100 + k for k in reversed(range(count, 2 * count))]


def test_groups_part_clubs():
    entrants = field(20, clubs=5)
    club = {e.id: e.club for e in entrants}
    for seed in range(5):
        for group in draw_groups(entrants, 4, seed=seed):
            assert len({club[e] for e in group}) == 5


def test_groups_of_one_are_refused():
    with pytest.raises(PairingError) as fault:
        draw_groups(field(7), 4, seed=1)
    assert fault.value.code == "groups"


@pytest.mark.parametrize("double", [False, True])
def test_all_groups_are_played_to_the_end_round_by_round(double):
    entrants = field(14)
    groups = draw_groups(entrants, 3, seed=1)
    total = group_rounds_needed(groups, double=double)
    assert total == (10 if double else 5)
    history = NO_HISTORY
    met = Counter()
    for number in range(1, total + 1):
        draw = draw_group_round(entrants, history, round=number, groups=groups, double=double)
        codes = {v.code for v in check_draw(draw, entrants, history, expected=Expected(size=2)).violations}
        assert codes <= (
            {"repeat", "bye_again", "byes_fill_a_table"} if double else {"bye_again", "byes_fill_a_table"}
        )
        met.update(frozenset(t.entrants) for t in draw.tables)
        history = history.plus(draw)
    assert met == {frozenset(two): 2 if double else 1 for group in groups for two in combinations(group, 2)}
    with pytest.raises(PairingError):
        draw_group_round(entrants, history, round=total + 1, groups=groups, double=double)


@pytest.mark.parametrize("players", range(4, 130))
@pytest.mark.parametrize("first", [1, 2, 3])
def test_heats_lead_to_a_final_table(players, first):
    stages = plan_heats(players, first=first)
    assert stages[0].players == players
    assert stages[-1].players == 4
    for stage, following in pairwise(stages):
        assert stage.advance == following.players < stage.players
        assert following.players % 4 == 0
        assert stage.best_of_rest >= 0
        assert 1 <= stage.first <= first
        assert stage.tables == -(-stage.players // 4)


@pytest.mark.parametrize("arguments", [(3, 2), (16, 0), (16, 4)])
def test_heats_that_lead_nowhere_are_refused(arguments):
    with pytest.raises(PairingError) as fault:
        plan_heats(arguments[0], first=arguments[1])
    assert fault.value.code == "heats"


TABLES = [{1: 90, 2: 50, 3: 10, 4: -150}, {5: 40, 6: 30, 7: 20, 8: -90}, {9: 200, 10: 0, 11: -100, 12: -100}]


def test_first_of_each_table_then_the_best_of_the_rest():
    advance = advance_from_heats(TABLES, 1, 3)
    assert advance.direct == (1, 5, 9)
    assert advance.best_of_rest == (2, 6, 7)
    assert advance.ties == ()
    assert advance.qualified == (1, 5, 9, 2, 6, 7)


def test_tie_at_a_table_is_named_until_a_lot_is_on_record():
    advance = advance_from_heats(TABLES, 3, 0)
    assert advance.direct == (1, 2, 3, 5, 6, 7, 9, 10)
    assert advance.ties == (Tie((11, 12), 1, 3),)
    decided = advance_from_heats(TABLES, 3, 0, lots={11: 2, 12: 1})
    assert decided.direct == (1, 2, 3, 5, 6, 7, 9, 10, 12)
    assert decided.ties == ()


def test_tie_among_the_best_of_the_rest_is_named():
    tables = [{1: 9, 2: 5}, {3: 9, 4: 5}, {5: 9, 6: 7}]
    advance = advance_from_heats(tables, 1, 2)
    assert advance.best_of_rest == (6,)
    assert advance.ties == (Tie((2, 4), 1, None),)
    assert advance_from_heats(tables, 1, 3).ties == ()


def test_tie_at_a_table_leaves_only_those_ahead_of_it_sure_of_a_further_place():
    tables = [{1: 50, 2: 50, 3: 40}, {4: 90, 5: 70, 6: 60}]
    advance = advance_from_heats(tables, 1, 3)
    assert advance.direct == (4,)
    assert advance.best_of_rest == (5, 6)
    assert advance.ties == (Tie((1, 2), 1, 1),)
    assert advance_from_heats(tables, 1, 3, lots={1: 1, 2: 2}).qualified == (1, 4, 5, 6, 2)


def test_more_places_than_players_are_refused():
    with pytest.raises(PairingError) as fault:
        advance_from_heats(TABLES, 4, 1)
    assert fault.value.code == "too_few_for_heats"
