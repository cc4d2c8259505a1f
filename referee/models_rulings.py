"""What the organiser rules on an entry as a whole: disqualified 取消资格, or results annulled 成绩作废."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models import Entry
from tournament.points import PointsField


class EntryRuling(models.Model):
    """A ruling on an entry; lifting it keeps it on record. At most one of an entry is in force.

    ``annul_from`` is the first round whose results of it are annulled, 1 for all; null keeps them all.
    ``withdrew``: the entry was taking part until then, and takes part again once the ruling is lifted.
    """

    class Opponents(models.TextChoices):
        """What those who met the entry in an annulled round have for it."""

        PLAYED = "played", _("their results as played")
        STATED = "stated", _("a stated score, as for a walkover")

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="rulings")
    unranked = models.BooleanField(_("disqualified: last, without a rank"), default=True)
    annul_from = models.PositiveSmallIntegerField(_("results annulled from round"), null=True, blank=True)
    opponents = models.CharField(
        _("opponents keep"), max_length=10, choices=Opponents, default=Opponents.PLAYED
    )
    opponents_points = PointsField(_("stated score"), default=0)
    withdrew = models.BooleanField(default=False)
    reason = models.CharField(_("reason"), max_length=300)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    lift_reason = models.CharField(max_length=300, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["entry_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["entry"],
                condition=models.Q(lifted_at__isnull=True),
                name="one_ruling_in_force_per_entry",
            )
        ]

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.annul_from}"

    def annuls(self, round_number: int) -> bool:
        """Whether the entry's result of a round is annulled."""
        return self.annul_from is not None and round_number >= self.annul_from
