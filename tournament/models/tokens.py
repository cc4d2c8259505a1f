"""Tokens of the open interface, and the answers kept so that a repeated request takes effect once."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.models.event import Event, Tournament


class ApiToken(models.Model):
    """A right given to another program: for one purpose, in one tournament, until a day.

    Only the digest of the secret is stored. ``user`` made the token, and a token to organise acts for them;
    no token outlives that person's role. A token to record is bound to a table number of an event, as a
    tablet is. The name stays taken when a token has ended: the audit trail names it.
    """

    class Purpose(models.TextChoices):
        READ = "read", _("read what is published")
        RECORD = "record", _("record at a table")
        ORGANISE = "organise", _("organise")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="api_tokens")
    purpose = models.CharField(_("purpose"), max_length=10, choices=Purpose)
    name = models.CharField(_("name"), max_length=40)
    event = models.ForeignKey(Event, models.CASCADE, null=True, blank=True, related_name="api_tokens")
    table_number = models.PositiveIntegerField(_("table"), null=True, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the secret.")
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(_("expires at"))
    last_used_at = models.DateTimeField(null=True)
    last_used_from = models.GenericIPAddressField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["tournament_id", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "name"], name="token_name_once_per_tournament"),
            models.CheckConstraint(
                condition=models.Q(purpose="record", event__isnull=False, table_number__isnull=False)
                | (~models.Q(purpose="record") & models.Q(event__isnull=True, table_number__isnull=True)),
                name="token_to_record_has_a_table",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def living(self) -> bool:
        """Neither revoked nor expired."""
        return self.revoked_at is None and self.expires_at > timezone.now()


class ApiAnswer(models.Model):
    """What was answered to a request with an Idempotency-Key: given again when it comes again."""

    token = models.ForeignKey(ApiToken, models.CASCADE, related_name="answers")
    key = models.CharField(max_length=80)
    digest = models.CharField(max_length=64, help_text="SHA-256 of method, address and body.")
    status = models.PositiveSmallIntegerField(default=200)
    body = models.JSONField(null=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["token", "key"], name="answer_once_per_key")]

    def __str__(self) -> str:
        return self.key
