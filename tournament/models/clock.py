"""The clock of a timed round 限时轮, and deals that count though time was up."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.structure import Draw, Table


class RoundClock(models.Model):
    """When time is up at the tables of a draw. Whether a deal in play then counts, the event's plan says.

    It belongs to the draw: a round drawn anew is timed anew.
    """

    draw = models.OneToOneField(Draw, models.CASCADE, related_name="clock")
    ends_at = models.DateTimeField(_("time is up at"))

    class Meta:
        ordering = ["draw_id"]

    def __str__(self) -> str:
        return f"{self.draw_id}: {self.ends_at:%H:%M}"


class LateDeal(models.Model):
    """The desk lets one more deal of a table be recorded after time was up, e.g. one that was played in time
    and could not be sent. ``deals`` is how many first entered after the end may then be on record.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="late_deals")
    deals = models.PositiveSmallIntegerField()
    reason = models.CharField(_("reason"), max_length=300)
    allowed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    allowed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["table_id", "id"]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.reason}"
