"""Substitutions 换人 at a table: who gave up a seat to whom, from which deal on."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.event import Player
from tournament.models.structure import Match, Table


class Substitution(models.Model):
    """One player taking another's seat in a match. The seat itself names who sits there now.

    ``after_dealing`` is the place among the table's dealings of the last one that ``player_out`` played (0:
    none at this table); what is dealt later, a replay of an earlier number too, is ``player_in``'s.
    """

    match = models.ForeignKey(Match, models.PROTECT, related_name="substitutions")
    table = models.ForeignKey(Table, models.PROTECT, related_name="substitutions")
    segment = models.PositiveSmallIntegerField(default=1)
    direction = models.CharField(_("seat"), max_length=1)
    player_out = models.ForeignKey(Player, models.PROTECT, related_name="+")
    player_in = models.ForeignKey(Player, models.PROTECT, related_name="+")
    after_dealing = models.PositiveIntegerField(default=0)
    reason = models.CharField(_("reason"), max_length=300)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["table_id", "id"]

    def __str__(self) -> str:
        return f"{self.table_id} {self.direction}: {self.player_out_id} → {self.player_in_id}"
