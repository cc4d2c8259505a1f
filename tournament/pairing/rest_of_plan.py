"""The rest of a plan made anew with those who joined after it was made.

What was played stays and is not played again while that can be avoided. Whoever joined late has more to play
than there are rounds left, so the meetings that no round is left for are lost: as few as can be found, and
none of somebody who could have had them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np

from tournament.pairing.history import (
    checked_field,
    clash_codes,
    meetings,
    odd_table_counts,
    side_balance,
    sit_out_counts,
)
from tournament.pairing.matching import cheapest_matching
from tournament.pairing.model import (
    SIDES,
    Constraints,
    Entrant,
    History,
    PairingError,
    PlayedTable,
    pair,
)
from tournament.pairing.movement import RoundSearch
from tournament.pairing.options import OddAnswer, chosen_option
from tournament.pairing.seating import seat_tables
from tournament.pairing.swap_search import Ints

Seats = tuple[tuple[str, int], ...]
Pair = tuple[int, int]

_TRIES = 12
_FEW = 40
"""Up to so many entries the rest is made several times and the best is kept; it takes tenths of a second."""
_RESTED = 1 << 60
_NEVER_MET = 1 << 40
_TO_PLAY = 1 << 16
"""Who sat out before plays, before first meetings come before second ones, before those with most left to
play; each outweighs all that follow, and a lot decides last."""
_CLUB = 1 << 18


@dataclass(frozen=True, slots=True)
class PlanRound:
    """A round of a plan, by entrant ids: its tables (or matches, as sides A and B) and who sits out."""

    tables: tuple[Seats, ...]
    byes: tuple[int, ...] = ()


def lost_meetings(
    entrants: Sequence[int], history: History, rest: Sequence[PlanRound], *, times: int = 1
) -> Counter[Pair]:
    """How many of the meetings that each two of these should have (``times``) neither were nor will be."""
    met = meetings(history)
    for planned in rest:
        for seats in planned.tables:
            met.update(pair(a, b) for (_, a), (_, b) in combinations(seats, 2))
    return Counter(
        {pair(a, b): times - met[pair(a, b)] for a, b in combinations(entrants, 2) if met[pair(a, b)] < times}
    )


def rest_of_round_robin(
    first_rounds: Mapping[int, int], history: History, *, rounds: range, times: int = 1, seed: int
) -> tuple[PlanRound, ...]:
    """What is left of a round robin in which each two meet ``times`` times, for these rounds of the event.

    ``first_rounds`` tells for each entrant id from which round on they play. Nobody meets more often than
    that; a meeting the rounds do not suffice for is lost (`lost_meetings`).
    """
    best: tuple[PlanRound, ...] = ()
    fewest: tuple[int, ...] | None = None
    for attempt in range(_TRIES if len(first_rounds) <= _FEW else 1):
        found = _one_round_robin(first_rounds, history, rounds, times, Random(seed * _TRIES + attempt))
        lost = lost_meetings(sorted(first_rounds), history, found, times=times)
        by_entrant = Counter(who for two, count in lost.items() for who in two for _ in range(count))
        price = (lost.total(), max(by_entrant.values(), default=0))
        if fewest is None or price < fewest:
            best, fewest = found, price
        if not lost:
            break
    return best


def _one_round_robin(
    first_rounds: Mapping[int, int], history: History, rounds: range, times: int, rng: Random
) -> tuple[PlanRound, ...]:
    everybody = sorted(first_rounds)
    met = meetings(history)
    rests = sit_out_counts(history)
    balance = side_balance(history)
    last_a = {pair(*(who for _, who in t.seats)): t.seats[0][1] for t in history.tables if len(t.seats) == 2}
    to_play = Counter({pair(a, b): times - met[pair(a, b)] for a, b in combinations(everybody, 2)})
    found = []
    for number in rounds:
        there = [who for who in everybody if first_rounds[who] <= number]
        own = {
            who: sum(max(to_play[pair(who, other)], 0) for other in there if other != who) for who in there
        }
        costs = [
            (
                (a, b),
                -_RESTED * (rests[one] + rests[other])
                - _NEVER_MET * (to_play[pair(one, other)] - 1)
                - _TO_PLAY * (own[one] ** 2 + own[other] ** 2)
                - rng.randrange(_TO_PLAY),
            )
            for (a, one), (b, other) in combinations(enumerate(there), 2)
            if to_play[pair(one, other)] > 0
        ]
        matches = [(there[a], there[b]) for a, b in cheapest_matching(len(there), costs)]
        tables = []
        for one, other in matches:
            two = pair(one, other)
            if two in last_a:
                a = other if last_a[two] == one else one
            elif balance[one] != balance[other]:
                a = min(two, key=lambda who: balance[who])
            else:
                a = rng.choice(two)
            b = other if a == one else one
            last_a[two] = a
            balance[a] += 1
            balance[b] -= 1
            to_play[two] -= 1
            tables.append(((SIDES[0], a), (SIDES[1], b)))
        rng.shuffle(tables)
        playing = {who for match in matches for who in match}
        byes = tuple(who for who in there if who not in playing)
        rests.update(byes)
        found.append(PlanRound(tuple(tables), byes))
    return tuple(found)


def rest_of_movement(
    entrants: Sequence[Entrant],
    first_rounds: Mapping[int, int],
    history: History,
    *,
    rounds: range,
    constraints: Constraints,
    answer: OddAnswer | None,
    seed: int,
) -> tuple[PlanRound, ...]:
    """What is left of a movement at tables of four, for these rounds of the event.

    ``first_rounds`` tells for each of the entrants who is no house player from which round on they play;
    ``answer`` what is done in a round in which they do not fill the tables. Meetings beyond the first are as
    few as can be found, odd tables and byes come round. Raises PairingError ``answer_needed``,
    ``answer_impossible``, ``too_few_entrants`` or ``house_players_needed``.
    """
    everybody = checked_field(entrants)
    field = _Field(
        players=tuple(one for one in everybody if not one.house and one.id in first_rounds),
        house=tuple(one for one in everybody if one.house),
        first_rounds=first_rounds,
        constraints=constraints,
        answer=answer,
    )
    best: tuple[PlanRound, ...] = ()
    fewest: int | None = None
    for attempt in range(_TRIES if len(field.players) <= _FEW else 1):
        found = field.movement(history, rounds, Random(seed * _TRIES + attempt))
        repeats = _repeats(history, found)
        if fewest is None or repeats < fewest:
            best, fewest = found, repeats
        if not repeats:
            break
    return best


def _repeats(history: History, rest: Sequence[PlanRound]) -> int:
    """How many meetings in the rest are not the first of the two."""
    met = set(meetings(history))
    new = Counter(
        pair(a, b)
        for planned in rest
        for seats in planned.tables
        for (_, a), (_, b) in combinations(seats, 2)
    )
    return new.total() - len(new.keys() - met)


@dataclass(frozen=True, slots=True)
class _Field:
    """Who plays on at tables of four, from which round on, and what is minded."""

    players: tuple[Entrant, ...]
    house: tuple[Entrant, ...]
    first_rounds: Mapping[int, int]
    constraints: Constraints
    answer: OddAnswer | None

    def movement(self, history: History, rounds: range, rng: Random) -> tuple[PlanRound, ...]:
        """One way to play these rounds."""
        players = self.players
        field = [*players, *self.house]
        search = _search(field, history, self.constraints, len(rounds), rng)
        rests = sit_out_counts(history)
        found = []
        for number in rounds:
            there = [k for k, one in enumerate(players) if self.first_rounds[one.id] <= number]
            option = chosen_option(len(there), self.answer)
            if option.house_players > len(self.house):
                raise PairingError("house_players_needed", needed=option.house_players, given=len(self.house))
            by_lot = list(there)
            rng.shuffle(by_lot)
            byes = sorted(sorted(by_lot, key=lambda k: rests[players[k].id])[: option.byes])
            helping = range(len(players), len(players) + option.house_players)
            playing = (set(there) - set(byes)) | set(helping)
            tables = search.next_round(
                option.sizes,
                [k for k in range(len(field)) if k not in playing],
                _CLUB * _clubs(field, number, self.constraints),
            )
            search.note(tables)
            ids = sorted(([field[k].id for k in table] for table in tables), key=lambda who: len(who) != 4)
            seated = tuple(seat_tables(ids, history, rng))
            resting = tuple(players[k].id for k in byes)
            rests.update(resting)
            history = History(
                history.tables + tuple(PlayedTable(number, seats) for seats in seated), history.sit_outs
            )
            found.append(PlanRound(seated, resting))
        return tuple(found)


def _search(
    field: Sequence[Entrant], history: History, constraints: Constraints, rounds: int, rng: Random
) -> RoundSearch:
    """A search that knows who met, who sat at odd tables, and who never is to meet."""
    place = {one.id: k for k, one in enumerate(field)}
    search = RoundSearch(len(field), [k for k, one in enumerate(field) if one.house], rounds, rng)
    for (a, b), count in meetings(history).items():
        if a in place and b in place:
            search.met[place[a], place[b]] = search.met[place[b], place[a]] = count
    for who, count in odd_table_counts(history).items():
        if who in place:
            search.odd[place[who]] = count
    for (a, one), (b, other) in combinations(enumerate(field), 2):
        if {"forbidden", "team"} & set(clash_codes(one, other, 0, constraints)):
            search.apart[a, b] = search.apart[b, a] = 1
    return search


def _clubs(field: Sequence[Entrant], round: int, constraints: Constraints) -> Ints:
    clash: Ints = np.zeros((len(field), len(field)), dtype=np.int64)
    if round <= max(constraints.clubs_apart_rounds, constraints.seeds_apart_rounds):
        for (a, one), (b, other) in combinations(enumerate(field), 2):
            if {"club", "seeds"} & set(clash_codes(one, other, round, constraints)):
                clash[a, b] = clash[b, a] = 1
    return clash
