"""Organising: corrections, looked at with all they would move before they are made; undone and finished."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from referee.models import Correction
from referee.presenting import error_json
from referee.services.corrections import (
    Look,
    apply_correction,
    drop_correction,
    finish_correction,
    look_ahead,
    moves_mark,
    propose_undo,
    waits_for,
)
from tournament.api.fields import Body, Nothing, ObjectOut, Reason, ReasonBody, WholeNumber
from tournament.api.operations import operation
from tournament.api.paging import Listed
from tournament.api.schema import FaultOut
from tournament.api.views import OrganiseView
from tournament.queries.foresight import Json
from tournament.services.audit import Actor
from tournament.services.errors import Problem, Refused

TAG = "Organise: corrections"
State = Correction.State


class CorrectionLineOut(serializers.Serializer):
    """``change`` is what was asked for, by numbers. ``redrawn_from``: the first round drawn anew, null where
    later draws were kept. ``published_at``: when what is public of it was published anew.
    """

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(Correction.Kind.choices)
    round = serializers.IntegerField(source="round.number")
    change = ObjectOut()
    reason = serializers.CharField()
    state = serializers.ChoiceField(State.choices)
    proposed_by = serializers.CharField(source="proposed_by.username", allow_null=True)
    proposed_at = serializers.DateTimeField()
    applied_by = serializers.CharField(source="applied_by.username", allow_null=True)
    applied_at = serializers.DateTimeField(allow_null=True)
    redrawn_from = serializers.IntegerField(allow_null=True)
    note = serializers.CharField(allow_blank=True)
    published_at = serializers.DateTimeField(allow_null=True)


class CorrectionOut(serializers.Serializer):
    """A correction with what it moves: for one proposed, what it would move now.

    ``moves`` has ``standings`` (by round: entries with rank and total before and after), ``draws`` made
    already that would be others (with the matches ``broken`` and those ``instead``) and ``advancing``.
    ``seen`` is the mark of it that making the correction takes. ``refused`` is why it cannot be made now,
    ``waiting`` what one that was made still waits for.
    """

    correction = CorrectionLineOut()
    moves = ObjectOut()
    seen = serializers.CharField(allow_blank=True)
    refused = FaultOut(many=True)
    waiting = FaultOut(many=True)


class ApplyBody(Body):
    """``redraw_from`` null keeps all later draws; else they are made anew from that round on, ``with_deals``
    even where deals were recorded. ``note`` is what the public reads; the reason where it is empty.
    """

    seen = serializers.CharField(max_length=40, help_text="The mark of what was looked at.")
    redraw_from = WholeNumber(min_value=1, allow_null=True, default=None)
    with_deals = serializers.BooleanField(default=False)
    note = Reason()


@dataclass(frozen=True)
class Foreseen:
    """What CorrectionOut shows."""

    correction: Correction
    moves: Json
    seen: str
    refused: Sequence[Json]
    waiting: Sequence[Json]


class CorrectionsView(OrganiseView):
    tag = TAG

    @operation(output=CorrectionLineOut, paged=True)
    def get(self, request: Request) -> Listed:
        """All corrections of the event, the latest first."""
        found = self.event.corrections.select_related("round", "proposed_by", "applied_by")
        return Listed(found.order_by("-number"))


class CorrectionActView(OrganiseView):
    """What can be done with a correction."""

    tag = TAG

    def correction(self, number: int) -> Correction:
        """The event's correction of that number. Raises Http404."""
        known = self.event.corrections.select_related("round", "proposed_by", "applied_by")
        found = get_object_or_404(known, number=number)
        found.event = found.round.event = self.event
        return found

    def shown(self, number: int) -> Foreseen:
        """The correction as it stands now."""
        return foreseen(self.actor, self.correction(number))


class CorrectionView(CorrectionActView):
    @operation(output=CorrectionOut)
    def get(self, request: Request, correction: int) -> Foreseen:
        """A correction, with all that it moves."""
        return self.shown(correction)


class ApplyCorrectionView(CorrectionActView):
    @operation(input=ApplyBody, output=CorrectionOut, once=True, ahead=True)
    def post(self, request: Request, correction: int, data: dict[str, Any], look: Look | None) -> Foreseen:
        """Make a proposed correction, keeping later draws or making them anew.

        Refused if it would move something else than what was looked at. What was published of it is published
        anew, at once or when it is finished.
        """
        apply_correction(actor=self.actor, correction=self.correction(correction), look=look, **data)
        return self.shown(correction)

    def look_ahead(self, correction: int) -> Look | None:
        """What the correction would move now; None where it cannot be made, which making it then says."""
        found = self.correction(correction)
        if found.state != State.PROPOSED:
            return None
        try:
            return look_ahead(actor=self.actor, correction=found)
        except Refused:
            return None


class DropCorrectionView(CorrectionActView):
    @operation(input=Nothing, output=CorrectionOut, once=True)
    def post(self, request: Request, correction: int, data: dict[str, Any]) -> Foreseen:
        """Drop a proposed correction: it is not made."""
        drop_correction(actor=self.actor, correction=self.correction(correction))
        return self.shown(correction)


class FinishCorrectionView(CorrectionActView):
    @operation(input=Nothing, output=CorrectionOut, once=True)
    def post(self, request: Request, correction: int, data: dict[str, Any]) -> Foreseen:
        """Finish a correction once nothing is waited for: its round is closed again, later draws are made
        anew where that was chosen, and what was published is published anew.
        """
        finish_correction(actor=self.actor, correction=self.correction(correction))
        return self.shown(correction)


class UndoCorrectionView(CorrectionActView):
    @operation(input=ReasonBody, output=CorrectionOut, status=201, once=True, later=True)
    def post(self, request: Request, correction: int, data: dict[str, Any]) -> int:
        """Propose to take a correction back: a correction of its own, with what that would move."""
        return propose_undo(actor=self.actor, correction=self.correction(correction), **data).number


def foreseen(actor: Actor, correction: Correction) -> Foreseen:
    """The correction with what it moves; nothing is changed."""
    moves: Json = correction.moves
    refused: Sequence[Problem] = ()
    seen = ""
    if correction.state == State.PROPOSED:
        try:
            moves = look_ahead(actor=actor, correction=correction).moves
            seen = moves_mark(moves)
        except Refused as fault:
            refused = fault.problems
    unfinished = correction.state == State.APPLIED and correction.published_at is None
    return Foreseen(
        correction, moves, seen, _told(refused), _told(waits_for(correction) if unfinished else ())
    )


def _told(problems: Sequence[Problem]) -> list[Json]:
    return [error_json(one) for one in problems]
