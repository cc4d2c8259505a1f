"""Draws of one round at tables of four: by lot, and Swiss.

Both weigh the same things in this order, each before all that follow:

1. forbidden meetings, team-mates, two house players at a table: none while avoidable;
2. meetings of two who met before, and another odd table (three or five) for somebody who sat at one more
   often than others: the second time counts as two repeats, the third as eight, and so on;
3. same club, or seeded players, while these are to be apart;
4. Swiss with a planned number of rounds that uses up most of the possible opponents: pairs who share few
   others still to meet are used first, which leaves later rounds playable (in a small field with tables of
   three or five only where points alone would not leave them so);
5. Swiss: the gap of points at a table, squared, over all pairs; and seats that somebody has had too often,
   each worth a gap of half the whole spread of points.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import numpy as np

from tournament.pairing.history import (
    Situation,
    checked_field,
    explain,
    meetings,
    odd_table_counts,
    seat_counts,
)
from tournament.pairing.model import (
    FOUR_SEATS,
    NO_HISTORY,
    NO_WISHES,
    Constraints,
    Draw,
    Entrant,
    History,
    PairingError,
    Reason,
)
from tournament.pairing.options import OddAnswer, OddOption, choose_sit_outs, chosen_option
from tournament.pairing.seat_swaps import excess_of, exchange_for_seats, least_excess
from tournament.pairing.seating import seat_tables
from tournament.pairing.strangers import (
    as_lists,
    as_round,
    leaves_rounds,
    rounds_of_strangers,
    stranger_tables,
)
from tournament.pairing.swap_search import USUAL_EFFORT, Effort, Ints, arrange

# Powers of two so far apart that all pairs changed by one swap (12) cannot outweigh one of the next kind,
# and thousands of the gravest kind still add up in 64 bits.
_GAP_LEVELS = 1023
_LOOK_AHEAD = 1 << 24
_LOOK_AHEAD_MOST = 255
_CLUB = 1 << 36
_REPEAT = 1 << 41
_REPEAT_MOST = 15
_FORBIDDEN = 1 << 50
_SEAT = (_GAP_LEVELS // 2) ** 2
"""Somebody's seat once too often may widen the gaps of points by so much, all pairs together."""

_TIGHT = Fraction(2, 3)
_TIGHT_NARROW = Fraction(3, 5)
"""Shares of all possible opponents from which a plan of rounds is tight enough to look ahead."""

_ROLL_OUT_LIMIT = 20
"""Fields up to this size are so narrow that a careless round 3 spoils round 4: candidates are played out."""
_LOOKED_AT = 24
"""How many draws among strangers are tried for whether the rounds to come can be played after them."""
_ROLL_OUTS = 40
_PATIENCE = 10
_ROLL_OUT_ROUNDS = 2
_BY_POINTS = 12
_PLAYED_OUT = 3
"""With tables of three or five in a narrow field: how many draws by points alone are tried, and how often
each is played out, for one that leaves all rounds to come playable without a repeat."""
_QUICK = Effort(sweeps=30, repairs=400, patience=10)
_CANDIDATES = 3
"""How many more draws a wider tight field is given, to keep the one that leaves most threes of strangers."""


def draw_random_four(
    entrants: Sequence[Entrant],
    history: History = NO_HISTORY,
    *,
    round: int,
    constraints: Constraints = NO_WISHES,
    answer: OddAnswer | None = None,
    seed: int,
    effort: Effort = USUAL_EFFORT,
) -> Draw:
    """Tables of four by lot, with repeats, clubs and forbidden pairs avoided.

    ``answer`` says what is done with a field that is no multiple of four. Raises PairingError for a field too
    small, an answer missing or impossible, too few house players, or an id or number that stands twice.
    """
    rng = Random(seed)
    field, option, byes, bye_reasons = _seated_field(entrants, history, answer, rng, by_points=False)
    now = Situation(tuple(field), history, round, constraints)
    order = list(range(len(field)))
    rng.shuffle(order)
    never, apart = _forbidden_matrices(now)
    costs = _FORBIDDEN * never + _REPEAT * _meeting_matrix(now) + _CLUB * apart
    place = _place_costs(now, option.sizes)
    tables = arrange(costs, place, option.sizes, order, threshold=_CLUB, effort=effort, rng=rng)
    tables = exchange_for_seats(tables, costs, place, _taken_seats(now), _SEAT)
    rng.shuffle(tables)
    ids = sorted(([field[i].id for i in table] for table in tables), key=lambda t: len(t) != 4)
    drawn, quality = explain(seat_tables(ids, history, rng), now, byes)
    return Draw(round, drawn, byes, bye_reasons, quality, "random_four", seed)


