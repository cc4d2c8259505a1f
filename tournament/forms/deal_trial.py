"""A form on which a deal is laid out to see what it scores under a ruleset. It stores nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.engine import DealRecord, DealScore, Exposure, Fault, InvalidDeal, Ruleset, score_deal
from scoring.engine.cards import KEY_CARDS, SCORING_CARDS, symbol
from scoring.engine.deal import EXPOSURE_KINDS, MODES
from scoring.messages import exposure_name, fault_text, seat_name

MODE_NAMES = {
    "individual": pgettext_lazy("kind of play", "individual"),
    "partnership": pgettext_lazy("kind of play", "partnership"),
    "pig_sheep": pgettext_lazy("kind of play", "pig-and-sheep"),
}


@dataclass(frozen=True)
class CardLine:
    """One copy of a card: who took it and, for a key card, who was dealt it and how it was shown."""

    code: str
    copy: int
    taken: forms.BoundField
    held: forms.BoundField | None
    shown: forms.BoundField | None


@dataclass(frozen=True)
class SeatOutcome:
    """What one seat scores, as the page shows it."""

    seat: str
    score: int
    credited: Any
    formula: str


class TrialForm(forms.Form):
    """Who took each scoring card at a table, usually of four, who was dealt and who exposed the key cards.

    Cards nobody has taken yet are left open, so that the score can be watched as it grows.
    """

    def __init__(self, *args: Any, ruleset: Ruleset, table: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ruleset = ruleset
        self.table = table
        seats = [("", "—"), *((seat, seat_name(seat, table)) for seat in table)]
        kinds = [
            ("", pgettext_lazy("rule", "none")),
            *((kind, exposure_name(kind)) for kind in _kinds(ruleset)),
        ]
        modes = [mode for mode in MODES if ruleset.decks == 1 or mode != "pig_sheep"]
        self.fields["mode"] = forms.ChoiceField(
            label=_("Kind of play"), choices=[(mode, MODE_NAMES[mode]) for mode in modes], initial=modes[0]
        )
        for code, copy in self._copies():
            self.fields[f"taken_{code}_{copy}"] = forms.ChoiceField(
                choices=seats, required=False, widget=forms.RadioSelect, label=symbol(code)
            )
            if code in KEY_CARDS:
                self.fields[f"held_{code}_{copy}"] = forms.ChoiceField(
                    choices=seats, required=False, label=_("%(card)s dealt to") % {"card": symbol(code)}
                )
                self.fields[f"shown_{code}_{copy}"] = forms.ChoiceField(
                    choices=kinds, required=False, label=_("%(card)s exposed") % {"card": symbol(code)}
                )
        if ruleset.swap == "choice":
            self.fields["swap"] = forms.BooleanField(label=_("Pig and sheep change signs"), required=False)

    def _copies(self) -> Iterator[tuple[str, int]]:
        return ((code, copy) for code in SCORING_CARDS for copy in range(1, self.ruleset.decks + 1))

    @property
    def lines(self) -> list[CardLine]:
        """Every copy of every scoring card, in the order of the page."""
        return [
            CardLine(
                code,
                copy,
                self[f"taken_{code}_{copy}"],
                self[f"held_{code}_{copy}"] if code in KEY_CARDS else None,
                self[f"shown_{code}_{copy}"] if code in KEY_CARDS else None,
            )
            for code, copy in self._copies()
        ]

    @property
    def key_lines(self) -> list[CardLine]:
        """The lines of the key cards."""
        return [line for line in self.lines if line.held is not None]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for code, copy in self._copies():
            if cleaned.get(f"shown_{code}_{copy}") and not cleaned.get(f"held_{code}_{copy}"):
                self.add_error(f"held_{code}_{copy}", _("Say who was dealt the exposed card."))
        return cleaned

    def record(self) -> DealRecord:
        """The deal as laid out so far."""
        cleaned = self.cleaned_data
        owners = {
            code: [cleaned[f"held_{code}_{copy}"] for copy in range(1, self.ruleset.decks + 1)]
            for code in KEY_CARDS
        }
        # Who was dealt only one of two copies is as good as unknown to the engine.
        held = {code: tuple(seats) for code, seats in owners.items() if all(seats)}
        captures: dict[str, list[str]] = {seat: [] for seat in self.table}
        exposed = []
        for code, copy in self._copies():
            taken, kind = cleaned[f"taken_{code}_{copy}"], cleaned.get(f"shown_{code}_{copy}")
            if taken:
                # With two decks a copy is told apart by the seat it was dealt to.
                told_apart = self.ruleset.decks > 1 and code in held
                captures[taken].append(f"{code}:{held[code][copy - 1]}" if told_apart else code)
            if kind:
                exposed.append(Exposure(code, owners[code][copy - 1], kind))
        return DealRecord(
            captures={seat: tuple(cards) for seat, cards in captures.items()},
            exposed=tuple(exposed),
            held=held,
            mode=cleaned["mode"],
            partial=True,
            swap_pig_sheep=cleaned.get("swap", False),
        ).canonical()

    def score(self) -> DealScore | None:
        """The score, or None where the engine refuses the deal: then its faults are errors of the form."""
        try:
            return score_deal(self.record(), self.ruleset)
        except InvalidDeal as refused:
            for fault in refused.faults:
                self.add_error(self._field_of(fault), fault_text(fault, self.table))
            return None

    def _field_of(self, fault: Fault) -> str | None:
        prefix = "shown" if fault.code.startswith(("exposure", "first")) else "held"
        name = f"{prefix}_{fault.card}_1"
        return name if name in self.fields else None


def _kinds(ruleset: Ruleset) -> list[str]:
    """The ways of showing a card that the ruleset knows."""
    if ruleset.exposure == "none":
        return []
    unknown = {"first": not ruleset.allow_first, "dark": not ruleset.allow_dark}
    return [kind for kind in EXPOSURE_KINDS if not unknown.get(kind)]


def outcomes(score: DealScore) -> list[SeatOutcome]:
    """The score seat by seat, in playing order."""
    return [
        SeatOutcome(seat, score.scores[seat], score.credited[seat], score.formula[seat])
        for seat in score.seats
    ]
