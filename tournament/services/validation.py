"""Small checks that several services share."""

import unicodedata
from collections.abc import Iterator

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils.translation import gettext_lazy as _

from tournament.services.errors import Problem, Refused

#: The longest reason that fits the columns that store one.
REASON_LENGTH = 300


#: Full-width digits and Latin letters, as input methods write them, to the plain ones. Full-width
#: punctuation stays: it is right in Chinese names.
_HALF_WIDTH = {
    code: code - 0xFEE0
    for first, last in (("０", "９"), ("Ａ", "Ｚ"), ("ａ", "ｚ"))
    for code in range(ord(first), ord(last) + 1)
}


def text(value: str) -> str:
    """What somebody typed or pasted, made fit to store and to compare.

    Full-width digits and letters become plain ones, control and invisible formatting characters are removed,
    runs of white space (ideographic ones too) made one space.
    """
    unified = unicodedata.normalize("NFC", value or "").translate(_HALF_WIDTH)
    # Cc control, Cf formatting (zero-width, direction marks), Cs lone surrogates: never part of a name.
    kept = "".join(
        " " if char.isspace() else char
        for char in unified
        if char.isspace() or unicodedata.category(char) not in ("Cc", "Cf", "Cs")
    )
    return " ".join(kept.split())


def required_reason(reason: str) -> str:
    """The reason as it is stored. Raises Refused if there is none, or if it is longer than REASON_LENGTH
    characters.
    """
    kept = text(reason)
    if not kept:
        raise Refused("reason_missing", _("Please state the reason."), field="reason")
    if len(kept) > REASON_LENGTH:
        raise Refused(
            "reason_too_long",
            _("The reason is longer than %(limit)s characters."),
            {"limit": REASON_LENGTH},
            field="reason",
        )
    return kept


def unknown_seat(seat: str, *, field: str) -> Refused:
    """The refusal of a seat, named by its letter in ``field``, that a table does not have."""
    return Refused(
        "unknown_seat", _("There is no seat “%(seat)s” at this table."), {"seat": seat}, field=field
    )


def problems_of(fault: ValidationError) -> Iterator[Problem]:
    """Every fault that Django's model validation found."""
    by_field = fault.error_dict if hasattr(fault, "error_dict") else {NON_FIELD_ERRORS: fault.error_list}
    for name, errors in by_field.items():
        for error in errors:
            field = "" if name == NON_FIELD_ERRORS else name
            yield Problem(error.code or "invalid", error.message, error.params or {}, field)
