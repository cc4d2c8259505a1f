"""Stating a walkover: who did not come, and what everybody has for it."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import ReasonForm
from tournament.models import Entry, Event
from tournament.points import read_points, to_units


class WalkoverForm(ReasonForm):
    """One score for each entry in the match, in the event's measure; the bye's score is proposed."""

    absent = forms.TypedMultipleChoiceField(
        label=_("Who did not come"), coerce=int, widget=forms.CheckboxSelectMultiple
    )
    met = forms.BooleanField(
        label=_("Counts as a meeting"),
        required=False,
        help_text=_(
            "Then they are not drawn together again if it can be avoided, and tie-breaks by opponents "
            "count it. Otherwise whoever came has sat out."
        ),
    )

    def __init__(self, *args: Any, event: Event, entries: Sequence[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = entries
        self.fields["absent"].choices = [(one.pk, f"{one.number} · {one.name}") for one in entries]
        proposed = str(Fraction(str(event.options.get("bye_points", 0))))
        for one in entries:
            self.fields[self.score_name(one)] = forms.CharField(
                label=_("Score of %(entry)s (%(measure)s)")
                % {"entry": f"{one.number} · {one.name}", "measure": event.get_measure_display()},
                max_length=12,
                initial=proposed,
                widget=forms.TextInput(attrs={"class": "num"}),
            )
        scores = [self.score_name(one) for one in entries]
        self.order_fields(["absent", *scores, "met", "reason", "command_id"])

    @staticmethod
    def score_name(entry: Entry) -> str:
        """The field of an entry's score, as the service names it."""
        return f"score_{entry.pk}"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for one in self.entries:
            name = self.score_name(one)
            try:
                cleaned[name] = read_points(cleaned[name])
                to_units(cleaned[name])
            except KeyError:
                continue
            except ValueError:
                self.add_error(name, _("This is not a number of points."))
        return cleaned

    def change(self) -> dict[str, Any]:
        """The walkover as a correction states it, entries by number."""
        away = set(self.cleaned_data["absent"])
        return {
            "absent": [one.number for one in self.entries if one.pk in away],
            "scores": {str(one.number): str(self.cleaned_data[self.score_name(one)]) for one in self.entries},
            "met": self.cleaned_data["met"],
        }

    def values(self) -> dict[str, Any]:
        """The arguments of the service."""
        away = set(self.cleaned_data["absent"])
        return {
            "absent": [one for one in self.entries if one.pk in away],
            "scores": {one.pk: self.cleaned_data[self.score_name(one)] for one in self.entries},
            "met": self.cleaned_data["met"],
            "reason": self.cleaned_data["reason"],
        }
