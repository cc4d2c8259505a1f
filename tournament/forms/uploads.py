"""A workbook sent by an organiser: chosen, then sent once more as it was previewed."""

import base64
import binascii
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import CommandForm


class WorkbookForm(CommandForm):
    """A workbook to be read."""

    file = forms.FileField(
        label=_("Excel workbook (.xlsx)"),
        widget=forms.FileInput(
            attrs={"accept": ".xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
        ),
    )


class ConfirmImportForm(CommandForm):
    """The workbook once more, as it was previewed: nothing is kept on the server between the two steps."""

    content = forms.CharField(widget=forms.HiddenInput)
    filename = forms.CharField(widget=forms.HiddenInput, required=False, max_length=255)

    @classmethod
    def of(cls, content: bytes, filename: str) -> "ConfirmImportForm":
        """The form that a preview page carries."""
        values: dict[str, Any] = {
            "content": base64.b64encode(content).decode("ascii"),
            "filename": filename[:255],
        }
        return cls(initial=values)

    def clean_content(self) -> bytes:
        try:
            return base64.b64decode(self.cleaned_data["content"], validate=True)
        except (binascii.Error, ValueError) as fault:
            raise forms.ValidationError(_("The workbook did not arrive whole. Choose it again.")) from fault
