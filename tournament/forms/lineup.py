"""Forms of a match: the line-up of a side in a segment, and a substitution."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.messages import seat_name
from tournament.forms.base import CommandForm, ReasonForm
from tournament.models import Player, Seat
from tournament.queries.matches import MatchState


class LineupForm(CommandForm):
    """Who of an entry has which of its seats in a segment."""

    def __init__(
        self,
        *args: Any,
        state: MatchState,
        seats: Sequence[Seat],
        players: Sequence[Player],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.seats = seats
        letters = [seat.direction for seat in state.seats]
        for seat in seats:
            self.fields[f"seat_{seat.pk}"] = forms.TypedChoiceField(
                label=_("Table %(table)s, %(seat)s")
                % {"table": seat.table.number, "seat": seat_name(seat.direction, letters)},
                choices=[(player.pk, player.name) for player in players],
                coerce=int,
                initial=seat.player_id,
            )

    def players(self) -> dict[int, int]:
        """Player's id by the id of the seat."""
        return {seat.pk: self.cleaned_data[f"seat_{seat.pk}"] for seat in self.seats}


class SubstituteForm(ReasonForm):
    """Whose seat goes to whom, from the next deal on."""

    field_names = {"seat": "place"}

    place = forms.ChoiceField(label=_("Who goes out"))
    player = forms.TypedChoiceField(
        label=_("Who comes in"), required=False, coerce=int, empty_value=None, choices=()
    )
    name = forms.CharField(
        label=_("… or somebody from outside, for this match only"), required=False, max_length=120
    )

    after_deals = forms.IntegerField(
        label=_("Deals played at the table before the change"),
        required=False,
        min_value=0,
        max_value=999,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        help_text=_("Only where the change was made before and is put on record now."),
    )

    field_order = ("command_id", "place", "player", "name", "after_deals", "reason")

    def __init__(self, *args: Any, state: MatchState, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.places = {
            f"{one.table.number}-{seat.segment}-{seat.direction}": (one.table, seat)
            for one in state.tables
            for segment in state.segments
            for seat in one.seats[segment - 1]
        }
        self.fields["place"].choices = [
            (key, _place_label(seat, table.number, state)) for key, (table, seat) in self.places.items()
        ]
        self.fields["player"].choices = [
            ("", "—"),
            *(
                (side.entry.name, [(player.pk, player.name) for player in side.players])
                for side in state.sides
                if len(side.players) > 1
            ),
        ]
        self.persons = {player.pk: player for side in state.sides for player in side.players}

    def values(self) -> dict[str, Any]:
        """What the service takes."""
        table, seat = self.places[self.cleaned_data["place"]]
        return {
            "table": table,
            "segment": seat.segment,
            "direction": seat.direction,
            "player": self.persons.get(self.cleaned_data["player"]),
            "name": self.cleaned_data["name"],
            "after_deals": self.cleaned_data["after_deals"],
            "reason": self.cleaned_data["reason"],
        }

    def change(self) -> dict[str, Any]:
        """The substitution as a correction states it."""
        values = self.values()
        return {
            "table": values["table"].number,
            "segment": values["segment"],
            "seat": values["direction"],
            "player": values["player"].place if values["player"] else None,
            "name": values["name"],
            "after_deals": values["after_deals"],
        }


def _place_label(seat: Seat, table: int, state: MatchState) -> str:
    words = (
        _("Segment %(segment)s, table %(table)s, %(seat)s: %(player)s")
        if len(state.segments) > 1
        else _("Table %(table)s, %(seat)s: %(player)s")
    )
    return words % {
        "segment": seat.segment,
        "table": table,
        "seat": seat_name(seat.direction, [one.direction for one in state.seats]),
        "player": seat.player.name,
    }
