"""`manage.py score [FILE] [--ruleset KEY]`: scores deals given as JSON lines; needs no database."""

import io
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.jsonl import answer_lines
from scoring.rulesets import shipped_keys

#: How many refused lines are named at the end; each has its answer in any case.
NAMED = 20


class Command(BaseCommand):
    """One answer a line, in the order of the deals.

    Exit code 1 if any deal was refused, 2 if not all could be read or answered.
    """

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
        if isinstance(sys.stdout, io.TextIOWrapper):
            # JSON is UTF-8, whatever this machine's other programs write into a file or pipe.
            sys.stdout.reconfigure(encoding="utf-8")
        try:
            if file == "-":
                # Bytes, so that a line that is not UTF-8 is an error of that line only.
                self._answer(getattr(sys.stdin, "buffer", sys.stdin) or (), ruleset)
            else:
                with open(file, "rb") as lines:
                    self._answer(lines, ruleset)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}", returncode=2) from error

    def _answer(self, lines: Iterable[str | bytes], ruleset: str | None) -> None:
        deals, refused = 0, []
        for number, answer, scored in answer_lines(lines, ruleset):
            self._write(answer)
            deals += 1
            if not scored:
                refused.append(number)
        if refused:
            named = ", ".join(map(str, refused[:NAMED])) + (" …" if len(refused) > NAMED else "")
            self.stderr.write(f"{len(refused)} of {deals} deals refused, see the answers to line {named}")
            sys.exit(1)

    def _write(self, answer: str) -> None:
        """Let each answer leave at once: another program may feed deals one by one and wait."""
        try:
            self.stdout.write(answer)
            self.stdout.flush()
        except OSError as error:
            raise CommandError(f"The answers cannot be written: {error.strerror}", returncode=2) from error
