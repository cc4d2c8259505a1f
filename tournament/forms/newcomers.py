"""How entries that joined after a plan was made are taken into it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import CommandForm
from tournament.forms.draw import describe_option
from tournament.pairing.options import OddAnswer, OddOption
from tournament.queries.draw_newcomers import Admission
from tournament.services.draw import SEEDS

_CHOICES = {
    Admission.PLACE: _("Take free places of the plan"),
    Admission.REDRAW: _("Plan the rounds that are not published anew"),
}


class NewcomersForm(CommandForm):
    """Free places or a new plan, as far as either is possible; how tables are filled; the seed."""

    how = forms.ChoiceField(label=_("How"), widget=forms.RadioSelect)
    answer = forms.ChoiceField(
        label=_("Seating in rounds planned anew"), widget=forms.RadioSelect, required=False
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        required=False,
        min_value=0,
        max_value=SEEDS - 1,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        help_text=_("For what is drawn by lot. Left empty, the program takes one."),
    )

    def __init__(
        self,
        *args: Any,
        possible: tuple[Admission, ...],
        options: tuple[OddOption, ...] = (),
        answer: OddAnswer | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["how"].choices = [(how.value, _CHOICES[how]) for how in possible]
        self.initial.setdefault("how", possible[0].value if len(possible) == 1 else None)
        choices = [(one.answer.value, describe_option(one)) for one in options if one.answer is not None]
        if choices and Admission.REDRAW in possible:
            self.fields["answer"].choices = choices
            usual = answer.value if answer else ""
            self.initial["answer"] = usual if usual in dict(choices) else choices[0][0]
        else:
            del self.fields["answer"]
