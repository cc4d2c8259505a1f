"""Workbooks made beside the requests: what was asked for, how far it is, and the file until it expires."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.models.event import Event, Tournament


class WorkbookOrder(models.Model):
    """A result workbook asked for; of one event, or of the whole tournament where ``event`` is None."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        WORKING = "working", _("being made")
        READY = "ready", _("ready")
        FAILED = "failed", _("failed")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="workbook_orders")
    event = models.ForeignKey(Event, models.CASCADE, null=True, related_name="workbook_orders")
    language = models.CharField(max_length=10)
    ordered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    ordered_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    done = models.PositiveSmallIntegerField(default=0, help_text="Steps done, of `steps`.")
    steps = models.PositiveSmallIntegerField(default=0)
    sign_of_life = models.DateTimeField(default=timezone.now, help_text="When the last step was done.")
    content = models.BinaryField(null=True)
    expires_at = models.DateTimeField(null=True, help_text="The file is deleted then.")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.event_id}: {self.state}"
