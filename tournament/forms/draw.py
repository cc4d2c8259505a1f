"""Forms of a round: drawing, swapping, publishing, withdrawing, closing."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournament.forms.base import CommandForm, ReasonForm, small_number
from tournament.forms.publicity import MomentField
from tournament.pairing.options import OddAnswer, OddOption
from tournament.services.draw import SEEDS
from tournament.services.validation import REASON_LENGTH


class DrawForm(CommandForm):
    """How a round is drawn. The answers for a field that does not fill the tables stand side by side."""

    answer = forms.ChoiceField(label=_("Seating"), widget=forms.RadioSelect, required=False)
    bye_points = small_number(
        label=_("Score for sitting out"), help_text=_("Points, in the standings."), required=False
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        required=False,
        min_value=0,
        max_value=SEEDS - 1,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        help_text=_(
            "A number drawn by lot in front of the players, for example. Left empty, the program takes one."
        ),
    )

    def __init__(
        self, *args: Any, options: tuple[OddOption, ...] = (), byes: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        choices = [
            (option.answer.value, describe_option(option)) for option in options if option.answer is not None
        ]
        if choices:
            self.fields["answer"].choices = choices
            self.fields["answer"].required = True
            if self.initial.get("answer") not in dict(choices):
                self.initial["answer"] = choices[0][0]
        else:
            del self.fields["answer"]
        if not (byes or choices):
            del self.fields["bye_points"]

    def answer_cards(self) -> list[dict[str, Any]]:
        """Each possible answer with what it means, to be shown side by side."""
        if "answer" not in self.fields:
            return []
        return [
            {"radio": radio, "means": _MEANING[OddAnswer(str(radio.data["value"]))]}
            for radio in self["answer"]
        ]


#: What each way of seating means for the players.
_MEANING = {
    OddAnswer.THREES: _(
        "Nobody sits out; a table of three again is given to nobody while it can be avoided."
    ),
    OddAnswer.FIVES: _("Nobody sits out; a table of five again is given to nobody while it can be avoided."),
    OddAnswer.BYES: _("With the score stated below; nobody twice before everyone has once."),
    OddAnswer.HOUSE: _("They play along and are not ranked."),
}


def describe_option(option: OddOption) -> str:
    """One way of seating the field, in words."""
    parts = [
        words(count) % {"n": count} for size, words in _TABLES.items() if (count := option.sizes.count(size))
    ]
    if option.byes:
        parts.append(ngettext("%(n)s sits out", "%(n)s sit out", option.byes) % {"n": option.byes})
    if option.house_players:
        n = option.house_players
        parts.append(ngettext("with %(n)s house player", "with %(n)s house players", n) % {"n": n})
    return _list(parts)


_TABLES: dict[int, Callable[[int], str]] = {
    2: lambda n: ngettext("%(n)s match", "%(n)s matches", n),
    4: lambda n: ngettext("%(n)s table of four", "%(n)s tables of four", n),
    3: lambda n: ngettext("%(n)s table of three", "%(n)s tables of three", n),
    5: lambda n: ngettext("%(n)s table of five", "%(n)s tables of five", n),
}


def _list(parts: list[str]) -> str:
    return str(_(", ")).join(parts)


class SwapForm(CommandForm):
    """Two entries, by number, that change places."""

    first = small_number(label=_("Number"), min_value=1)
    second = small_number(label=_("with number"), min_value=1)


class PublishDrawForm(CommandForm):
    """Publishing a preview; with violations a reason is asked for."""

    reason = forms.CharField(
        label=_("Reason for passing over the violations"),
        max_length=REASON_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": _("Please state the reason.")},
    )

    def __init__(self, *args: Any, violations: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if violations:
            self.fields["reason"].required = True
        else:
            del self.fields["reason"]


class WithdrawDrawForm(ReasonForm):
    """Taking a draw back."""

    with_deals = forms.BooleanField(
        label=_("The recorded deals shall no longer count. They stay on record."), required=False
    )

    def __init__(self, *args: Any, deals: int = 0, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not deals:
            del self.fields["with_deals"]


class CloseRoundForm(CommandForm):
    """Closing a round; with anything missing a reason is asked for."""

    override_reason = forms.CharField(
        label=_("Reason for closing all the same"),
        max_length=REASON_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": _("Please state the reason.")},
    )
    field_names = {"reason": "override_reason"}

    def __init__(self, *args: Any, missing: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if missing:
            self.fields["override_reason"].required = True
        else:
            del self.fields["override_reason"]


class PublishForm(CommandForm):
    """Publishing results or standings; a further version says what changed."""

    note = forms.CharField(
        label=_("What changed and why"),
        max_length=REASON_LENGTH,
        required=False,
        help_text=_("Shown to the public beside the new version."),
    )
    final_minutes = small_number(
        label=_("Final in so many minutes"),
        min_value=1,
        max_value=10_000,
        required=False,
        help_text=_(
            "Until then the public reads “provisional until …”. Leave both empty for the event's time for "
            "appeals."
        ),
    )
    final_at = MomentField(label=_("or final at"), required=False)

    def __init__(self, *args: Any, again: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not again:
            del self.fields["note"]
