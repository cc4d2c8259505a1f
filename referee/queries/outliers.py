"""What deserves a second look: scores beyond what is plausible, deals entered in seconds, tables ahead or
behind. None of it refuses anything: it says where a mistake is likely.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from random import Random
from statistics import median

from django.core.cache import cache

from scoring.engine import score_deal
from scoring.engine.playout import play_out
from scoring.models import RulesetVersion

Points = int | Fraction

#: Random deals from which the range of plausible scores is taken. Nothing outside the range occurred in so
#: many, so that an honest deal raises a false alarm about once in as many.
SAMPLE = 1000
#: Shuffling, dealing, exposing, thirteen tricks and the entry take no table less than this.
QUICK = timedelta(seconds=60)
#: So long without a new deal: longer than a long deal with its entry and check.
IDLE = timedelta(minutes=15)
#: A table is far ahead or behind when it differs from the median table of its round by so many deals …
PACE_DEALS = 3
#: … and by this part of the median.
PACE_PART = Fraction(2, 5)
#: In a round of fewer tables there is no pace to compare with.
PACE_TABLES = 4


@dataclass(frozen=True)
class Plausible:
    """The lowest and the highest points that a seat was credited in SAMPLE random legal deals."""

    low: Points
    high: Points

    def holds(self, credited: Iterable[Points]) -> bool:
        return all(self.low <= points <= self.high for points in credited)


def plausible_points(version: RulesetVersion, mode: str, seats: int = 4) -> Plausible:
    """The range for a ruleset and mode, from the same deals every time; kept in the cache, as a version of a
    ruleset never changes.
    """
    key = f"plausible:{version.pk}:{mode}:{seats}"
    found: tuple[str, str] | None = cache.get(key)
    if found is None:
        measured = measure(version, mode, seats)
        found = (str(measured.low), str(measured.high))
        cache.set(key, found, timeout=None)
    return Plausible(Fraction(found[0]), Fraction(found[1]))


def measure(version: RulesetVersion, mode: str, seats: int = 4) -> Plausible:
    """Plays and scores SAMPLE random deals; takes about a second."""
    rules, rng = version.ruleset(), Random(SAMPLE)  # noqa: S311 - a sample, the same every time
    credited = [
        points
        for _ in range(SAMPLE)
        for points in score_deal(play_out(rules, rng, mode=mode, seats=seats).record, rules).credited.values()
    ]
    return Plausible(min(credited), max(credited))


def quick_deals(
    entered: Sequence[tuple[int, datetime | None, datetime | None]], began: datetime | None
) -> tuple[int, ...]:
    """Numbers of deals entered less than QUICK after the one before, or after play began.

    ``entered`` are number and first entry of a table's deals, in the order of play, by the server's clock and
    by the tablet's (None where no tablet said). Deals from a score sheet have no time: when they were
    entered says nothing of when they were played, so neither they nor the next one are quick. Deals that
    a tablet sends together after a dead network reach the server within a second: the longer of the times
    between two deals by the two clocks is what counts. A tablet's clock may be wrong by years; only
    differences of it are taken.
    """
    found, before, before_tablet = [], began, None
    for number, at, tablet in entered:
        gaps = [at - before] if at is not None and before is not None else []
        if tablet is not None and before_tablet is not None:
            gaps.append(tablet - before_tablet)
        if gaps and max(gaps) < QUICK:
            found.append(number)
        before, before_tablet = at, tablet
    return tuple(found)


def paces(counts: Mapping[int, int], going: Iterable[int]) -> dict[int, str]:
    """Tables far ahead or behind: "ahead" or "behind" by the table's key.

    ``counts`` are the deals on record at every table of a round; only tables in ``going`` can be behind: the
    others have nothing left to play.
    """
    if len(counts) < PACE_TABLES:
        return {}
    middle = Fraction(median(counts.values()))
    far = max(Fraction(PACE_DEALS), PACE_PART * middle)
    going = set(going)
    found = {}
    for table, count in counts.items():
        if count - middle >= far:
            found[table] = "ahead"
        elif middle - count >= far and table in going:
            found[table] = "behind"
    return found
