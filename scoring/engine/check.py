"""Judges a deal record against a ruleset: every fault at once (docs/rules.md §3), or the deal in numbers.

The thorough way; `scoring.engine.quick` is the short cut for records that are plainly right. May not know:
scores, formulas, I/O.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from scoring.engine.cards import (
    FOUR_SEATS,
    HEARTS,
    KEY_CARDS,
    PIG,
    SCORING_CARDS,
    SHEEP,
    is_card,
    is_scoring,
    split_copy,
)
from scoring.engine.deal import EXPOSURE_KINDS, MODES, DealRecord, Exposure, read_record, table_seats
from scoring.engine.faults import Fault, InvalidDeal, fault
from scoring.engine.ruleset import Ruleset
from scoring.engine.tally import PLAIN_FACTORS, Factors, Tally, tables_for

_FORCED: Final[Mapping[str, frozenset[str]]] = {
    "all": frozenset(KEY_CARDS),
    "all_but_sheep": frozenset(KEY_CARDS) - {SHEEP},
}


def check_deal(
    record: DealRecord | Mapping[str, Any], ruleset: Ruleset | Mapping[str, Any]
) -> tuple[Fault, ...]:
    """Return every fault of a record under a ruleset; empty means the deal is valid and can be scored.

    Raises RulesetError where `ruleset` is a mapping that is not a ruleset.
    """
    rules = ruleset if isinstance(ruleset, Ruleset) else Ruleset.from_dict(ruleset)
    return tuple(_Examination(record, rules).faults)


def tally_deal(record: DealRecord | Mapping[str, Any], rules: Ruleset) -> Tally:
    """Return the deal in numbers. Raises InvalidDeal with every fault."""
    examined = _Examination(record, rules)
    if examined.faults:
        raise InvalidDeal(examined.faults)
    return examined.tally()


class _Examination:
    """One record under one ruleset. The steps run in order; each adds the faults it finds."""

    def __init__(self, record: DealRecord | Mapping[str, Any], rules: Ruleset) -> None:
        self.rules = rules
        if isinstance(record, DealRecord):
            self.record = record
            self.faults: list[Fault] = []
        else:
            self.record, self.faults = read_record(record)
        #: Whether what the record names as captured, and as exposed, is all that it says of that.
        self.captures_read = not self._unread("captures", "partial")
        self.exposures_read = not self._unread("exposed", "mode")
        self.seats: tuple[str, ...] = FOUR_SEATS
        #: (capturing seat, seat it was dealt to or None) of every captured copy of a scoring card.
        self.captured: dict[str, list[tuple[str, str | None]]] = {card: [] for card in SCORING_CARDS}
        #: Key card → how many copies each seat was dealt, where that is known.
        self.holders: dict[str, Counter[str]] = {}
        self._check_table()
        self._collect_cards()
        self._check_cards()
        self._check_held()
        self._check_exposures()
        self._check_prescribed()
        self._deduce_held()
        self._check_copies()
        self._check_swap()

    def _unread(self, *fields: str) -> bool:
        """Whether a fault of form is in one of these fields, or in the record as a whole."""
        return any(re.split(r"[.[]", one.params.get("field", fields[0]))[0] in fields for one in self.faults)

    def add(self, code: str, card: str | None = None, seat: str | None = None, **params: object) -> None:
        self.faults.append(fault(code, card, seat, **params))

    # -- the table and its cards

    def _check_table(self) -> None:
        mode = self.record.mode
        self.seats, faults = table_seats(self.record.captures)
        self.faults.extend(faults)
        if mode not in MODES:
            self.add("unknown_mode", mode=mode)
        if mode == "partnership" and len(self.seats) != 4:
            self.add("partnership_needs_four")
        if mode == "pig_sheep" and self.rules.decks != 1:
            self.add("pig_sheep_one_deck")

    def _collect_cards(self) -> None:
        for seat, cards in self.record.captures.items():
            for code in cards:
                card, copy = split_copy(code)
                if not is_card(card):
                    self.add("unknown_card", code, seat)
                elif copy is not None and card not in KEY_CARDS:
                    self.add("copy_not_key_card", card, seat)
                elif copy is not None and copy not in self.seats:
                    self.add("unknown_seat_of_card", card, copy)
                elif is_scoring(card):
                    self.captured[card].append((seat, copy))

    def _check_cards(self) -> None:
        needed = self.rules.decks
        for card, takers in self.captured.items():
            found = len(takers)
            if found > needed:
                seats = ", ".join(dict.fromkeys(seat for seat, _ in takers))
                self.add("card_captured_twice", card, takers[-1][0], seats=seats)
            elif found < needed and self.captures_read and not self.record.partial:
                # Where what was captured could not be read, what it lacks is not told again card by card.
                if needed == 1:
                    self.add("card_missing", card)
                else:
                    self.add("card_missing_copies", card, found=found, needed=needed)

    # -- who was dealt what

    def _check_held(self) -> None:
        needed = self.rules.decks
        for card, seats in self.record.held.items():
            if card not in KEY_CARDS:
                self.add("held_not_key_card", card)
                continue
            strangers = [seat for seat in seats if seat not in self.seats]
            for seat in strangers:
                self.add("unknown_seat_of_card", card, seat)
            if len(seats) != needed:
                self.add("held_count", card, needed=needed, found=len(seats))
            elif not strangers:
                self.holders[card] = Counter(seats)

    def _deduce_held(self) -> None:
        """Learn from exposures and written copies who was dealt a card that `held` does not name."""
        written = self._written_copies()
        shown = self._exposed_by()
        for card in KEY_CARDS:
            if card in self.record.held:
                continue
            known = written[card] | shown[card]
            if known.total() > self.rules.decks:
                for seat in written[card] - shown[card]:
                    self.add("copy_not_held", card, seat)
            elif known.total() == self.rules.decks:
                self.holders[card] = known
        for card in self._cards_whose_holder_counts():
            if card not in self.holders and card not in self.record.held:
                self.add("held_missing", card)

    def _cards_whose_holder_counts(self) -> list[str]:
        wanted: set[str] = set()
        if self.record.mode == "pig_sheep" and self.rules.pig_sheep_sides == "dealt":
            wanted |= {PIG, SHEEP}
        if self.rules.self_capture != "off":
            # A card nobody has taken yet concerns nobody yet.
            wanted |= {card for card in KEY_CARDS if self.captured[card] or not self.record.partial}
        return [card for card in KEY_CARDS if card in wanted]

    def _written_copies(self) -> dict[str, Counter[str]]:
        return {
            card: Counter(copy for _, copy in self.captured[card] if copy is not None) for card in KEY_CARDS
        }

    def _exposed_by(self) -> dict[str, Counter[str]]:
        found: dict[str, Counter[str]] = {card: Counter() for card in KEY_CARDS}
        for one in self.record.exposed:
            card = split_copy(one.card)[0]
            if card in found and one.seat in self.seats:
                found[card][one.seat] += 1
        return found

    # -- exposures

    def _check_manner(self, card: str, one: Exposure) -> None:
        """Whether this card may be shown at all, and in this way."""
        if self.rules.exposure == "none" or self.record.mode == "pig_sheep":
            self.add("exposure_not_allowed", card, one.seat)
        elif self.rules.exposure == "all_but_sheep" and card == SHEEP:
            self.add("exposure_sheep_not_allowed", card, one.seat)
        if one.kind not in EXPOSURE_KINDS:
            self.add("exposure_kind_unknown", card, one.seat, kind=one.kind)
        elif one.kind == "first" and self.rules.exposure in _FORCED:
            self.add("first_not_allowed_forced", card, one.seat)
        elif one.kind not in tables_for(self.rules).factors:
            self.add("exposure_kind_not_allowed", card, one.seat, kind=one.kind)

    def _check_exposures(self) -> None:
        count: Counter[str] = Counter()
        first: dict[str, list[str]] = {}
        for one in self.record.exposed:
            card, copy = split_copy(one.card)
            if card not in KEY_CARDS:
                self.add("exposure_not_key_card", one.card, one.seat)
                continue
            count[card] += 1
            if one.seat not in self.seats:
                self.add("unknown_seat_of_card", card, one.seat)
            elif copy is not None and copy != one.seat:
                self.add("exposure_not_held", card, one.seat)
            self._check_manner(card, one)
            if one.kind == "first":
                first.setdefault(one.seat, []).append(card)
        for card, times in count.items():
            if times > self.rules.decks:
                self.add("exposure_twice", card)
        for seat, cards in first.items():
            if len(cards) > 1:
                self.add("first_exposed_twice", cards[-1], seat, cards=", ".join(cards))
        for card, shown in self._exposed_by().items():
            for seat in shown - self.holders.get(card, shown):
                self.add("exposure_not_held", card, seat)

    def _check_prescribed(self) -> None:
        """What the ruleset makes the seats expose (docs/rules.md §3)."""
        if self.record.mode == "pig_sheep" or not self.exposures_read:
            return
        shown = Counter(split_copy(one.card)[0] for one in self.record.exposed)
        if self.rules.exposure in _FORCED:
            for card in KEY_CARDS:
                if card in _FORCED[self.rules.exposure] and shown[card] < self.rules.decks:
                    self.add("exposure_required", card)
        elif self.rules.exposure == "forced_fourth":
            hidden = [card for card in KEY_CARDS if not shown[card]]
            if len(hidden) == 1:
                self.add("exposure_fourth_required", hidden[0])

    # -- copies of two decks, and the exchange of pig and sheep

    def _check_copies(self) -> None:
        for card, written in self._written_copies().items():
            if card in self.holders and card in self.record.held:
                for seat in written - self.holders[card]:
                    self.add("copy_not_held", card, seat)
            if self.rules.self_capture != "off" and card in self.holders and len(self.captured[card]) <= 2:
                for seat in self._unclear_takers(card):
                    self.add("copy_needed", card, seat, example=f"{card}:{seat}")

    def _unclear_takers(self, card: str) -> list[str]:
        """Seats of which nothing tells whether they took their own copy or the other one."""
        holders = self.holders[card]
        takers = self.captured[card]
        unnamed = [seat for seat, copy in takers if copy is None]
        if len(holders) == 1 or not unnamed or (len(takers) == 2 and len(unnamed) == 1):
            return []
        if len(unnamed) == 2 and unnamed[0] == unnamed[1]:
            return []
        return [seat for seat in unnamed if seat in holders]

    def _own_copies(self, card: str) -> Counter[str]:
        """How many copies of a key card each seat captured that it was dealt itself."""
        own: Counter[str] = Counter()
        if card not in self.holders:
            return own
        left = self.holders[card].copy()
        unnamed = []
        for seat, copy in self.captured[card]:
            if copy is None:
                unnamed.append(seat)
            else:
                left[copy] -= 1
                own[seat] += copy == seat
        for seat in unnamed:
            if left[seat] > 0:
                left[seat] -= 1
                own[seat] += 1
        return own

    def _all_hearts_seat(self) -> str | None:
        for seat in self.seats:
            if all(
                sum(taker == seat for taker, _ in self.captured[card]) == self.rules.decks for card in HEARTS
            ):
                return seat
        return None

    def _check_swap(self) -> None:
        if not self.record.swap_pig_sheep:
            return
        if self.rules.swap == "never":
            self.add("swap_not_allowed")
        elif not self.record.partial and self._all_hearts_seat() is None:
            self.add("swap_without_all_hearts")

    # -- the deal in numbers

    def tally(self) -> Tally:
        tables = tables_for(self.rules)
        taken = dict.fromkeys(self.seats, 0)
        for card, takers in self.captured.items():
            for seat, _ in takers:
                taken[seat] += tables.weights[card]
        own = dict.fromkeys(self.seats, 0)
        if self.rules.self_capture != "off":
            for place, card in enumerate(KEY_CARDS):
                for seat, times in self._own_copies(card).items():
                    own[seat] += times << 2 * place
        swap = self.rules.swap == "always" or (self.rules.swap == "choice" and self.record.swap_pig_sheep)
        return Tally(
            seats=self.seats,
            mode=self.record.mode,
            taken=tuple(taken.values()),
            own=tuple(own.values()),
            shown=tables.shown(self._factors()),
            swap=swap and self._all_hearts_seat() is not None,
            pig_sheep=self._first_side(),
            missing=tuple(
                card for card in SCORING_CARDS for _ in range(self.rules.decks - len(self.captured[card]))
            ),
        )

    def _factors(self) -> Factors:
        if not self.record.exposed:
            return PLAIN_FACTORS
        allowed = tables_for(self.rules).factors
        product, larger = dict.fromkeys(KEY_CARDS, 1), dict.fromkeys(KEY_CARDS, 1)
        for one in self.record.exposed:
            card, factor = split_copy(one.card)[0], allowed[one.kind]
            product[card] *= factor
            larger[card] = max(larger[card], factor)
        pig, sheep, transformer, ace = ((product[card], larger[card]) for card in KEY_CARDS)
        return pig, sheep, transformer, ace

    def _first_side(self) -> tuple[str, ...]:
        if self.record.mode != "pig_sheep":
            return ()
        if self.rules.pig_sheep_sides == "dealt":
            found = {seat for card in (PIG, SHEEP) for seat in self.holders[card]}
        else:
            takers = [[seat for seat, _ in self.captured[card]] for card in (PIG, SHEEP)]
            if not all(takers):
                return ()
            found = {seat for seats in takers for seat in seats}
        return tuple(seat for seat in self.seats if seat in found)
