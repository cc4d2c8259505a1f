"""Rounds of tables of four at which nobody has met anybody: all there are, and whether more can follow.

For narrow fields only: sixteen players have 24 ways to play a third round among strangers, and only six of
them leave a fourth and a fifth. Knows only players 0 … n−1 and who has not met whom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from tournament.pairing.swap_search import Ints

Round = tuple[int, ...]
"""Tables as bit sets of players."""

_MOST_ROUNDS = 2_000
_STEPS = 4_000


def stranger_tables(unmet: Ints) -> tuple[int, ...]:
    """All tables of four at which nobody has met anybody; ``unmet`` is 1 for those who have not."""
    n = len(unmet)
    knows = [sum(1 << b for b in range(n) if unmet[a, b]) for a in range(n)]
    found = []
    for a in range(n):
        for b in _bits(knows[a] >> (a + 1) << (a + 1)):
            shared = (knows[a] & knows[b]) >> (b + 1) << (b + 1)
            found += [
                1 << a | 1 << b | 1 << c | 1 << d
                for c, d in combinations(_bits(shared), 2)
                if knows[c] >> d & 1
            ]
    return tuple(found)


def rounds_of_strangers(tables: Sequence[int], players: int) -> list[Round]:
    """The rounds that can be made of these tables; the first so many where there are very many."""
    search = _Search(players)
    found = []
    for one in search.rounds(tables):
        found.append(one)
        if len(found) == _MOST_ROUNDS:
            break
    return found


def leaves_rounds(tables: Sequence[int], players: int, taken: Round, count: int) -> bool:
    """Whether ``count`` rounds among strangers were found that can follow the round ``taken``.

    The search is bounded: False may mean that it gave up, True is proof.
    """
    return _Search(players).can_follow(tables, taken, count)


def as_round(tables: Iterable[Iterable[int]]) -> Round:
    """Lists of players as bit sets."""
    return tuple(sum(1 << who for who in table) for table in tables)


def as_lists(one: Round) -> list[list[int]]:
    """Bit sets as lists of players."""
    return [list(_bits(table)) for table in one]


class _Search:
    """Depth-first, with one bound of steps for everything that is asked of it."""

    def __init__(self, players: int) -> None:
        self.everybody = (1 << players) - 1
        self.steps = 0

    def rounds(self, tables: Sequence[int]) -> Iterator[Round]:
        """Rounds made of these tables, those of player 0 first."""
        by_first: dict[int, list[int]] = {}
        for table in tables:
            by_first.setdefault(table & -table, []).append(table)
        yield from self._fill(by_first, self.everybody, ())

    def _fill(self, by_first: dict[int, list[int]], left: int, chosen: Round) -> Iterator[Round]:
        if not left:
            yield chosen
            return
        self.steps += 1
        for table in by_first.get(left & -left, ()):
            if table & left == table and self.steps < _STEPS:
                yield from self._fill(by_first, left ^ table, (*chosen, table))

    def can_follow(self, tables: Sequence[int], taken: Round, count: int) -> bool:
        """Whether ``count`` rounds after ``taken`` are found among the tables that it leaves strangers."""
        if count == 0:
            return True
        left = [table for table in tables if all((table & one).bit_count() < 2 for one in taken)]
        return any(self.can_follow(left, one, count - 1) for one in self.rounds(left))


def _bits(number: int) -> Iterator[int]:
    while number:
        bit = number & -number
        yield bit.bit_length() - 1
        number ^= bit
