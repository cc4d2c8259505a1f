"""Heats to a final at tables of four: the first of each table go on, then the best of the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.pairing.model import PairingError, Points


@dataclass(frozen=True, slots=True)
class Heat:
    """A stage of heats: how many play at how many tables, how many of each go on, how many further ones."""

    players: int
    tables: int
    first: int
    best_of_rest: int

    @property
    def advance(self) -> int:
        """Everybody who goes on."""
        return self.tables * self.first + self.best_of_rest


def plan_heats(players: int, *, first: int = 2, final: int = 4) -> tuple[Heat, ...]:
    """The stages from ``players`` to a final table of ``final``, which stands last with nobody going on.

    Each stage fills up with the best of the rest to tables of four; where ``first`` of each table would
    leave too many, fewer go on directly. Raises PairingError ``heats`` for fewer players than the final
    seats, or ``first`` or ``final`` out of range.
    """
    if not 1 <= first <= 3 or final < 3 or players < final:
        raise PairingError("heats", players=players, first=first, final=final)
    stages = []
    while players > final:
        tables = -(-players // 4)
        most = max(final, (players - 1) // 4 * 4)
        direct = tables * min(first, most // tables)
        following = final if direct <= final else -(-direct // 4) * 4
        stages.append(Heat(players, tables, direct // tables, following - direct))
        players = following
    stages.append(Heat(players, 1, 0, 0))
    return tuple(stages)


@dataclass(frozen=True, slots=True)
class Tie:
    """Equal ones for whom fewer places are left than there are of them. ``table`` None: among the best of
    the rest.
    """

    entrants: tuple[int, ...]
    places: int
    table: int | None


@dataclass(frozen=True, slots=True)
class HeatAdvance:
    """Who goes on: the first of each table, the best of the rest, and ties that a lot or a play-off must
    decide.
    """

    direct: tuple[int, ...]
    best_of_rest: tuple[int, ...]
    ties: tuple[Tie, ...]

    @property
    def qualified(self) -> tuple[int, ...]:
        return self.direct + self.best_of_rest


def advance_from_heats(
    tables: Sequence[Mapping[int, Points]],
    heat_first: int,
    best_of_rest: int,
    lots: Mapping[int, int] | None = None,
) -> HeatAdvance:
    """Who goes on from heats with these points by entrant at each table.

    The first ``heat_first`` of each table are direct; the ``best_of_rest`` with most points among all others
    follow. Among equals the lowest of the recorded ``lots`` is ahead; where not all of them have one, they
    are named as a tie and none of them goes on yet. Raises PairingError ``too_few_for_heats`` when there are
    not enough.
    """
    if best_of_rest + heat_first * len(tables) > sum(len(table) for table in tables):
        raise PairingError("too_few_for_heats", needed=best_of_rest + heat_first * len(tables))
    direct: list[int] = []
    ties: list[Tie] = []
    rest: dict[int, Points] = {}
    for number, table in enumerate(tables, start=1):
        sure, tie = _first_of(table, heat_first, lots or {})
        direct += sure
        if tie:
            ties.append(Tie(tie[0], tie[1], number))
        rest |= {who: points for who, points in table.items() if who not in sure}
    if ties and best_of_rest:
        # Whoever loses a tie at a table joins the rest with the same points: who they are is not known yet,
        # so only those ahead of them there can be sure.
        open_ones = {who for tie in ties for who in tie.entrants}
        best = max(rest[who] for who in open_ones)
        ahead = sorted((w for w in rest if rest[w] > best), key=lambda w: (-rest[w], w))
        return HeatAdvance(tuple(direct), tuple(ahead[:best_of_rest]), tuple(ties))
    sure, tie = _first_of(rest, best_of_rest, lots or {})
    if tie:
        ties.append(Tie(tie[0], tie[1], None))
    return HeatAdvance(tuple(direct), tuple(sure), tuple(ties))


def _first_of(
    results: Mapping[int, Points], count: int, lots: Mapping[int, int]
) -> tuple[list[int], tuple[tuple[int, ...], int] | None]:
    """The first ``count`` for certain, and the equal ones at the line with the places left for them."""
    order = sorted(results, key=lambda who: (-results[who], lots.get(who, 0), who))
    if count <= 0:
        return [], None
    if count >= len(order):
        return order, None
    line = results[order[count - 1]]
    equal = [who for who in order if results[who] == line]
    ahead = [who for who in order if results[who] > line]
    left = count - len(ahead)
    if left == len(equal) or all(who in lots for who in equal):
        return order[:count], None
    return ahead, (tuple(sorted(equal)), left)
