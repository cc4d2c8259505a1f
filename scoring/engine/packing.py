"""Turns many records into arrays of numbers, each checked as fully as one alone.

Plain records (JSON mappings of a table of four in one deck) are taken by the hundred with numpy; a record
that is anything else, or wrong, goes the way a single deal goes. May not know: scores, I/O.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from scoring.engine.cards import FOUR_SEATS, KEY_CARDS
from scoring.engine.check import tally_deal
from scoring.engine.deal import EXPOSURE_KINDS, DealRecord
from scoring.engine.faults import Fault, InvalidDeal
from scoring.engine.quick import quick_tally
from scoring.engine.ruleset import Ruleset
from scoring.engine.tally import (
    HEARTS_SHIFT,
    MOST_CARDS,
    PIG_SHIFT,
    PLAIN_FACTORS,
    SHEEP_SHIFT,
    TRANSFORMER_SHIFT,
    Factors,
    Tables,
    Tally,
    tables_for,
)

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Record = DealRecord | Mapping[str, Any]

_PLACES: Final = {seat: place for place, seat in enumerate(FOUR_SEATS)}
#: Exposure as (card, seat, kind) → a number that numpy takes apart again: kind + 3 × seat + 12 × card.
_SHOWN: Final = {
    (card, seat, kind): kind_number + 3 * seat_number + 12 * card_number
    for card_number, card in enumerate(KEY_CARDS)
    for seat_number, seat in enumerate(FOUR_SEATS)
    for kind_number, kind in enumerate(EXPOSURE_KINDS)
}
_KEY_SHIFTS: Final = (PIG_SHIFT, SHEEP_SHIFT, TRANSFORMER_SHIFT, HEARTS_SHIFT)
_SHOWN_PARTS: Final = itemgetter("card", "seat", "kind")
_HOLDERS: Final = itemgetter(*KEY_CARDS)
_NOTHING: Final[list[Any]] = []
_NOBODY: Final[dict[str, Any]] = {}
_TEXT_OR_NONE: Final = (str, type(None))
_MODES: Final = frozenset(("individual", "partnership", "pig_sheep"))
#: Records looked at together; where one of them is unusual in its form, these go one by one.
_CHUNK: Final = 1024


@dataclass(frozen=True)
class PackedDeals:
    """Checked deals as arrays, one row a deal and one column a seat (padded to the widest table).

    `taken` and `own` are as in a tally; `product` and `larger` are the exposure factors of the four key
    cards. `faults` names the rows that were refused and why; their numbers are 0.
    """

    rules: Ruleset
    seats: Sequence[tuple[str, ...]]
    modes: Sequence[str]
    sides: Sequence[tuple[str, ...]]
    missing: Mapping[int, tuple[str, ...]]
    taken: Ints
    own: Ints
    product: Ints
    larger: Ints
    swap: Bools
    faults: Mapping[int, tuple[Fault, ...]]

    def __len__(self) -> int:
        return len(self.seats)

    def tally(self, row: int) -> Tally:
        """Return one deal as a single score has it."""
        width = len(self.seats[row])
        pairs = zip(self.product[row].tolist(), self.larger[row].tolist(), strict=True)
        return Tally(
            seats=self.seats[row],
            mode=self.modes[row],
            taken=tuple(self.taken[row, :width].tolist()),
            own=tuple(self.own[row, :width].tolist()),
            shown=tables_for(self.rules).shown(cast(Factors, tuple(pairs))),
            swap=bool(self.swap[row]),
            pig_sheep=self.sides[row],
            missing=self.missing.get(row, ()),
        )


class _Packer:
    """Collects the columns while chunk after chunk is read."""

    def __init__(self, rules: Ruleset, number: int) -> None:
        self.rules, self.tables = rules, tables_for(rules)
        self.seats: list[tuple[str, ...]] = []
        self.modes: list[str] = []
        self.sides: list[tuple[str, ...]] = []
        self.missing: dict[int, tuple[str, ...]] = {}
        self.faults: dict[int, tuple[Fault, ...]] = {}
        self.taken = np.zeros((number, 4), np.int64)
        self.own = np.zeros((number, 4), np.int64)
        self.product = np.ones((number, 4), np.int64)
        self.larger = np.ones((number, 4), np.int64)
        self.swap = np.zeros(number, np.bool_)

    def one(self, row: int, record: Record) -> None:
        """Take one record the way a single deal goes; its row is there already."""
        tally = quick_tally(record, self.rules)
        if tally is None:
            try:
                tally = tally_deal(record, self.rules)
            except InvalidDeal as error:
                self.faults[row] = error.faults
                return
        width = len(tally.seats)
        if width > self.taken.shape[1]:
            more = ((0, 0), (0, width - self.taken.shape[1]))
            self.taken, self.own = np.pad(self.taken, more), np.pad(self.own, more)
        self.seats[row], self.modes[row], self.sides[row] = tally.seats, tally.mode, tally.pig_sheep
        self.taken[row, :width], self.own[row, :width] = tally.taken, tally.own
        if tally.shown.factors != PLAIN_FACTORS:
            self.product[row], self.larger[row] = zip(*tally.shown.factors, strict=True)
        self.swap[row] = tally.swap
        if tally.missing:
            self.missing[row] = tally.missing

    def chunk(self, start: int, records: Sequence[Record]) -> None:
        """Take some records, together if they are plain."""
        number = len(records)
        self.seats += [FOUR_SEATS] * number
        self.sides += [()] * number
        self.modes += ["individual"] * number
        plain: Bools | None = None
        if self.tables.plain:
            try:
                plain = self._together(start, cast(Sequence[dict[str, Any]], records))
            except (KeyError, TypeError, ValueError):
                plain = None
        if plain is None:
            rest: Sequence[int] = range(number)
        else:
            rest = np.flatnonzero(~plain).tolist()
        for place in rest:
            row = start + place
            self.taken[row], self.own[row] = 0, 0
            self.product[row], self.larger[row] = 1, 1
            self.modes[row], self.sides[row] = "individual", ()
            self.one(row, records[place])

    def _together(self, start: int, records: Sequence[dict[str, Any]]) -> Bools | None:
        """Fill the rows of plain records and tell which rows are right; None where the form is unusual."""
        number = len(records)
        if set(map(type, records)) != {dict}:
            return None
        captures = [record["captures"] for record in records]
        if set(map(type, captures)) != {dict} or set(map(tuple, captures)) != {FOUR_SEATS}:
            return None
        lists = list(chain.from_iterable(map(dict.values, captures)))
        if set(map(type, lists)) != {list}:
            return None
        taken, right = _sums(lists, self.tables)
        modes, known = _modes(records)
        held = [record.get("held", _NOBODY) for record in records]
        exposed = [record.get("exposed", _NOTHING) for record in records]
        if set(map(type, exposed)) != {list} or set(map(type, held)) != {dict}:
            return None
        places = _holders(held, number)
        if places is None and self.tables.needs_held:
            return None
        pig_sheep = np.array([mode == "pig_sheep" for mode in modes])
        if places is None or self.rules.pig_sheep_sides != "dealt":
            # Whose sides it is must be looked for one by one.
            known &= ~pig_sheep
        factors, valid = self._exposures(exposed, places, pig_sheep)

        rows = slice(start, start + number)
        self.taken[rows, :4], self.own[rows, :4] = taken, 0
        self.product[rows] = self.larger[rows] = factors
        self.modes[rows] = modes
        if places is not None:
            if self.tables.needs_held:
                self.own[rows, :4] = _own(taken, places)
            for place in np.flatnonzero(pig_sheep & known):
                both = sorted({int(places[place, 0]), int(places[place, 1])})
                self.sides[start + int(place)] = tuple(FOUR_SEATS[one] for one in both)
        return right & known & valid

    def _exposures(
        self, exposed: Sequence[list[Any]], places: Ints | None, pig_sheep: Bools
    ) -> tuple[Ints, Bools]:
        """Return the factors of each row's key cards, and which rows' exposures are in order."""
        number = len(exposed)
        lengths = np.fromiter(map(len, exposed), np.int64, number)
        row = np.repeat(np.arange(number), lengths)
        shown = np.fromiter(
            map(_SHOWN.__getitem__, map(_SHOWN_PARTS, chain.from_iterable(exposed))), np.int64, len(row)
        )
        card, seat, kind = shown // 12, shown // 3 % 4, shown % 3
        known = np.array([self.tables.factors.get(one, 0) for one in EXPOSURE_KINDS], np.int64)
        factors = np.ones((number, 4), np.int64)
        factors[row, card] = known[kind]
        wrong = known[kind] == 0
        if places is not None:
            wrong |= places[row, card] != seat
        times = np.bincount(row * 4 + card, minlength=4 * number).reshape(number, 4)
        masks = times @ np.array((1, 2, 4, 8))
        twice = times > 1
        first = np.bincount(row * 4 + seat, weights=kind == 1, minlength=4 * number).reshape(number, 4) > 1
        allowed = np.array(self.tables.masks)[np.minimum(masks, 15)]
        valid = np.where(pig_sheep, lengths == 0, allowed) & ~twice.any(axis=1) & ~first.any(axis=1)
        valid[row[wrong]] = False
        return factors, valid


def _sums(lists: Sequence[list[str]], tables: Tables) -> tuple[Ints, Bools]:
    """Return each seat's integer, and which tables are complete."""
    lengths = np.fromiter(map(len, lists), np.int64, len(lists))
    weights = np.fromiter(
        map(tables.weights.__getitem__, chain.from_iterable(lists)), np.int64, int(lengths.sum())
    )
    # Sums up to each list's end; differences are right even where the running sum wraps around.
    running = np.concatenate(([0], np.cumsum(weights)))
    ends = np.cumsum(lengths)
    taken = (running[ends] - running[ends - lengths]).reshape(-1, 4)
    listed = lengths.reshape(-1, 4).sum(axis=1)
    return taken, (taken.sum(axis=1) == tables.full) & (listed <= MOST_CARDS)


