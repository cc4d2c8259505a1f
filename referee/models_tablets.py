"""Table cards, the tablets bound by them, and attempts to bind one."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models import Event


class TableCard(models.Model):
    """The printed card of a table: its code binds a tablet to that table of the event, for nothing else."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="table_cards")
    table_number = models.PositiveIntegerField(_("table"))
    code = models.CharField(max_length=12, unique=True)
    expires_at = models.DateTimeField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["event_id", "table_number", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "table_number"],
                condition=models.Q(revoked_at__isnull=True),
                name="one_valid_card_per_table",
            )
        ]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.table_number}"


class Device(models.Model):
    """A tablet bound to a table by its card. Its cookie holds a secret of which only the digest is stored.

    ``waiting`` is how many entries it said it holds that the server does not have.
    """

    class End(models.TextChoices):
        TAKEN_OVER = "taken_over", _("another tablet took over")
        REVOKED = "revoked", _("shut out by the desk")
        EXPIRED = "expired", _("expired")

    event = models.ForeignKey(Event, models.PROTECT, related_name="devices")
    table_number = models.PositiveIntegerField(_("table"))
    card = models.ForeignKey(TableCard, models.PROTECT, related_name="devices")
    name = models.CharField(max_length=12, help_text="Shown to people, to tell tablets apart.")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the secret in its cookie.")
    joined_at = models.DateTimeField(auto_now_add=True)
    joined_from = models.GenericIPAddressField(null=True)
    expires_at = models.DateTimeField()
    seen_at = models.DateTimeField(help_text="Its last sign of life.")
    waiting = models.PositiveIntegerField(default=0)
    ended_at = models.DateTimeField(null=True)
    end = models.CharField(max_length=10, choices=End, blank=True)

    class Meta:
        ordering = ["event_id", "table_number", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "table_number"],
                condition=models.Q(ended_at__isnull=True),
                name="one_tablet_per_table",
            )
        ]

    def __str__(self) -> str:
        return self.name


class JoinAttempt(models.Model):
    """One use of a table card's code, right or wrong: too many in a short time are turned away."""

    address = models.GenericIPAddressField(null=True)
    code = models.CharField(max_length=64, help_text="SHA-256 of what was given as the code.")
    good = models.BooleanField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["at"], name="join_attempts_by_time")]

    def __str__(self) -> str:
        return f"{self.address} {self.at}"
