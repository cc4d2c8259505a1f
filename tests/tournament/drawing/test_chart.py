"""The line over the deals stays within its picture, whatever the points."""

from fractions import Fraction
from random import Random

import pytest

from tournament.drawing.chart import score_line


@pytest.mark.parametrize(
    "rounds",
    [
        [],
        [[]],
        [[0]],
        [[0, 0, 0]],
        [[3]],
        [[-1000], [1000]],
        [[Fraction(-880, 3), Fraction(1, 2)], [], [7]],
        *([[Random(seed).randrange(-1400, 1400) for _ in range(16)] for _ in range(8)] for seed in range(5)),
    ],
)
def test_everything_stays_within_the_picture(rounds):
    chart = score_line(rounds)
    for dot in chart.dots:
        assert chart.left <= dot.x <= chart.width + 0.1
        assert 0 <= dot.y <= chart.height
    heights = [tick.y for tick in chart.ticks]
    assert heights == sorted(heights, reverse=True)
    assert all(0 < y < chart.height for y in heights)
    assert (0, chart.zero) in {(tick.points, tick.y) for tick in chart.ticks}
    assert 3 <= len(chart.ticks) <= 11
    assert len(chart.bands) == len([one for one in rounds if one])
    assert len(chart.dots) == 1 + sum(map(len, rounds))


def test_higher_points_stand_higher_and_the_rounds_follow_each_other():
    chart = score_line([[100, 50], [-400]])
    start, first, second, last = chart.dots
    assert last.y > start.y > first.y > second.y
    assert start.y == pytest.approx(chart.zero, abs=0.5)
    assert [(band.left, band.right) for band in chart.bands] == [
        (start.x, second.x),
        (second.x, last.x),
    ]
    assert chart.path.count("L") == 3


def test_the_scale_goes_in_round_figures():
    for reach in (7, 90, 333, 1200, 48_000):
        ticks = [tick.points for tick in score_line([[reach]]).ticks]
        step = ticks[1] - ticks[0]
        assert str(step).rstrip("0") in {"1", "2", "5"}
        assert all(points % step == 0 for points in ticks)
