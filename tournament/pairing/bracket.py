"""The shape of a knock-out: which match feeds which, and who starts where.

A bracket is data without results: it never changes while it is played, so any result can be corrected and
what follows from it worked out anew (``knockout``). Matches stand in an order in which every one comes after
those that feed it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

import numpy as np

from tournament.pairing.model import PairingError
from tournament.pairing.swap_search import Ints


class Section(StrEnum):
    """The part of a bracket a match belongs to."""

    MAIN = "main"
    LOSERS = "losers"
    THIRD_PLACE = "third_place"
    FINAL = "final"
    DECIDER = "decider"


class From(StrEnum):
    """Where a side of a match comes from: a place in the opening order, or another match."""

    START = "start"
    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True)
class Feed:
    """One side of a match: ``place`` (from 0) in the opening order, or the winner or loser of ``match``."""

    kind: From
    place: int = -1
    match: str = ""


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One match. ``stage`` is the round of play it can be played in, ``level`` its round within its
    section.
    """

    id: str
    section: Section
    level: int
    number: int
    stage: int
    feeds: tuple[Feed, Feed]
    best_of: int = 1

    @property
    def needed(self) -> int:
        """Games that win the match."""
        return self.best_of // 2 + 1


@dataclass(frozen=True, slots=True)
class Bracket:
    """All matches in order, and the entrant at each place of the opening order (None: a bye)."""

    places: tuple[int | None, ...]
    matches: tuple[BracketMatch, ...]
    double: bool = False

    def match(self, name: str) -> BracketMatch:
        """A match by its id; KeyError if there is none."""
        return {match.id: match for match in self.matches}[name]

    @property
    def stages(self) -> int:
        """Rounds of play, the decider of a double elimination included."""
        return max(match.stage for match in self.matches)


@dataclass(frozen=True, slots=True)
class GamesPlan:
    """Best of how many games: ``usual``, and for single sections where it differs."""

    usual: int = 1
    by_section: tuple[tuple[Section, int], ...] = ()

    def of(self, section: Section) -> int:
        return dict(self.by_section).get(section, self.usual)


SINGLE_GAMES = GamesPlan()

_RESTARTS = 12


def seed_places(size: int) -> tuple[int, ...]:
    """The seed (from 1) at each place of a bracket of ``size`` (a power of two), so that the best meet last.

    >>> seed_places(8)
    (1, 8, 4, 5, 2, 7, 3, 6)
    """
    places = [1]
    while len(places) < size:
        total = 2 * len(places) + 1
        places = [seed for place in places for seed in (place, total - place)]
    return tuple(places)


def make_bracket(
    order: Sequence[int],
    *,
    double: bool = False,
    third_place: bool = False,
    decider: bool = True,
    games: GamesPlan = SINGLE_GAMES,
) -> Bracket:
    """A bracket for entrant ids in order of seeding; the best get the byes.

    ``third_place`` adds a match of the losing semi-finalists (single elimination, four or more). In a double
    elimination ``decider`` is a second final, played when the one from the losers' bracket wins the first.
    Raises PairingError ``too_few_entrants``, ``duplicate_id`` or ``best_of_even``.
    """
    if len(order) < 2:
        raise PairingError("too_few_entrants", present=len(order), needed=2)
    if len(set(order)) < len(order):
        raise PairingError("duplicate_id", value=next(e for e in order if list(order).count(e) > 1))
    for number in (games.usual, *(n for _, n in games.by_section)):
        if number < 1 or number % 2 == 0:
            raise PairingError("best_of_even", best_of=number)
    size = 1 << (len(order) - 1).bit_length()
    places = tuple(order[seed - 1] if seed <= len(order) else None for seed in seed_places(size))
    builder = _Builder(size, games)
    builder.main(double=double)
    if double:
        builder.losers()
        builder.finals(decider=decider)
    elif third_place and size >= 4 and len(order) > 3:
        semi = builder.rounds - 1
        feeds = tuple(Feed(From.LOSER, match=f"M{semi}.{k}") for k in (1, 2))
        builder.add(Section.THIRD_PLACE, 1, 1, builder.rounds, (feeds[0], feeds[1]))
    matches = sorted(builder.matches, key=lambda m: m.stage)
    return Bracket(places, tuple(matches), double)


