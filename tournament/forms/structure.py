"""Fields of an event's form about its rounds: how they are played, and the tables of points."""

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from scoring.engine.rounds import SIXTEEN_DEALS
from tournament.forms.plan import PlanFields, plan_initial
from tournament.models import Event
from tournament.queries.plans import stated_terms
from tournament.ranking.points import USUAL_PLACE_POINTS

#: Rows that the form offers for a table of victory points.
VICTORY_ROWS = 14


class VictoryTableWidget(forms.Widget):
    """Rows of two numbers: the least difference, and what the side ahead gets from there on."""

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[tuple[str, str]]:
        return [
            (
                str(data.get(f"{name}-{row}-from", "")).strip(),
                str(data.get(f"{name}-{row}-ahead", "")).strip(),
            )
            for row in range(1, VICTORY_ROWS + 1)
        ]

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return f"{name}-1-from" not in data

    def id_for_label(self, id_: str) -> str:
        return f"{id_}_1"

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> str:
        shown = [(str(one), str(other)) for one, other in value or ()]
        usual = [(str(one[0]), str(one[1])) for one in SIXTEEN_DEALS.steps]
        rows = [
            {
                "number": row + 1,
                "from": shown[row][0] if row < len(shown) else "",
                "ahead": shown[row][1] if row < len(shown) else "",
                "usual_from": usual[row][0] if row < len(usual) else "",
                "usual_ahead": usual[row][1] if row < len(usual) else "",
            }
            for row in range(VICTORY_ROWS)
        ]
        context = {"name": name, "rows": rows, "attrs": {**self.attrs, **(attrs or {})}}
        return render_to_string("tournament/victory_table.html", context)


class VictoryTableField(forms.Field):
    """A table of victory points as ``Event.options`` keeps it: rows of [least difference, points of the side
    ahead, points of the side behind]; None where every row is empty.

    What both sides get together is twice the first row, so that it is the same in every row.
    """

    widget = VictoryTableWidget

    def clean(self, value: Any) -> list[list[int]] | None:
        """Raises ValidationError with every row that is wrong."""
        if value and isinstance(value[0], list):  # the stored table of a field that is shown only
            return value
        filled = [(row, pair) for row, pair in enumerate(value or (), start=1) if any(pair)]
        wrong = [row for row, pair in filled if not all(re.fullmatch(r"\d{1,6}", one) for one in pair)]
        if wrong:
            raise forms.ValidationError(
                _("Row %(rows)s of the table: two whole numbers are needed."),
                params={"rows": ", ".join(map(str, wrong))},
            )
        if not filled:
            return None
        numbers = [(row, int(pair[0]), int(pair[1])) for row, pair in filled]
        total = 2 * numbers[0][2]
        above = [row for row, _least, ahead in numbers if ahead > total]
        if above:
            raise forms.ValidationError(
                _("Row %(rows)s of the table: both sides together get %(total)s, twice the first row."),
                params={"rows": ", ".join(map(str, above)), "total": total},
            )
        return [[least, ahead, total - ahead] for _row, least, ahead in numbers]

    def prepare_value(self, value: Any) -> Any:
        return [(row[0], row[1]) for row in value] if value else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return not self.disabled


class PlacePointsField(forms.CharField):
    """Points by place, written “4 2 1 0” or “4-2-1-0”, as a list of whole numbers; None where empty."""

    def clean(self, value: Any) -> list[int] | None:
        """Raises ValidationError for anything but numbers."""
        if isinstance(value, list):
            return value
        written = super().clean(value)
        parts = [part for part in re.split(r"[\s,，、;；:：/-]+", written) if part]
        if not all(re.fullmatch(r"\d{1,4}", part) for part in parts):
            raise forms.ValidationError(_("Write the points of the places as numbers: 4 2 1 0."))
        return [int(part) for part in parts] or None

    def prepare_value(self, value: Any) -> Any:
        return " ".join(map(str, value)) if isinstance(value, list) else value


class StructureFields(PlanFields):
    """The part of an event's form that says how its rounds are played, and the tables of points."""

    place_points = PlacePointsField(
        label=_("Place points"),
        required=False,
        max_length=60,
        help_text=_("From the first place to the last at a table; who is equal shares. Empty: 4 2 1 0."),
        widget=forms.TextInput(attrs={"placeholder": " ".join(map(str, USUAL_PLACE_POINTS))}),
    )
    victory_points = VictoryTableField(
        label=_("Table of victory points"),
        required=False,
        help_text=_("Empty: the usual table for 16 deals, fitted to the number of deals of the set."),
    )

    def structure_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The event's options with what this form says of the structure.

        What is usual is left out, and what the kind and measure chosen do not use: its field is not shown.
        """
        cleaned = self.cleaned_data
        measure = cleaned.get("measure")
        chosen = {
            "segments": self.stated_segments(),
            "duplicate": (cleaned["duplicate"] and cleaned.get("kind") == Event.Kind.TEAMS) or None,
            "place_points": cleaned["place_points"] if measure == Event.Measure.PLACE_POINTS else None,
            "victory_points": cleaned["victory_points"] if measure == Event.Measure.VICTORY_POINTS else None,
        }
        kept = {name: value for name, value in options.items() if name not in chosen}
        return kept | {name: value for name, value in chosen.items() if value is not None}


def structure_initial(event: Event) -> dict[str, Any]:
    """What the fields show of a stored event."""
    return {
        **plan_initial(stated_terms(event)),
        "place_points": event.options.get("place_points"),
        "victory_points": event.options.get("victory_points"),
    }
