"""Forms about rulesets: copying one, and editing one, with a form field for every rule the engine knows.

Nothing here names a rule: what to ask, its limits and its choices come from `Ruleset.fields_meta()`, the
words from `scoring.labels`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.engine import Fault, RuleField, Ruleset, RulesetError
from scoring.engine.cards import HEARTS, SUITS, symbol
from scoring.labels import (
    FIELD_HELPS,
    GROUP_TITLES,
    TITLE_LANGUAGES,
    UNIT_NAMES,
    choice_name,
    field_name,
    ruleset_fault_text,
    ruleset_title,
)
from scoring.models import RulesetBook
from tournament.forms.base import CommandForm, small_number, suggest_slug
from tournament.services.validation import REASON_LENGTH

#: As long as the engine lets a text of a ruleset be.
LONGEST_TEXT = 200
_LANGUAGE_NAMES = {
    "zh-Hans": _("Simplified Chinese"),
    "zh-Hant": _("Traditional Chinese"),
    "en": _("English"),
}
_SIGNS = {symbol(suit + "2")[0]: suit for suit in SUITS}


class CopyForm(CommandForm):
    """A title and a key for an own ruleset."""

    title = forms.CharField(label=_("Title"), max_length=LONGEST_TEXT)
    key = forms.SlugField(
        label=_("Key"),
        max_length=RulesetBook._meta.get_field("key").max_length,
        required=False,
        help_text=_("Small letters, digits and hyphens; left empty, one made of the title."),
    )
    field_names = {"titles": "title"}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("key") and "key" not in self.errors:
            cleaned["key"] = suggest_slug(cleaned.get("title", ""), "ruleset")
        return cleaned


@dataclass(frozen=True)
class Group:
    """Rules that stand together on the page."""

    title: str
    fields: list[forms.BoundField]
    hearts: list[forms.BoundField]


class RulesetForm(CommandForm):
    """Every rule of a ruleset, and a note of what changed. The key is not asked: it never changes."""

    field_names = {"titles": "titles_zh-hans", "hearts": f"hearts_{HEARTS[0]}"}

    def __init__(self, *args: Any, ruleset: Ruleset, based_on: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._groups: dict[str, list[str]] = {}
        for spec in _editable():
            for name, field, initial in _fields_of(spec, getattr(ruleset, spec.name)):
                self.fields[name] = field
                self.initial[name] = initial
                self._groups.setdefault(spec.group, []).append(name)
        self.fields["note"] = forms.CharField(
            label=_("What changed"), max_length=REASON_LENGTH, required=False
        )
        self.fields["based_on"] = forms.IntegerField(widget=forms.HiddenInput)
        self.initial["based_on"] = based_on

    @property
    def groups(self) -> Iterator[Group]:
        """The rules by subject, as the page shows them."""
        for group, names in self._groups.items():
            hearts = [self[name] for name in names if name.startswith("hearts_")]
            yield Group(
                title=str(GROUP_TITLES[group]),
                fields=[self[name] for name in names if not name.startswith("hearts_")],
                hearts=hearts,
            )

    def clean(self) -> dict[str, Any]:
        """The engine judges as well what Django's fields let pass, so that all faults show at once."""
        cleaned = super().clean() or self.cleaned_data
        good = {spec.name for spec in _editable() if all(name in cleaned for name in _names(spec))}
        # The second time with what was good by itself: whether those rules go together.
        for _turn in range(2):
            faults = _faults({spec.name: _read(spec, cleaned) for spec in _editable() if spec.name in good})
            # What a rule needs of another one is not known while that one is at fault itself.
            faults = [
                one for one in faults if {one.params["field"], one.params.get("other")} <= {*good, None}
            ]
            for one in faults:
                name = self.field_names.get(one.params["field"], one.params["field"])
                self.add_error(name, ruleset_fault_text(one))
            good -= {one.params["field"] for one in faults}
        return cleaned

    def data_for_service(self) -> dict[str, Any]:
        """All rules but the key, in the form `Ruleset.from_dict` reads."""
        return {spec.name: _read(spec, self.cleaned_data) for spec in _editable()}


def _faults(rules: Mapping[str, Any]) -> tuple[Fault, ...]:
    try:
        Ruleset.from_dict(rules)
    except RulesetError as refused:
        return refused.faults
    return ()


def _editable() -> Iterator[RuleField]:
    return (spec for spec in Ruleset.fields_meta() if spec.name != "key")


def _names(spec: RuleField) -> list[str]:
    """The form fields in which a rule is written."""
    return [name for name, _field, _initial in _fields_of(spec, spec.default)]


def _fields_of(spec: RuleField, value: Any) -> Iterator[tuple[str, forms.Field, Any]]:
    """The form fields of one rule: name, field, value to begin with."""
    label, help_text = field_name(spec.name), FIELD_HELPS.get(spec.name, "")
    if spec.unit in ("times", "seconds"):
        label = _("%(rule)s (%(unit)s)") % {"rule": label, "unit": UNIT_NAMES[spec.unit]}
    match spec.kind:
        case "titles":
            for language, code in TITLE_LANGUAGES.items():
                name = f"{label} · {_LANGUAGE_NAMES[language]}"
                yield f"{spec.name}_{code}", _text(name), value.get(language, "")
        case "hearts":
            for card, points in zip(HEARTS, value, strict=True):
                yield f"{spec.name}_{card}", _number(spec, symbol(card)), points
        case "cards":
            yield spec.name, _text(label, help_text, longest=400), " ".join(map(symbol, value))
        case "text":
            yield spec.name, _text(label, help_text), value
        case "bool":
            yield spec.name, forms.BooleanField(label=label, help_text=help_text, required=False), value
        case "choice":
            yield spec.name, _choice(spec, label, help_text), value
        case "int" | "optional_int":
            yield spec.name, _number(spec, label, help_text), value


def _text(label: Any, help_text: Any = "", longest: int = LONGEST_TEXT) -> forms.CharField:
    return forms.CharField(label=label, help_text=help_text, max_length=longest)


def _number(spec: RuleField, label: Any, help_text: Any = "") -> forms.IntegerField:
    make = small_number if (spec.low or 0) >= 0 else forms.IntegerField
    return make(
        label=label,
        help_text=help_text,
        min_value=spec.low,
        max_value=spec.high,
        required=spec.kind != "optional_int",
    )


def _choice(spec: RuleField, label: Any, help_text: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        label=label,
        help_text=help_text,
        coerce=int if isinstance(spec.default, int) else str,
        choices=[(one, choice_name(spec.name, one)) for one in spec.choices],
    )


def _read(spec: RuleField, cleaned: Mapping[str, Any]) -> Any:
    match spec.kind:
        case "titles":
            return {language: cleaned[f"{spec.name}_{code}"] for language, code in TITLE_LANGUAGES.items()}
        case "hearts":
            return [cleaned[f"{spec.name}_{card}"] for card in HEARTS]
        case "cards":
            return card_codes(cleaned[spec.name])
    return cleaned[spec.name]


def card_codes(typed: str) -> list[str]:
    """Cards as people type them, “♦2 s3, C10”, to codes; what is no card stays for the engine to refuse."""
    words = re.split(r"[\s,，、;；]+", typed.replace("\ufe0e", "").replace("\ufe0f", "").strip())
    return [_SIGNS.get(word[0], word[0].upper()) + word[1:].upper() for word in words if word]


def copy_title(data: Mapping[str, Any]) -> str:
    """A title to begin with for a copy."""
    return str(_("%(title)s (copy)") % {"title": ruleset_title(data)})
