"""`manage.py recompute EVENT`: everything worked out again from the records, and what of it differs."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from referee.services.recompute import recompute_event
from tournament.management.lookup import find_event
from tournament.models import Event
from tournament.services.audit import SYSTEM


class Command(BaseCommand):
    """Ends with an error where something differs. Writes nothing without --repair."""

    help = "Rebuild all results of an event from its records and report every difference from what is stored."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", nargs="?", help="id of the event, or TOURNAMENT/EVENT as in its address")
        parser.add_argument("--all", action="store_true", dest="every", help="all events of the site")
        parser.add_argument(
            "--versions", action="store_true", help="look at earlier versions of publications as well"
        )
        parser.add_argument(
            "--repair",
            action="store_true",
            help="store scores and results as the records give them; publications stay",
        )

    def handle(
        self, *args: Any, event: str | None, every: bool, versions: bool, repair: bool, **options: Any
    ) -> None:
        if (event is None) != every:
            raise CommandError("name an event, or give --all")
        events = (
            Event.objects.select_related("tournament", "ruleset_version__book").order_by("pk")
            if event is None
            else [find_event(event)]
        )
        left = sum(self._recompute(one, versions, repair) for one in events)
        if left:
            raise CommandError(f"{left} differences from what the records give", returncode=1)

    def _recompute(self, event: Event, versions: bool, repair: bool) -> int:
        found = recompute_event(actor=SYSTEM, event=event, repair=repair, every_version=versions)
        self.stdout.write(
            f"{event.tournament.slug}/{event.slug}: {found.versions} records, {found.results} results, "
            f"{len(found.differences)} differences"
        )
        for one in found.differences:
            self.stdout.write(f"    {one}")
        if not repair:
            return len(found.differences)
        unscored = [one for one in found.repairable if one.field == "record"]
        return len(found.published) + len(unscored)
