"""The form in which an organiser puts the tie-breaks in order, step by step; it works without scripts."""

from dataclasses import dataclass
from typing import Any

from django import forms

from tournament.forms.base import CommandForm
from tournament.models import Event
from tournament.queries.criteria import CRITERIA, MEANINGS, chosen_tie_breaks, offered_tie_breaks
from tournament.ranking.tie_breaks import Criterion

#: What a step does to the order shown; nothing is stored before the form is saved.
_STEPS = ("up", "down", "add", "drop")


@dataclass(frozen=True)
class Choice:
    """A tie-break as the page shows it."""

    key: str
    name: Any
    meaning: Any


class TieBreaksForm(CommandForm):
    """The tie-breaks in their order; a step changes the order that is shown, saving stores it."""

    order = forms.MultipleChoiceField(required=False, widget=forms.MultipleHiddenInput)
    step = forms.CharField(required=False, max_length=40)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offered = [one.value for one in offered_tie_breaks(event)]
        self.fields["order"].choices = [(one, CRITERIA[Criterion(one)]) for one in self.offered]
        self.initial.setdefault("order", [one.value for one in chosen_tie_breaks(event)])

    @property
    def is_step(self) -> bool:
        """Whether only the order shown is to change."""
        return bool(self.cleaned_data.get("step"))

    def stepped(self) -> list[str]:
        """The order after the step; the same order where the step cannot be taken."""
        order = self.tie_breaks()
        what, _, key = self.cleaned_data["step"].partition(":")
        if what not in _STEPS or key not in self.offered or (key in order) == (what == "add"):
            return order
        if what == "add":
            return [*order, key]
        place = order.index(key)
        rest = [one for one in order if one != key]
        if what == "drop":
            return rest
        rest.insert(max(place - 1, 0) if what == "up" else place + 1, key)
        return rest

    def tie_breaks(self) -> list[str]:
        """The criteria chosen, in order."""
        return list(self.cleaned_data["order"])

    @property
    def chosen(self) -> list[Choice]:
        """What the order shown has."""
        return [_choice(one) for one in self["order"].value() or () if one in self.offered]

    @property
    def others(self) -> list[Choice]:
        """What can be added to it."""
        shown = set(self["order"].value() or ())
        return [_choice(one) for one in self.offered if one not in shown]


def _choice(key: str) -> Choice:
    criterion = Criterion(key)
    return Choice(key, CRITERIA[criterion], MEANINGS[criterion])
