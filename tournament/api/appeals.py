"""Appeals against published deals: their steps and effect at the desk; filing one by an entry's own code."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.request import Request

from referee.models import Appeal, EntryCode
from referee.services.appeals import (
    LONGEST,
    MOST_MINUTES,
    TRANSITIONS,
    file_appeal,
    follow_appeals,
    link_correction,
    make_entry_codes,
    set_appeal_minutes,
    step_appeal,
)
from referee.services.devices import shown_code
from tournament.api.fields import Body, Nothing, ObjectOut, Reason, WholeNumber
from tournament.api.operations import operation
from tournament.api.paging import Listed
from tournament.api.views import OrganiseView, PublicEventView
from tournament.models import Event
from tournament.queries.appeals import MINUTES
from tournament.services.audit import Actor
from tournament.views.access import address_of

TAG = "Organise: appeals"


class AppealLineOut(serializers.Serializer):
    """``version`` is the record at issue, ``published`` the version of the results that showed it."""

    number = serializers.IntegerField()
    round = serializers.IntegerField(source="round.number")
    table = serializers.IntegerField(source="version.deal.table.number")
    deal = serializers.IntegerField(source="version.deal.number")
    version = serializers.IntegerField(source="version.number")
    published = serializers.IntegerField()
    entry = serializers.IntegerField(source="entry.number")
    statement = serializers.CharField()
    at_desk = serializers.BooleanField()
    state = serializers.ChoiceField(Appeal.State.choices)
    outcome = serializers.ChoiceField(["", *Appeal.Outcome.values])
    correction = serializers.IntegerField(source="correction.number", allow_null=True)
    filed_at = serializers.DateTimeField()
    deadline = serializers.DateTimeField(allow_null=True)


class PublicStepOut(serializers.Serializer):
    action = serializers.ChoiceField(["file", *TRANSITIONS])
    outcome = serializers.ChoiceField(["", *Appeal.Outcome.values])
    text = serializers.CharField(allow_blank=True)
    made_at = serializers.DateTimeField()


class AppealStepOut(PublicStepOut):
    made_by = serializers.CharField(source="made_by.username", allow_null=True)


class AppealOut(AppealLineOut):
    """With the record at issue, and whether the deal has been changed since."""

    record = ObjectOut(source="version.record")
    changed = serializers.SerializerMethodField(help_text="The deal has another version now.")
    steps = AppealStepOut(many=True, source="steps.all")

    def get_changed(self, appeal: Appeal) -> bool:
        return appeal.version.deal.versions.filter(number__gt=appeal.version.number).exists()


class AppealBody(Body):
    """Against a deal whose record is public; ``entry`` is the number of whoever appeals."""

    round = WholeNumber()
    table = WholeNumber()
    deal = WholeNumber()
    entry = WholeNumber()
    statement = serializers.CharField(max_length=LONGEST, allow_blank=True)


class OwnAppealBody(AppealBody):
    code = serializers.CharField(max_length=20, help_text="The entry's code, as on its sheet.")


class FiledOut(serializers.Serializer):
    """What whoever appeals is told: the number to ask by."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(Appeal.State.choices)
    filed_at = serializers.DateTimeField()


class FollowBody(Body):
    """``code`` is that of entry ``entry``, as on its sheet."""

    entry = WholeNumber()
    code = serializers.CharField(max_length=20)


class FollowedAppealOut(AppealLineOut):
    """An appeal as whoever filed it may follow it."""

    steps = PublicStepOut(many=True, source="steps.all")


class StepBody(Body):
    """``outcome`` goes with the referee's ruling (rule) and the committee's decision (decide)."""

    action = serializers.ChoiceField(list(TRANSITIONS))
    statement = Reason(help_text="The ruling, the decision, or what was said.")
    outcome = serializers.ChoiceField(["", *Appeal.Outcome.values], default="")


class EffectBody(Body):
    correction = WholeNumber(help_text="Number of the correction that follows from the appeal.")


class AppealTimeBody(Body):
    minutes = WholeNumber(
        max_value=MOST_MINUTES, help_text="After a publication; 0: appeals are taken at the desk only."
    )


class AppealTimeOut(serializers.Serializer):
    minutes = serializers.SerializerMethodField()

    def get_minutes(self, event: Event) -> int:
        return event.options.get(MINUTES, 0)


class EntryCodeOut(serializers.Serializer):
    """By its code whoever has it speaks for the entry."""

    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    code = serializers.SerializerMethodField()

    def get_code(self, code: EntryCode) -> str:
        return shown_code(code.code)


