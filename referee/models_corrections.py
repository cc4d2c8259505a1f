"""Corrections 更正: a change of something on record, proposed with what it would move, and then made."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models import Event, Round


class Correction(models.Model):
    """A change of what is on record in a round, from the proposal on. Numbered through the event.

    ``change`` says what is asked for and ``done`` what undoing needs, both by numbers of tables, deals and
    entries. ``moves`` is what it moved, as tournament.queries.foresight states it. ``redrawn_from`` is the
    first round whose draw was made anew; null where all later draws were kept. ``public`` are the matters
    to be published anew, as pairs of a matter and a round; that was done at ``published_at``.
    """

    class Kind(models.TextChoices):
        DEAL = "deal", _("deal corrected")
        VOID = "void", _("deal declared void")
        PENALTY = "penalty", _("penalty given")
        PENALTY_CANCEL = "penalty_cancel", _("penalty cancelled")
        WALKOVER = "walkover", _("walkover stated")
        WALKOVER_UNDO = "walkover_undo", _("walkover taken back")
        WINNER = "winner", _("winner of a match named")
        WINNER_UNDO = "winner_undo", _("named winner taken back")
        STOP = "stop", _("play ended at a table")
        RESUME = "resume", _("play at a table goes on")
        SEATS = "seats", _("seats exchanged")
        TABLES = "tables", _("players exchanged between tables")
        SUBSTITUTE = "substitute", _("player replaced")
        RULING = "ruling", _("ruling on an entry")
        RULING_LIFT = "ruling_lift", _("ruling on an entry lifted")
        UNDO = "undo", _("correction undone")

    class State(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        APPLIED = "applied", _("made")
        UNDONE = "undone", _("undone")
        DROPPED = "dropped", _("dropped")

    event = models.ForeignKey(Event, models.PROTECT, related_name="corrections")
    number = models.PositiveIntegerField()
    round = models.ForeignKey(Round, models.PROTECT, related_name="corrections")
    kind = models.CharField(max_length=15, choices=Kind)
    change = models.JSONField()
    reason = models.CharField(_("reason"), max_length=300)
    state = models.CharField(max_length=10, choices=State, default=State.PROPOSED)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    proposed_at = models.DateTimeField(auto_now_add=True)
    applied_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    applied_at = models.DateTimeField(null=True, blank=True)
    moves = models.JSONField(default=dict, blank=True)
    done = models.JSONField(default=dict, blank=True)
    redrawn_from = models.PositiveSmallIntegerField(null=True, blank=True)
    note = models.CharField(_("what changed and why"), max_length=300, blank=True)
    public = models.JSONField(default=list, blank=True)
    closed_before = models.BooleanField(
        default=False, help_text="The round was closed and is to be closed again."
    )
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="correction_number_once_per_event")
        ]

    def __str__(self) -> str:
        return f"{self.event_id}/{self.number} {self.kind}"
