"""The form that makes a token of the open interface."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import CommandForm, small_number
from tournament.models import ApiToken, Event, Tournament
from tournament.services.members import LARGEST_TABLE
from tournament.services.tokens import LONGEST_LIFE


class TokenForm(CommandForm):
    """What another program may do, and for how long."""

    name = forms.CharField(
        label=_("Name"),
        max_length=40,
        help_text=_("What it is for. The changes on record name it."),
    )
    purpose = forms.ChoiceField(label=_("It may"), choices=ApiToken.Purpose, widget=forms.RadioSelect)
    event = forms.ModelChoiceField(
        label=_("Event"),
        queryset=Event.objects.none(),
        required=False,
        help_text=_("Only for recording at a table."),
    )
    table_number = small_number(
        label=_("Table"),
        min_value=1,
        max_value=LARGEST_TABLE,
        required=False,
        help_text=_("Only for recording at a table: its number, in every round."),
    )
    days = small_number(label=_("Valid for … days"), min_value=1, max_value=LONGEST_LIFE, initial=7)

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["event"].queryset = tournament.events.all()
