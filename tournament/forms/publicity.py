"""What the public may see, and what the organiser tells it: publicity, announcements, schedule."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import CommandForm, ReasonForm
from tournament.models import Announcement, Event, Round, ScheduleItem


class MomentField(forms.DateTimeField):
    """A day and time, typed in the time zone that is active (the tournament's)."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def to_python(self, value: Any) -> datetime | None:
        moment = super().to_python(value)
        return moment and moment.replace(second=0, microsecond=0)


class PublicityForm(CommandForm):
    """Whether the public may know of an event, and what is published by itself."""

    visibility = forms.ChoiceField(
        label=_("This event is"), choices=Event.Visibility, widget=forms.RadioSelect
    )
    live = forms.ChoiceField(
        label=_("Published by itself, as soon as a deal is checked"),
        choices=Event.Live,
        widget=forms.RadioSelect,
        help_text=_("Rounds that are held back are passed over."),
    )


class HoldBackForm(ReasonForm):
    """Which round is held back, and why."""

    round = forms.ModelChoiceField(label=_("Round"), queryset=Round.objects.none(), empty_label=None)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["round"].queryset = event.rounds.filter(held_back=False).order_by("number")
        self.fields["round"].label_from_instance = lambda round: _("Round %(n)s") % {"n": round.number}
        self.order_fields(["command_id", "round", "reason"])


class AnnouncementForm(CommandForm):
    """One announcement."""

    event = forms.ModelChoiceField(
        label=_("For"), queryset=Event.objects.none(), required=False, empty_label=_("the whole tournament")
    )
    title = forms.CharField(label=_("Title"), max_length=Announcement._meta.get_field("title").max_length)
    body = forms.CharField(
        label=_("Text"),
        max_length=Announcement._meta.get_field("text").max_length,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    pinned = forms.BooleanField(label=_("Keep at the top"), required=False)
    field_names = {"text": "body"}

    def __init__(self, *args: Any, events: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if events is None:
            del self.fields["event"]  # whose it is does not change
        else:
            self.fields["event"].queryset = events


class RoundTimeForm(CommandForm):
    """When a round is to begin."""

    round = forms.ModelChoiceField(label=_("Round"), queryset=Round.objects.none(), empty_label=None)
    starts_at = MomentField(
        label=_("Begins"), required=False, help_text=_("Leave empty to take the time off.")
    )

    def __init__(self, *args: Any, rounds: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["round"].queryset = rounds
        self.fields["round"].label_from_instance = lambda round: (
            _("%(event)s, round %(n)s")
            % {
                "event": round.event.name,
                "n": round.number,
            }
        )


class ScheduleItemForm(CommandForm):
    """A line of the schedule that is no round."""

    title = forms.CharField(label=_("What"), max_length=ScheduleItem._meta.get_field("title").max_length)
    starts_at = MomentField(label=_("Begins"))
    ends_at = MomentField(label=_("Ends"), required=False)
    place = forms.CharField(
        label=_("Place"), max_length=ScheduleItem._meta.get_field("place").max_length, required=False
    )
    event = forms.ModelChoiceField(
        label=_("For"), queryset=Event.objects.none(), required=False, empty_label=_("the whole tournament")
    )

    def __init__(self, *args: Any, events: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["event"].queryset = events
