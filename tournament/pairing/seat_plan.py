"""Seats for a plan of several rounds: everybody in every seat equally often, at most one time more or less.

A plan is a graph between players and tables. Cut into stretches of four tables each, no player's stretch and
no table has more than four edges, and such a graph between two kinds of nodes can be coloured with four
colours, the seats: by splitting it evenly in two, and each half again (Euler). So at the end of any round
nobody has had one seat more than once more often than another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from tournament.pairing.model import FOUR_SEATS

Edge = tuple[int, int]


def plan_seats(tables: Sequence[Sequence[int]]) -> list[tuple[tuple[str, int], ...]]:
    """Seats N W S E for tables of four players each, in the order they are played."""
    played: defaultdict[int, int] = defaultdict(int)
    stretches: dict[tuple[int, int], int] = {}
    edges: list[Edge] = []
    who: list[int] = []
    for number, table in enumerate(tables):
        for player in table:
            stretch = (player, played[player] // len(FOUR_SEATS))
            played[player] += 1
            edges.append((stretches.setdefault(stretch, len(stretches)), number))
            who.append(player)
    seated: list[list[tuple[str, int]]] = [[] for _ in tables]
    halves = _split(range(len(edges)), edges, len(stretches))
    quarters = [quarter for half in halves for quarter in _split(half, edges, len(stretches))]
    for seat, quarter in zip(FOUR_SEATS, quarters, strict=True):
        for edge in quarter:
            seated[edges[edge][1]].append((seat, who[edge]))
    return [tuple(table) for table in seated]


def _split(chosen: Sequence[int], edges: Sequence[Edge], lefts: int) -> tuple[list[int], list[int]]:
    """The chosen edges in two parts, each node's edges divided evenly between them (one more for odd).

    Left nodes are 0 … lefts−1; right node r is numbered lefts + r here. A walk along unused edges puts them
    in the two parts by turns. Odd nodes first get one more edge, to a spare node of the other kind, and the
    spares one between them if they are odd themselves: so no walk gets stuck before it is back.
    """
    ends = {edge: (edges[edge][0], lefts + edges[edge][1]) for edge in chosen}
    at: defaultdict[int, list[int]] = defaultdict(list)
    for edge, (left, right) in ends.items():
        at[left].append(edge)
        at[right].append(edge)
    spare_left, spare_right = -1, -2
    extra = [(node, spare_right if node < lefts else spare_left) for node, own in at.items() if len(own) % 2]
    if sum(spare == spare_left for _, spare in extra) % 2:
        extra.append((spare_left, spare_right))
    for number, both in enumerate(extra, start=1):
        ends[-number] = both
        for node in both:
            at[node].append(-number)
    parts: tuple[list[int], list[int]] = ([], [])
    for start in list(at):
        node, side = start, 0
        while at[node]:
            edge = at[node].pop()
            if edge not in ends:  # walked from its other end
                continue
            both = ends.pop(edge)
            if edge >= 0:
                parts[side].append(edge)
            side = 1 - side
            node = both[1] if node == both[0] else both[0]
    return parts
