"""`manage.py archive_export`: a whole tournament as one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.models import Tournament
from tournament.services.archive.transfer import export_tournament
from tournament.services.audit import SYSTEM
from tournament.services.errors import Refused


class Command(BaseCommand):
    """Writes the file only when it is complete."""

    help = "Write everything of a tournament to one file (docs/archive.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tournament", help="the tournament's address")
        parser.add_argument("file", nargs="?", help="usually TOURNAMENT.json.gz")

    def handle(self, *args: Any, tournament: str, file: str | None, **options: Any) -> None:
        found = Tournament.objects.filter(slug=tournament).first()
        if found is None:
            raise CommandError(f"no such tournament: {tournament}")
        try:
            data = export_tournament(actor=SYSTEM, tournament=found)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        path = Path(file or f"{tournament}.json.gz")
        unfinished = path.with_name(path.name + ".part")
        unfinished.write_bytes(data)
        unfinished.replace(path)
        self.stdout.write(self.style.SUCCESS(f"{path}: {len(data)} bytes"))
