"""`manage.py archive_import`: a tournament from the file of another site."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from referee.services.recompute import recompute_event
from tournament.models import Tournament
from tournament.queries.audit_chain import check_chain
from tournament.services.archive.transfer import import_tournament
from tournament.services.audit import SYSTEM
from tournament.services.errors import Refused
from tournament.tasks.archive_proof import import_shown


class Command(BaseCommand):
    """Stores all of it or nothing. Nobody gets a right: give an organiser the role afterwards."""

    help = "Bring in a tournament from a file that archive_export has written."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument(
            "--slug", default="", help="another address, where another tournament has the file's"
        )

        parser.add_argument(
            "--unshown",
            action="store_true",
            help="store it though some of its pages cannot be shown: its records are in the database then",
        )

    def handle(self, *args: Any, file: str, slug: str, unshown: bool, **options: Any) -> None:
        try:
            data = Path(file).read_bytes()
        except OSError as fault:
            raise CommandError(f"{file}: {fault.strerror}") from fault
        try:
            found = (import_tournament if unshown else import_shown)(actor=SYSTEM, data=data, slug=slug)
        except Refused as refusal:
            raise CommandError("\n".join(str(problem) for problem in refusal.problems)) from refusal
        for name, count in found.rows.items():
            self.stdout.write(f"{name}: {count}")
        self.stdout.write(self.style.SUCCESS(f"{found.tournament.slug}: imported, SHA-256 {found.sha256}"))
        if not unshown:
            self._check(found.tournament)

    def _check(self, tournament: Tournament) -> None:
        """What the file brought along is stored all the same; whoever imports it should know."""
        findings = [finding.text for finding in check_chain(tournament).findings]
        for event in tournament.events.select_related("tournament").order_by("pk"):
            findings += [str(one) for one in recompute_event(actor=SYSTEM, event=event).differences]
        for text in findings:
            self.stdout.write(self.style.WARNING(f"    {text}"))
        self.stdout.write(f"audit trail and results checked: {len(findings)} findings")
