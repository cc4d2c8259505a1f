"""Rounds among strangers in narrow fields, and whether more can follow."""

import numpy as np
import pytest

from tests.tournament.pairing.events import field, play
from tournament.pairing.four import draw_swiss_four
from tournament.pairing.strangers import (
    as_lists,
    as_round,
    leaves_rounds,
    rounds_of_strangers,
    stranger_tables,
)

ROWS = [[4 * r + c for c in range(4)] for r in range(4)]
COLUMNS = [[4 * r + c for r in range(4)] for c in range(4)]


def unmet_after(*rounds):
    unmet = 1 - np.eye(16, dtype=np.int64)
    for one in rounds:
        for table in one:
            unmet[np.ix_(table, table)] = 0
    return unmet


def test_after_rows_and_columns_tables_are_permutations_and_rounds_latin_squares():
    tables = stranger_tables(unmet_after(ROWS, COLUMNS))
    assert len(tables) == 24
    assert len(rounds_of_strangers(tables, 16)) == 24  # 576 squares, the names of the four tables left aside


def test_a_quarter_of_the_third_rounds_leaves_a_fourth_and_a_fifth():
    tables = stranger_tables(unmet_after(ROWS, COLUMNS))
    rounds = rounds_of_strangers(tables, 16)
    assert sum(leaves_rounds(tables, 16, one, 2) for one in rounds) == 6
    assert not any(leaves_rounds(tables, 16, one, 3) for one in rounds)


def test_rounds_are_read_back_as_they_were():
    assert as_lists(as_round(ROWS)) == ROWS


@pytest.mark.parametrize(("players", "rounds"), [(16, 4), (16, 5), (20, 5)])
@pytest.mark.parametrize("seed", range(4))
def test_narrow_field_meets_nobody_twice(players, rounds, seed):
    for draw, _, _ in play(field(players, seed), rounds, draw_swiss_four, seed, planned_rounds=rounds):
        assert draw.quality.repeats == 0
