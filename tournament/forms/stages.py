"""Forms of the stages: format with its options, who advances, drawing a whole plan."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import CommandForm, small_number
from tournament.forms.numbers import NumbersField
from tournament.models import Event, Stage
from tournament.queries.draw_formats import FORMATS, Format, formats_for
from tournament.queries.format_options import Choice, Count, Flag, FormatOption
from tournament.services.events import MOST_ROUNDS
from tournament.services.stages import OPTION_FIELD, StageData
from tournament.services.validation import REASON_LENGTH


class StageForm(CommandForm):
    """Name, format, the options of every format on offer, and the number of rounds."""

    # Fields of the formats not chosen are hidden: the browser must not ask for them.
    use_required_attribute = False

    name = forms.CharField(
        label=_("Name"), max_length=80, required=False, help_text=_("For example: preliminary, final.")
    )
    format = forms.ChoiceField(label=_("Format"), widget=forms.RadioSelect)
    rounds = small_number(label=_("Number of rounds"), min_value=1, max_value=MOST_ROUNDS)
    carry = forms.BooleanField(
        label=_("The points of the stages before count on"), required=False, initial=True
    )

    def __init__(
        self, *args: Any, event: Event, stage: Stage | None = None, first: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.formats = formats_for(event.kind)
        self.fields["format"].choices = [(one.key, one.title) for one in self.formats]
        self.initial.setdefault("format", self.formats[0].key)
        self.initial.setdefault("rounds", 3)
        if stage is not None:
            self.initial.update(
                name=stage.name,
                format=stage.format,
                rounds=stage.rounds.count(),
                carry=stage.options.get("carry", True),
            )
        if first:
            del self.fields["carry"]
        for form in self.formats:
            for option in form.options:
                self.fields.setdefault(OPTION_FIELD + option.name, _field(option))
                if stage is not None and option.name in stage.options:
                    self.initial[OPTION_FIELD + option.name] = stage.options[option.name]

    def option_rows(self) -> list[dict[str, Any]]:
        """Each option once, with the keys of the formats that have it."""
        owners: dict[str, list[str]] = {}
        for form in self.formats:
            for option in form.options:
                owners.setdefault(OPTION_FIELD + option.name, []).append(form.key)
        return [{"field": self[name], "formats": " ".join(keys)} for name, keys in owners.items()]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        form = FORMATS.get(cleaned.get("format", ""))
        # What is hidden because another format is chosen is nobody's fault.
        own = {OPTION_FIELD + option.name for option in form.options} if form else set()
        for name in list(self.errors):
            if name.startswith(OPTION_FIELD) and name not in own:
                del self.errors[name]
        return cleaned

    def data_for_service(self) -> StageData:
        """What the service takes."""
        cleaned = self.cleaned_data
        form = FORMATS[cleaned["format"]]
        return StageData(
            format=form.key,
            rounds=cleaned["rounds"],
            name=cleaned["name"],
            options={option.name: cleaned[OPTION_FIELD + option.name] for option in form.options},
            carry=cleaned.get("carry", True),
        )


def _field(option: FormatOption) -> forms.Field:
    if isinstance(option, Flag):
        return forms.BooleanField(
            label=option.label, help_text=option.help, initial=option.default, required=False
        )
    if isinstance(option, Count):
        return small_number(
            label=option.label,
            help_text=option.help,
            initial=option.default,
            min_value=option.least,
            max_value=option.most,
        )
    assert isinstance(option, Choice)
    return forms.ChoiceField(
        label=option.label, help_text=option.help, initial=option.default, choices=option.choices
    )


def format_help(formats: tuple[Format, ...]) -> list[dict[str, Any]]:
    """What each format is, for the page."""
    return [{"key": one.key, "title": one.title, "help": one.help} for one in formats]


class PlacesForm(forms.Form):
    """How many advance: only looked at, nothing is stored."""

    places = small_number(label=_("How many advance"), min_value=1, max_value=2_000)


class AdvanceForm(CommandForm):
    """Who advances, the first seed first."""

    numbers = NumbersField(
        label=_("Numbers, the first seed first"),
        widget=forms.Textarea(attrs={"rows": 2, "autocomplete": "off"}),
        help_text=_(
            "Those whom the standings give. Changed here, for example after a play-off, with a reason."
        ),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Needed where a place is open or the list differs from the standings."),
    )
