"""The short way from a record to numbers, for records that are plainly right.

Answers None wherever something is unusual or wrong; then `scoring.engine.check` looks properly. A record that
passes here is checked just as fully: both ways give the same tally (a property test holds them together).
"""

from collections.abc import Mapping
from typing import Any

from scoring.engine.cards import FOUR_SEATS, KEY_CARDS
from scoring.engine.deal import DealRecord
from scoring.engine.ruleset import Ruleset
from scoring.engine.tally import (
    COUNTS,
    HEARTS_SHIFT,
    MOST_CARDS,
    PLAIN_FACTORS,
    SHEEP_SHIFT,
    TRANSFORMER_SHIFT,
    Factors,
    Shown,
    Tables,
    Tally,
    tables_for,
)

_NOBODY_OWN = (0, 0, 0, 0)
_make = tuple.__new__
_BITS = {"SQ": 1, "DJ": 2, "C10": 4, "HA": 8}
_ONES = dict.fromkeys(KEY_CARDS, 1)
_PLACES = {"N": 0, "W": 1, "S": 2, "E": 3}


def quick_tally(record: DealRecord | Mapping[str, Any], rules: Ruleset) -> Tally | None:
    """Return the deal in numbers, or None where the thorough check must decide.

    Covers complete records of a table of four in one deck with at most one exposure a card, and in two decks
    without self-capture.
    """
    try:
        if isinstance(record, DealRecord):
            return _quick(
                record.captures,
                [(one.card, one.seat, one.kind) for one in record.exposed],
                {card: seats[0] if len(seats) == 1 else seats for card, seats in record.held.items()},
                record.mode,
                record.partial or record.swap_pig_sheep,
                rules,
            )
        get = record.get
        exposed, held, mode = get("exposed"), get("held"), get("mode")
        partial, swap = get("partial"), get("swap_pig_sheep")
        ruleset = get("ruleset")
        if not (exposed is None or type(exposed) is list) or not (held is None or type(held) is dict):
            return None
        if not (ruleset is None or type(ruleset) is str):
            return None
        return _quick(
            record["captures"],
            [(one["card"], one["seat"], one["kind"]) for one in exposed] if exposed else [],
            held or {},
            "individual" if mode is None else mode,
            # Only true booleans: a 0 or "" is a fault of form, which the thorough way tells.
            not ((partial is None or partial is False) and (swap is None or swap is False)),
            rules,
        )
    except (KeyError, TypeError, AttributeError):
        return None


def _quick(  # noqa: C901, PLR0912, PLR0917 - one straight run: calls would cost a third of its speed
    captures: Mapping[str, Any],
    exposed: list[tuple[str, str, str]],
    held: Mapping[str, Any],
    mode: str,
    unusual: bool,
    rules: Ruleset,
) -> Tally | None:
    if unusual or tuple(captures) != FOUR_SEATS:
        return None
    tables = tables_for(rules)
    weights = tables.weights
    north, west, south, east = captures.values()
    # Adding the four fails unless all are lists or all are tuples.
    if len(north + west + south + east) > MOST_CARDS:
        return None
    # Four plain loops: measured, nothing shorter is as fast.
    a = b = c = d = 0
    for card in north:
        a += weights[card]
    for card in west:
        b += weights[card]
    for card in south:
        c += weights[card]
    for card in east:
        d += weights[card]
    if a + b + c + d != tables.full:
        return None
    taken = (a, b, c, d)
    swap = False
    if not tables.plain:
        if rules.swap == "choice":
            return None
        if rules.swap == "always":
            swap = any((one & COUNTS) >> HEARTS_SHIFT == tables.full_hearts for one in taken)
        if rules.decks == 2:
            return _quick_two(taken, exposed, held, mode, swap, rules)

    own = _NOBODY_OWN
    pig = sheep = 0
    if held:
        pig, sheep, transformer, ace = (
            _PLACES[held["SQ"]],
            _PLACES[held["DJ"]],
            _PLACES[held["C10"]],
            _PLACES[held["HA"]],
        )
        if len(held) != 4:
            return None
        if tables.needs_held:
            mine = [0, 0, 0, 0]
            mine[pig] = taken[pig] & 1
            mine[sheep] += taken[sheep] & 1 << SHEEP_SHIFT
            mine[transformer] += taken[transformer] & 1 << TRANSFORMER_SHIFT
            mine[ace] += (taken[ace] >> HEARTS_SHIFT & 1) << 6
            own = (mine[0], mine[1], mine[2], mine[3])
    elif tables.needs_held:
        return None

    if mode == "pig_sheep":
        if exposed or not held or rules.pig_sheep_sides != "dealt":
            return None
        first_side = tuple(FOUR_SEATS[place] for place in sorted({pig, sheep}))
        return Tally(FOUR_SEATS, mode, taken, own, tables.shown(PLAIN_FACTORS), swap, first_side, ())
    if mode not in ("individual", "partnership"):
        return None
    code = 0
    first = ""
    codes = tables.codes
    for card, seat, kind in exposed:
        code += codes[card][kind]
        if (held[card] != seat) if held else (seat not in _PLACES):
            return None
        if kind == "first":
            if seat in first:
                return None
            first += seat
    shown = tables.by_code.get(code) or _met_first(code, exposed, tables)
    if shown is None:
        return None
    return _make(Tally, (FOUR_SEATS, mode, taken, own, shown, swap, (), ()))