class _Builder:
    """Collects the matches of a bracket of ``size`` places."""

    def __init__(self, size: int, games: GamesPlan) -> None:
        self.size = size
        self.rounds = size.bit_length() - 1
        self.games = games
        self.matches: list[BracketMatch] = []

    def add(self, section: Section, level: int, number: int, stage: int, feeds: tuple[Feed, Feed]) -> str:
        letter = {
            Section.MAIN: "M",
            Section.LOSERS: "L",
            Section.THIRD_PLACE: "P",
            Section.FINAL: "F",
            Section.DECIDER: "D",
        }[section]
        name = f"{letter}{level}.{number}"
        self.matches.append(BracketMatch(name, section, level, number, stage, feeds, self.games.of(section)))
        return name

    def main(self, *, double: bool) -> None:
        """The rounds in which everybody starts. In a double elimination losers' rounds come between them."""
        for level in range(1, self.rounds + 1):
            for number in range(1, (self.size >> level) + 1):
                if level == 1:
                    feeds = (Feed(From.START, 2 * number - 2), Feed(From.START, 2 * number - 1))
                else:
                    feeds = (
                        Feed(From.WINNER, match=f"M{level - 1}.{2 * number - 1}"),
                        Feed(From.WINNER, match=f"M{level - 1}.{2 * number}"),
                    )
                last = level == self.rounds and not double
                stage = max(1, 2 * level - 2) if double else level
                self.add(Section.MAIN, level, number, stage, feeds)
                if last:
                    self._name_final()

    def _name_final(self) -> None:
        """The last match of a single elimination is its final, which may be played over more games."""
        final = self.matches[-1]
        self.matches[-1] = BracketMatch(
            final.id, Section.FINAL, final.level, 1, final.stage, final.feeds, self.games.of(Section.FINAL)
        )

    def losers(self) -> None:
        """The losers' rounds: by turns among themselves, and against those who come down from the main
        bracket.

        Those who come down are turned round or shifted by half each time, so that two who met meet late
        again.
        """
        for level in range(1, 2 * self.rounds - 1):
            count = self.size >> ((level + 1) // 2 + 1)
            for number in range(1, count + 1):
                feeds = _losers_feeds(level, number, count)
                self.add(Section.LOSERS, level, number, level + 1, feeds)

    def finals(self, *, decider: bool) -> None:
        """The winner of the main bracket against the winner of the losers' bracket, once or twice."""
        champion = Feed(From.WINNER, match=f"M{self.rounds}.1")
        if self.rounds > 1:
            challenger = Feed(From.WINNER, match=f"L{2 * self.rounds - 2}.1")
        else:
            challenger = Feed(From.LOSER, match="M1.1")
        final = self.add(Section.FINAL, 1, 1, 2 * self.rounds, (champion, challenger))
        if decider:
            feeds = (Feed(From.WINNER, match=final), Feed(From.LOSER, match=final))
            self.add(Section.DECIDER, 1, 1, 2 * self.rounds + 1, feeds)


def _losers_feeds(level: int, number: int, count: int) -> tuple[Feed, Feed]:
    """Who plays a losers' match, of ``count`` at its level."""
    if level == 1:
        return (
            Feed(From.LOSER, match=f"M1.{2 * number - 1}"),
            Feed(From.LOSER, match=f"M1.{2 * number}"),
        )
    if level % 2:
        return (
            Feed(From.WINNER, match=f"L{level - 1}.{2 * number - 1}"),
            Feed(From.WINNER, match=f"L{level - 1}.{2 * number}"),
        )
    down = level // 2 + 1
    other = count + 1 - number if down % 2 == 0 else (number - 1 + count // 2) % count + 1
    return Feed(From.LOSER, match=f"M{down}.{other}"), Feed(From.WINNER, match=f"L{level - 1}.{number}")


def order_apart(
    tiers: Sequence[Sequence[int]], labels: Mapping[int, Sequence[str]], *, seed: int
) -> tuple[int, ...]:
    """An order of seeding in which those who share a label (club, group) meet as late as can be found.

    Entrants move only within their tier. Within each tier the order is first drawn by lot; the meeting of
    any two costs four times as much for each round earlier that it can happen.
    """
    rng = Random(seed)
    best = _apart_once(tiers, labels, rng)
    for _ in range(_RESTARTS):
        if best[0] == 0:
            break
        best = min(best, _apart_once(tiers, labels, rng), key=lambda found: found[0])
    return best[1]


def _apart_once(
    tiers: Sequence[Sequence[int]], labels: Mapping[int, Sequence[str]], rng: Random
) -> tuple[int, tuple[int, ...]]:
    """One order found by exchanging two of a tier while that helps, and what it costs above nothing."""
    order: list[int] = []
    bounds: list[tuple[int, int]] = []
    for tier in tiers:
        drawn = list(tier)
        rng.shuffle(drawn)
        bounds.append((len(order), len(order) + len(drawn)))
        order += drawn
    early, shared = _early_costs(len(order)), _shared_labels(order, labels)
    improved = True
    while improved:
        improved = False
        for low, high in bounds:
            for a in range(low, high):
                improved |= _exchange(a, high, order, early, shared)
    return int((early * shared).sum()) // 2, tuple(order)


def _exchange(a: int, high: int, order: list[int], early: Ints, shared: Ints) -> bool:
    """Whether exchanging place ``a`` with places behind it, below ``high``, helped; it is done."""
    improved = False
    # The first that pays is taken at once, then the search goes on behind it.
    start = a + 1
    while len(better := np.flatnonzero(_changes(a, early, shared)[start:high] < 0)):
        b = start + int(better[0])
        order[a], order[b] = order[b], order[a]
        for axis in (shared, shared.T):
            axis[[a, b]] = axis[[b, a]]
        improved, start = True, b + 1
    return improved


def _early_costs(count: int) -> Ints:
    """What the meeting of two places in the seeding costs: nothing in the final, four times as much for each
    round earlier.
    """
    size = 1 << max(1, (count - 1).bit_length())
    rounds = size.bit_length() - 1
    place = {s - 1: k for k, s in enumerate(seed_places(size))}
    costs = np.zeros((count, count), dtype=np.int64)
    for a in range(count):
        for b in range(a):
            early = rounds - (place[a] ^ place[b]).bit_length()
            costs[a, b] = costs[b, a] = 4**early if early else 0
    return costs


def _shared_labels(order: Sequence[int], labels: Mapping[int, Sequence[str]]) -> Ints:
    """How many labels the entrants at two places in the seeding share."""
    known = {
        label: k for k, label in enumerate(sorted({one for who in order for one in labels.get(who, ())}))
    }
    has = np.zeros((len(order), len(known)), dtype=np.int64)
    for place, who in enumerate(order):
        has[place, [known[label] for label in labels.get(who, ())]] = 1
    shared: Ints = has @ has.T
    np.fill_diagonal(shared, 0)
    return shared


def _changes(a: int, early: Ints, shared: Ints) -> Ints:
    """By place in the seeding: how the whole cost changes if its entrant and that at ``a`` change places."""
    own = (early * shared).sum(axis=1)
    changes: Ints = shared @ early[a] + early @ shared[a] - own[a] - own + 2 * early[a] * shared[a]
    return changes
