"""A line over the deals 得分曲线: where its points, the zero line, the rounds and the scale stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Points = int | Fraction

#: Lines of the scale besides zero, at most on each side.
_STEPS = 5


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the scale: its height in pixels and the points it stands for."""

    y: int
    points: int


@dataclass(frozen=True, slots=True)
class Dot:
    """The sum after one deal, in pixels."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Band:
    """The part of the width that belongs to one round, in pixels."""

    left: float
    right: float

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True)
class Chart:
    """A line chart: ``dots`` begin with the start at 0; ``path`` joins them (SVG path data)."""

    width: int
    height: int
    left: int
    zero: int
    ticks: tuple[Tick, ...]
    dots: tuple[Dot, ...]
    bands: tuple[Band, ...]
    path: str


def score_line(
    rounds: Sequence[Sequence[Points]],
    *,
    width: int = 640,
    height: int = 240,
    left: int = 56,
    right: int = 0,
    foot: int = 24,
    head: int = 10,
) -> Chart:
    """The running sum of points, deal after deal through the rounds.

    ``rounds`` are the points of each deal, round by round; a round without deals takes no room. ``left``,
    ``right``, ``foot`` and ``head`` leave room for the scale, the last dot and the names of the rounds.

    >>> chart = score_line([[10, -30], [50]], width=100, height=100, left=10, foot=10, head=10)
    >>> [dot.y for dot in chart.dots]
    [57.3, 42.7, 86.4, 13.6]
    """
    sums = [Fraction(0)]
    for one in rounds:
        for points in one:
            sums.append(sums[-1] + points)
    step = _step(min(sums), max(sums))
    low, high = min(*sums, Fraction(-step)), max(*sums, Fraction(step))
    margin = (high - low) / 20
    bottom, top = low - margin, high + margin
    room = height - head - foot

    def y_of(points: Fraction) -> float:
        return head + round(float((top - points) / (top - bottom) * room), 1)

    deals = len(sums) - 1
    each = (width - left - right) / max(1, deals)
    dots = tuple(Dot(round(left + each * k, 1), y_of(points)) for k, points in enumerate(sums))
    bands, begun = [], 0
    for one in rounds:
        if one:
            bands.append(Band(round(left + each * begun, 1), round(left + each * (begun + len(one)), 1)))
            begun += len(one)
    ticks = tuple(
        Tick(round(y_of(Fraction(points))), points)
        for points in range(_first(low, step), int(high) + 1, step)
        if low <= points <= high
    )
    path = "M" + "L".join(f"{dot.x:g} {dot.y:g}" for dot in dots)
    return Chart(width, height, left, round(y_of(Fraction(0))), ticks, dots, tuple(bands), path)


def _step(low: Fraction, high: Fraction) -> int:
    """The distance between lines of the scale: 1, 2 or 5 times a power of ten, at least 10 points."""
    reach: Fraction = max(-low, high, Fraction(10))
    step = 10
    while reach / step > _STEPS:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step


def _first(low: Fraction, step: int) -> int:
    return -(int(-low) // step) * step
