"""Results of an entry in a round: derived from the deal records, stored for speed, rebuilt at any time."""

from django.db import models

from tournament.models.event import Entry
from tournament.models.structure import Round, Table
from tournament.points import PointsField


class EntryResult(models.Model):
    """What one entry has made at one table in one round so far (points; penalties are separate).

    checked_* counts only deals that a second person has checked; only these are ever published.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="results")
    table = models.ForeignKey(Table, models.CASCADE, related_name="results")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="results")
    points = PointsField(default=0, help_text="Sum of the deals' credited points.")
    opponents_points = PointsField(default=0, help_text="Two-sided: the other side's points.")
    value = PointsField(default=0, help_text="Result in the event's measure.")
    games_won = PointsField(default=0, help_text="Games won; a draw counts half.")
    pigs = models.PositiveSmallIntegerField(default=0, help_text="Games lost as pig 当猪.")
    deals = models.PositiveIntegerField(default=0)
    checked_deals = models.PositiveIntegerField(default=0)
    grand_slams = models.PositiveSmallIntegerField(default=0)
    all_hearts = models.PositiveSmallIntegerField(default=0)
    complete = models.BooleanField(
        default=False, help_text="The plan is played out and every deal is checked."
    )

    class Meta:
        ordering = ["round_id", "entry__number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "entry"], name="one_result_per_entry_and_table")
        ]

    def __str__(self) -> str:
        return f"{self.round_id}/{self.entry_id}: {self.value}"
