"""Who sits where at a table that is already made up, so that seats come round evenly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from random import Random

from tournament.pairing.history import seat_counts
from tournament.pairing.model import History, seat_names

Seats = tuple[tuple[str, int], ...]

_BEYOND = 1 << 20


def seat_tables(tables: Sequence[Sequence[int]], history: History, rng: Random) -> list[Seats]:
    """Give every player of each table (entrant ids) a seat.

    At best nobody has had one seat more than once more often than another. Then the seats most often taken
    are avoided (sum of squares, so one player's third North weighs more than two players' second), then the
    seat of the round before, then a lot decides.
    """
    counts = {size: seat_counts(history, size) for size in {len(table) for table in tables}}
    latest: dict[int, tuple[int, str]] = {}
    for played in history.tables:
        for seat, entrant in played.seats:
            latest[entrant] = max(latest.get(entrant, (0, "")), (played.round, seat))
    seated = []
    for table in tables:
        names = seat_names(len(table))
        players = list(table)
        rng.shuffle(players)
        used = counts[len(table)]
        price = [[_price(used.get(p), latest.get(p), name, names) for name in names] for p in players]
        best = min(permutations(range(len(names))), key=lambda seats: _total(price, seats))
        by_seat = {names[s]: players[k] for k, s in enumerate(best)}
        seated.append(tuple((name, by_seat[name]) for name in names))
    return seated


def _price(used: Counter[str] | None, latest: tuple[int, str] | None, seat: str, names: Sequence[str]) -> int:
    """What is beyond a difference of one, then twice the growth of the sum of squares, and one more for the
    seat of the round before.
    """
    times = [used[name] + (name == seat) if used else int(name == seat) for name in names]
    beyond = max(0, max(times) - min(times) - 1)
    grown = 2 * (times[names.index(seat)] - 1) + 1
    return _BEYOND * beyond + 2 * grown + (latest is not None and latest[1] == seat)


def _total(price: list[list[int]], seats: tuple[int, ...]) -> int:
    return sum(price[player][seat] for player, seat in enumerate(seats))
