"""Forms of appeals: filed by the public or at the desk, carried a step further, and for how long taken."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from referee.models import Appeal
from referee.services.appeals import LONGEST, MOST_MINUTES, TRANSITIONS
from tournament.forms.base import CommandForm, ReasonForm, small_number
from tournament.models import Entry

#: What can be done about an appeal, in words.
STEPS = {
    "rule": _("Referee's ruling"),
    "accept": _("The ruling is accepted"),
    "escalate": _("To the appeals committee"),
    "decide": _("The committee's decision"),
    "withdraw": _("The appeal is withdrawn"),
    "file": _("The appeal"),
}


class _StatementForm(CommandForm):
    deal = forms.TypedChoiceField(label=_("Deal"), coerce=int)
    statement = forms.CharField(
        label=_("What is wrong in the record"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 5}),
    )

    def __init__(self, *args: Any, deals: Iterable[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["deal"].choices = [(n, _("Deal %(number)s") % {"number": n}) for n in deals]


class FollowAppealForm(CommandForm):
    """Whoever has an entry's code may read what became of its appeals."""

    number = small_number(label=_("Your number"), min_value=1)
    code = forms.CharField(
        label=_("Your code"),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
        help_text=_("It is on the sheet of your entry. If you do not have it, speak to the desk."),
    )

    field_order: tuple[str, ...] = ("number", "code", "command_id")


class PublicAppealForm(_StatementForm, FollowAppealForm):
    """Whoever has an entry's code speaks for it."""

    field_order = ("deal", "number", "code", "statement", "command_id")


class DeskAppealForm(_StatementForm):
    """Somebody appeals at the desk."""

    number = forms.TypedChoiceField(label=_("Who appeals"), coerce=int)

    field_order = ("deal", "number", "statement", "command_id")

    def __init__(self, *args: Any, entries: Iterable[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["number"].choices = [(one.number, f"{one.number} · {one.name}") for one in entries]


class AppealStepForm(ReasonForm):
    """The next step of an appeal."""

    field_names = {"statement": "reason"}

    action = forms.ChoiceField(label=_("Step"), widget=forms.RadioSelect)
    outcome = forms.ChoiceField(
        label=_("Outcome"), choices=[("", "—"), *Appeal.Outcome.choices], required=False
    )

    field_order = ("action", "outcome", "reason")

    def __init__(self, *args: Any, appeal: Appeal, organiser: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["action"].choices = [
            (action, STEPS[action])
            for action, step in TRANSITIONS.items()
            if appeal.state in step.states and (organiser or not step.committee)
        ]
        self.fields["reason"].label = _("Ruling, decision, or what was said")


class MinutesForm(CommandForm):
    """How long after a publication the public can appeal."""

    minutes = small_number(
        label=_("Minutes after a publication in which appeals can be filed by the entries' codes"),
        min_value=0,
        max_value=MOST_MINUTES,
        help_text=_(
            "So long results and standings read “provisional until …”; then they are final by themselves. "
            "0: appeals are taken at the desk only, and nothing is said of it."
        ),
    )