def _modes(records: Sequence[dict[str, Any]]) -> tuple[list[str], Bools]:
    """Return the modes, and which rows have a known one, a ruleset's name or none, and neither option."""
    modes = [record.get("mode", "individual") for record in records]
    known = [
        mode in _MODES
        and "partial" not in record
        and "swap_pig_sheep" not in record
        and isinstance(record.get("ruleset"), _TEXT_OR_NONE)
        for mode, record in zip(modes, records, strict=True)
    ]
    return modes, np.array(known)


def _holders(held: Sequence[dict[str, Any]], number: int) -> Ints | None:
    """Return who was dealt the key cards, None where no row tells. Raises KeyError where only some do."""
    if not any(held):
        return None
    if set(map(len, held)) != {4}:
        raise KeyError("held")
    places = map(_PLACES.__getitem__, chain.from_iterable(map(_HOLDERS, held)))
    return np.fromiter(places, np.int64, 4 * number).reshape(number, 4)


def _own(taken: Ints, places: Ints) -> Ints:
    own = np.zeros_like(taken)
    rows = np.arange(len(taken))
    for number, shift in enumerate(_KEY_SHIFTS):
        place = places[:, number]
        own[rows, place] += (taken[rows, place] >> shift & 1) << 2 * number
    return own


def pack(records: Sequence[Record], ruleset: Ruleset) -> PackedDeals:
    """Check records and turn them into arrays. Never raises for a faulty record: see `PackedDeals.faults`."""
    packer = _Packer(ruleset, len(records))
    for start in range(0, len(records), _CHUNK):
        packer.chunk(start, records[start : start + _CHUNK])
    return PackedDeals(
        rules=ruleset,
        seats=packer.seats,
        modes=packer.modes,
        sides=packer.sides,
        missing=packer.missing,
        taken=packer.taken,
        own=packer.own,
        product=packer.product,
        larger=packer.larger,
        swap=packer.swap,
        faults=packer.faults,
    )
