"""What is odd about the deals of a table that wait for their check, for the board and the review queue."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from referee.queries.outliers import plausible_points, quick_deals
from referee.queries.play import points_of
from referee.queries.sources import from_paper
from tournament.models import Table


@dataclass(frozen=True)
class Sign:
    """Something about a table that somebody should look at; ``deal`` is the deal's number, if it is about
    one. Codes: ``beyond`` a score beyond what is plausible, ``quick`` entered in seconds, ``figure`` the
    tablet showed another score, ``ahead`` and ``behind`` the other tables, ``idle`` nothing for long.
    """

    code: str
    deal: int | None = None


@dataclass(frozen=True)
class DealEntry:
    """A deal of a table as the board counts it; ``state`` is recorded, checked or void."""

    deal: int
    number: int
    order: int
    state: str
    first_at: datetime
    tablet_at: datetime | None
    last_at: datetime
    credited: Mapping[str, Any] | None


def deal_signs(
    table: Table, deals: Sequence[DealEntry], began: datetime | None, paper: Collection[int]
) -> list[Sign]:
    """What is odd about deals of a table that wait for their check: with it, two people have looked.

    ``paper`` are the deals entered from score sheets, as `paper_among` finds them.
    """
    event = table.draw.round.event
    open_ones = {one.number for one in deals if one.state == "recorded"}
    if not open_ones:
        return []
    plausible = plausible_points(
        event.ruleset_version, event.scoring_mode, len({seat.direction for seat in table.seats.all()})
    )
    signs = [
        Sign("beyond", one.number)
        for one in deals
        if one.number in open_ones
        and one.credited
        and not plausible.holds(points_of(value) for value in one.credited.values())
    ]
    return signs + [Sign("quick", number) for number in _quick(deals, began, paper)]


def paper_among(
    played: Iterable[tuple[Sequence[DealEntry], datetime | None]], tables: Iterable[Table]
) -> set[int]:
    """Which deals of the tables came from score sheets, asked only where some would else be called quick.

    ``played`` are a table's deals in the order of play, and when play began there. At most one query.
    """
    asked = {one.deal for deals, began in played if _quick(deals, began, ()) for one in deals}
    return from_paper(asked, {table.draw.round.event for table in tables})


def _quick(deals: Sequence[DealEntry], began: datetime | None, paper: Collection[int]) -> list[int]:
    open_ones = {one.number for one in deals if one.state == "recorded"}
    entered = [(one.number, None if one.deal in paper else one.first_at, one.tablet_at) for one in deals]
    return [number for number in quick_deals(entered, began) if number in open_ones]
