"""What goes into a draw and what comes out of it.

Only data and the checks of its own form: no rule of pairing is decided here. Both the generators and the
checker use these classes; the counting each needs of them is written twice, on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

FOUR_SEATS: tuple[str, ...] = ("N", "W", "S", "E")
"""Seats of a table of four in the order of play (docs/rules.md §1)."""

SIDES: tuple[str, ...] = ("A", "B")
"""The two sides of a match; A sits North-South at the match's first table."""

Points = int | Fraction
Value = int | str | Fraction


class PairingError(ValueError):
    """No draw can be made from this input; ``code`` and ``params`` say why, for a translated message."""

    def __init__(self, code: str, **params: Value) -> None:
        self.code = code
        self.params = params
        super().__init__(f"{code}: {params}" if params else code)


def seat_names(size: int) -> tuple[str, ...]:
    """Names of the seats of a table of ``size`` players: N W S E for four, else A B C … (docs/rules.md
    §3).
    """
    if size == 4:
        return FOUR_SEATS
    if not 2 <= size <= 26:
        raise PairingError("table_size", size=size)
    return tuple(chr(ord("A") + i) for i in range(size))


@dataclass(frozen=True, slots=True)
class Entrant:
    """One entry (player, pair or team) as the draw sees it.

    ``points`` is the score that seats the next round: everything scored so far, penalties and stated scores
    for byes and late arrival included. ``number`` is the start number, which breaks every last tie.
    ``present`` is false for the withdrawn and the not yet arrived: never drawn, and a violation if seated.
    ``house`` marks a house player who fills a table and is not ranked.
    """

    id: int
    number: int
    club: str = ""
    team: str = ""
    points: Points = 0
    seed: int | None = None
    present: bool = True
    house: bool = False


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table (or match) of an earlier round: ``seats`` maps seat or side to entrant id."""

    round: int
    seats: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, round: int, seats: Mapping[str, int]) -> PlayedTable:
        return cls(round, tuple(seats.items()))


class SitOutKind(StrEnum):
    """Why somebody did not play: the draw left them out, or they were not there."""

    BYE = "bye"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class SitOut:
    """A round in which an entrant did not play, be it by the draw or by absence."""

    round: int
    entrant: int
    kind: SitOutKind = SitOutKind.BYE


@dataclass(frozen=True, slots=True)
class History:
    """All earlier rounds as they were drawn. Kept by entrant id, so leaving and coming back loses nothing."""

    tables: tuple[PlayedTable, ...] = ()
    sit_outs: tuple[SitOut, ...] = ()

    def plus(self, draw: Draw) -> History:
        """The history after ``draw`` was played."""
        return History(
            self.tables + tuple(PlayedTable(draw.round, table.seats) for table in draw.tables),
            self.sit_outs + tuple(SitOut(draw.round, entrant) for entrant in draw.byes),
        )


NO_HISTORY = History()


def pair(a: int, b: int) -> tuple[int, int]:
    """Two entrant ids in the one order in which pairs are stored."""
    return (a, b) if a <= b else (b, a)


@dataclass(frozen=True, slots=True)
class Constraints:
    """What the organiser asked of every draw.

    ``clubs_apart_rounds``: same club kept apart in rounds 1 to k. ``seeds_apart_rounds``: likewise the
    seeded. ``teams_apart``: entrants of one ``team`` never meet. ``forbidden``: pairs of ids that never meet.
    """

    clubs_apart_rounds: int = 0
    seeds_apart_rounds: int = 0
    teams_apart: bool = True
    forbidden: frozenset[tuple[int, int]] = frozenset()

    @classmethod
    def of(
        cls,
        *,
        clubs_apart_rounds: int = 0,
        seeds_apart_rounds: int = 0,
        teams_apart: bool = True,
        forbidden: Iterable[tuple[int, int]] = (),
    ) -> Constraints:
        """Constraints with ``forbidden`` pairs given in any order."""
        never = frozenset(pair(a, b) for a, b in forbidden)
        return cls(clubs_apart_rounds, seeds_apart_rounds, teams_apart, never)


NO_WISHES = Constraints()


@dataclass(frozen=True, slots=True)
class Reason:
    """One remark on a table or a bye for the preview: a code, the entrants concerned, and figures by name."""

    code: str
    entrants: tuple[int, ...] = ()
    params: tuple[tuple[str, Value], ...] = ()

    def __getitem__(self, name: str) -> Value:
        return dict(self.params)[name]


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table of a draw: its number in the room, who sits where, and why these."""

    number: int
    seats: tuple[tuple[str, int], ...]
    reasons: tuple[Reason, ...] = ()

    @property
    def entrants(self) -> tuple[int, ...]:
        return tuple(entrant for _, entrant in self.seats)

    @property
    def size(self) -> int:
        return len(self.seats)


@dataclass(frozen=True, slots=True)
class Quality:
    """How good a draw is. Counted the same way by the generators and, on its own, by the checker.

    ``repeats``: meetings in this round of two who met before. ``max_points_gap`` and ``mean_points_gap``:
    most minus fewest points at a table, house players left aside. ``seat_spread``: the most that any
    entrant's most and least used seats differ, over tables of four (or sides) up to and with this round.
    ``club_clashes``: pairs of one club at a table, while clubs are to be apart. ``short_tables``: tables not
    of four (of two sides: 0).
    """

    repeats: int = 0
    max_points_gap: Points = 0
    mean_points_gap: Fraction = Fraction(0)
    seat_spread: int = 0
    club_clashes: int = 0
    forbidden_meetings: int = 0
    byes: int = 0
    short_tables: int = 0


@dataclass(frozen=True, slots=True)
class Draw:
    """A round as drawn: tables, those who sit out, and how good it is. ``seed`` reproduces it."""

    round: int
    tables: tuple[DrawnTable, ...]
    byes: tuple[int, ...] = ()
    bye_reasons: tuple[Reason, ...] = ()
    quality: Quality = field(default_factory=Quality)
    method: str = ""
    seed: int = 0

    def table_of(self, entrant: int) -> DrawnTable | None:
        """The table at which an entrant plays, or None."""
        for table in self.tables:
            if entrant in table.entrants:
                return table
        return None
