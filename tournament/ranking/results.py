"""What standings are made from: encounters, and amounts added to them (penalties, points at entry)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum

from tournament.ranking.points import Points


class Measure(StrEnum):
    """Amounts that add up over encounters."""

    MATCH_POINTS = "match_points"
    VICTORY_POINTS = "victory_points"
    PLACE_POINTS = "place_points"
    GAMES_WON = "games_won"
    DIFFERENCE = "difference"
    TOTAL = "total"
    GRAND_SLAMS = "grand_slams"


class Played(StrEnum):
    """What an entrant did in a round. ``PENDING``: seated, but the result is missing (or not yet
    complete). ``WALKOVER``: not played, the score is stated. ``ANNULLED``: played, and counts for nothing.
    """

    PLAYED = "played"
    WALKOVER = "walkover"
    PENDING = "pending"
    BYE = "bye"
    ANNULLED = "annulled"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Encounter:
    """One entrant's part in one match or at one table.

    ``amounts`` holds what it was worth in each measure that is known; measures left out count as nothing. A
    ``PENDING`` one may hold what there is so far. ``opponents``: ids of all others at the table, or of the
    other side. Without ``met`` the results of those opponents and against them count for no tie-break.
    """

    entrant: int
    round: int
    opponents: tuple[int, ...] = ()
    amounts: tuple[tuple[Measure, Points], ...] = ()
    state: Played = Played.PLAYED
    met: bool = True

    def amount(self, measure: Measure) -> Points | None:
        """The amount in a measure; None where it is not known."""
        return next((amount for known, amount in self.amounts if known is measure), None)


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points added outside an encounter: a penalty (usually below 0) or a stated score of a late arrival.

    ``measure`` is the measure it is added to. ``round`` 0 counts from the beginning.
    """

    entrant: int
    points: Points
    round: int = 0
    measure: Measure = Measure.TOTAL
    penalty: bool = True


@dataclass(frozen=True, slots=True)
class Results:
    """All that was played and added; ``lots`` are the drawn lots on record, the lowest ahead."""

    encounters: tuple[Encounter, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    lots: tuple[tuple[int, int], ...] = field(default=())

    def after(self, round: int) -> Results:
        """Only what counted when this round was over."""
        return Results(
            tuple(e for e in self.encounters if e.round <= round),
            tuple(a for a in self.adjustments if a.round <= round),
            self.lots,
        )

    def worth(self, measure: Measure, rounds: Collection[int]) -> Results:
        """Only what these rounds brought, all worth the measure, and what is added to that measure."""
        return Results(
            tuple(e for e in self.encounters if e.round in rounds),
            tuple(a for a in self.adjustments if a.measure is measure),
            self.lots,
        )

    def between(self, first: int, last: int) -> Results:
        """Only what these rounds, both included, brought; points at entry belong to round 1."""
        return Results(
            tuple(e for e in self.encounters if first <= e.round <= last),
            tuple(a for a in self.adjustments if first <= max(a.round, 1) <= last),
            self.lots,
        )
