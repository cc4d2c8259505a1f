"""The record of one deal, and its JSON form (docs/rules.md §9).

Knows how a record is written, not whether it can be right: that is `scoring.engine.check`. May not know:
rulesets, scores, I/O.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from scoring.engine.cards import FOUR_SEATS, KEY_CARDS, LETTER_SEATS, PACK, SCORING_CARDS, split_copy
from scoring.engine.faults import Fault, InvalidDeal, fault

MODES: Final = ("individual", "partnership", "pig_sheep")
EXPOSURE_KINDS: Final = ("exposed", "first", "dark")

_SEAT_ORDER: Final = {
    seat: place
    for place, seat in enumerate(FOUR_SEATS + tuple(x for x in LETTER_SEATS if x not in FOUR_SEATS))
}
_CARD_ORDER: Final = {
    card: place for place, card in enumerate(SCORING_CARDS + tuple(x for x in PACK if x not in SCORING_CARDS))
}


@dataclass(frozen=True, slots=True)
class Exposure:
    """One key card shown before play: which, by whom, and how (``exposed``, ``first`` or ``dark``)."""

    card: str
    seat: str
    kind: str = "exposed"


@dataclass(frozen=True)
class DealRecord:
    """What happened in one deal: who captured what, who exposed what, who was dealt the key cards.

    `captures` lists the seats of the table; cards that do not score may be listed and are ignored. `held`
    maps a key card to the seats dealt it, one per deck. `ruleset` is a key, or None where the caller knows.
    The record may be faulty: `score_deal` and `check_deal` judge it.
    """

    captures: Mapping[str, tuple[str, ...]]
    exposed: tuple[Exposure, ...] = ()
    held: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    mode: str = "individual"
    ruleset: str | None = None
    partial: bool = False
    swap_pig_sheep: bool = False

    @classmethod
    def from_json(cls, mapping: Any) -> "DealRecord":
        """Read a record from its JSON form, in canonical order.

        Raises InvalidDeal with every fault of *form* (missing fields, wrong types); whether the cards and
        seats are right is not looked at.
        """
        record, faults = read_record(mapping)
        if faults:
            raise InvalidDeal(faults)
        return record

    def canonical(self) -> "DealRecord":
        """Return the same record with seats, cards, exposures and holders in their fixed order."""
        return DealRecord(
            captures={
                seat: tuple(sorted(self.captures[seat], key=_card_place))
                for seat in sorted(self.captures, key=_seat_place(self.captures))
            },
            exposed=tuple(sorted(self.exposed, key=lambda one: (_card_place(one.card), one.seat, one.kind))),
            held={card: tuple(self.held[card]) for card in sorted(self.held, key=_card_place)},
            mode=self.mode,
            ruleset=self.ruleset,
            partial=self.partial,
            swap_pig_sheep=self.swap_pig_sheep,
        )

    def reseated(self, moved: Mapping[str, str]) -> "DealRecord":
        """Return the same deal with its seats renamed: what seat S did has been done by ``moved[S]``.

        Seats that `moved` does not name stay. Raises ValueError unless every seat of the table is named once
        in the outcome.
        """
        to = {seat: moved.get(seat, seat) for seat in self.captures}
        if set(to.values()) != set(to) or not set(moved) <= set(to):
            raise ValueError("a re-seating exchanges the seats of the table")

        def renamed(code: str) -> str:
            card, dealt_to = split_copy(code)
            return code if dealt_to is None else f"{card}:{to.get(dealt_to, dealt_to)}"

        return replace(
            self,
            captures={to[seat]: tuple(map(renamed, cards)) for seat, cards in self.captures.items()},
            exposed=tuple(replace(one, seat=to.get(one.seat, one.seat)) for one in self.exposed),
            held={card: tuple(to.get(seat, seat) for seat in seats) for card, seats in self.held.items()},
        ).canonical()

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form in canonical order; `from_json` gives the same record back."""
        one = self.canonical()
        answer: dict[str, Any] = {}
        if one.ruleset is not None:
            answer["ruleset"] = one.ruleset
        answer["mode"] = one.mode
        if one.partial:
            answer["partial"] = True
        if one.swap_pig_sheep:
            answer["swap_pig_sheep"] = True
        answer["captures"] = {seat: list(cards) for seat, cards in one.captures.items()}
        answer["exposed"] = [
            {"card": each.card, "seat": each.seat, "kind": each.kind} for each in one.exposed
        ]
        answer["held"] = {
            card: seats[0] if len(seats) == 1 else list(seats) for card, seats in one.held.items()
        }
        return answer


def _card_place(code: str) -> tuple[int, str]:
    return _CARD_ORDER.get(split_copy(code)[0], len(_CARD_ORDER)), code


