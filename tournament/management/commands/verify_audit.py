"""`manage.py verify_audit`: whether a row of the audit trail was altered, removed, put in or moved.

Also whether deals, checks, penalties, walkovers, rulings, entries and events are as the trail says they were
written.
"""

from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from referee.services.trail_facts import check_facts
from tournament.models import Tournament
from tournament.queries.audit_chain import ChainReport, Finding, check_chain

#: Findings that are no fault: the program seals such rows with the next change.
_NOTES = ("waiting",)


class Command(BaseCommand):
    """Ends with an error, and names the rows and facts, where something is not as written. Writes nothing."""

    help = (
        "Check the chain of the audit trail of a tournament, or of all tournaments and the site, and what "
        "results are made of against the trail."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tournament", nargs="?", help="the tournament's address; all chains without it")
        parser.add_argument(
            "--digest", default="", help="a printed digest that the tournament's chain must contain"
        )

    def handle(self, *args: Any, tournament: str | None, digest: str, **options: Any) -> None:
        if digest and tournament is None:
            raise CommandError("--digest belongs to one tournament: name it")
        faults = 0
        for title, chain in _chains(tournament):
            try:
                report = check_chain(chain, digest)
            except ValueError as fault:
                raise CommandError(str(fault)) from fault
            facts = check_facts(chain) if chain else []
            faults += self._tell(title, report, [*report.findings, *facts])
        if faults:
            raise CommandError(f"{faults} findings: not everything is as it was written", returncode=1)
        self.stdout.write(self.style.SUCCESS("the audit trail is whole"))

    def _tell(self, title: str, report: ChainReport, findings: Sequence[Finding]) -> int:
        self.stdout.write(f"{title}: {report.rows} rows, digest {report.seal or '–'}")
        for finding in findings:
            self.stdout.write(f"    {finding.text}")
        return sum(finding.code not in _NOTES for finding in findings)


def _chains(slug: str | None) -> list[tuple[str, Tournament | None]]:
    if slug is None:
        return [
            *((one.slug, one) for one in Tournament.objects.order_by("slug")),
            ("(no tournament)", None),
        ]
    found = Tournament.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(f"no such tournament: {slug}")
    return [(found.slug, found)]
