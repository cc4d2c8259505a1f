"""Organising: the record of changes, read and taken away."""

from collections.abc import Iterator
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import ObjectOut, WholeNumber
from tournament.api.operations import Download, operation
from tournament.api.paging import Listed
from tournament.api.views import OrganiseView
from tournament.excel.audit_files import audit_csv, audit_workbook
from tournament.models import AuditRow
from tournament.queries.audit import AuditFilter, DayDigest, audit_rows, day_digest
from tournament.services.audit_seals import seal_rows
from tournament.views.manage.downloads import XLSX

TAG = "Organise: record of changes"


class ChangesQuery(serializers.Serializer):
    """What a page's filter has too: of one event alone; a kind of change (the first word of its action); a
    person; days in the tournament's time zone; the number of a table; words that it has.
    """

    event = serializers.SlugField(max_length=60, required=False)
    area = serializers.SlugField(max_length=60, required=False)
    person = serializers.CharField(max_length=200, required=False)
    first_day = serializers.DateField(required=False)
    last_day = serializers.DateField(required=False)
    table = WholeNumber(
        min_value=1, required=False, help_text="What was done at the tables of this number, in every round."
    )
    words = serializers.CharField(max_length=100, required=False)


class DayQuery(serializers.Serializer):
    day = serializers.DateField(required=False, help_text="Today, if not said.")


class AuditRowOut(serializers.Serializer):
    """A change. ``place`` and ``seal`` are those in the chain; null and empty until it is sealed."""

    place = serializers.IntegerField(allow_null=True)
    at = serializers.DateTimeField()
    event = serializers.CharField(source="event.slug", allow_null=True)
    action = serializers.CharField()
    subject = serializers.CharField(allow_blank=True)
    actor = serializers.CharField(source="actor_name", allow_blank=True)
    address = serializers.CharField(allow_null=True)
    before = ObjectOut(allow_null=True)
    after = ObjectOut(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    seal = serializers.CharField(allow_blank=True)


class DigestOut(serializers.Serializer):
    """How the chain stood at the end of a day: rows so far, those of the day, and the seal of the last."""

    day = serializers.DateField()
    rows = serializers.IntegerField()
    of_day = serializers.IntegerField()
    seal = serializers.CharField(allow_blank=True)
    last_at = serializers.DateTimeField(allow_null=True)


class ChangesActView(OrganiseView):
    """Changes that a filter shows."""

    tag = TAG

    def rows(self, query: dict[str, Any]) -> Any:
        """The rows, newest first. Raises ValidationError for an event that is not there."""
        self.event_of(query.get("event"))
        return audit_rows(self.tournament, None, AuditFilter(**query))

    def streamed(self, query: dict[str, Any]) -> Iterator[AuditRow]:
        """The rows for a file, of which there may be many."""
        return self.rows(query).iterator(chunk_size=2000)


class ChangesView(ChangesActView):
    @operation(query=ChangesQuery, output=AuditRowOut, paged=True)
    def get(self, request: Request, query: dict[str, Any]) -> Listed:
        """Every change on record, the newest first."""
        return Listed(self.rows(query))


class ChangesCsvView(ChangesActView):
    @operation(query=ChangesQuery, media_type="text/csv")
    def get(self, request: Request, query: dict[str, Any]) -> Download:
        """The changes as comma-separated values."""
        return Download(audit_csv(self.streamed(query), self.tournament.tz), f"{self.tournament.slug}.csv")


class ChangesWorkbookView(ChangesActView):
    @operation(query=ChangesQuery, media_type=XLSX)
    def get(self, request: Request, query: dict[str, Any]) -> Download:
        """The changes as a workbook."""
        title = _("Changes %(of)s") % {"of": self.tournament.name}
        content = audit_workbook(self.streamed(query), self.tournament.tz, title)
        return Download(content, f"{title}.xlsx")


class DigestView(OrganiseView):
    tag = TAG

    @operation(query=DayQuery, output=DigestOut)
    def get(self, request: Request, query: dict[str, Any]) -> DayDigest:
        """The digest of a day, to be signed."""
        today = timezone.localdate(timezone=self.tournament.tz)
        seal_rows(tournament=self.tournament)
        return day_digest(self.tournament, min(query.get("day", today), today))
