"""Tournaments as a whole: a new one, one after the pattern of another, one from an archive."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import Body
from tournament.api.operations import Download, operation
from tournament.api.parsers import GZIP, ArchiveParser
from tournament.api.public import TournamentOut
from tournament.api.views import OrganiseView, SiteView
from tournament.models import Tournament
from tournament.services.archive.template import copy_tournament
from tournament.services.archive.transfer import Imported, export_tournament
from tournament.services.tournaments import create_tournament
from tournament.tasks.archive_proof import import_shown

TAG = "Organise: whole tournaments"


class NewTournamentBody(Body):
    """A new tournament. Its organiser is whoever made the token; the token itself does not open it."""

    name = serializers.CharField(max_length=120)
    slug = serializers.SlugField(max_length=60)
    venue = serializers.CharField(max_length=200, allow_blank=True, default="")
    starts_on = serializers.DateField(allow_null=True, default=None)
    ends_on = serializers.DateField(allow_null=True, default=None)
    time_zone = serializers.CharField(max_length=60, default="Asia/Shanghai")


class CopyBody(Body):
    """Name, address and first day of the copy; with a first day all times move along."""

    name = serializers.CharField(max_length=120)
    slug = serializers.SlugField(max_length=60)
    starts_on = serializers.DateField(allow_null=True, default=None)


class ArchiveQuery(serializers.Serializer):
    slug = serializers.SlugField(
        max_length=60,
        required=False,
        help_text="Another address, where another tournament has the archive's; the same is refused twice.",
    )


class ImportedOut(serializers.Serializer):
    """What was brought in: the hash of the file, and how many rows each section had."""

    tournament = TournamentOut()
    sha256 = serializers.CharField()
    rows = serializers.DictField(child=serializers.IntegerField())


class ArchiveView(OrganiseView):
    tag = TAG

    @operation(media_type=GZIP)
    def get(self, request: Request) -> Download:
        """The whole tournament as one file, as docs/archive.md describes it."""
        content = export_tournament(actor=self.actor, tournament=self.tournament)
        return Download(content, f"{self.tournament.slug}.json.gz")


class NewTournamentView(SiteView):
    tag = TAG

    @operation(input=NewTournamentBody, output=TournamentOut, status=201, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> Tournament:
        """Create a tournament."""
        return create_tournament(actor=self.actor, **data)


class CopyTournamentView(OrganiseView):
    tag = TAG

    @operation(input=CopyBody, output=TournamentOut, status=201, once=True)
    def post(self, request: Request, data: dict[str, Any]) -> Tournament:
        """Create a tournament with the events, stages, rounds, penalty catalogue and schedule of this one."""
        return copy_tournament(actor=self.actor, tournament=self.tournament, **data)


class ImportTournamentView(SiteView):
    tag = TAG
    parser_classes = [ArchiveParser]

    @operation(reads_file=True, query=ArchiveQuery, output=ImportedOut, status=201, once=True)
    def post(self, request: Request, data: bytes, query: dict[str, Any]) -> Imported:
        """Bring in a tournament from an archive of this or another site, all or nothing."""
        return import_shown(actor=self.actor, data=data, slug=query.get("slug", ""))
