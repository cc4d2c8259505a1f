"""Several entries in one field, by their numbers."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.services.validation import text

#: The most numbers one field takes.
MOST = 2_000
_RANGE = re.compile(r"(\d{1,6})(?:[-–—~至](\d{1,6}))?")


class NumbersField(forms.CharField):
    """Numbers with commas (of either kind) or spaces between, and ranges such as 1-8; in the order typed."""

    widget = forms.TextInput(attrs={"autocomplete": "off"})

    def clean(self, value: Any) -> list[int]:
        typed = super().clean(value)
        parts = [part for part in re.split(r"[\s,，、;；]+", text(typed)) if part]
        numbers: list[int] = []
        wrong = []
        for part in parts:
            found = _RANGE.fullmatch(part)
            if found is None:
                wrong.append(part)
                continue
            first, last = int(found[1]), int(found[2] or found[1])
            if last < first or last - first >= MOST:
                wrong.append(part)
            else:
                numbers += range(first, last + 1)
        if wrong:
            raise forms.ValidationError(
                _("These are not numbers: %(parts)s."), params={"parts": " ".join(wrong)}, code="numbers"
            )
        if len(numbers) > MOST:
            raise forms.ValidationError(
                _("These are more than %(most)s numbers."), params={"most": MOST}, code="numbers_many"
            )
        return numbers
