"""`manage.py archive_schema`: the JSON Schema of archives, as docs/archive.schema.json has it."""

import json
from typing import Any

from django.core.management.base import BaseCommand

from tournament.queries.archive.schema import archive_schema


class Command(BaseCommand):
    """A program that reads archives checks them against this."""

    help = "Print the JSON Schema of archives."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(archive_schema(), ensure_ascii=False, indent=1))
