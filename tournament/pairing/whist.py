"""Whist movements for individuals with changing partners.

A *whole* one, for 4k or 4k + 1 players: everybody is everybody's partner once and everybody's opponent
twice, in 4k − 1 rounds, or in 4k + 1 rounds of which each player sits out one. For other fields, and the few
sizes without a known whole one, the rounds asked for are searched: partners new as long as there are any,
opponents twice at most, those who are too many for tables of four sitting out by turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tournament.pairing.model import PairingError
from tournament.pairing.whist_search import search_whist
from tournament.pairing.whist_seats import Seats, seat_partners
from tournament.pairing.whist_starts import Games, whole_whist


def full_rounds(players: int) -> int:
    """How many rounds a whole whist movement of so many players takes.

    For other fields: in how many rounds nobody need have a partner again.
    """
    return players * (players - 1) // (4 * (players // 4)) if players >= 4 else 0


def plan_whist(players: int, rounds: int | None = None) -> tuple[tuple[Seats, ...], ...]:
    """The rounds of a whist movement, seats with positions 0 … players−1: as many as a whole one has or
    the first ``rounds``.

    Partners sit opposite. More rounds than a whole movement has begin again. Who plays whom, and at which
    table, is the same however many rounds follow; seats are made even over all of them. Raises PairingError
    ``no_whist`` for less than four players, and ``rounds_needed`` for less than one round.
    """
    if players < 4:
        raise PairingError("no_whist", players=players)
    wanted = full_rounds(players) if rounds is None else rounds
    if wanted < 1:
        raise PairingError("rounds_needed", rounds=wanted)
    return _seated(players, wanted)


@lru_cache(maxsize=32)
def _seated(players: int, wanted: int) -> tuple[tuple[Seats, ...], ...]:
    whole = _whole(players)
    plan: Sequence[Games] = [whole[k % len(whole)] for k in range(wanted)] if whole else ()
    return seat_partners(plan or search_whist(players, wanted))


@lru_cache(maxsize=128)
def _whole(players: int) -> tuple[Games, ...]:
    return whole_whist(players)