def _met_first(code: int, exposed: list[tuple[str, str, str]], tables: Tables) -> Shown | None:
    """Look at a set of exposures not met before in one deck; keep it where it is valid."""
    values = _ONES.copy()
    mask = 0
    for card, _, kind in exposed:
        if mask & _BITS[card]:
            return None
        mask |= _BITS[card]
        values[card] = tables.factors[kind]
    if not tables.masks[mask]:
        return None
    pig, sheep, transformer, ace = values.values()
    shown = tables.shown(((pig, pig), (sheep, sheep), (transformer, transformer), (ace, ace)))
    tables.by_code[code] = shown
    return shown


def _quick_two(  # noqa: PLR0917
    taken: tuple[int, int, int, int],
    exposed: list[tuple[str, str, str]],
    held: Mapping[str, Any],
    mode: str,
    swap: bool,
    rules: Ruleset,
) -> Tally | None:
    if (
        mode not in ("individual", "partnership")
        or rules.self_capture != "off"
        or rules.exposure not in ("optional", "none")
    ):
        return None
    if exposed and rules.exposure == "none":
        return None
    for card, seats in held.items():
        if card not in _BITS or type(seats) not in (list, tuple) or len(seats) != 2:
            return None
        if seats[0] not in _PLACES or seats[1] not in _PLACES:
            return None
    factors = _two_deck_factors(exposed, held, rules) if exposed else PLAIN_FACTORS
    if factors is None:
        return None
    return Tally(FOUR_SEATS, mode, taken, _NOBODY_OWN, tables_for(rules).shown(factors), swap, (), ())


def _two_deck_factors(
    exposed: list[tuple[str, str, str]], held: Mapping[str, Any], rules: Ruleset
) -> Factors | None:
    allowed = tables_for(rules).factors
    shown: dict[str, list[str]] = {"SQ": [], "DJ": [], "C10": [], "HA": []}
    product, larger = _ONES.copy(), _ONES.copy()
    first = ""
    for card, seat, kind in exposed:
        factor = allowed[kind]
        shown[card].append(seat)
        if seat not in _PLACES or len(shown[card]) > 2:
            return None
        if kind == "first":
            if seat in first:
                return None
            first += seat
        product[card] *= factor
        larger[card] = max(larger[card], factor)
    for card, seats in shown.items():
        if seats and card in held:
            left = list(held[card])
            for seat in seats:
                if seat not in left:
                    return None
                left.remove(seat)
    pig, sheep, transformer, ace = ((product[card], larger[card]) for card in KEY_CARDS)
    return pig, sheep, transformer, ace
