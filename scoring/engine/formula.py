"""Writes how a seat's score came about, in the style of the worked examples of the rules (docs/rules.md §9).

The text is arithmetic: what stands left of the last ``=`` computes to the score (``≈`` where a scaled grand
slam was rounded). May not know: how a record is written or checked, I/O.
"""

from collections.abc import Iterable

from scoring.engine.cards import HEARTS
from scoring.engine.ruleset import Ruleset
from scoring.engine.score import (
    hearts_total,
    plain_slam,
    scaled_slam,
    seat_score,
    single_factor,
)
from scoring.engine.tally import (
    COUNTS,
    HEARTS_SHIFT,
    ONE,
    PLAIN_FACTORS,
    SHEEP_SHIFT,
    SUM_SHIFT,
    THREE_KEYS,
    TRANSFORMER_SHIFT,
    WIDTH,
    Factors,
    tables_for,
)


def seat_formula(rules: Ruleset, taken: int, own: int, factors: Factors, swap: bool) -> str:
    """Return the formula of one seat's score; a bare number where nothing was computed."""
    tables = tables_for(rules)
    score = seat_score(rules, tables, taken, own, factors, swap)
    slam = taken & COUNTS == tables.full_counts
    if slam and rules.grand_slam == "fixed" and factors == PLAIN_FACTORS:
        return str(score)
    terms, multiplier = _parts(rules, taken, own, factors, swap and not slam)
    total = _sum(terms)
    if slam and rules.grand_slam == "scaled":
        plain = plain_slam(rules, tables, taken)
        if not plain:
            return str(score)
        computed = seat_computed(rules, taken, own, factors)
        sign = "=" if scaled_slam(rules, tables, taken, computed) == score else "≈"
        return f"{rules.grand_slam_value} × {_bracket(computed)} ÷ {_bracket(plain)} {sign} {score}"
    if multiplier:
        total = f"({total})" if len(terms) > 1 or "×" in total else total
        return f"{total} × {multiplier} = {score}"
    return total if total == str(score) else f"{total} = {score}"


def seat_computed(rules: Ruleset, taken: int, own: int, factors: Factors) -> int:
    """Return a grand slam as it computes, before it is scaled."""
    from dataclasses import replace

    computed = replace(rules, grand_slam="computed", grand_slam_value=0)
    return seat_score(computed, tables_for(computed), taken, own, factors, False)


def _parts(rules: Ruleset, taken: int, own: int, factors: Factors, swap: bool) -> tuple[list[str], str]:
    """Return the terms of the sum, and the transformer's multiplier ('' where it has none)."""
    tables = tables_for(rules)
    counts = taken & COUNTS
    slam = counts == tables.full_counts
    transformers = counts >> TRANSFORMER_SHIFT & ONE
    by_transformer = factors[2][0] if transformers == 2 else factors[2][1]
    if (
        transformers
        and not counts >> HEARTS_SHIFT
        and counts & THREE_KEYS == transformers << TRANSFORMER_SHIFT
    ):
        return _copies(rules, rules.transformer, by_transformer, transformers, own >> 4 & 3) or ["0"], ""

    pigs, sheep = counts & ONE, counts >> SHEEP_SHIFT & ONE
    pig_value = abs(rules.pig) if slam else rules.pig
    sign = -1 if swap else 1
    terms = _copies(rules, sign * pig_value, single_factor(rules, factors[0], pigs), pigs, own & 3)
    terms += _hearts(rules, taken, own >> 6 & 3, factors[3][0])
    terms += _copies(rules, sign * rules.sheep, single_factor(rules, factors[1], sheep), sheep, own >> 2 & 3)
    terms = terms or ["0"]
    if not transformers:
        return terms, ""
    multiplier = [rules.transformer_factor] * transformers + [by_transformer]
    if rules.self_capture_transformer == "multiplier":
        multiplier += [rules.self_capture_factor] * (own >> 4 & 3)
    return terms, _product(multiplier) or "1"


def _copies(rules: Ruleset, value: int, factor: int, copies: int, own: int) -> list[str]:
    """Return the terms of a pig, sheep or lone transformer: those taken by their own seat apart."""
    terms = []
    for number, extra in ((copies - own, 1), (own, rules.self_capture_factor)):
        if number and value:
            terms.append(_product((value, factor, extra, number), first=True))
    return terms


def _hearts(rules: Ruleset, taken: int, own_aces: int, factor: int) -> list[str]:
    tables = tables_for(rules)
    if (taken & COUNTS) >> HEARTS_SHIFT == tables.full_hearts:
        return _all_hearts(rules, taken, own_aces, factor)
    suit = rules.self_capture_factor**own_aces if rules.self_capture == "suit" else 1
    values: list[tuple[int, int]] = []  # (value, how many), from the low hearts up as the rules' examples do
    for place in range(len(HEARTS) - 1, -1, -1):
        value, number = rules.hearts[place], taken >> HEARTS_SHIFT + WIDTH * place & ONE
        if place == 0 and own_aces and rules.self_capture == "card":
            number -= own_aces
            values.append((value * rules.self_capture_factor, own_aces))
        if not (value and number):
            continue
        if values and values[-1][0] == value:
            values[-1] = (value, values[-1][1] + number)
        else:
            values.append((value, number))
    values = [one for one in values if one[0]]
    if len(values) == 1 and values[0][1] == 1:
        return [_single_heart(rules, values[0][0], own_aces, suit, factor)]
    return [_product((value * factor * suit, number), first=True) for value, number in values]


def _single_heart(rules: Ruleset, value: int, own_aces: int, suit: int, factor: int) -> str:
    """With one heart that counts there is room to show each of its factors."""
    if own_aces and rules.self_capture == "card" and rules.hearts[0]:
        return _product((rules.hearts[0], factor, rules.self_capture_factor), first=True)
    return _product((value, factor, suit), first=True)


def _all_hearts(rules: Ruleset, taken: int, own_aces: int, factor: int) -> list[str]:
    total = hearts_total(rules, tables_for(rules), taken, own_aces)
    terms = []
    if own_aces and rules.self_capture == "card" and rules.all_hearts != "fixed":
        sign = -1 if rules.all_hearts == "negate" else 1
        ace = sign * rules.hearts[0]
        rest = sign * (taken >> SUM_SHIFT) - ace * own_aces
        terms = [
            _product((value, *more), first=True)
            for value, more in ((ace, (rules.self_capture_factor, factor, own_aces)), (rest, (factor,)))
            if value
        ]
    elif total:
        terms = [_product((total, factor), first=True)]
    if rules.all_hearts_bonus:
        terms.append(_product((rules.all_hearts_bonus, factor), first=True))
    return terms


def _product(numbers: Iterable[int], *, first: bool = False) -> str:
    """Join factors with ×, leaving out those that are 1 (but never the `first`)."""
    return "×".join(
        str(number) for place, number in enumerate(numbers) if number != 1 or (first and place == 0)
    )


def _sum(terms: list[str]) -> str:
    """Join terms with +, those after the first in brackets where they are negative."""
    return " + ".join(
        f"({term})" if place and term.startswith("-") else term for place, term in enumerate(terms)
    )


def _bracket(number: int) -> str:
    return f"({number})" if number < 0 else str(number)
