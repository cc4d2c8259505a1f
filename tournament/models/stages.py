"""Who plays in a stage 阶段, who is kept apart, who is absent, and matches decided by the organiser."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.event import Entry, Event
from tournament.models.structure import Match, Round, Stage


class StageEntry(models.Model):
    """An entry that advanced to a stage; the first stage has everybody and needs none.

    ``place`` is its seed in the stage, 1 the highest.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="members")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="stage_entries")
    place = models.PositiveIntegerField(_("seed"))

    class Meta:
        ordering = ["stage_id", "place"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "entry"], name="entry_once_per_stage"),
            models.UniqueConstraint(fields=["stage", "place"], name="place_once_per_stage"),
        ]

    def __str__(self) -> str:
        return f"{self.stage_id}: {self.entry_id}"


class ApartGroup(models.Model):
    """Entries that never meet: two who asked for it, a family, the singles of one team."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="apart_groups")
    name = models.CharField(_("name"), max_length=120, blank=True)
    entries = models.ManyToManyField(Entry, related_name="apart_groups")

    class Meta:
        ordering = ["event_id", "id"]

    def __str__(self) -> str:
        return self.name or str(self.pk)


class Absence(models.Model):
    """An entry that does not come to one round and is not drawn in it; it has not withdrawn."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="absences")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="absences")
    reason = models.CharField(_("reason"), max_length=300, blank=True)

    class Meta:
        ordering = ["round_id", "entry__number"]
        constraints = [models.UniqueConstraint(fields=["round", "entry"], name="absent_once_per_round")]

    def __str__(self) -> str:
        return f"{self.round_id}: {self.entry_id}"


class MatchDecision(models.Model):
    """A match of a bracket decided otherwise than by its deals: an equal result, a side that did not come."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="decision")
    winner = models.ForeignKey(Entry, models.PROTECT, related_name="+")
    reason = models.CharField(_("reason"), max_length=300)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["match_id"]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.winner_id}"
