"""What the desk has to do with a table: calls for a referee, and players put back into their right seats."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models import Table


class TableCall(models.Model):
    """A table calls a referee 叫裁判; somebody takes the call and closes it with a ruling. All are kept.

    A table has one open call at a time: calling again while one is open changes nothing.
    """

    class Outcome(models.TextChoices):
        RULED = "ruled", _("ruled")
        WITHDRAWN = "withdrawn", _("taken back by the table")

    table = models.ForeignKey(Table, models.PROTECT, related_name="calls")
    seat = models.CharField(max_length=1, blank=True, help_text="Who called; blank where nobody said.")
    called_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    device = models.ForeignKey("referee.Device", models.PROTECT, null=True, related_name="+")
    called_at = models.DateTimeField(auto_now_add=True)
    taken_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    taken_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    ruling = models.CharField(_("ruling"), max_length=300, blank=True)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["table_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(closed_at__isnull=True), name="one_open_call_per_table"
            ),
            models.CheckConstraint(
                condition=models.Q(closed_at__isnull=True, outcome="", ruling="")
                | (models.Q(closed_at__isnull=False, outcome="ruled") & ~models.Q(ruling=""))
                | models.Q(closed_at__isnull=False, outcome="withdrawn"),
                name="closed_call_has_a_ruling_or_was_withdrawn",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.called_at}"


class Reseating(models.Model):
    """Players who had sat at wrong seats, put right in one step: their deals moved with them.

    ``moved`` maps the seat at which somebody sat to the seat that is theirs. Undoing keeps it on record.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="reseatings")
    segment = models.PositiveSmallIntegerField(default=1)
    moved = models.JSONField()
    reason = models.CharField(_("reason"), max_length=300)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    undo_reason = models.CharField(max_length=300, blank=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["table_id", "id"]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.moved}"


class ReseatedDeal(models.Model):
    """One deal of a re-seating: the version that named the wrong seats, and the one put in its place."""

    reseating = models.ForeignKey(Reseating, models.PROTECT, related_name="deals")
    before = models.OneToOneField("referee.DealVersion", models.PROTECT, related_name="reseated_into")
    after = models.OneToOneField("referee.DealVersion", models.PROTECT, related_name="reseated_from")

    class Meta:
        ordering = ["reseating_id", "before__deal__order"]

    def __str__(self) -> str:
        return f"{self.before_id} → {self.after_id}"
