"""Forms of corrections: another record for a deal, a ruling on an entry, what becomes of later draws."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from referee.models import EntryRuling
from scoring.engine import DealRecord, Ruleset
from scoring.engine.cards import KEY_CARDS
from tournament.forms.base import CommandForm, ReasonForm
from tournament.forms.deal_trial import TrialForm
from tournament.models import Event
from tournament.points import read_points, to_units
from tournament.queries.foresight import Json
from tournament.services.validation import REASON_LENGTH

#: The choice that leaves later draws alone.
KEEP = "keep"


class DealCorrectionForm(TrialForm, ReasonForm):
    """The whole deal, laid out as it is on record: what is wrong is put right there."""

    def __init__(
        self, *args: Any, ruleset: Ruleset, table: Sequence[str], record: DealRecord, **kwargs: Any
    ) -> None:
        kwargs["initial"] = _laid_out(record, ruleset.decks)
        super().__init__(*args, ruleset=ruleset, table=table, **kwargs)
        self.fields["mode"].widget = forms.HiddenInput()
        self.fields["mode"].choices = [(record.mode, record.mode)]

    def whole_record(self) -> Json:
        """The record as it was filled in, for the service to check."""
        return {**self.record().to_json(), "partial": False}


class CorrectionForm(CommandForm):
    """What is done about later draws, and what the public is told."""

    field_names = {"with_deals": "with_deals", "redraw_from": "later"}

    later = forms.ChoiceField(label=_("Later draws"), widget=forms.RadioSelect, initial=KEEP)
    with_deals = forms.BooleanField(
        label=_("Deals recorded in the rounds made anew shall no longer count"), required=False
    )
    note = forms.CharField(
        label=_("What the public reads with the new version"),
        max_length=REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    seen = forms.CharField(widget=forms.HiddenInput, max_length=40)

    def __init__(self, *args: Any, moves: Json, mark: str, note: str, organiser: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rounds = affected_rounds(moves) if organiser else []
        if rounds:
            self.fields["later"].choices = [
                (KEEP, _("Keep them: they were made from what was known then")),
                *(
                    (
                        str(n),
                        _("Make the draws from round %(round)s on anew, with the same seed") % {"round": n},
                    )
                    for n in rounds
                ),
            ]
        else:
            del self.fields["later"]
        if not rounds or not any(one["deals"] for one in moves["draws"]):
            del self.fields["with_deals"]
        self.fields["note"].initial = note
        self.fields["seen"].initial = mark

    def values(self) -> dict[str, Any]:
        """The arguments of the service."""
        later = self.cleaned_data.get("later", KEEP)
        return {
            "seen": self.cleaned_data["seen"],
            "redraw_from": None if later == KEEP else int(later),
            "with_deals": self.cleaned_data.get("with_deals", False),
            "note": self.cleaned_data["note"],
        }


class EntryRulingForm(ReasonForm):
    """Whether the entry keeps a rank, from when on its results are annulled, and what its opponents have."""

    unranked = forms.BooleanField(
        label=_("Disqualified: last in the standings, without a rank"),
        required=False,
        initial=True,
        help_text=_("It is drawn no more."),
    )
    annul_from = forms.TypedChoiceField(label=_("Its results"), required=False, coerce=int, empty_value=None)
    opponents = forms.ChoiceField(
        label=_("Who met it in an annulled round has"),
        choices=EntryRuling.Opponents.choices,
        initial=EntryRuling.Opponents.PLAYED,
        widget=forms.RadioSelect,
    )
    opponents_points = forms.CharField(
        label=_("Stated score, in what a round is worth"),
        max_length=12,
        required=False,
        widget=forms.TextInput(attrs={"class": "num"}),
    )

    field_order = ("unranked", "annul_from", "opponents", "opponents_points", "reason")

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        numbers = event.rounds.order_by("number").values_list("number", flat=True)
        self.fields["annul_from"].choices = [
            ("", _("are kept")),
            *(
                (
                    n,
                    _("are annulled from the start")
                    if n == 1
                    else _("are annulled from round %(round)s on") % {"round": n},
                )
                for n in numbers
            ),
        ]
        self.fields["opponents_points"].initial = str(Fraction(str(event.options.get("bye_points", 0))))

    def clean_opponents_points(self) -> str:
        """The score as the change states it."""
        given = self.cleaned_data["opponents_points"] or "0"
        try:
            points = read_points(given)
            to_units(points)
        except ValueError as fault:
            raise forms.ValidationError(_("This is not a number of points.")) from fault
        return str(Fraction(points))

    def change(self) -> Json:
        """The change without the entry it is about."""
        names = ("unranked", "annul_from", "opponents", "opponents_points")
        return {name: self.cleaned_data[name] for name in names}


def affected_rounds(moves: Json) -> list[int]:
    """Rounds whose draws, or the stages they begin, would be others now."""
    drawn = {one["round"] for one in moves["draws"]}
    return sorted(drawn)


def _laid_out(record: DealRecord, decks: int) -> dict[str, Any]:
    """The fields of TrialForm for a record: with two decks a copy is told apart by who was dealt it."""
    found: dict[str, Any] = {"mode": record.mode, "swap": record.swap_pig_sheep}
    free: dict[str, list[int]] = {}
    for code, holders in record.held.items():
        for copy, holder in enumerate(holders, start=1):
            found[f"held_{code}_{copy}"] = holder
    for seat, cards in record.captures.items():
        for card in cards:
            code, _colon, holder = card.partition(":")
            copies = free.setdefault(code, list(range(1, decks + 1)))
            wanted = [copy for copy in copies if found.get(f"held_{code}_{copy}") == holder] if holder else []
            if copies:
                copy = (wanted or copies)[0]
                copies.remove(copy)
                found[f"taken_{code}_{copy}"] = seat
    for one in record.exposed:
        holders = list(record.held.get(one.card, ()))
        copy = holders.index(one.seat) + 1 if one.seat in holders else 1
        if one.card in KEY_CARDS:
            found.setdefault(f"held_{one.card}_{copy}", one.seat)
            found[f"shown_{one.card}_{copy}"] = one.kind
    return found
