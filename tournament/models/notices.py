"""What the organiser tells everybody: announcements 公告 and the schedule 日程."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.models.event import Event, Tournament


class Announcement(models.Model):
    """A notice of a tournament, or of one of its events. A withdrawn one stays on record and is not shown."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="announcements")
    event = models.ForeignKey(Event, models.PROTECT, null=True, blank=True, related_name="announcements")
    title = models.CharField(_("title"), max_length=120)
    text = models.TextField(_("text"), max_length=4000, blank=True)
    pinned = models.BooleanField(_("pinned to the top"), default=False)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    published_at = models.DateTimeField(default=timezone.now)
    edited_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pinned", "-published_at", "-id"]

    def __str__(self) -> str:
        return self.title


class ScheduleItem(models.Model):
    """A line of the schedule that is no round: opening, lunch, prize giving. Rounds have their own times."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="schedule_items")
    event = models.ForeignKey(Event, models.PROTECT, null=True, blank=True, related_name="schedule_items")
    title = models.CharField(_("title"), max_length=120)
    place = models.CharField(_("place"), max_length=120, blank=True)
    starts_at = models.DateTimeField(_("begins"))
    ends_at = models.DateTimeField(_("ends"), null=True, blank=True)

    class Meta:
        ordering = ["starts_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_at__isnull=True) | models.Q(ends_at__gte=models.F("starts_at")),
                name="schedule_item_ends_after_it_starts",
            )
        ]

    def __str__(self) -> str:
        return self.title
