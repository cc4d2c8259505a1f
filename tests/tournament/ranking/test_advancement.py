"""Who advances, and who could still change places."""

import pytest

from tournament.ranking.advancement import preview_advancement
from tournament.ranking.results import Encounter, Measure, Played, Results
from tournament.ranking.standings import Entered, rank
from tournament.ranking.tie_breaks import Criterion


def standings(*totals, pending=()):
    encounters = [
        Encounter(k, 1, (), ((Measure.TOTAL, t),), Played.PENDING if k in pending else Played.PLAYED)
        for k, t in enumerate(totals)
    ]
    return rank([Entered(k, k) for k in range(len(totals))], Results(tuple(encounters)), [Criterion.TOTAL])


def test_complete_standings_settle_it():
    advancement = preview_advancement(standings(9, 8, 7, 6), 2)
    assert advancement.qualified == (0, 1)
    assert advancement.settled


def test_tie_at_the_line_names_all_who_share_the_rank():
    advancement = preview_advancement(standings(9, 7, 7, 7, 6), 2)
    assert advancement.tied_at_line == (1, 2, 3)
    assert not advancement.settled
    assert preview_advancement(standings(9, 9, 7, 7), 2).tied_at_line == ()


def test_pending_result_below_the_line_endangers_the_last_above_it():
    advancement = preview_advancement(standings(9, 8, 7, 6, 5, pending=[4]), 3)
    assert (advancement.could_drop, advancement.could_rise) == ((2,), (4,))


def test_pending_result_above_the_line_lets_the_first_below_hope():
    advancement = preview_advancement(standings(9, 8, 7, 6, 5, pending=[0]), 3)
    assert (advancement.could_drop, advancement.could_rise) == ((0,), (3,))


def test_pending_above_and_below_endanger_the_last_whose_results_are_known():
    # 2 may rise to the top and 4 as well: then 1 is out.
    advancement = preview_advancement(standings(9, 8, 7, 6, 5, pending=[2, 4]), 3)
    assert (advancement.could_drop, advancement.could_rise) == ((1, 2), (3, 4))


@pytest.mark.parametrize(
    ("tie_breaks", "pending", "drop", "rise"),
    [
        ([Criterion.LOT], 0, (0,), (2,)),
        ([Criterion.LOT], 4, (1,), (4,)),
        # Whichever of the equal is ahead at the line then, results of others may have decided.
        ([Criterion.BUCHHOLZ, Criterion.LOT], 0, (0, 1), (2, 3)),
        ([Criterion.HEAD_TO_HEAD, Criterion.LOT], 4, (1,), (2, 3, 4)),
    ],
)
def test_equals_at_the_line_may_change_places_by_results_of_others(tie_breaks, pending, drop, rise):
    encounters = [
        Encounter(k, 1, (), ((Measure.TOTAL, t),), Played.PENDING if k == pending else Played.PLAYED)
        for k, t in enumerate((9, 7, 7, 7, 5))
    ]
    results = Results(tuple(encounters), lots=tuple((k, k) for k in range(5)))
    found = rank([Entered(k, k) for k in range(5)], results, [Criterion.TOTAL, *tie_breaks])
    advancement = preview_advancement(found, 2)
    assert advancement.qualified == (0, 1)
    assert (advancement.could_drop, advancement.could_rise) == (drop, rise)


@pytest.mark.parametrize("places", [0, 4, 9])
def test_nothing_is_open_when_nobody_or_everybody_advances(places):
    advancement = preview_advancement(standings(9, 8, 7, 6, pending=[1, 3]), places)
    assert advancement.settled
    assert len(advancement.qualified) == min(places, 4)


def test_negative_number_of_places_is_refused():
    with pytest.raises(ValueError, match="negative"):
        preview_advancement(standings(1, 2), -1)
