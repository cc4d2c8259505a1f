"""Publications: what was shown to the public, in which version, and the bytes that are served."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.models.event import Event
from tournament.models.structure import Round


class Publication(models.Model):
    """One published version of a draw, a round's results or the standings after a round.

    The payload holds everything the public pages show of it, so that a page never reads unpublished data
    and any version can be rendered again.

    A version published live, as deals are checked, is carried on in place: its ``minor`` counts how often,
    and its payload is the latest. So a round has one payload for all its live updates together, however
    many. The next version published by hand leaves it as it was then.
    """

    class What(models.TextChoices):
        DRAW = "draw", _("pairings")
        RESULTS = "results", _("results")
        STANDINGS = "standings", _("standings")

    event = models.ForeignKey(Event, models.PROTECT, related_name="publications")
    round = models.ForeignKey(Round, models.PROTECT, related_name="publications")
    what = models.CharField(max_length=10, choices=What)
    version = models.PositiveIntegerField()
    live = models.BooleanField(default=False, help_text="Published by itself, as deals were checked.")
    minor = models.PositiveIntegerField(default=0, help_text="How often a live version has been carried on.")
    payload = models.JSONField()
    sheet = models.JSONField(default=dict, help_text="Of results: what standings need of the payload.")
    note = models.CharField(_("what changed and why"), max_length=300, blank=True)
    withdrawn = models.BooleanField(
        default=False, help_text="This version takes the matter off the public pages."
    )
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    published_at = models.DateTimeField(default=timezone.now)
    final_at = models.DateTimeField(
        null=True, help_text="Provisional until then, final from then on; null where nothing was said."
    )

    class Meta:
        ordering = ["event_id", "round__number", "what", "version"]
        constraints = [
            models.UniqueConstraint(fields=["round", "what", "version"], name="publication_version_once")
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.round_id} v{self.version}"

    @property
    def is_final(self) -> bool:
        """Whether the time until which it was provisional is over; False where nothing was said."""
        return self.final_at is not None and self.final_at <= timezone.now()


class PublicPart(models.Model):
    """A part of what is public of an event, and the event's public_version at which it last changed.

    Names: ``frame`` (what every page shows), ``any`` (moves with every change), and those of
    tournament.queries.page_parts.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="public_parts")
    name = models.CharField(max_length=40)
    version = models.PositiveIntegerField()

    class Meta:
        ordering = ["event_id", "name"]
        constraints = [models.UniqueConstraint(fields=["event", "name"], name="public_part_once_per_event")]

    def __str__(self) -> str:
        return f"{self.event_id} {self.name} v{self.version}"


class PublishedPage(models.Model):
    """A public page as bytes, rendered once per publication and language; a request is a look-up.

    ``event_version`` is the event's public_version read before anything else of the page. The page holds
    while none of its parts (PublicPart) has changed since, so one that was rendered while somebody published
    is never served again, and one that a publication does not touch keeps its ETag.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="pages")
    event_version = models.PositiveIntegerField()
    path = models.CharField(max_length=200)
    language = models.CharField(max_length=10)
    content_type = models.CharField(max_length=60, default="text/html; charset=utf-8")
    etag = models.CharField(max_length=70)
    body_gzip = models.BinaryField()
    holds_until = models.DateTimeField(
        null=True, help_text="When something on the page changes by itself, e.g. from provisional to final."
    )
    rendered_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["path", "language"]
        constraints = [
            models.UniqueConstraint(fields=["path", "language"], name="one_page_per_path_and_language")
        ]

    def __str__(self) -> str:
        return f"{self.path} ({self.language})"
