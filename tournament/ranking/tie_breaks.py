"""The criteria by which entrants are put in order, each as a value per entrant; more is better.

An event's first criterion is its score. Those that look at opponents use that score. Where a criterion
cannot be applied to a set of tied entrants (results between them when not all have met), it has no value and
decides nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from tournament.ranking.points import Points, plain
from tournament.ranking.results import Encounter, Measure, Played, Results


class Criterion(StrEnum):
    """What organisers can choose from, in any order."""

    MATCH_POINTS = "match_points"
    VICTORY_POINTS = "victory_points"
    PLACE_POINTS = "place_points"
    GAMES_WON = "games_won"
    DIFFERENCE = "difference"
    TOTAL = "total"
    GRAND_SLAMS = "grand_slams"
    HEAD_TO_HEAD = "head_to_head"
    BUCHHOLZ = "buchholz"
    MEDIAN_BUCHHOLZ = "median_buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    FEWEST_PENALTIES = "fewest_penalties"
    LOT = "lot"


SUMS: frozenset[Criterion] = frozenset(Criterion(measure.value) for measure in Measure)
"""Criteria that add up amounts; the first criterion of an event must be one of these."""

BY_OTHERS: frozenset[Criterion] = frozenset(
    {
        Criterion.HEAD_TO_HEAD,
        Criterion.BUCHHOLZ,
        Criterion.MEDIAN_BUCHHOLZ,
        Criterion.SONNEBORN_BERGER,
    }
)
"""Criteria by which a result of others can put somebody ahead of an equal."""

Value = Points | None

_FINAL = frozenset({Played.PLAYED, Played.WALKOVER})


class Sheet:
    """Results looked at from every side. Values are worked out once, when first asked for."""

    def __init__(self, entrants: Sequence[int], results: Results, main: Measure) -> None:
        self.entrants = tuple(entrants)
        self.results = results
        self.main = main
        self._lots = dict(results.lots)
        self._sums: dict[Measure, dict[int, Points]] = {}

    @cached_property
    def by_entrant(self) -> Mapping[int, tuple[Encounter, ...]]:
        """Everybody's encounters by round."""
        found: defaultdict[int, list[Encounter]] = defaultdict(list)
        for encounter in sorted(self.results.encounters, key=lambda e: (e.round, e.entrant, e.opponents)):
            found[encounter.entrant].append(encounter)
        return {who: tuple(found[who]) for who in self.entrants}

    @cached_property
    def score(self) -> Mapping[int, Points]:
        """The event's main measure, adjustments included."""
        return self.sum_of(self.main)

    def sum_of(self, measure: Measure) -> Mapping[int, Points]:
        """Everybody's sum in a measure, with what was added to it."""
        if measure not in self._sums:
            self._sums[measure] = self._add_up(measure)
        return self._sums[measure]

    def _add_up(self, measure: Measure) -> dict[int, Points]:
        sums = dict.fromkeys(self.entrants, Fraction(0))
        for encounter in self.results.encounters:
            if encounter.entrant in sums:
                sums[encounter.entrant] += encounter.amount(measure) or 0
        for adjustment in self.results.adjustments:
            if adjustment.measure is measure and adjustment.entrant in sums:
                sums[adjustment.entrant] += adjustment.points
        return {who: plain(total) for who, total in sums.items()}

    @cached_property
    def _rounds(self) -> frozenset[int]:
        return frozenset(e.round for e in self.results.encounters)

    @cached_property
    def penalties(self) -> Mapping[int, Points]:
        """Everybody's penalty points, 0 or below: nearest to 0 is best."""
        sums = dict.fromkeys(self.entrants, Fraction(0))
        for adjustment in self.results.adjustments:
            if adjustment.penalty and adjustment.entrant in sums:
                sums[adjustment.entrant] += adjustment.points
        return {who: plain(total) for who, total in sums.items()}

    @cached_property
    def _known(self) -> Mapping[tuple[int, int, frozenset[int]], Points]:
        """Amounts of the main measure that are final, by entrant, round and who was at the table."""
        return {
            (e.entrant, e.round, _table(e)): amount
            for e in self.results.encounters
            if e.state in _FINAL and e.met and e.opponents and (amount := e.amount(self.main)) is not None
        }

    def outcomes_at(self, encounter: Encounter) -> dict[int, Fraction]:
        """Against each opponent of an encounter 1 for more in the main measure, ½ for equal, 0 for less.

        Opponents are left out where the result is missing on either side.
        """
        own = self._known.get((encounter.entrant, encounter.round, _table(encounter)))
        if own is None:
            return {}
        found = {}
        for other in encounter.opponents:
            theirs = self._known.get((other, encounter.round, _table(encounter)))
            if theirs is not None:
                found[other] = Fraction((own > theirs) - (own < theirs) + 1, 2)
        return found

    @cached_property
    def outcomes(self) -> Mapping[tuple[int, int], tuple[Fraction, ...]]:
        """The outcomes of every meeting of two, round by round."""
        found: defaultdict[tuple[int, int], list[Fraction]] = defaultdict(list)
        for who, encounters in self.by_entrant.items():
            for encounter in encounters:
                for other, outcome in self.outcomes_at(encounter).items():
                    found[who, other].append(outcome)
        return {two: tuple(outcomes) for two, outcomes in found.items()}

    def opponents_score(self, who: int, encounter: Encounter) -> Fraction:
        """The mean score of the opponents of one round; a bye, an absence or a house player counts as own
        score.

        The mean, so that a round at a table of three or five counts as much as one at a table of four.
        """
        others = encounter.opponents if encounter.met else ()
        scores = [Fraction(self.score.get(other, self.score[who])) for other in others]
        return sum(scores, Fraction(0)) / len(scores) if scores else Fraction(self.score[who])

    def buchholz(self, who: int, *, median: bool = False) -> Points:
        """Opponents' scores, a round's mean each; the median form leaves out the best and the worst round.

        A round in which others played and this entrant did not counts as one against its own score.
        """
        own = self.by_entrant[who]
        missed = len(self._rounds - {e.round for e in own})
        rounds = sorted([*(self.opponents_score(who, e) for e in own), *[Fraction(self.score[who])] * missed])
        if median and len(rounds) > 2:
            rounds = rounds[1:-1]
        return plain(sum(rounds, Fraction(0)))

    def sonneborn_berger(self, who: int) -> Points:
        """Scores of opponents beaten, and half of those drawn with, a round's mean each."""
        total = Fraction(0)
        for encounter in self.by_entrant[who]:
            worth = [r * self.score.get(other, 0) for other, r in self.outcomes_at(encounter).items()]
            total += sum(worth, Fraction(0)) / max(1, len(encounter.opponents))
        return plain(total)

    def head_to_head(self, tied: Iterable[int]) -> dict[int, Value]:
        """Wins between the tied (½ for equal); no value unless each two of them met equally often."""
        tied = tuple(tied)
        times = {len(self.outcomes.get(two, ())) for two in combinations(tied, 2)}
        if len(times) != 1 or times == {0}:
            return dict.fromkeys(tied)
        return {
            who: plain(
                sum(
                    (r for other in tied if other != who for r in self.outcomes[who, other]),
                    start=Fraction(0),
                )
            )
            for who in tied
        }

    def lots(self, tied: Iterable[int]) -> dict[int, Value]:
        """The drawn lots, the lowest best; no value unless every one of the tied has drawn."""
        tied = tuple(tied)
        if any(who not in self._lots for who in tied):
            return dict.fromkeys(tied)
        return {who: -self._lots[who] for who in tied}


def _table(encounter: Encounter) -> frozenset[int]:
    return frozenset((encounter.entrant, *encounter.opponents))


def values(criterion: Criterion, sheet: Sheet, tied: Sequence[int]) -> dict[int, Value]:
    """The value of each of the tied under a criterion; None for all of them where it cannot be applied."""
    if criterion in SUMS:
        sums = sheet.sum_of(Measure(criterion.value))
        return {who: sums[who] for who in tied}
    return _OTHERS[criterion](sheet, tied)


_OTHERS: Mapping[Criterion, Callable[[Sheet, Sequence[int]], dict[int, Value]]] = {
    Criterion.HEAD_TO_HEAD: Sheet.head_to_head,
    Criterion.LOT: Sheet.lots,
    Criterion.BUCHHOLZ: lambda sheet, tied: {who: sheet.buchholz(who) for who in tied},
    Criterion.MEDIAN_BUCHHOLZ: lambda sheet, tied: {who: sheet.buchholz(who, median=True) for who in tied},
    Criterion.SONNEBORN_BERGER: lambda sheet, tied: {who: sheet.sonneborn_berger(who) for who in tied},
    Criterion.FEWEST_PENALTIES: lambda sheet, tied: {who: sheet.penalties[who] for who in tied},
}
