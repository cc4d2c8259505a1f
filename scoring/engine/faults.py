"""What can be wrong with a deal record or a ruleset, and how it is said.

Every fault has a stable code; `FAULT_MESSAGES` is the one table of English wording, from which the Django
side takes the sentences to translate. May not know: cards' values, Django, I/O.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from scoring.engine.cards import symbol

#: Fault code → English sentence. Placeholders: {card} and {seat} of the fault, and the fault's own params.
FAULT_MESSAGES: Final[Mapping[str, str]] = {
    # The form of a record
    "bad_json": "This line is not valid JSON: {detail}.",
    "duplicate_key": "The name “{field}” stands twice in the same object.",
    "not_an_object": "A deal must be a JSON object.",
    "missing_field": "The field “{field}” is missing.",
    "wrong_type": "The field “{field}” must be {expected}.",
    "unknown_ruleset": "There is no ruleset “{ruleset}”.",
    "ruleset_not_named": "The deal names no ruleset, and none was given for the whole file.",
    "unknown_mode": "The mode “{mode}” is none of individual, partnership, pig_sheep.",
    # Cards and seats
    "unknown_card": "Seat {seat}: “{card}” is not a card.",
    "unknown_seat": "There is no seat “{seat}” at this table.",
    "unknown_seat_of_card": "{card}: there is no seat “{seat}” at this table.",
    "table_size": "A table seats {fewest} to {most}: N W S E for four, A B C … otherwise.",
    "missing_seat": "Seat {seat} is missing: a lettered table lists every seat, also one that took nothing.",
    "card_missing": "Nobody has captured {card}.",
    "card_missing_copies": "{card} is missing: {found} of {needed} copies are captured.",
    "card_captured_twice": "{card} is captured more often than it exists: by {seats}.",
    "partnership_needs_four": "Partnership needs a table of four.",
    "pig_sheep_one_deck": "Pig-and-sheep is played with one deck.",
    # Who was dealt what
    "held_not_key_card": "“{card}” is not one of ♠Q, ♦J, ♣10, ♥A, so who was dealt it is not recorded.",
    "held_count": "{card} must name {needed} seat(s) that were dealt it, not {found}.",
    "held_missing": "Who was dealt {card} must be given.",
    "copy_not_key_card": "{card} of seat {seat} cannot carry a seat: only ♠Q, ♦J, ♣10 and ♥A can.",
    "copy_not_held": "The copy of {card} written as dealt to {seat} contradicts who was dealt it.",
    "copy_needed": "Whose {card} seat {seat} captured must be written, as in “{example}”.",
    # Exposure
    "exposure_not_key_card": "Seat {seat}: “{card}” cannot be exposed, only ♠Q, ♦J, ♣10 and ♥A can.",
    "exposure_kind_unknown": "{card} of seat {seat}: “{kind}” is no kind of exposure (exposed, first, dark).",
    "exposure_kind_not_allowed": "{card} of seat {seat}: this ruleset does not know the exposure “{kind}”.",
    "exposure_twice": "{card} is exposed more often than it exists.",
    "exposure_not_held": "Seat {seat} exposed {card} but was not dealt it.",
    "exposure_not_allowed": "{card} of seat {seat}: nothing may be exposed in this deal.",
    "exposure_sheep_not_allowed": "{card} of seat {seat}: the sheep may not be exposed under this ruleset.",
    "exposure_required": "{card} must be exposed under this ruleset.",
    "exposure_fourth_required": "Three of the four key cards are exposed, so {card} must be exposed too.",
    "first_exposed_twice": "Seat {seat} first-exposed {cards}, but only its first card can be.",
    "first_not_allowed_forced": "{card} of seat {seat}: no first-exposing where exposure is prescribed.",
    # 猪羊变色
    "swap_not_allowed": "Pig and sheep do not exchange signs under this ruleset.",
    "swap_without_all_hearts": "Pig and sheep can exchange signs only when one seat has all hearts.",
    # Rulesets
    "ruleset_unknown_field": "There is no rule called “{field}”.",
    "ruleset_wrong_type": "“{field}” must be {expected}.",
    "ruleset_choice": "“{field}” must be one of {choices}.",
    "ruleset_range": "“{field}” must lie between {low} and {high}.",
    "ruleset_hearts": "“{field}” must list 13 whole numbers, for ♥A down to ♥2.",
    "ruleset_text": "“{field}” must be a text of 1 to {most} characters.",
    "ruleset_titles": "“{field}” must give a title in {languages}.",
    "ruleset_lines": "A game needs a line to end at: give “{field}”, “{other}” or both.",
    "ruleset_odd_cards": (
        "“{field}” must list at least {fewest} different cards, beside the lead card, and no scoring card."
    ),
    "vp_first_row": "The first row of victory points must be for difference 0 and share them equally.",
    "vp_order": (
        "Row {row} of the victory points must have a greater difference and no fewer points than above."
    ),
    "vp_sum": "Row {row} of the victory points must add up to {total}.",
    "ruleset_needs": "“{field}” = {value} needs “{other}” to be {wanted}.",
}

_LONGEST_ECHO: Final = 40
#: Params written by the program, never by the input.
_OWN_WORDS: Final = frozenset({"choices", "detail", "expected", "languages"})


def _shorten(text: str) -> str:
    """Keep a faulty input readable in its message, however long it was."""
    return text if len(text) <= _LONGEST_ECHO else text[: _LONGEST_ECHO - 1] + "…"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: a stable code, the card and seat concerned (None where neither is), and details."""

    code: str
    card: str | None = None
    seat: str | None = None
    params: Mapping[str, str] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The fault as an English sentence, with cards written ♠Q."""
        words = {**self.params, "card": symbol(self.card or ""), "seat": self.seat or ""}
        if "cards" in words:
            words["cards"] = ", ".join(map(symbol, words["cards"].split(", ")))
        return FAULT_MESSAGES[self.code].format(**words)

    def to_json(self) -> dict[str, str]:
        """Return the fault as docs/rules.md §9 writes it; card and seat only where there is one."""
        answer = {"code": self.code}
        if self.card is not None:
            answer["card"] = self.card
        if self.seat is not None:
            answer["seat"] = self.seat
        answer["message"] = self.message
        return answer


def fault(code: str, card: str | None = None, seat: str | None = None, **params: object) -> Fault:
    """Make a fault; every piece of the input that it repeats is cut to a readable length."""
    texts = {name: str(value) for name, value in params.items()}
    return Fault(
        code,
        None if card is None else _shorten(card),
        None if seat is None else _shorten(seat),
        {name: text if name in _OWN_WORDS else _shorten(text) for name, text in texts.items()},
    )


class InvalidDeal(ValueError):  # noqa: N818 - what it is of, not that it is an error
    """A deal record was refused; `faults` holds every reason, not just the first."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(" ".join(one.message for one in self.faults))


class RulesetError(ValueError):
    """A ruleset was refused; `faults` holds every reason, not just the first."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(" ".join(one.message for one in self.faults))
