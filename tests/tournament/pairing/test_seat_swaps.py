"""Exchanges for the sake of seats."""

import numpy as np

from tests.tournament.pairing.events import field, play
from tournament.pairing.four import draw_random_four
from tournament.pairing.seat_swaps import excess_of, exchange_for_seats, least_excess

NO_COST = np.zeros((8, 8), dtype=np.int64)
NO_PLACE = np.zeros((8, 2), dtype=np.int64)
#: 0 and 1 need North, 2 and 3 East; 4 and 6 West, 5 and 7 South.
TAKEN = 1 - np.eye(4, dtype=np.int64)[[0, 0, 3, 3, 1, 2, 1, 2]]
TABLES = [[0, 1, 2, 3], [4, 5, 6, 7]]


def seats_too_often(tables):
    excess = excess_of(TAKEN)
    return sum(least_excess(excess[list(table)]) for table in tables)


def test_who_need_the_same_seat_are_parted():
    assert seats_too_often(TABLES) == 4
    after = exchange_for_seats(TABLES, NO_COST, NO_PLACE, TAKEN, price=1)
    assert sorted(who for table in after for who in table) == list(range(8))
    assert seats_too_often(after) == 0


def test_nobody_moves_where_that_costs_more_than_the_seat():
    cost = np.full((8, 8), 100, dtype=np.int64)
    for table in TABLES:
        cost[np.ix_(table, table)] = 0
    np.fill_diagonal(cost, 0)
    assert exchange_for_seats(TABLES, cost, NO_PLACE, TAKEN, price=1) == TABLES


def test_draws_by_lot_give_everybody_every_seat_in_turn():
    for draw, _, _ in play(field(64, clubs=16), 8, draw_random_four):
        assert draw.quality.seat_spread <= 1
