"""Deciding a match of a bracket."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import ReasonForm
from tournament.models import Entry


class DecideForm(ReasonForm):
    """The winner, and why it is not for the deals to say."""

    winner = forms.TypedChoiceField(label=_("Winner"), coerce=int, widget=forms.RadioSelect)
    field_order = ("winner", "reason", "command_id")

    def __init__(self, *args: Any, sides: list[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["winner"].choices = [(entry.pk, f"{entry.number} · {entry.name}") for entry in sides]
