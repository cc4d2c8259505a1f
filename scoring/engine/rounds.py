"""What a round 轮 is worth: games won, difference or victory points (docs/rules.md §5).

May not know: cards, standings, I/O.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any, Final

from scoring.engine.faults import RulesetError, fault
from scoring.engine.game import Amount, RoundState

MEASURES: Final = ("points", "difference", "games", "victory_points")


def _is_row(step: Sequence[object]) -> bool:
    return len(step) == 3 and all(isinstance(one, int) and not isinstance(one, bool) for one in step)


@dataclass(frozen=True, slots=True)
class VPTable:
    """Victory points for the difference of two sides' totals.

    `steps` are (least difference in points, the winner's victory points, the loser's), from difference 0 up.
    A row holds from its difference to the next row's. The first row is for 0 and must share equally; every
    row adds up to the same. Raises RulesetError with every fault.
    """

    steps: tuple[tuple[int, int, int], ...]

    def __post_init__(self) -> None:
        faults = []
        if not self.steps or not all(_is_row(step) for step in self.steps):
            raise RulesetError(
                [fault("ruleset_wrong_type", field="steps", expected="rows of three whole numbers")]
            )
        if self.steps[0][0] != 0 or self.steps[0][1] != self.steps[0][2]:
            faults.append(fault("vp_first_row"))
        for row, (above, below) in enumerate(zip(self.steps, self.steps[1:], strict=False), start=2):
            if below[0] <= above[0] or below[1] < above[1]:
                faults.append(fault("vp_order", row=row))
        for row, step in enumerate(self.steps, start=1):
            if step[1] + step[2] != self.total:
                faults.append(fault("vp_sum", row=row, total=self.total))
        if faults:
            raise RulesetError(faults)

    @classmethod
    def from_json(cls, rows: Any) -> "VPTable":
        """Make a table from a list of rows of three numbers. Raises RulesetError with every fault."""
        if not isinstance(rows, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in rows):
            raise RulesetError(
                [fault("ruleset_wrong_type", field="steps", expected="rows of three whole numbers")]
            )
        return cls(tuple(tuple(row) for row in rows))

    def to_json(self) -> list[list[int]]:
        """Return the rows, ready for JSON."""
        return [list(step) for step in self.steps]

    @property
    def total(self) -> int:
        """What both sides' victory points of an encounter add up to."""
        return self.steps[0][1] + self.steps[0][2]

    def points(self, difference: Amount) -> tuple[int, int]:
        """Return (own, other side's) victory points for own minus other total, in points."""
        size = difference if difference >= 0 else -difference
        reached = [step for step in self.steps if size >= step[0]]
        _, winner, loser = reached[-1]
        return (winner, loser) if difference >= 0 else (loser, winner)

    def scaled(self, deals: int, base: int = 16) -> "VPTable":
        """Return the table for another number of deals: differences grow with the root of their number, and
        are rounded to tens, halves up.
        """
        steps: list[tuple[int, int, int]] = []
        for least, winner, loser in self.steps:
            # In whole numbers, so that every machine has the same table: the whole number nearest to √q is
            # (⌊√4q⌋ + 1) ÷ 2, rounded down.
            grown = (isqrt(4 * least**2 * deals // (100 * base)) + 1) // 2 * 10
            steps.append((grown if not steps else max(grown, steps[-1][0] + 1), winner, loser))
        return VPTable(tuple(steps))


#: Ships for sets of 16 deals; 20 victory points are shared. Derived from the spread of such sets between
#: equals under the official ruleset (docs/rules.md §5). An organiser may edit it.
SIXTEEN_DEALS: Final = VPTable(
    (
        (0, 10, 10),
        (200, 11, 9),
        (650, 12, 8),
        (1150, 13, 7),
        (1700, 14, 6),
        (2350, 15, 5),
        (3000, 16, 4),
        (3800, 17, 3),
        (4700, 18, 2),
        (5800, 19, 1),
        (7150, 20, 0),
    )
)


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What a round gives each side, by one measure, and who won it (several: a draw)."""

    measure: str
    points: Mapping[str, Amount]
    winners: tuple[str, ...]

    @property
    def draw(self) -> bool:
        """Whether the round was shared."""
        return len(self.winners) > 1


def round_result(state: RoundState, measure: str, table: VPTable = SIXTEEN_DEALS) -> RoundResult:
    """Return the result of a round, penalties included.

    ``points``: each side's total. ``difference``: own total minus the mean of the others' (with two sides,
    minus the other's). ``games``: games won, a shared win in equal parts. ``victory_points``: two sides'
    difference by `table`. Raises ValueError for an unknown measure, or victory points of more than two sides.
    """
    totals = state.totals
    points: dict[str, Amount] = {}
    if measure == "points":
        points = dict(totals)
    elif measure == "difference":
        whole = sum(totals.values())
        others = max(len(totals) - 1, 1)
        points = {side: _plain(value - Fraction(whole - value) / others) for side, value in totals.items()}
    elif measure == "games":
        points = {side: _plain(value) for side, value in state.wins.items()}
    elif measure == "victory_points":
        if len(totals) != 2:
            raise ValueError("victory points are for two sides")
        (one, left), (other, right) = totals.items()
        points[one], points[other] = table.points(left - right)
    else:
        raise ValueError(f"no measure {measure!r}")
    # Victory points may be alike in a narrow win; who won is told by the difference, not by them.
    decisive: Mapping[str, Amount] = totals if measure == "victory_points" else points
    best = max(decisive.values(), default=0)
    return RoundResult(measure, points, tuple(side for side, value in decisive.items() if value == best))


def _plain(value: Amount) -> Amount:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value
