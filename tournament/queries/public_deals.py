"""Every published deal of an event that counts, with who sat where: for statistics and score lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tournament.models import Publication
from tournament.queries.public_matches import seats_of_deal
from tournament.queries.public_tables import counts, entries_at, named_table
from tournament.queries.published import Published

What = Publication.What
Context = dict[str, Any]


@dataclass(frozen=True)
class PublishedDeal:
    """A played deal that counts, as its payload has it; ``seats`` name entry and player by direction."""

    round: int
    table: int
    match: int
    deal: Context
    seats: dict[str, Context]

    def entry_at(self, direction: str) -> int:
        """The number of the entry that sat there."""
        entry: int = self.seats[direction]["entry"]
        return entry

    def credited_to(self, entry: int) -> Fraction | None:
        """What the deal gives an entry; None if it did not sit there. Partners have it once."""
        direction = next((key for key, seat in self.seats.items() if seat["entry"] == entry), None)
        return None if direction is None else Fraction(self.deal["credited"][direction])


def published_deals(published: Published, entry: int | None = None) -> Iterator[PublishedDeal]:
    """All of them, or those of one entry, by round, then table by table in the order of play."""
    for number in published.rounds(What.RESULTS):
        payload = published.payload(What.RESULTS, number)
        if payload is not None:
            yield from _deals_of_round(number, payload, entry)


def _deals_of_round(number: int, payload: Context, entry: int | None) -> Iterator[PublishedDeal]:
    for table in payload["tables"]:
        if entry is not None and entry not in entries_at(table):
            continue
        named = named_table(table, payload["entries"])
        for deal in table["deals"]:
            if deal["played"] and counts(deal):
                seats = {seat["direction"]: seat for seat in seats_of_deal(named, deal)}
                yield PublishedDeal(number, table["number"], table["match"], deal, seats)
