"""Pairs of opponents by exact matching: of all ways to pair the field, the one that costs least.

A meeting costs, each kind outweighing any sum of those that follow: forbidden or same team; a bye for
somebody who had more of them than another; having met before (twice as much the second time, and so on);
same club or both seeded while these are apart, then two who have both had the same side twice too often; the
squared difference of points; the squared distance in the order of play. Two to whom the same side is due
count like a small gap of points (``_SIDES_SHARE``), at equal points more than the order of play.

Large fields are matched among neighbours in that order first. If this leaves a meeting that somebody wished
away, the window is widened, in the end to the whole field, so that what remains could not be avoided.

Where the rounds to come need most of the possible opponents, the cheapest pairs may leave a rest that cannot
be played without a rematch; then the cheapest pairs that do not are taken instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from tournament.pairing.history import Situation, meetings, side_balance, sit_out_counts
from tournament.pairing.matching import Pair, cheapest_matching
from tournament.pairing.model import Entrant
from tournament.pairing.side_look_ahead import LOOK_AHEAD_MOST, SmallField, playable_pairs

Ints = NDArray[np.int64]

_LEVELS = 1023
_MOST = 15
_FARTHEST = 255
_SIDES_SHARE = 16
"""The same side due to both is worth this part of the widest gap of points in the field, so in a wide field
sides alternate, while few distinct scores always come first."""

# Where each kind of cost begins, in bits. Each is past the largest sum of the kinds below it over 2,000
# meetings, and all of them together stay below the COST_BITS that the matching takes.
_SIDES = 28
_POINTS = 40
_WISHES = 72
# Within the wishes:
_APART = 1
_REMATCH = 14
_BYE = 30
_NEVER = 35

WINDOWS: tuple[int, ...] = (24, 96, 384)


def match_sides(
    order: Sequence[Entrant], now: Situation, to_come: int
) -> tuple[list[tuple[Entrant, Entrant]], Entrant | None]:
    """Opponents, and who sits out if the field is odd. ``order`` is the field, the leaders first;
    ``to_come`` is how many rounds follow this one.
    """
    costs = _Costs(order, now)
    pairs = _cheapest_pairs(costs)
    if costs.size <= LOOK_AHEAD_MOST and 2 * (now.round + to_come) > costs.size:
        pairs = playable_pairs(costs.small_field(), pairs, to_come)
    resting = next((order[min(a, b)] for a, b in pairs if max(a, b) == len(order)), None)
    return [(order[a], order[b]) for a, b in sorted(pairs) if max(a, b) < len(order)], resting


def _cheapest_pairs(costs: _Costs) -> list[Pair]:
    pairs: list[Pair] = []
    for width in (*(w for w in WINDOWS if w < costs.size - 1), costs.size):
        pairs = costs.best_pairs(width)
        worst = max((costs.high(a, b) for a, b in pairs), default=0)
        complete = 2 * len(pairs) >= costs.size - costs.size % 2
        # A club that fills half the hall clashes however far one looks; only meetings graver than that are
        # worth the whole field.
        if complete and (worst == 0 or (worst < 1 << _REMATCH and width >= WINDOWS[-1])):
            break
    return pairs


class _Costs:
    """Costs of all possible meetings; in an odd field the last index stands for the bye."""

    def __init__(self, order: Sequence[Entrant], now: Situation) -> None:
        self.count = len(order)
        self.size = self.count + self.count % 2
        index = {e.id: k for k, e in enumerate(order)}
        met = meetings(now.history)
        self._met = {
            (min(index[a], index[b]), max(index[a], index[b])): min(times, _MOST)
            for (a, b), times in met.items()
            if a in index and b in index
        }
        self._forbidden = {
            (min(index[a], index[b]), max(index[a], index[b]))
            for a, b in now.constraints.forbidden
            if a in index and b in index
        }
        wishes = now.constraints
        self._teams = _codes([e.team if wishes.teams_apart else "" for e in order])
        self._clubs = _codes([e.club if now.round <= wishes.clubs_apart_rounds else "" for e in order])
        seeds_apart = now.round <= wishes.seeds_apart_rounds
        self._seeds = _codes(["seeded" if seeds_apart and e.seed is not None else "" for e in order])
        self._levels = _levels(order)
        balance = side_balance(now.history)
        self._due = np.sign(np.array([balance[e.id] for e in order], dtype=np.int64))
        self._one_sided = [int(balance[e.id] / 2) for e in order]
        self._sides_price = (int(self._levels.max(initial=0)) // _SIDES_SHARE) ** 2
        rests = sit_out_counts(now.history)
        fewest = min((rests[e.id] for e in order if not e.house), default=0)
        self._rests = [_MOST if e.house else min(rests[e.id] - fewest, _MOST) for e in order]

    def high(self, a: int, b: int) -> int:
        """What the organiser would not wish: 0 for an ordinary meeting."""
        a, b = min(a, b), max(a, b)
        if b == self.count:
            return self._rests[a] << _BYE
        cost = self._met.get((a, b), 0) << _REMATCH
        apart = int(self._clubs[a] == self._clubs[b] > 0) + int(self._seeds[a] == self._seeds[b] > 0)
        cost += (apart << _APART) + int(self._one_sided[a] * self._one_sided[b] > 0)
        if (a, b) in self._forbidden or self._teams[a] == self._teams[b] > 0:
            cost += 1 << _NEVER
        return cost

    def _low(self, a: Ints, b: Ints) -> tuple[Ints, Ints]:
        """Points, and sides with order, for many meetings at once. A bye goes to the lowest."""
        points = np.append(self._levels, self._levels.min())
        places = np.arange(self.count + 1)
        due = np.append(self._due, 0)
        same_side = (due[a] * due[b] > 0).astype(np.int64)
        gaps = (points[a] - points[b]) ** 2 + self._sides_price * same_side
        apart = np.minimum(places[b] - places[a], _FARTHEST) ** 2
        return gaps, (same_side << _SIDES) + apart

    def within(self, width: int) -> Iterator[tuple[Pair, int]]:
        """The cost of every meeting inside a window of neighbours, and of every bye."""
        a, b = _window(self.size, width)
        if self.size > self.count:
            outside = np.arange(max(0, self.count - width))
            a, b = np.append(a, outside), np.append(b, np.full_like(outside, self.count))
        gaps, rest = self._low(a, b)
        for x, y, gap, r in zip(a.tolist(), b.tolist(), gaps.tolist(), rest.tolist(), strict=True):
            yield (x, y), (self.high(x, y) << _WISHES) + (gap << _POINTS) + r

    def best_pairs(self, width: int) -> list[Pair]:
        """The cheapest matching of most pairs with every meeting inside a window of neighbours."""
        return cheapest_matching(self.size, self.within(width))

    def small_field(self) -> SmallField:
        """All meetings with what they cost, and those that nothing grave stands against."""
        costs = dict(self.within(self.size))
        return SmallField(
            self.size, costs, frozenset(two for two in costs if self.high(*two) < 1 << _REMATCH)
        )


def _window(size: int, width: int) -> tuple[Ints, Ints]:
    """All pairs a < b of 0 … size−1 at most ``width`` apart."""
    parts = [(np.arange(size - d), d) for d in range(1, min(width, size - 1) + 1)]
    if not parts:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    a = np.concatenate([first for first, _ in parts])
    return a, a + np.concatenate([np.full(len(first), d) for first, d in parts])


def _codes(labels: Sequence[str]) -> list[int]:
    """Labels as numbers; 0 for none."""
    codes = {label: k for k, label in enumerate(dict.fromkeys(labels), start=1)}
    return [codes[label] if label else 0 for label in labels]


def _levels(order: Sequence[Entrant]) -> Ints:
    """Points as whole numbers 0 … 1023: in proportion where they fit, else rounded."""
    points = [Fraction(e.points) for e in order]
    low = min(points, default=Fraction(0))
    unit = lcm(*(p.denominator for p in points))
    steps = [int((p - low) * unit) for p in points]
    common = gcd(*steps) or 1
    steps = [step // common for step in steps]
    most = max(steps, default=0)
    if most > _LEVELS:
        steps = [step * _LEVELS // most for step in steps]
    elif most:
        steps = [step * (_LEVELS // most) for step in steps]
    return np.array(steps, dtype=np.int64)
