"""A match that is not played 弃权: somebody did not come, and the organiser states what it is worth."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.event import Entry
from tournament.models.structure import Match
from tournament.points import PointsField


class Walkover(models.Model):
    """A match whose deals, if any, do not count: each side has the score stated for it.

    ``met``: it counts as a meeting of those in it, for later draws and for tie-breaks by opponents.
    Play at its tables that still went on was ended at the time it was made.
    """

    match = models.OneToOneField(Match, models.CASCADE, related_name="walkover")
    met = models.BooleanField(_("counts as a meeting"), default=False)
    reason = models.CharField(_("reason"), max_length=300)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["match_id"]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.reason}"


class WalkoverScore(models.Model):
    """What one entry in the match has for it, in the event's measure, and whether it was the one absent."""

    walkover = models.ForeignKey(Walkover, models.CASCADE, related_name="scores")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="+")
    points = PointsField(default=0)
    absent = models.BooleanField(default=False)

    class Meta:
        ordering = ["walkover_id", "entry__number"]
        constraints = [models.UniqueConstraint(fields=["walkover", "entry"], name="one_score_per_walkover")]

    def __str__(self) -> str:
        return f"{self.walkover_id}/{self.entry_id}: {self.points}"
