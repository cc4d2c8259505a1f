"""Who goes on to a bracket, a final or the next group, and whose place a result still to come could
change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.ranking.standings import Row, Standings
from tournament.ranking.tie_breaks import BY_OTHERS


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
    each such entrant below the line can push out one above it, and each above can let one in. Which of
    several with the same score that is, a result of others can decide where a tie-break looks at opponents.
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
    safe = [row for row in above if not row.missing]
    out = [row for row in below if not row.missing]
    pushed = safe[-len(rising) :] if rising else []
    let_in = out[: len(falling)]
    endangered |= {row.entrant for row in pushed}
    hopeful |= {row.entrant for row in let_in}
    if (falling or rising) and BY_OTHERS & set(standings.criteria):
        endangered |= _with_score_of(pushed[:1] + out[:1], safe)
        hopeful |= _with_score_of(let_in[-1:] + safe[-1:], out)
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


def _with_score_of(some: Sequence[Row], rows: Sequence[Row]) -> set[int]:
    """Those of the rows whose score is that of one of some others."""
    scores = {row.score for row in some}
    return {row.entrant for row in rows if row.score in scores}
