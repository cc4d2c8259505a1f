"""What all organisers' forms share: a command id, and refusals of a service shown beside their fields."""

import re
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from pypinyin import lazy_pinyin

from tournament.services.errors import Refused
from tournament.services.validation import REASON_LENGTH

#: Further from 0 than any number asked for lies.
LARGEST = 1_000_000


class CommandForm(forms.Form):
    """A form that takes effect once: its command id is made when the page is rendered."""

    command_id = forms.UUIDField(widget=forms.HiddenInput)

    #: Where a service names a field otherwise than the form does.
    field_names: dict[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["command_id"].initial = uuid4

    def add_refusal(self, refused: Refused) -> None:
        """Shows every problem beside its field, or above the form where it belongs to none."""
        for problem in refused.problems:
            name = self.field_names.get(problem.field, problem.field)
            self.add_error(name if name in self.fields else None, str(problem))

    def renew(self) -> None:
        """A fresh command id: the old one has been used for something else (a page sent again after
        "back").
        """
        self.data = self.data.copy()
        self.data[self.add_prefix("command_id")] = str(uuid4())


class ReasonForm(CommandForm):
    """A step that must be explained."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": _("Please state the reason.")},
    )


def slug_field() -> forms.SlugField:
    """The field for an address that may be left to be made of a name (`suggest_slug`)."""
    return forms.SlugField(
        label=_("Address"),
        max_length=60,
        required=False,
        help_text=_(
            "Letters, digits and hyphens; part of the public address. Left empty, it is made from the name."
        ),
    )


def suggest_slug(name: str, fallback: str) -> str:
    """An address for a name: Chinese by its pinyin, e.g. “春季赛” → chun-ji-sai;
    the fallback where nothing is left.
    """
    words = " ".join(lazy_pinyin(name))
    return re.sub(r"-+", "-", slugify(words))[:60].strip("-") or fallback


def small_number(**kwargs: Any) -> forms.IntegerField:
    """A whole number with a keypad of digits on phones; never one that no column could hold."""
    widget = forms.NumberInput(attrs={"inputmode": "numeric"})
    return forms.IntegerField(widget=widget, **{"min_value": -LARGEST, "max_value": LARGEST, **kwargs})
