"""Forms for a tournament and its people."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import CommandForm, slug_field, suggest_slug
from tournament.models import Role, Tournament
from tournament.services.members import LARGEST_TABLE

#: Offered first: where Gongzhu is played most.
_TIME_ZONES = (
    "Asia/Shanghai",
    "Asia/Taipei",
    "Asia/Hong_Kong",
    "Asia/Macau",
    "Asia/Singapore",
    "Asia/Kuala_Lumpur",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Europe/Berlin",
    "Europe/London",
    "America/New_York",
    "America/Chicago",
    "America/Los_Angeles",
    "America/Toronto",
    "America/Vancouver",
    "UTC",
)


class TournamentForm(CommandForm):
    """Name, address, place and time of a tournament."""

    name = forms.CharField(label=_("Name"), max_length=120)
    slug = slug_field()
    venue = forms.CharField(label=_("Venue"), max_length=200, required=False)
    starts_on = forms.DateField(
        label=_("First day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    ends_on = forms.DateField(
        label=_("Last day"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    time_zone = forms.CharField(
        label=_("Time zone"),
        initial="Asia/Shanghai",
        max_length=60,
        help_text=_("Times are shown in it, e.g. Asia/Shanghai."),
        widget=forms.TextInput(attrs={"list": "time-zones", "autocomplete": "off"}),
    )

    time_zones = _TIME_ZONES

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not cleaned.get("slug") and "slug" not in self.errors and cleaned.get("name"):
            cleaned["slug"] = suggest_slug(cleaned["name"], "tournament")
        first, last = cleaned.get("starts_on"), cleaned.get("ends_on")
        if last and not first:
            self.add_error("starts_on", _("A last day needs a first day."))
        if first and last and last < first:
            self.add_error("ends_on", _("The last day is before the first."))
        return cleaned

    def values(self) -> dict[str, Any]:
        """What the service takes."""
        return {name: value for name, value in self.cleaned_data.items() if name != "command_id"}

    @classmethod
    def initial_of(cls, tournament: Tournament) -> dict[str, Any]:
        """The form filled with what is stored."""
        return {name: getattr(tournament, name) for name in cls.base_fields if name != "command_id"}


class AccountForm(CommandForm):
    """A new account for a referee or a fellow organiser."""

    username = forms.CharField(
        label=_("Log-in name"),
        max_length=150,
        help_text=_("Letters, digits and @ . + - _; for example referee3."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    full_name = forms.CharField(label=_("Full name"), max_length=150, required=False)
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.TABLE_REFEREE)


class RoleForm(CommandForm):
    """A role for somebody who has an account."""

    username = forms.CharField(
        label=_("Log-in name"),
        max_length=150,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.TABLE_REFEREE)


class TablesForm(CommandForm):
    """Which tables a table referee may record at."""

    tables = forms.CharField(
        label=_("Tables"),
        required=False,
        max_length=200,
        help_text=_("Numbers and ranges, e.g. 1-4, 7. They hold in every round."),
    )

    def clean_tables(self) -> frozenset[int]:
        return parse_numbers(self.cleaned_data["tables"])


def parse_numbers(text: str) -> frozenset[int]:
    """“1-4, 7” as numbers; full-width digits, Chinese commas and dashes too.

    Raises ValidationError naming what is wrong.
    """
    found: set[int] = set()
    for separator in "，、;；\n\t ":
        text = text.replace(separator, ",")
    for dash in "－–—~～至到":
        text = text.replace(dash, "-")
    for part in filter(None, (part.strip() for part in text.split(","))):
        first, _dash, last = part.partition("-")
        try:
            low, high = int(first), int(last or first)
        except ValueError:
            low, high = 0, 0
        if not 1 <= low <= high <= LARGEST_TABLE:
            raise forms.ValidationError(
                _("“%(part)s” is not a table or a range of tables."), params={"part": part}
            )
        found.update(range(low, high + 1))
    return frozenset(found)


def show_numbers(numbers: frozenset[int]) -> str:
    """Numbers with neighbours drawn together: 1-4, 7."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{low}-{high}" if low != high else str(low) for low, high in runs)
