"""Forms of the constraints and of changes of many things at once."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import CommandForm, ReasonForm, small_number
from tournament.forms.numbers import NumbersField
from tournament.models import Event, Round
from tournament.services.events import MOST_ROUNDS
from tournament.services.validation import REASON_LENGTH


class ApartRoundsForm(CommandForm):
    """In how many of the first rounds clubs, and seeds, are kept apart."""

    clubs = small_number(
        label=_("Same club kept apart in the first … rounds"), min_value=0, max_value=MOST_ROUNDS
    )
    seeds = small_number(
        label=_("Seeds kept apart in the first … rounds"), min_value=0, max_value=MOST_ROUNDS
    )


class ApartForm(CommandForm):
    """Entries that never meet."""

    numbers = NumbersField(label=_("Numbers"), help_text=_("Two or more, for example: 3, 17."))
    name = forms.CharField(
        label=_("Why, or what they are"),
        max_length=120,
        required=False,
        help_text=_("For example: family, players of one team."),
    )


class AbsentForm(CommandForm):
    """Entries that do not come to a round."""

    round = forms.TypedChoiceField(label=_("Round"), coerce=int)
    numbers = NumbersField(label=_("Numbers"))
    reason = forms.CharField(label=_("Reason"), max_length=REASON_LENGTH, required=False)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        open_rounds = event.rounds.filter(state=Round.State.PLANNED).order_by("number")
        self.fields["round"].choices = [
            (number, _("Round %(round)s") % {"round": number})
            for number in open_rounds.values_list("number", flat=True)
        ]


class WithdrawManyForm(ReasonForm):
    """Withdrawing several entries at once."""

    numbers = NumbersField(label=_("Numbers"), help_text=_("For example: 3, 17, 20-24."))
    field_order = ("numbers", "reason", "command_id")


class ClearRoundsForm(ReasonForm):
    """Withdrawing the draws of a round and all that follow."""

    from_round = forms.TypedChoiceField(label=_("From round"), coerce=int)
    with_deals = forms.BooleanField(
        label=_("Recorded deals shall no longer count. They stay on record."), required=False
    )
    field_order = ("from_round", "with_deals", "reason", "command_id")

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        drawn = event.rounds.filter(state__in=(Round.State.DRAWN, Round.State.PLAYING)).order_by("number")
        self.fields["from_round"].choices = [
            (number, _("Round %(round)s") % {"round": number})
            for number in drawn.values_list("number", flat=True)
        ]
