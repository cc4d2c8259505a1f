"""`manage.py prune`: throws away what only grows and has had its time."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from referee.services.housekeeping import KEPT, prune


class Command(BaseCommand):
    """Deletes nothing that bears on a result; says what was deleted."""

    help = "Delete answers, commands, codes, workbooks and sessions that have had their time: " + ", ".join(
        f"{name} after {kept.days} days" for name, kept in KEPT.items()
    )

    def handle(self, *args: Any, **options: Any) -> None:
        counts = prune(now=timezone.now())
        if options["verbosity"]:
            self.stdout.write(", ".join(f"{name}: {count}" for name, count in counts.items()))