def draw_swiss_four(
    entrants: Sequence[Entrant],
    history: History = NO_HISTORY,
    *,
    round: int,
    constraints: Constraints = NO_WISHES,
    answer: OddAnswer | None = None,
    seed: int,
    planned_rounds: int | None = None,
    effort: Effort = USUAL_EFFORT,
) -> Draw:
    """Tables of four with equals together and no repeat while avoidable; the leaders sit at the first tables.

    ``planned_rounds`` is the number of rounds of the whole stage, used to keep later rounds free of repeats
    when the plan needs most of the possible opponents. Raises PairingError as ``draw_random_four``.
    """
    rng = Random(seed)
    field, option, byes, bye_reasons = _seated_field(entrants, history, answer, rng, by_points=True)
    now = Situation(tuple(field), history, round, constraints)
    tables = _SwissSearch(now, option.sizes, (planned_rounds or round) - round, effort, rng).best_tables()
    rank = {e.id: k for k, e in enumerate(sorted(field, key=lambda e: (-e.points, e.number)))}
    ids = [[field[i].id for i in table] for table in tables]
    ids.sort(key=lambda who: (Fraction(sum(rank[e] for e in who), len(who)), min(rank[e] for e in who)))
    drawn, quality = explain(seat_tables(ids, history, rng), now, byes)
    return Draw(round, drawn, byes, bye_reasons, quality, "swiss_four", seed)


def _seated_field(
    entrants: Sequence[Entrant], history: History, answer: OddAnswer | None, rng: Random, *, by_points: bool
) -> tuple[list[Entrant], OddOption, tuple[int, ...], tuple[Reason, ...]]:
    """Who sits at a table in this round, at tables of which sizes, who sits out and why."""
    present = checked_field(entrants)
    players = [e for e in present if not e.house]
    option = chosen_option(len(players), answer)
    byes, reasons = choose_sit_outs(players, history, option.byes, rng, by_points=by_points)
    house = [e for e in present if e.house][: option.house_players]
    if len(house) < option.house_players:
        raise PairingError("house_players_needed", needed=option.house_players, given=len(house))
    return [e for e in players if e.id not in byes] + house, option, byes, reasons


def _meeting_matrix(now: Situation) -> Ints:
    field = now.field
    index = {e.id: k for k, e in enumerate(field)}
    met = np.zeros((len(field), len(field)), dtype=np.int64)
    for (a, b), times in meetings(now.history).items():
        if a in index and b in index:
            met[index[a], index[b]] = met[index[b], index[a]] = min(times, _REPEAT_MOST)
    return met


def _forbidden_matrices(now: Situation) -> tuple[Ints, Ints]:
    """Which pairs must never meet, and how many of the lesser wishes (clubs, seeds) each pair goes
    against.
    """
    field, constraints = now.field, now.constraints
    index = {e.id: k for k, e in enumerate(field)}
    never = _same([e.team if constraints.teams_apart else "" for e in field])
    for a, b in constraints.forbidden:
        if a in index and b in index:
            never[index[a], index[b]] = never[index[b], index[a]] = 1
    never |= _same(["house" if e.house else "" for e in field])
    apart = np.zeros_like(never)
    if now.round <= constraints.clubs_apart_rounds:
        apart += _same([e.club for e in field])
    if now.round <= constraints.seeds_apart_rounds:
        apart += _same(["seeded" if e.seed is not None else "" for e in field])
    return never, apart


def _same(labels: Sequence[str]) -> Ints:
    """1 for any two with the same label, where there is a label."""
    codes = {label: k for k, label in enumerate(dict.fromkeys(labels), start=1)}
    code = np.array([codes[label] if label else 0 for label in labels], dtype=np.int64)
    same: Ints = ((code[:, None] == code[None, :]) & (code[:, None] > 0)).astype(np.int64)
    np.fill_diagonal(same, 0)
    return same


def _taken_seats(now: Situation) -> Ints:
    """How often each player has had each seat at tables of four."""
    counts = seat_counts(now.history, len(FOUR_SEATS))
    return np.array(
        [[counts[e.id][seat] if e.id in counts else 0 for seat in FOUR_SEATS] for e in now.field],
        dtype=np.int64,
    )


