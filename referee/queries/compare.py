"""Duplicate deals: the same numbers at two tables of a match, compared deal by deal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.queries.play import Play, Points


@dataclass(frozen=True, slots=True)
class ComparedDeal:
    """A deal that both tables have played. Points by the sides' keys, at each table, in their order.

    ``dealt_alike`` is False where the records name different seats as dealt a key card: then one of the
    tables has played, or recorded, another deal.
    """

    number: int
    amounts: tuple[Mapping[str, Points], ...]
    dealt_alike: bool

    def swing(self, key: str) -> Points:
        """What the deal gives a side: own less the other's points, over both tables."""
        return sum(
            (2 * at_table[key] - sum(at_table.values(), start=0) for at_table in self.amounts), start=0
        )


def compared_deals(plays: Sequence[Play]) -> tuple[ComparedDeal, ...]:
    """The deals that count at every table, by number; none for a match at one table."""
    if len(plays) < 2:
        return ()
    lines = [{line.number: line for line in play.counted} for play in plays]
    found = []
    for number in sorted(set.intersection(*(set(one) for one in lines))):
        here = [one[number] for one in lines]
        held = [dict((line.version.record or {}).get("held") or {}) for line in here]
        known = set.intersection(*(set(one) for one in held))
        found.append(
            ComparedDeal(
                number,
                tuple(line.amounts or {} for line in here),
                all(one[card] == held[0][card] for one in held for card in known),
            )
        )
    return tuple(found)
