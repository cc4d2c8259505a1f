"""The form of an exchange of players between two tables: chosen first, then looked at, then done."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.messages import seat_name
from tournament.forms.base import ReasonForm
from tournament.models import Seat


class TableExchangeForm(ReasonForm):
    """``seen`` is empty until the preview has been shown; then the numbers of the deals it showed, by table:
    "12:1,2 13:1".
    """

    first = forms.ChoiceField(label=_("Player of this table in the draw"))
    second = forms.ChoiceField(label=_("Player who sat here instead"))
    seen = forms.CharField(required=False, max_length=2000, widget=forms.HiddenInput)

    def __init__(self, *args: Any, here: Sequence[Seat], there: Sequence[Seat], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        letters = defaultdict(list)
        for one in (*here, *there):
            letters[one.table_id].append(one.direction)
        self._seats = {str(one.pk): one for one in (*here, *there)}
        self.fields["first"].choices = [
            (str(one.pk), f"{seat_name(one.direction, letters[one.table_id])} {one.player.name}")
            for one in here
        ]
        self.fields["second"].choices = [
            (
                str(one.pk),
                _("Table %(table)s, %(seat)s: %(player)s")
                % {
                    "table": one.table.number,
                    "seat": seat_name(one.direction, letters[one.table_id]),
                    "player": one.player.name,
                },
            )
            for one in there
        ]
        self.order_fields(["command_id", "seen", "first", "second", "reason"])

    @property
    def chosen(self) -> tuple[Seat, Seat]:
        """The two seats."""
        return self._seats[self.cleaned_data["first"]], self._seats[self.cleaned_data["second"]]

    @property
    def deals_seen(self) -> dict[str, list[int]]:
        """Numbers of the deals the preview showed, by the tables' ids; what cannot be read is none."""
        found: dict[str, list[int]] = {}
        for part in self.cleaned_data["seen"].split():
            table, _colon, numbers = part.partition(":")
            found[table] = [int(one) for one in numbers.split(",") if one.isascii() and one.isdigit()]
        return found

    def show(self, deals: dict[int, Sequence[int]]) -> None:
        """Remembers in the page which deals are shown, so that the next post carries the exchange out."""
        self.data = self.data.copy()
        self.data["seen"] = " ".join(
            f"{table}:{','.join(map(str, numbers))}" for table, numbers in sorted(deals.items())
        )