def _place_costs(now: Situation, sizes: Sequence[int]) -> Ints:
    """What it costs to put each player at each table: odd tables cost more each time."""
    odd = odd_table_counts(now.history)
    counts = np.array([odd[e.id] for e in now.field], dtype=np.int64)
    above = np.minimum(counts - counts.min(initial=99), 7)
    is_odd = np.array([size != 4 for size in sizes], dtype=np.int64)
    costs: Ints = 2 * _REPEAT * (above**2)[:, None] * is_odd[None, :]
    return costs


def _gap_costs(field: Sequence[Entrant]) -> Ints:
    """Squared differences of points on a scale of whole numbers; a house player is at no distance from
    anybody.
    """
    points = [Fraction(e.points) for e in field if not e.house]
    low, span = min(points), max(points) - min(points)
    level = [int((e.points - low) * _GAP_LEVELS / span) if span and not e.house else 0 for e in field]
    levels = np.array(level, dtype=np.int64)
    ranked = np.array([not e.house for e in field])
    gaps: Ints = np.where(ranked[:, None] & ranked[None, :], (levels[:, None] - levels[None, :]) ** 2, 0)
    return gaps


def _look_ahead_costs(unmet: Ints) -> Ints:
    """How many others both of a pair have still to meet. Using the pairs with few of them first keeps whole
    tables of strangers together for later rounds."""
    shared: Ints = np.minimum(unmet @ unmet, _LOOK_AHEAD_MOST)
    return shared


def _strangers(met: Ints, never: Ints) -> Ints:
    unmet: Ints = ((met == 0) & (never == 0)).astype(np.int64)
    np.fill_diagonal(unmet, 0)
    return unmet


def looks_ahead(players: int, round: int, planned_rounds: int) -> bool:
    """Whether a plan uses up so many of the possible opponents that Swiss by four thinks of its later rounds
    before points.
    """
    share = _TIGHT_NARROW if players <= _ROLL_OUT_LIMIT else _TIGHT
    return planned_rounds > round and 3 * planned_rounds >= share * (players - 1)


