"""A planned movement: all rounds of tables of four made beforehand, so that players meet as seldom as can be.

Positions are 0 … n−1; who gets which is drawn by lot once. Where a design is known no two meet twice; further
rounds, and fields for which none is known, are found by search and are the best found, not the best there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from random import Random

import numpy as np

from tournament.pairing.designs import cyclic_rounds, doubled_rounds, rotated_rounds
from tournament.pairing.model import FOUR_SEATS, PairingError, seat_names
from tournament.pairing.options import OddAnswer, OddOption, chosen_option
from tournament.pairing.seat_plan import plan_seats
from tournament.pairing.swap_search import Effort, Ints, arrange

Seats = tuple[tuple[str, int], ...]

_REPEAT = 1 << 20
_APART = 1 << 44
_LOOK_AHEAD = 1 << 8
_EFFORT = Effort(sweeps=60, repairs=3_000, patience=30)
_REPETITIONS = 3
_TRIES = 6
_NARROW = 64
"""Up to so many players a search is repeated, beyond a design or without one; it takes tenths of a second."""


@dataclass(frozen=True, slots=True)
class Movement:
    """All rounds of a plan for ``positions`` players.

    ``rounds`` holds for each round its tables, each seat with its position; ``byes`` who sits out. Positions
    from ``positions`` − ``house`` on are house players. ``repeats`` counts meetings beyond the first of any
    two, ``bound`` the fewest that counting allows, ``seat_spread`` the most that anybody's seats at tables
    of four differ.
    """

    positions: int
    house: int
    rounds: tuple[tuple[Seats, ...], ...]
    byes: tuple[tuple[int, ...], ...]
    repeats: int
    bound: int
    seat_spread: int


def plan_movement(players: int, rounds: int, *, answer: OddAnswer | None = None, seed: int = 0) -> Movement:
    """A plan of ``rounds`` rounds for ``players`` players.

    A field that is no multiple of four needs an ``answer``. Raises PairingError ``rounds_needed`` for less
    than one round, ``too_few_entrants``, ``answer_needed`` or ``answer_impossible``.
    """
    if rounds < 1:
        raise PairingError("rounds_needed", rounds=rounds)
    option = chosen_option(players, answer)
    seated = players + option.house_players
    if option.answer in (None, OddAnswer.HOUSE):
        plan = _plan_of_fours(seated, rounds, seated, seed)
        byes: tuple[tuple[int, ...], ...] = ((),) * rounds
    elif option.answer is OddAnswer.THREES:
        # A table of three is a table of four with an empty chair: so designs serve for it, and chairs, which
        # must not meet each other, come round like players.
        full = players + option.sizes.count(3)
        plan = _without_chairs(_plan_of_fours(full, rounds, players, seed), players)
        byes = ((),) * rounds
    else:
        plan, byes = _searched_plan(seated, rounds, option, seed)
    seats = _seat(plan, seated)
    return Movement(
        positions=seated,
        house=option.house_players,
        rounds=seats,
        byes=byes,
        repeats=count_repeats(plan),
        bound=_bound(seated, plan),
        seat_spread=_spread(seats, seated),
    )


def rounds_without_repeat(players: int) -> int:
    """How many rounds a known design has in which no two of so many meet again; 0 where none is known.

    >>> [rounds_without_repeat(players) for players in (16, 18, 28, 40)]
    [5, 0, 9, 13]
    """
    return len(_design(players, (players - 1) // 3, players)) if players >= 4 and players % 4 == 0 else 0


def count_repeats(plan: Iterable[Iterable[Sequence[int]]]) -> int:
    """Meetings beyond the first of any two."""
    met = Counter(two for tables in plan for table in tables for two in combinations(sorted(table), 2))
    return sum(met.values()) - len(met)


Plan = list[list[list[int]]]


def _bound(players: int, plan: Plan) -> int:
    meetings = sum(len(table) * (len(table) - 1) // 2 for tables in plan for table in tables)
    return max(0, meetings - players * (players - 1) // 2)


def _plan_of_fours(full: int, rounds: int, players: int, seed: int) -> Plan:
    """The best plan for ``full`` places of which those from ``players`` on are chairs that must not meet."""
    design = _design(full, rounds, players)
    if len(design) == rounds:
        return design
    plans = []
    attempts = [kept for kept in (len(design), len(design) - 1, len(design) - 2, 0) if kept >= 0]
    attempts *= _REPETITIONS if full <= _NARROW else 1
    for attempt, kept in enumerate(attempts):
        # The whole design may leave too little for the rounds that follow, a part of it more.
        plan = list(design[:kept])
        search = RoundSearch(full, range(players, full), rounds, Random(seed * len(attempts) + attempt))
        for tables in plan:
            search.note(tables)
        while len(plan) < rounds:
            plan.append(search.next_round([4] * (full // 4), []))
            search.note(plan[-1])
        plans.append(plan)
        played = _without_chairs(plan, players)
        if count_repeats(played) <= _bound(players, played):
            return plan
    return min(plans, key=lambda plan: count_repeats(_without_chairs(plan, players)))


def _design(full: int, rounds: int, players: int) -> Plan:
    """The longest known plan without repeats up to ``rounds`` rounds, without those in which chairs meet."""
    longest: Plan = []
    for known in (rotated_rounds, doubled_rounds, lambda n: cyclic_rounds(n, rounds)):
        design = [[list(table) for table in tables] for tables in known(full)]
        kept = [tables for tables in design if not _chairs_meet(tables, players)][:rounds]
        if len(kept) > len(longest):
            longest = kept
        if len(longest) == rounds:
            break
    return longest


def _chairs_meet(tables: Iterable[Sequence[int]], players: int) -> bool:
    return any(sum(p >= players for p in table) > 1 for table in tables)


def _without_chairs(plan: Plan, players: int) -> Plan:
    return [[[p for p in table if p < players] for table in tables] for tables in plan]


def _searched_plan(
    players: int, rounds: int, option: OddOption, seed: int
) -> tuple[Plan, tuple[tuple[int, ...], ...]]:
    """Round after round by search, with byes or tables of five coming round; a narrow field several times, to
    keep the plan with fewest repeats.
    """
    tries = _TRIES if players <= _NARROW else 1
    found = []
    for attempt in range(tries):
        plan, byes = _one_searched_plan(players, rounds, option, Random(seed * tries + attempt))
        repeats = count_repeats(plan)
        found.append((repeats, attempt, plan, byes))
        if repeats <= _bound(players, plan):
            break
    _repeats, _attempt, plan, byes = min(found)
    return plan, byes


def _one_searched_plan(
    players: int, rounds: int, option: OddOption, rng: Random
) -> tuple[Plan, tuple[tuple[int, ...], ...]]:
    search = RoundSearch(players, range(0), rounds, rng)
    rests: Counter[int] = Counter()
    plan: Plan = []
    byes: list[tuple[int, ...]] = []
    for _ in range(rounds):
        order = list(range(players))
        rng.shuffle(order)
        resting = sorted(sorted(order, key=lambda p: rests[p])[: option.byes])
        rests.update(resting)
        tables = search.next_round(option.sizes, resting)
        search.note(tables)
        plan.append(tables)
        byes.append(tuple(resting))
    return plan, tuple(byes)


class RoundSearch:
    """Finds the next round of a plan: as few repeats as can be, odd tables by turns, later rounds in mind.

    By position: ``met`` counts meetings, ``odd`` odd tables, ``apart`` marks two who are never to meet (such
    as ``chairs``, which are no players); ``left`` rounds are still to be found.
    """

    def __init__(self, players: int, chairs: Iterable[int], rounds: int, rng: Random) -> None:
        self.rng = rng
        self.left = rounds
        self.met: Ints = np.zeros((players, players), dtype=np.int64)
        self.odd: Ints = np.zeros(players, dtype=np.int64)
        self.apart: Ints = np.zeros((players, players), dtype=np.int64)
        chair = list(chairs)
        self.apart[np.ix_(chair, chair)] = 1
        np.fill_diagonal(self.apart, 0)

    def note(self, tables: Iterable[Sequence[int]]) -> None:
        """Count a round as played."""
        for table in tables:
            self.met[np.ix_(table, table)] += 1
            if len(table) != len(FOUR_SEATS):
                self.odd[list(table)] += 1
        np.fill_diagonal(self.met, 0)
        self.left -= 1

    def next_round(
        self, sizes: Sequence[int], resting: Sequence[int], mind: Ints | None = None
    ) -> list[list[int]]:
        """Tables of these sizes for all but the resting; ``mind`` adds a price of meetings."""
        playing = [p for p in range(len(self.met)) if p not in resting]
        met = self.met[np.ix_(playing, playing)]
        unmet = ((met == 0) & (self.apart[np.ix_(playing, playing)] == 0)).astype(np.int64)
        np.fill_diagonal(unmet, 0)
        # Any meeting beyond the first counts the same, but spread them out where there is a choice.
        cost = _REPEAT * (met > 0) + 16 * _LOOK_AHEAD * met**2 + _APART * self.apart[np.ix_(playing, playing)]
        if mind is not None:
            cost = cost + mind[np.ix_(playing, playing)]
        if self.left > 1:
            cost = cost + _LOOK_AHEAD * (unmet @ unmet)
        above = self.odd[playing] - self.odd[playing].min()
        is_odd = np.array([size != len(FOUR_SEATS) for size in sizes], dtype=np.int64)
        place = _REPEAT * (above**2)[:, None] * is_odd[None, :]
        np.fill_diagonal(cost, 0)
        order = list(range(len(playing)))
        self.rng.shuffle(order)
        found = arrange(cost, place, sizes, order, threshold=_REPEAT, effort=_EFFORT, rng=self.rng)
        return [[playing[k] for k in table] for table in found]


def _seat(plan: Plan, players: int) -> tuple[tuple[Seats, ...], ...]:
    """Seats of a whole plan: those of four in balance, those of odd tables by turns."""
    quarter = players // 4
    if quarter and all([p // quarter for p in table] == [0, 1, 2, 3] for tables in plan for table in tables):
        # One of each quarter at every table: the quarters go round the seats.
        return tuple(
            tuple(tuple((FOUR_SEATS[(k + number) % 4], p) for k, p in enumerate(table)) for table in tables)
            for number, tables in enumerate(plan)
        )
    fours = iter(plan_seats([table for tables in plan for table in tables if len(table) == len(FOUR_SEATS)]))
    sat: Counter[tuple[int, str]] = Counter()
    return tuple(
        tuple(next(fours) if len(table) == len(FOUR_SEATS) else _seat_odd(table, sat) for table in tables)
        for tables in plan
    )


def _seat_odd(table: Sequence[int], sat: Counter[tuple[int, str]]) -> Seats:
    names = seat_names(len(table))
    order = min(
        permutations(sorted(table)),
        key=lambda order: sum(sat[who, name] for who, name in zip(order, names, strict=True)),
    )
    seats = tuple(zip(names, order, strict=True))
    sat.update((who, name) for name, who in seats)
    return seats


def _spread(rounds: Iterable[Iterable[Seats]], players: int) -> int:
    sat = Counter((p, seat) for tables in rounds for seats in tables if len(seats) == 4 for seat, p in seats)
    counts = [[sat[p, seat] for seat in FOUR_SEATS] for p in range(players)]
    return max((max(own) - min(own) for own in counts), default=0)
