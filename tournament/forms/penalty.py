"""Giving a penalty at the desk."""

from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from referee.services.penalty_faults import RULE_LENGTH
from tournament.forms.base import CommandForm
from tournament.models import Entry, Event, Player, Round
from tournament.points import read_points
from tournament.queries.penalty_units import IN_POINTS, counts_points, unit_help
from tournament.queries.plans import event_terms, measures_by_round, round_terms
from tournament.services.validation import REASON_LENGTH


class EntryChoice(forms.ModelChoiceField):
    """Entries by number and name."""

    def label_from_instance(self, entry: Entry) -> str:
        return f"{entry.number} · {entry.name}"


class PlayerChoice(forms.ModelChoiceField):
    """Players of pairs and teams, with the number of their entry."""

    def label_from_instance(self, player: Player) -> str:
        return f"{player.entry.number} · {player.name}"


class RoundChoice(forms.ModelChoiceField):
    """Rounds by number."""

    def label_from_instance(self, round: Round) -> str:
        return str(_("Round %(round)s") % {"round": round.number})


class PenaltyForm(CommandForm):
    """Who, in which round, for what, how many points and why."""

    entry = EntryChoice(label=_("Entry"), queryset=Entry.objects.none(), empty_label=_("choose"))
    player = PlayerChoice(
        label=_("Player"), queryset=Player.objects.none(), required=False, empty_label=_("the whole entry")
    )
    round = RoundChoice(label=_("Counts in"), queryset=Round.objects.none(), empty_label=None)
    rule = forms.CharField(
        label=_("Breach"),
        max_length=RULE_LENGTH,
        widget=forms.TextInput(attrs={"list": "penalty-rules", "autocomplete": "off"}),
    )
    points = forms.CharField(
        label=_("Points"),
        max_length=12,
        widget=forms.TextInput(attrs={"class": "num"}),
    )
    sure = forms.BooleanField(label=_("This amount is meant"), required=False)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        required=False,
        help_text=_("May be left out where the breach is an article of the catalogue."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["entry"].queryset = event.entries.order_by("number")
        rounds = event.rounds.select_related("stage").order_by("number")
        self.fields["round"].queryset = rounds
        playing = rounds.exclude(state__in=(Round.State.PLANNED, Round.State.DRAWN)).last() or rounds.first()
        self.fields["round"].initial = playing and playing.pk
        terms = round_terms(playing) if playing else event_terms(event)
        self.fields["points"].help_text = unit_help(terms)
        if counts_points(terms):
            self.fields["points"].initial = "-50"
        if IN_POINTS.issuperset(measures_by_round(event).values()):
            del self.fields["sure"]
        if event.entry_size > 1:
            players = Player.objects.filter(entry__event=event).select_related("entry")
            self.fields["player"].queryset = players.order_by("entry__number", "place")
        else:
            del self.fields["player"]

    def clean_points(self) -> int | Fraction:
        """Points as people type them."""
        try:
            return read_points(self.cleaned_data["points"])
        except ValueError as fault:
            raise forms.ValidationError(_("This is not a number of points.")) from fault

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        player, entry = cleaned.get("player"), cleaned.get("entry")
        if player and entry and player.entry_id != entry.pk:
            self.add_error("player", _("This player is of another entry."))
        return cleaned