class _SwissSearch:
    """One round of Swiss by four: the costs of this situation, and the candidates drawn and compared."""

    def __init__(
        self, now: Situation, sizes: Sequence[int], to_come: int, effort: Effort, rng: Random
    ) -> None:
        self.field, self.sizes, self.to_come, self.effort, self.rng = now.field, sizes, to_come, effort, rng
        self.met = _meeting_matrix(now)
        self.never, self.apart = _forbidden_matrices(now)
        self.hard = _FORBIDDEN * self.never + _REPEAT * self.met
        self.place = _place_costs(now, sizes)
        self.taken = _taken_seats(now)
        self.narrow = len(now.field) <= _ROLL_OUT_LIMIT
        # Before anybody has met, one draw is as good for the future as another.
        self.tight = bool(self.met.any()) and looks_ahead(len(now.field), now.round, now.round + to_come)
        self.by_points = self.hard + _CLUB * self.apart + _gap_costs(now.field)
        self.costs = self.by_points
        if self.tight:
            self.costs = self.costs + _LOOK_AHEAD * _look_ahead_costs(_strangers(self.met, self.never))

    def best_tables(self) -> list[list[int]]:
        """The draw by points; in a tight plan the one of several that leaves later rounds best off."""
        lot = list(range(len(self.field)))
        self.rng.shuffle(lot)
        best = self._candidate(sorted(lot, key=lambda i: -self.field[i].points))
        if self.narrow and self.met.any() and (sure := self._surely_playable(best)):
            return sure
        if self.narrow and self.tight and len(set(self.sizes)) > 1 and (near := self._near_and_playable(lot)):
            return near
        if self.tight:
            best = self._best_outlook(best, lot)
        if self.narrow and self.tight:
            return best  # an exchange might spoil the rounds to come
        return exchange_for_seats(best, self.costs, self.place, self.taken, _SEAT)

    def _best_outlook(self, best: list[list[int]], lot: list[int]) -> list[list[int]]:
        """Of this draw and several more, begun with players in any order, the one with the best outlook."""
        best_outlook, gained = self._outlook(best), 0
        for tried in range(_ROLL_OUTS if self.narrow else _CANDIDATES):
            repeats, clashes, _ = best_outlook
            if tried - gained > _PATIENCE:
                break
            if self.narrow and repeats == 0 and (clashes == 0 or tried >= _CANDIDATES):
                break
            self.rng.shuffle(lot)
            # Clubs may stand against the only draws that leave the next round free of repeats.
            tables = self._candidate(lot, clubs=not (self.narrow and tried % 2))
            outlook = self._outlook(tables)
            if outlook < best_outlook:
                best, best_outlook, gained = tables, outlook, tried
        return best

    def _surely_playable(self, first: list[list[int]]) -> list[list[int]] | None:
        """The cheapest draw among strangers after which all rounds to come are known to be playable so."""
        if any(size != 4 for size in self.sizes):
            return None
        tables = stranger_tables(_strangers(self.met, self.never))
        players = len(self.field)
        if _cost_of(first, self.hard) == 0 and leaves_rounds(tables, players, as_round(first), self.to_come):
            return first
        possible = [as_lists(one) for one in rounds_of_strangers(tables, players)]
        possible.sort(key=self._cost_with_seats)
        for draw in possible[:_LOOKED_AT]:
            if leaves_rounds(tables, players, as_round(draw), self.to_come):
                return draw
        return None

    def _near_and_playable(self, lot: list[int]) -> list[list[int]] | None:
        """The draw with the smallest gaps of points after which a quick attempt plays all rounds to come
        without a repeat: then there is no need to look ahead at the points' expense.
        """
        found: list[list[list[int]]] = []
        for _ in range(_BY_POINTS):
            self.rng.shuffle(lot)
            order = lot if found else sorted(lot, key=lambda i: -self.field[i].points)
            tables = self._arranged(self.by_points, order)
            odd_again = sum(int(self.place[table, k].sum()) for k, table in enumerate(tables))
            if odd_again == 0 == _cost_of(tables, self.hard):
                found.append(tables)
        for tables in sorted(found, key=lambda one: _cost_of(one, self.by_points)):
            if any(self._future_cost(tables, self.to_come) == 0 for _ in range(_PLAYED_OUT)):
                return tables
        return None

    def _cost_with_seats(self, tables: Sequence[Sequence[int]]) -> int:
        excess = excess_of(self.taken)
        return _cost_of(tables, self.costs) + _SEAT * sum(least_excess(excess[table]) for table in tables)

    def _candidate(self, order: Sequence[int], *, clubs: bool = True) -> list[list[int]]:
        return self._arranged(self.costs if clubs else self.costs - _CLUB * self.apart, order)

    def _arranged(self, costs: Ints, order: Sequence[int]) -> list[list[int]]:
        return arrange(
            costs, self.place, self.sizes, order, threshold=_CLUB, effort=self.effort, rng=self.rng
        )

    def _outlook(self, tables: Sequence[Sequence[int]]) -> tuple[int, int, int]:
        """Less is better: repeats now (and, in a narrow field, to come), clashes, strangers lost."""
        repeats, clashes = _cost_of(tables, self.hard), _cost_of(tables, self.apart)
        if self.narrow:
            return repeats + self._future_cost(tables), clashes, 0
        return repeats, clashes, -_triangles(tables, _strangers(self.met, self.never))

    def _future_cost(self, tables: Sequence[Sequence[int]], rounds: int = _ROLL_OUT_ROUNDS) -> int:
        """Repeats and forbidden meetings in a quick attempt at so many rounds that follow these tables."""
        met = self.met.copy()
        place = np.zeros_like(self.place)
        order = list(range(len(met)))
        cost = 0
        for _ in range(min(self.to_come, rounds)):
            for table in tables:
                met[np.ix_(table, table)] += 1
            np.fill_diagonal(met, 0)
            hard = _FORBIDDEN * self.never + _REPEAT * np.minimum(met, _REPEAT_MOST)
            costs = hard + _LOOK_AHEAD * _look_ahead_costs(_strangers(met, self.never))
            self.rng.shuffle(order)
            tables = arrange(costs, place, self.sizes, order, threshold=_REPEAT, effort=_QUICK, rng=self.rng)
            cost += _cost_of(tables, hard)
        return cost


def _triangles(tables: Sequence[Sequence[int]], unmet: Ints) -> int:
    """How many threes of mutual strangers these tables leave: the stock from which later tables are made."""
    left = unmet.copy()
    for table in tables:
        left[np.ix_(table, table)] = 0
    return int(((left @ left) * left).sum()) // 6


def _cost_of(tables: Sequence[Sequence[int]], costs: Ints) -> int:
    return sum(int(costs[np.ix_(table, table)].sum()) // 2 for table in tables)
