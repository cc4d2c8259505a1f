"""Who goes on to a bracket, a final or the next group, and whose place a result still to come could
change.
"""

from __future__ import annotations

from dataclasses import dataclass

from tournament.ranking.standings import Standings


@dataclass(frozen=True, slots=True)
class Advancement:
    """A preview of who advances.

    ``tied_at_line``: entrants who share the rank on which the line falls, so that a play-off, a lot or the
    organiser must decide. ``could_drop``: qualified, but a result still to come could put them
    out. ``could_rise``: not qualified, but could still be.
    """

    qualified: tuple[int, ...]
    tied_at_line: tuple[int, ...]
    could_drop: tuple[int, ...]
    could_rise: tuple[int, ...]

    @property
    def settled(self) -> bool:
        """Whether it can be confirmed without a decision and without waiting."""
        return not (self.tied_at_line or self.could_drop or self.could_rise)


def preview_advancement(standings: Standings, places: int) -> Advancement:
    """The first ``places`` of the standings. Raises ValueError for a negative number of places.

    A deal of Gongzhu can be worth any number of points, so whoever has a result to come may end anywhere:
    each such entrant below the line can push out one above it, and each above can let one in.
    """
    if places < 0:
        raise ValueError("places must not be negative")
    rows = standings.rows
    above, below = rows[:places], rows[places:]
    tied: tuple[int, ...] = ()
    if above and below and above[-1].rank == below[0].rank:
        tied = tuple(row.entrant for row in rows if row.rank == above[-1].rank)
    falling = {row.entrant for row in above if row.missing}
    rising = {row.entrant for row in below if row.missing}
    endangered, hopeful = set(falling), set(rising)
    if rising:
        endangered |= set([row.entrant for row in above if not row.missing][-len(rising) :])
    hopeful |= set([row.entrant for row in below if not row.missing][: len(falling)])
    if not below:
        endangered = set()
    if not above:
        hopeful = set()
    return Advancement(
        tuple(row.entrant for row in above),
        tied,
        tuple(row.entrant for row in above if row.entrant in endangered),
        tuple(row.entrant for row in below if row.entrant in hopeful),
    )
