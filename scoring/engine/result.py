"""The answer to one deal: scores, sides, flags, zero-sum figures and formulas (docs/rules.md §2, §4, §9).

Scores are there at once; everything else is worked out when first asked for. May not know: how a record is
checked, I/O.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from scoring.engine.cards import partner_of
from scoring.engine.formula import seat_formula
from scoring.engine.ruleset import Ruleset
from scoring.engine.score import round_half_away
from scoring.engine.tally import COUNTS, HEARTS_SHIFT, Tally, tables_for

Points = int | Fraction


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side of a deal: its seats in alphabetical order, and the sum of their scores in points."""

    seats: tuple[str, ...]
    score: int

    def to_json(self) -> dict[str, Any]:
        """Return the side as docs/rules.md §9 writes it."""
        return {"seats": list(self.seats), "score": self.score}


@dataclass(frozen=True, slots=True)
class SeatFlags:
    """What stands out in what one seat captured."""

    all_hearts: bool
    grand_slam: bool


@dataclass(frozen=True)
class DealScore:
    """The score of one deal under one ruleset. `scores` maps each seat, in playing order, to its points."""

    scores: Mapping[str, int]
    tally: Tally
    ruleset: Ruleset

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of the table in playing order."""
        return self.tally.seats

    @property
    def mode(self) -> str:
        """``individual``, ``partnership`` or ``pig_sheep``."""
        return self.tally.mode

    @property
    def missing(self) -> tuple[str, ...]:
        """Scoring cards nobody has captured yet: empty unless the record was partial."""
        return self.tally.missing

    @cached_property
    def flags(self) -> Mapping[str, SeatFlags]:
        """All hearts and grand slam of each seat."""
        tables = tables_for(self.ruleset)
        return {
            seat: SeatFlags(
                all_hearts=(taken & COUNTS) >> HEARTS_SHIFT == tables.full_hearts,
                grand_slam=taken & COUNTS == tables.full_counts,
            )
            for seat, taken in zip(self.tally.seats, self.tally.taken, strict=True)
        }

    @cached_property
    def sides(self) -> tuple[SideScore, ...]:
        """The sides of the deal (docs/rules.md §4).

        Empty in pig-and-sheep decided by capture while pig or sheep is not captured yet.
        """
        return tuple(
            SideScore(seats, sum(self.scores[seat] for seat in seats)) for seats in _sides(self.tally)
        )

    @cached_property
    def adjusted(self) -> Mapping[str, Points] | None:
        """The zero-sum figures in points, or None where the ruleset has none (docs/rules.md §4)."""
        if not self.ruleset.zero_sum:
            return None
        if self.tally.mode == "partnership":
            raw = {
                seat: Fraction(2 * (self.scores[seat] + self.scores[partner_of(seat)]) - self._total, 2)
                for seat in self.tally.seats
            }
        else:
            others = len(self.tally.seats) - 1
            raw = {seat: score - Fraction(self._total - score, others) for seat, score in self.scores.items()}
        scale = self.ruleset.scale
        if self.ruleset.rounding == "before_scale":
            return {seat: round_half_away(value) * scale for seat, value in raw.items()}
        return {seat: _plain(value * scale) for seat, value in raw.items()}

    @cached_property
    def credited(self) -> Mapping[str, Points]:
        """What counts for each seat in totals.

        The zero-sum figure where the ruleset has one; otherwise its own score, or its side's score in
        partnership and pig-and-sheep.
        """
        if self.adjusted is not None:
            return self.adjusted
        credited: dict[str, Points] = dict(self.scores)
        for side in self.sides:
            credited.update(dict.fromkeys(side.seats, side.score))
        return credited

    @cached_property
    def formula(self) -> Mapping[str, str]:
        """How each seat's score came about, as arithmetic, e.g. ``(-100 + (-20×3) + (-40)) × 2 = -400``."""
        return {
            seat: seat_formula(self.ruleset, taken, own, self.tally.shown.factors, self.tally.swap)
            for seat, taken, own in zip(self.tally.seats, self.tally.taken, self.tally.own, strict=True)
        }

    def to_json(self) -> dict[str, Any]:
        """Return the answer exactly as docs/rules.md §9 writes it.

        An exact zero-sum figure that is not whole is written as a text, such as ``"-880/3"``.
        """
        answer: dict[str, Any] = {
            "scores": dict(self.scores),
            "sides": [side.to_json() for side in self.sides],
            "flags": {
                seat: {"all_hearts": one.all_hearts, "grand_slam": one.grand_slam}
                for seat, one in self.flags.items()
            },
        }
        if self.adjusted is not None:
            answer["adjusted"] = {
                seat: str(value) if isinstance(value, Fraction) else value
                for seat, value in self.adjusted.items()
            }
        answer["formula"] = dict(self.formula)
        return answer

    @property
    def _total(self) -> int:
        return sum(self.scores.values())


def _plain(value: Fraction) -> Points:
    return value.numerator if value.denominator == 1 else value


def _sides(tally: Tally) -> tuple[tuple[str, ...], ...]:
    if tally.mode == "individual":
        return tuple((seat,) for seat in tally.seats)
    if tally.mode == "partnership":
        return ("N", "S"), ("E", "W")
    if not tally.pig_sheep:
        return ()
    rest = (seat for seat in tally.seats if seat not in tally.pig_sheep)
    return tuple(sorted(tally.pig_sheep)), tuple(sorted(rest))