class AppealsView(OrganiseView):
    tag = TAG

    @operation(output=AppealLineOut, paged=True)
    def get(self, request: Request) -> Listed:
        """All appeals of the event, the latest first."""
        return Listed(_appeals(self.event).order_by("-number"))

    @operation(input=AppealBody, output=AppealOut, status=201, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> Appeal:
        """File an appeal at the desk, at any time, against a published deal."""
        made = file_appeal(actor=self.actor, event=self.event, **_filed(data))
        return _appeals(self.event).get(number=made.number)


class AppealActView(OrganiseView):
    """What can be done about an appeal."""

    tag = TAG

    def appeal(self, number: int) -> Appeal:
        """The event's appeal of that number. Raises Http404."""
        found = get_object_or_404(_appeals(self.event), number=number)
        found.event = self.event
        return found


class AppealView(AppealActView):
    @operation(output=AppealOut)
    def get(self, request: Request, appeal: int) -> Appeal:
        """An appeal with the record at issue and all its steps."""
        return self.appeal(appeal)


class AppealStepView(AppealActView):
    @operation(input=StepBody, output=AppealOut, once=True)
    def post(self, request: Request, appeal: int, data: dict[str, Any]) -> Appeal:
        """Carry an appeal a step further: the referee's ruling, its acceptance, escalation to the appeals
        committee, the committee's decision, or its withdrawal.
        """
        step_appeal(actor=self.actor, appeal=self.appeal(appeal), **data)
        return self.appeal(appeal)


class AppealEffectView(AppealActView):
    @operation(input=EffectBody, output=AppealOut, once=True)
    def post(self, request: Request, appeal: int, data: dict[str, Any]) -> Appeal:
        """Say which correction follows from an appeal: its effect on the score."""
        found = self.appeal(appeal)
        correction = self.event.corrections.filter(number=data["correction"]).first()
        if correction is None:
            raise serializers.ValidationError({"correction": _("There is no such correction in this event.")})
        link_correction(actor=self.actor, appeal=found, correction=correction)
        return self.appeal(appeal)


class AppealTimeView(OrganiseView):
    tag = TAG

    def found(self, *, lock: bool) -> Event:
        events = Event.objects.select_related("tournament")
        return (events.select_for_update(of=("self",), no_key=True) if lock else events).get(pk=self.event.pk)

    @operation(output=AppealTimeOut)
    def get(self, request: Request) -> Event:
        """How long after a publication appeals can be filed by the entries' codes."""
        return self.found(lock=False)

    @operation(input=AppealTimeBody, output=AppealTimeOut, versioned=True)
    def put(self, request: Request, found: Event, data: dict[str, Any]) -> Event:
        """Say how long after a publication appeals can be filed by the entries' codes."""
        set_appeal_minutes(actor=self.actor, event=found, **data)
        return self.found(lock=False)


class EntryCodesView(OrganiseView):
    tag = TAG

    @operation(output=EntryCodeOut, paged=True)
    def get(self, request: Request) -> Listed:
        """The codes of the entries, for their sheets."""
        codes = EntryCode.objects.filter(entry__event=self.event, entry__house=False)
        return Listed(codes.select_related("entry").order_by("entry__number"))

    @operation(input=Nothing, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> None:
        """Give a code to every entry that has none."""
        make_entry_codes(actor=self.actor, event=self.event)


class OwnAppealView(PublicEventView):
    # Not ``once``: a wrong code is counted even though the request is refused, and of two equal appeals
    # the second is refused anyway.
    @operation(input=OwnAppealBody, output=FiledOut, status=201, refusals=(409,))
    def post(self, request: Request, data: dict[str, Any]) -> Appeal:
        """An entry appeals against a published deal with its own code, until the deadline."""
        actor = Actor(user=None, address=address_of(request))
        return file_appeal(actor=actor, event=self.published.event, code=data["code"], **_filed(data))


class FollowAppealsView(PublicEventView):
    # A question, not a change; it is sent as a body because addresses are kept in logs, and codes are secret.
    @operation(input=FollowBody, output=FollowedAppealOut, many=True)
    def post(self, request: Request, data: dict[str, Any]) -> list[Appeal]:
        """An entry follows its appeals to the outcome, with its own code."""
        actor = Actor(user=None, address=address_of(request))
        event = self.published.event
        return follow_appeals(actor=actor, event=event, number=data["entry"], code=data["code"])


def _appeals(event: Event) -> Any:
    return event.appeals.select_related("round", "entry", "correction", "version__deal__table")


def _filed(data: dict[str, Any]) -> dict[str, Any]:
    """What a body says, as the service names it."""
    names = {"round_number": "round", "table": "table", "deal": "deal", "number": "entry"}
    return {name: data[sent] for name, sent in names.items()} | {"statement": data["statement"]}
