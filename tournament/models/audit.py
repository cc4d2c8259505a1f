"""The audit trail: every change that bears on a result, who, from where, when, before, after and why."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from tournament.models.event import Event, Tournament


class AuditRow(models.Model):
    """One change. Rows are only ever added; what is added later to a row is its place in the chain.

    ``proof`` shows that the program wrote the row (tournament.queries.audit_chain); ``place`` and ``seal``
    are given right after the commit.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, null=True, related_name="audit_rows")
    event = models.ForeignKey(Event, models.PROTECT, null=True, related_name="audit_rows")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    actor_name = models.CharField(max_length=150, blank=True, help_text="As it was at the time.")
    address = models.GenericIPAddressField(null=True, help_text="Where the request came from.")
    action = models.CharField(max_length=60)
    subject = models.CharField(max_length=120, help_text="What was changed, e.g. deal:17.")
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now)
    proof = models.CharField(max_length=64, blank=True, help_text="HMAC of the content with the site's key.")
    place = models.PositiveBigIntegerField(null=True, help_text="In its chain, from 1.")
    seal = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 of the seal before and of this row."
    )

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["subject"], name="audit_by_subject"),
            models.Index(
                fields=["tournament"], condition=models.Q(place__isnull=True), name="audit_waiting_for_a_seal"
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "place"], name="audit_place_once_per_tournament"),
            models.UniqueConstraint(
                fields=["place"], condition=models.Q(tournament__isnull=True), name="audit_place_once_on_site"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.subject}"


class AuditChain(models.Model):
    """How far a chain of the audit trail goes: without it, rows missing at the end would not be noticed.

    Each tournament has a chain; rows that belong to none (rulesets, say) are in the chain named SITE.
    """

    SITE = "site"

    name = models.CharField(max_length=36, unique=True, help_text="The tournament's uid, or site.")
    tournament = models.OneToOneField(Tournament, models.PROTECT, null=True, related_name="audit_chain")
    length = models.PositiveBigIntegerField(default=0)
    seal = models.CharField(max_length=64, blank=True, help_text="That of the last row.")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.name}: {self.length}"
