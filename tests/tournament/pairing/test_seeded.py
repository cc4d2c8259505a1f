"""A first round by seeding."""

import pytest

from tournament.pairing.checker import Expected, check_draw
from tournament.pairing.four import draw_swiss_four
from tournament.pairing.model import NO_HISTORY, NO_WISHES, Constraints, Entrant
from tournament.pairing.options import OddAnswer, chosen_option
from tournament.pairing.seeded import draw_seeded, seeding_order
from tournament.pairing.swiss import draw_swiss


def seeded_field(n, seeds=None):
    seeds = n if seeds is None else seeds
    return [Entrant(k, k, seed=k if k <= seeds else None) for k in range(1, n + 1)]


def first_round(entrants, draw, size, constraints=NO_WISHES, **options):
    players = len(entrants)
    option = chosen_option(players, options["answer"]) if "answer" in options else None
    return draw_seeded(
        entrants,
        NO_HISTORY,
        round=1,
        constraints=constraints,
        seed=7,
        tables=len(option.sizes) if option else players // size,
        byes=option.byes if option else players % size,
        draw_equals=lambda field: draw(field, round=1, constraints=constraints, seed=7, **options),
    )


def test_upper_half_meets_lower_half_in_order():
    draw = first_round(seeded_field(8), draw_swiss, 2)
    assert sorted(sorted(t.entrants) for t in draw.tables) == [[1, 5], [2, 6], [3, 7], [4, 8]]


def test_last_of_the_seeding_sits_out():
    draw = first_round(seeded_field(9), draw_swiss, 2)
    assert draw.byes == (9,)
    assert sorted(sorted(t.entrants) for t in draw.tables) == [[1, 5], [2, 6], [3, 7], [4, 8]]
    four = first_round(seeded_field(18), draw_swiss_four, 4, answer=OddAnswer.BYES)
    assert four.byes == (17, 18)


def test_snake_makes_tables_of_equal_strength():
    draw = first_round(seeded_field(16), draw_swiss_four, 4)
    assert sorted(sorted(t.entrants) for t in draw.tables) == [
        [1, 8, 9, 16],
        [2, 7, 10, 15],
        [3, 6, 11, 14],
        [4, 5, 12, 13],
    ]


def test_forbidden_pair_is_kept_apart_though_the_seeding_brings_it_together():
    wishes = Constraints.of(forbidden=[(1, 5)])
    draw = first_round(seeded_field(8), draw_swiss, 2, wishes)
    assert draw.quality.forbidden_meetings == 0


@pytest.mark.parametrize("n", range(15, 24))
@pytest.mark.parametrize("answer", [OddAnswer.BYES, OddAnswer.THREES, OddAnswer.FIVES])
def test_top_seeds_never_share_a_table(n, answer):
    draw = first_round(seeded_field(n, seeds=3), draw_swiss_four, 4, answer=None if n % 4 == 0 else answer)
    assert all(len({1, 2, 3} & set(t.entrants)) <= 1 for t in draw.tables)


def test_quality_and_reasons_speak_of_the_real_points():
    draw = first_round(seeded_field(8), draw_swiss, 2)
    assert draw.quality == check_draw(draw, seeded_field(8), expected=Expected(size=2)).quality
    assert draw.quality.max_points_gap == 0
    table = draw.table_of(1)
    assert next(r["places"] for r in table.reasons if r.code == "seeding") == "1, 5"


def test_unseeded_follow_by_lot():
    field = seeded_field(40, seeds=2)
    order = [e.id for e in seeding_order(field, 3)]
    assert order[:2] == [1, 2]
    assert order[2:] != sorted(order[2:])
    assert order == [e.id for e in seeding_order(reversed(field), 3)]