def _seat_place(captures: Mapping[str, Sequence[str]]) -> Any:
    # "E" is the last seat of a table of four and the fifth of a lettered one.
    lettered = not set(captures) <= set(FOUR_SEATS)
    order = {seat: place for place, seat in enumerate(LETTER_SEATS)} if lettered else _SEAT_ORDER
    return lambda seat: (order.get(seat, len(_SEAT_ORDER)), seat)


class _Reader:
    """Reads one mapping, keeping what is well-formed and noting every fault of form."""

    def __init__(self, mapping: Mapping[str, Any]) -> None:
        self.mapping = mapping
        self.faults: list[Fault] = []

    def wrong(self, name: str, expected: str) -> None:
        self.faults.append(fault("wrong_type", field=name, expected=expected))

    def flag(self, name: str) -> bool:
        value = self.mapping.get(name)
        if value is None or isinstance(value, bool):
            return bool(value)
        self.wrong(name, "true or false")
        return False

    def text(self, name: str, default: str | None) -> str | None:
        value = self.mapping.get(name)
        if value is None or isinstance(value, str):
            return default if value is None else value
        self.wrong(name, "a text")
        return default

    def texts(self, name: str, value: Any) -> tuple[str, ...]:
        if isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value):
            return tuple(value)
        self.wrong(name, "a list of texts")
        return ()

    def table(self, name: str, *, needed: bool = False) -> Mapping[str, Any]:
        value = self.mapping.get(name)
        if value is None and not needed:
            return {}
        if value is None:
            self.faults.append(fault("missing_field", field=name))
            return {}
        if isinstance(value, Mapping) and all(isinstance(one, str) for one in value):
            return value
        self.wrong(name, "an object")
        return {}

    def captures(self) -> dict[str, tuple[str, ...]]:
        return {
            seat: self.texts(f"captures.{seat}", cards)
            for seat, cards in self.table("captures", needed=True).items()
        }

    def held(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for card, seats in self.table("held").items():
            if seats is not None:
                found[card] = (seats,) if isinstance(seats, str) else self.texts(f"held.{card}", seats)
        return found

    def exposed(self) -> tuple[Exposure, ...]:
        value = self.mapping.get("exposed")
        if value is None:
            return ()
        if not isinstance(value, (list, tuple)):
            self.wrong("exposed", "a list")
            return ()
        found = []
        for place, one in enumerate(value):
            if isinstance(one, Exposure):
                found.append(one)
                continue
            if not isinstance(one, Mapping):
                self.wrong(f"exposed[{place}]", "an object")
                continue
            parts = {name: one.get(name) for name in ("card", "seat")}
            parts["kind"] = one.get("kind", "exposed")
            bad = [name for name, part in parts.items() if not isinstance(part, str)]
            for name in bad:
                self.wrong(f"exposed[{place}].{name}", "a text")
            if not bad:
                found.append(Exposure(str(parts["card"]), str(parts["seat"]), str(parts["kind"])))
        return tuple(found)


def read_record(mapping: Any) -> tuple[DealRecord, list[Fault]]:
    """Read as much of a record as is well-formed; return it in canonical order with every fault of form."""
    if not isinstance(mapping, Mapping):
        return DealRecord(captures={}), [fault("not_an_object")]
    reader = _Reader(mapping)
    record = DealRecord(
        captures=reader.captures(),
        exposed=reader.exposed(),
        held=reader.held(),
        mode=reader.text("mode", "individual") or "",
        ruleset=reader.text("ruleset", None),
        partial=reader.flag("partial"),
        swap_pig_sheep=reader.flag("swap_pig_sheep"),
    )
    return record.canonical(), reader.faults


def table_seats(captures: Mapping[str, object]) -> tuple[tuple[str, ...], list[Fault]]:
    """Tell which table a record is of, with the faults of its seats.

    The seats N, W, S, E mean a table of four, where a seat that captured nothing may be left out. A lettered
    table (three, or five and more seats) must list every seat, as nothing else tells how many sat there.
    """
    named = set(captures)
    letters = named & set(LETTER_SEATS) - set(FOUR_SEATS)
    if named & {"N", "W", "S"} or not letters:
        strangers = [seat for seat in captures if seat not in FOUR_SEATS]
        return FOUR_SEATS, [fault("unknown_seat", seat=seat) for seat in strangers]
    count = 1 + max(LETTER_SEATS.index(seat) for seat in named if seat in LETTER_SEATS)
    seats = LETTER_SEATS[:count]
    faults = [fault("unknown_seat", seat=seat) for seat in captures if seat not in LETTER_SEATS]
    faults += [fault("missing_seat", seat=seat) for seat in seats if seat not in captures]
    if count < 3 or count == 4:
        faults.append(fault("table_size", fewest=3, most=len(LETTER_SEATS)))
    return seats, faults


__all__ = ["EXPOSURE_KINDS", "KEY_CARDS", "MODES", "DealRecord", "Exposure", "read_record", "table_seats"]
