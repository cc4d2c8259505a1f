"""Scores many deals at once, with numpy: a whole event, or a season (docs/rules.md §2).

`pack` (of `scoring.engine.packing`) turns records into arrays, checking each as fully as `score_deal` does;
`score_packed` computes all scores without a loop over deals; `score_many` does both. May not know: I/O.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from scoring.engine.cards import KEY_CARDS
from scoring.engine.deal import DealRecord
from scoring.engine.faults import Fault, InvalidDeal
from scoring.engine.packing import Bools, Ints, PackedDeals, pack
from scoring.engine.result import DealScore
from scoring.engine.ruleset import Ruleset
from scoring.engine.score import seat_scores
from scoring.engine.tally import (
    COUNTS,
    HEARTS_SHIFT,
    NUMBER_SHIFT,
    ONE,
    SHEEP_SHIFT,
    SUM_SHIFT,
    TRANSFORMER_SHIFT,
    tables_for,
)


@dataclass(frozen=True)
class ManyScores(Sequence[DealScore]):
    """The scores of many deals: `scores` has one row a deal and one column a seat, in points.

    Indexing gives the `DealScore` of one deal, with sides, flags and formula; for a refused row that raises
    InvalidDeal. `faults` maps refused rows to their reasons.
    """

    packed: PackedDeals
    scores: Ints

    @property
    def faults(self) -> Mapping[int, tuple[Fault, ...]]:
        """Rows that were refused, and every reason."""
        return self.packed.faults

    @cached_property
    def all_hearts(self) -> Bools:
        """Which seat of which deal captured all hearts."""
        full = tables_for(self.packed.rules).full_hearts
        return np.asarray((self.packed.taken & COUNTS) >> HEARTS_SHIFT == full)

    @cached_property
    def grand_slam(self) -> Bools:
        """Which seat of which deal captured every scoring card."""
        return np.asarray(self.packed.taken & COUNTS == tables_for(self.packed.rules).full_counts)

    def __len__(self) -> int:
        return len(self.packed)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if place in self.faults:
            raise InvalidDeal(self.faults[place])
        tally = self.packed.tally(place)
        points = (int(value) for value in self.scores[place, : len(tally.seats)])
        return DealScore(dict(zip(tally.seats, points, strict=True)), tally, self.packed.rules)

    def __iter__(self) -> Iterator[DealScore]:
        return (self[place] for place in range(len(self)))


def score_packed(packed: PackedDeals) -> ManyScores:
    """Score packed deals, all of them at once."""
    rules, taken, own = packed.rules, packed.taken, packed.own
    tables = tables_for(rules)
    more = rules.self_capture_factor - 1
    counts = taken & COUNTS
    hearts = counts >> HEARTS_SHIFT
    all_hearts = hearts == tables.full_hearts
    slam = counts == tables.full_counts
    pigs, sheep = counts & ONE, counts >> SHEEP_SHIFT & ONE
    transformers = counts >> TRANSFORMER_SHIFT & ONE
    column = {card: place for place, card in enumerate(KEY_CARDS)}

    def factor(card: str, copies: Ints, by_product: bool) -> Ints:
        product = packed.product[:, column[card], None]
        larger = packed.larger[:, column[card], None]
        if rules.decks == 1 or by_product:
            return np.broadcast_to(product, copies.shape)
        return np.where(copies == 2, product, larger)

    total = _hearts(rules, taken, own, all_hearts)
    total = total * packed.product[:, column["HA"], None]
    sign: Ints = np.where(packed.swap[:, None] & ~slam, -1, 1)
    by_product = rules.single_copy == "product"
    pig: Ints = np.where(slam, abs(rules.pig), rules.pig) * sign
    total = total + pig * factor("SQ", pigs, by_product) * (pigs + (own & ONE) * more)
    total = total + rules.sheep * sign * factor("DJ", sheep, by_product) * (sheep + (own >> 2 & ONE) * more)

    mine = own >> 4 & ONE
    exposed = factor("C10", transformers, False)
    multiplier = np.where(transformers > 0, exposed, 1)
    multiplier = multiplier * rules.transformer_factor**transformers
    if rules.self_capture_transformer == "multiplier":
        multiplier = multiplier * rules.self_capture_factor**mine
    number = counts >> NUMBER_SHIFT & 127
    alone = (transformers > 0) & (number == transformers)
    scores = np.where(alone, rules.transformer * exposed * (transformers + mine * more), total * multiplier)
    if rules.grand_slam != "computed" and slam.any():
        scores = _given_slams(packed, scores, slam)
    return ManyScores(packed, scores)


def _hearts(rules: Ruleset, taken: Ints, own: Ints, all_hearts: Bools) -> Ints:
    total = taken >> SUM_SHIFT
    aces = own >> 6
    suit: Ints | int = 1
    if rules.self_capture == "card":
        total = total + aces * ((rules.self_capture_factor - 1) * rules.hearts[0])
    elif rules.self_capture == "suit":
        suit = rules.self_capture_factor**aces
        total = total * suit
    if rules.all_hearts == "negate":
        total = np.where(all_hearts, -total, total)
    elif rules.all_hearts == "fixed":
        total = np.where(all_hearts, rules.all_hearts_value * suit, total)
    return total + np.where(all_hearts, rules.all_hearts_bonus, 0)


def _given_slams(packed: PackedDeals, computed: Ints, slam: Bools) -> Ints:
    """Put in the grand slams that have a figure of their own; there are few, so one by one."""
    scores = computed.copy()
    for place in np.flatnonzero(slam.any(axis=1)):
        tally = packed.tally(int(place))
        scores[place, : len(tally.seats)] = seat_scores(packed.rules, tally)
    return scores


def score_many(
    records: Sequence[DealRecord | Mapping[str, Any]], ruleset: Ruleset | Mapping[str, Any]
) -> ManyScores:
    """Score many deals under one ruleset.

    Each record as for `score_deal`. A faulty record does not stop the others: `faults` tells which rows were
    refused and why. Raises RulesetError where the mapping is no ruleset.
    """
    rules = ruleset if isinstance(ruleset, Ruleset) else Ruleset.from_dict(ruleset)
    return score_packed(pack(records, rules))


__all__ = ["ManyScores", "PackedDeals", "pack", "score_many", "score_packed"]
