"""Forms of the desk: a ruling on a call, and the exchange of seats."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from referee.models import DealVersion, Dispute
from scoring.messages import seat_name
from tournament.forms.base import CommandForm, ReasonForm
from tournament.models import Seat
from tournament.services.validation import REASON_LENGTH


class RulingForm(CommandForm):
    """What the referee has ruled at the table."""

    ruling = forms.CharField(
        label=_("Ruling"),
        max_length=REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Please write down the ruling.")},
    )


class DisputeForm(RulingForm):
    """How a dispute is settled."""

    outcome = forms.ChoiceField(
        label=_("The desk rules"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose how the dispute is settled.")},
    )

    #: The service calls the words of a ruling its reason.
    field_names = {"reason": "ruling"}

    def __init__(self, *args: Any, dispute: Dispute, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        outcomes = Dispute.Outcome
        possible = [outcomes.NOTED]
        if dispute.kind in Dispute.BLOCKING:
            possible = [outcomes.STANDS, *([outcomes.OFFERED] if dispute.offered else [])]
        self.fields["outcome"].choices = [(one.value, one.label) for one in possible]
        if len(possible) == 1:
            self.fields["outcome"].initial = possible[0].value
        self.order_fields(["command_id", "outcome", "ruling"])


class ReseatForm(ReasonForm):
    """Who sat where, and in which deals. ``sat_N`` is the seat at which the player of seat N sat."""

    def __init__(
        self, *args: Any, seats: Sequence[Seat], versions: Sequence[DealVersion], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._seats = seats
        letters = [seat.direction for seat in seats]
        places = [(letter, seat_name(letter, letters)) for letter in letters]
        for seat in seats:
            self.fields[f"sat_{seat.direction}"] = forms.ChoiceField(
                label=_("%(player)s (seat of the draw: %(seat)s)")
                % {"player": seat.player.name, "seat": seat_name(seat.direction, letters)},
                choices=places,
                initial=seat.direction,
            )
        self.fields["deals"] = forms.MultipleChoiceField(
            label=_("Deals played so"),
            choices=[(f"{one.deal.number}:{one.number}", str(one.deal.number)) for one in versions],
            initial=[f"{one.deal.number}:{one.number}" for one in versions],
            widget=forms.CheckboxSelectMultiple,
            error_messages={"required": _("Choose the deals that were played at the wrong seats.")},
        )
        self.order_fields(["command_id", *(f"sat_{seat.direction}" for seat in seats), "deals", "reason"])

    @property
    def sat(self) -> dict[str, str]:
        """Each seat whose player sat elsewhere, and where."""
        asked = {seat.direction: self.cleaned_data[f"sat_{seat.direction}"] for seat in self._seats}
        return {own: seat for own, seat in asked.items() if seat != own}

    @property
    def deals(self) -> dict[int, int]:
        """Number of each deal chosen, and the version the form showed."""
        pairs = (value.split(":") for value in self.cleaned_data["deals"])
        return {int(number): int(version) for number, version in pairs}
