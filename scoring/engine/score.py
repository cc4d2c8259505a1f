"""The score of each seat in one deal (docs/rules.md §2).

Computes from a checked deal in numbers; may not know how a record is written or checked, nor I/O.
"""

from fractions import Fraction
from typing import Final

from scoring.engine.cards import HEART_ACE, HEARTS
from scoring.engine.ruleset import Ruleset
from scoring.engine.tally import (
    COUNTS,
    HEARTS_SHIFT,
    LINE_MASK,
    ONE,
    PLAIN_FACTORS,
    SHEEP_SHIFT,
    SUM_SHIFT,
    THREE_KEYS,
    TRANSFORMER_SHIFT,
    Factors,
    Tables,
    Tally,
    tables_for,
)

_ACE: Final = HEARTS.index(HEART_ACE)


def seat_scores(rules: Ruleset, tally: Tally) -> list[int]:
    """Return each seat's score in points, in the order of `tally.seats`.

    A score is a straight line over the sum of the hearts: its slope and height depend only on the key cards
    and on the number of hearts (none, some, all), so they are kept, and met again in the next deals.
    """
    shown = tally.shown
    lines = shown.swapped if tally.swap else shown.lines
    scores = []
    for taken, own in zip(tally.taken, tally.own):  # noqa: B905 - checking lengths costs, and both are the table's
        key = (taken & LINE_MASK) << 8 | own
        try:
            slope, height = lines[key]
        except KeyError:
            slope, height = lines[key] = _line(rules, tables_for(rules), taken, own, tally)
        scores.append((taken >> SUM_SHIFT) * slope + height)
    return scores


def _line(rules: Ruleset, tables: Tables, taken: int, own: int, tally: Tally) -> tuple[int, int]:
    """Return (slope, height) of the score of a seat with these key cards and this number of hearts."""
    counts = taken & COUNTS
    hearts = counts >> HEARTS_SHIFT
    at_zero = seat_score(rules, tables, counts, own, tally.shown.factors, tally.swap)
    if not hearts:
        return 0, at_zero
    if hearts == tables.full_hearts:
        return 0, seat_score(rules, tables, taken, own, tally.shown.factors, tally.swap)
    at_one = seat_score(rules, tables, counts + (1 << SUM_SHIFT), own, tally.shown.factors, tally.swap)
    return at_one - at_zero, at_zero


def seat_score(  # noqa: PLR0917 - numbers of one seat, at every call the same
    rules: Ruleset, tables: Tables, taken: int, own: int, factors: Factors, swap: bool
) -> int:
    """Return one seat's score in points, the grand slam included."""
    if not taken & COUNTS:
        return 0
    if taken & COUNTS != tables.full_counts:
        return _computed(rules, tables, taken, own, factors, swap)
    if rules.grand_slam == "fixed" and factors == PLAIN_FACTORS:
        return rules.grand_slam_value
    computed = _computed(rules, tables, taken, own, factors, False)
    if rules.grand_slam == "scaled":
        return round_half_away(scaled_slam(rules, tables, taken, computed))
    return computed


def scaled_slam(rules: Ruleset, tables: Tables, taken: int, computed: int) -> Fraction:
    """Return the grand slam's value, raised as exposure and self-capture raise the computed slam."""
    plain = plain_slam(rules, tables, taken)
    return Fraction(rules.grand_slam_value * computed, plain) if plain else Fraction(rules.grand_slam_value)


def plain_slam(rules: Ruleset, tables: Tables, taken: int) -> int:
    """Return what a grand slam computes to with nothing exposed and nothing self-captured."""
    return _computed(rules, tables, taken, 0, PLAIN_FACTORS, False)


def round_half_away(value: Fraction) -> int:
    """Round to a whole number, halves away from zero."""
    size = (2 * abs(value.numerator) + value.denominator) // (2 * value.denominator)
    return size if value >= 0 else -size


def hearts_total(rules: Ruleset, tables: Tables, taken: int, own_aces: int) -> int:
    """Return what the hearts of a seat are worth before ♥A's exposure and any bonus for all hearts."""
    total = taken >> SUM_SHIFT
    suit = 1
    if own_aces and rules.self_capture == "card":
        total += (rules.self_capture_factor - 1) * rules.hearts[_ACE] * own_aces
    elif own_aces:
        suit = rules.self_capture_factor**own_aces
        total *= suit
    if (taken & COUNTS) >> HEARTS_SHIFT == tables.full_hearts:
        if rules.all_hearts == "negate":
            return -total
        if rules.all_hearts == "fixed":
            return rules.all_hearts_value * suit
    return total


def single_factor(rules: Ruleset, factor: tuple[int, int], copies: int) -> int:
    """Return by what exposure multiplies a pig or sheep of which `copies` were captured by one seat."""
    return factor[0] if copies == 2 or rules.single_copy == "product" else factor[1]


def _computed(  # noqa: PLR0917
    rules: Ruleset, tables: Tables, taken: int, own: int, factors: Factors, swap: bool
) -> int:
    counts = taken & COUNTS
    more = rules.self_capture_factor - 1
    total = hearts_total(rules, tables, taken, own >> 6 & 3)
    if counts >> HEARTS_SHIFT == tables.full_hearts:
        total += rules.all_hearts_bonus
    total *= factors[3][0]

    pigs = counts & ONE
    if pigs:
        value = abs(rules.pig) if counts == tables.full_counts else rules.pig
        value = -value if swap else value
        total += value * single_factor(rules, factors[0], pigs) * (pigs + (own & 3) * more)
    sheep = counts >> SHEEP_SHIFT & ONE
    if sheep:
        value = -rules.sheep if swap else rules.sheep
        total += value * single_factor(rules, factors[1], sheep) * (sheep + (own >> 2 & 3) * more)
    transformers = counts >> TRANSFORMER_SHIFT & ONE
    if transformers:
        exposed = factors[2][0] if transformers == 2 else factors[2][1]
        mine = own >> 4 & 3
        if not counts >> HEARTS_SHIFT and counts & THREE_KEYS == transformers << TRANSFORMER_SHIFT:
            return rules.transformer * exposed * (transformers + mine * more)
        total *= rules.transformer_factor**transformers * exposed * own_multiplier(rules, mine)
    return total


def own_multiplier(rules: Ruleset, transformers: int) -> int:
    """Return by what transformers that a seat was dealt and captured itself multiply more than others."""
    return rules.self_capture_factor**transformers if rules.self_capture_transformer == "multiplier" else 1
