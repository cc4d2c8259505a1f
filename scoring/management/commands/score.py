"""`manage.py score [FILE] [--ruleset KEY]`: scores deals given as JSON lines; needs no database."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.jsonl import answer_lines
from scoring.rulesets import shipped_keys


class Command(BaseCommand):
    """One answer a line, in the order of the deals; exit code 1 if any deal was refused."""

    help = (
        "Score deals given as JSON lines (docs/rules.md §9). Reads standard input without FILE or with “-”."
    )
    # Scoring needs neither database nor any other part of the site.
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", default="-", metavar="FILE", help="deals, one JSON object a line"
        )
        parser.add_argument(
            "--ruleset",
            metavar="KEY",
            choices=shipped_keys(),
            help=f"ruleset of the deals that name none: {', '.join(shipped_keys())}",
        )

    def handle(self, *, file: str, ruleset: str | None, **options: Any) -> None:
        if file == "-":
            # Bytes, so that a line that is not UTF-8 is an error of that line only.
            refused = self._answer(getattr(sys.stdin, "buffer", sys.stdin), ruleset)
        else:
            try:
                with open(file, "rb") as lines:
                    refused = self._answer(lines, ruleset)
            except OSError as error:
                raise CommandError(f"{file}: {error.strerror}", returncode=2) from error
        if refused:
            sys.exit(1)

    def _answer(self, lines: Iterable[str | bytes], ruleset: str | None) -> int:
        refused = 0
        for answer, scored in answer_lines(lines, ruleset):
            # Each answer leaves at once: another program may feed deals one by one and wait.
            self.stdout.write(answer)
            self.stdout.flush()
            refused += not scored
        return refused
