"""Rounds for changing partners where no whole whist movement is known: the best found, round after round."""

from __future__ import annotations

from collections import Counter
from random import Random

from tournament.pairing.model import pair
from tournament.pairing.whist_starts import Game, Games

_PARTNER_AGAIN = 1_000
_TOO_OFTEN = 60
"""An opponent for the third time."""
_TRIES = 4
_SWEEPS = 20
_LONG = 1_500
"""After so many places (players times rounds) a round gets one try: a long plan takes seconds then."""


class _Memory:
    """Who was whose partner and opponent how often, and what a table would cost after that."""

    def __init__(self) -> None:
        self.partners: Counter[tuple[int, int]] = Counter()
        self.opponents: Counter[tuple[int, int]] = Counter()

    def price(self, table: list[int]) -> int:
        a, b, c, d = table
        cost = 0
        for one, other in ((a, c), (b, d)):
            # Somebody's partner now, and opponent before: no fault, but a new face is better.
            cost += _PARTNER_AGAIN * self.partners[pair(one, other)] + self.opponents[pair(one, other)]
        for one, other in ((a, b), (b, c), (c, d), (d, a)):
            times = self.opponents[pair(one, other)]
            cost += 4 * times * times + (_TOO_OFTEN * (times - 1) if times > 1 else 0)
            cost += self.partners[pair(one, other)]
        return cost

    def note(self, games: Games) -> None:
        for a, b, c, d in games:
            self.partners.update((pair(a, c), pair(b, d)))
            self.opponents.update((pair(a, b), pair(b, c), pair(c, d), pair(d, a)))


def search_whist(players: int, rounds: int) -> tuple[Games, ...]:
    """Games (first and third partners) of each round; the same for the same numbers, whatever the event.

    Of 4k + r players r sit out at a time, in turn, so that nobody does so twice before everybody has once.
    """
    rng = Random(players)
    memory = _Memory()
    turn = list(range(players))
    rng.shuffle(turn)
    plan = []
    for number in range(rounds):
        resting = {turn[(number * (players % 4) + k) % players] for k in range(players % 4)}
        playing = [p for p in range(players) if p not in resting]
        cost, found = _round(playing, memory, rng)
        for _ in range(_TRIES - 1):
            if cost < _TOO_OFTEN or number * players > _LONG:
                break
            cost, found = min((cost, found), _round(playing, memory, rng))
        memory.note(found)
        plan.append(found)
    return tuple(plan)


def _round(playing: list[int], memory: _Memory, rng: Random) -> tuple[int, Games]:
    """A random round, made better by exchanging two players while that helps; and what it costs."""
    order = playing[:]
    rng.shuffle(order)
    tables = [order[k : k + 4] for k in range(0, len(order), 4)]
    prices = [memory.price(table) for table in tables]
    places = [(t, k) for t in range(len(tables)) for k in range(4)]
    for _ in range(_SWEEPS):
        better = False
        rng.shuffle(places)
        for t, k in places:
            if prices[t] and _exchange(tables, prices, (t, k), memory):
                better = True
        if not better:
            break
    games: list[Game] = [(a, b, c, d) for a, b, c, d in tables]
    return sum(prices), tuple(games)


def _exchange(tables: list[list[int]], prices: list[int], place: tuple[int, int], memory: _Memory) -> bool:
    """Exchange the player at a place with the first one with whom that helps; False if it does with none."""
    t, k = place
    mine = tables[t]
    for u, other in enumerate(tables):
        for m in range(4):
            if u == t and (m - k) % 2 == 0:
                continue
            mine[k], other[m] = other[m], mine[k]
            here = memory.price(mine)
            there = memory.price(other) if u != t else 0
            if here + there < prices[t] + (prices[u] if u != t else 0):
                prices[u], prices[t] = there, here
                return True
            mine[k], other[m] = other[m], mine[k]
    return False
