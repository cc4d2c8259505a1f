"""The form of one entry: its fields depend on the kind of the event."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournament.forms.base import CommandForm, small_number
from tournament.models import Entry, Event
from tournament.services.entries import EntryData, entry_version
from tournament.services.entry_sheet import HIGHEST_NUMBER, LONGEST_NAME, MOST_PLAYERS
from tournament.services.errors import Refused, Stale

#: Empty lines offered for reserves of a team.
_SPARE = 2


class EntryForm(CommandForm):
    """Number, name, club and players; further fields for late arrivals and seeds."""

    field_names = {"players": "player_1"}

    def __init__(self, *args: Any, event: Event, entry: Entry | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        stored = list(entry.players.order_by("place")) if entry else []
        self.fields["number"] = small_number(
            label=_("Number"),
            required=entry is not None,
            min_value=1,
            max_value=HIGHEST_NUMBER,
            help_text="" if entry else _("Left empty, the next free number."),
        )
        pairs = event.kind == Event.Kind.PAIRS
        self.fields["name"] = forms.CharField(
            label=_name_label(event),
            max_length=LONGEST_NAME,
            required=not pairs,
            help_text=_("Left empty, both players' names.") if pairs else "",
        )
        self.places = 0 if event.entry_size == 1 else event.entry_size
        if event.kind == Event.Kind.TEAMS:
            self.places = min(max(len(stored), event.entry_size) + _SPARE, MOST_PLAYERS)
        for place in range(1, self.places + 1):
            self.fields[f"player_{place}"] = forms.CharField(
                label=_("Player %(place)s") % {"place": place},
                max_length=LONGEST_NAME,
                required=place <= event.entry_size,
            )
        self.fields["club"] = forms.CharField(label=_("Club"), max_length=LONGEST_NAME, required=False)
        self.fields["seeding"] = small_number(
            label=pgettext_lazy("entry list", "Seed"), required=False, min_value=1, max_value=HIGHEST_NUMBER
        )
        self.fields["first_round"] = small_number(
            label=_("Plays from round"), min_value=1, max_value=max(event.planned_rounds, 1), initial=1
        )
        self.fields["start_points"] = small_number(
            label=_("Points at the start"),
            initial=0,
            help_text=_("For a late arrival: the score stated for the rounds missed."),
        )
        if entry:
            self.fields["version"] = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
            self.initial.update(_initial(entry, stored), version=entry_version(entry))

    @property
    def main_fields(self) -> list[Any]:
        """What nearly every entry needs."""
        return [self[name] for name in self.fields if name not in (*_RARE, "command_id", "version")]

    @property
    def rare_fields(self) -> list[Any]:
        """What few entries need; shown folded up."""
        return [self[name] for name in _RARE]

    @property
    def rare_open(self) -> bool:
        """Whether the rare fields say something, so that they must not be hidden."""
        return any(self[name].errors for name in _RARE) or any(
            str(self[name].value() or usual) != usual
            for name, usual in (("seeding", ""), ("first_round", "1"), ("start_points", "0"))
        )

    def add_refusal(self, refused: Refused) -> None:
        """As any form; where somebody else was faster, saving again builds on what is stored now."""
        super().add_refusal(refused)
        if isinstance(refused, Stale):
            self.data = self.data.copy()
            self.data["version"] = refused.current["version"]

    def data_for_service(self) -> EntryData:
        """What the service takes."""
        cleaned = self.cleaned_data
        return EntryData(
            number=cleaned["number"],
            name=cleaned["name"],
            club=cleaned["club"],
            players=tuple(cleaned[f"player_{place}"] for place in range(1, self.places + 1)),
            seeding=cleaned["seeding"],
            first_round=cleaned["first_round"],
            start_points=cleaned["start_points"],
        )


_RARE = ("seeding", "first_round", "start_points")


def _initial(entry: Entry, players: list[Any]) -> dict[str, Any]:
    return {
        "number": entry.number,
        "name": entry.name,
        "club": entry.club,
        "seeding": entry.seeding,
        "first_round": entry.first_round,
        "start_points": entry.start_points,
        **{f"player_{player.place}": player.name for player in players},
    }


def _name_label(event: Event) -> Any:
    if event.kind == Event.Kind.TEAMS:
        return pgettext_lazy("entry list", "Team name")
    if event.kind == Event.Kind.PAIRS:
        return pgettext_lazy("entry list", "Pair name")
    return pgettext_lazy("entry list", "Name")
