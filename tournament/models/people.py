"""Who may do what: roles in a tournament, and the tables given to a table referee."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.event import Event, Tournament


class Role(models.TextChoices):
    ORGANISER = "organiser", _("organiser")
    CHIEF_REFEREE = "chief_referee", _("chief referee")
    TABLE_REFEREE = "table_referee", _("table referee")


class Membership(models.Model):
    """A user's role in a tournament. One user may have several."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=20, choices=Role)

    class Meta:
        ordering = ["tournament_id", "role", "user_id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user", "role"], name="role_once_per_user")
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"


class TableGrant(models.Model):
    """A table of an event given to a table referee; it holds for that table number in every round."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="table_grants")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="table_grants")
    table_number = models.PositiveIntegerField(_("table"))

    class Meta:
        ordering = ["event_id", "table_number"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "user", "table_number"], name="table_given_once_per_user"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.table_number}"
