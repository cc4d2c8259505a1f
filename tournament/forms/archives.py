"""Forms for archives of tournaments, and for a tournament copied as a template."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import CommandForm, slug_field, suggest_slug

#: The largest file that is taken, in bytes: many times that of a large tournament.
LARGEST_FILE = 32 * 1024 * 1024


class ArchiveFileForm(CommandForm):
    """An archive to be imported."""

    file = forms.FileField(
        label=_("Archive (.json.gz)"),
        widget=forms.FileInput(attrs={"accept": ".gz,application/gzip"}),
    )
    slug = forms.SlugField(
        label=_("Another address"),
        max_length=60,
        required=False,
        help_text=_(
            "Only where another tournament has its address on this site. The same tournament cannot be here "
            "twice: for another one like it, open “Archive” on its page and use it as a template."
        ),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > LARGEST_FILE:
            raise forms.ValidationError(
                _("The file is larger than %(most)s MB."), params={"most": LARGEST_FILE // 1024 // 1024}
            )
        return file


class CopyForm(CommandForm):
    """Name, address and first day of the new tournament."""

    name = forms.CharField(label=_("Name"), max_length=120)
    slug = slug_field()
    starts_on = forms.DateField(
        label=_("First day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def values(self) -> dict[str, Any]:
        """The arguments of the service."""
        name = self.cleaned_data["name"]
        return {
            "name": name,
            "slug": self.cleaned_data["slug"] or suggest_slug(name, "tournament"),
            "starts_on": self.cleaned_data["starts_on"],
        }
