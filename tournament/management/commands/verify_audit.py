"""`manage.py verify_audit`: whether a row of the audit trail was altered, removed, put in or moved."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.models import Tournament
from tournament.queries.audit_chain import ChainReport, check_chain

#: Findings that are no fault: the program seals such rows with the next change.
_NOTES = ("waiting",)


class Command(BaseCommand):
    """Ends with an error, and names the rows, where a chain is not whole. Writes nothing."""

    help = "Check the chain of the audit trail of a tournament, or of all tournaments and the site."

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
            faults += self._tell(title, report)
        if faults:
            raise CommandError(f"{faults} findings: the audit trail is not as it was written", returncode=1)
        self.stdout.write(self.style.SUCCESS("the audit trail is whole"))

    def _tell(self, title: str, report: ChainReport) -> int:
        self.stdout.write(f"{title}: {report.rows} rows, digest {report.seal or '–'}")
        for finding in report.findings:
            self.stdout.write(f"    {finding.text}")
        return sum(finding.code not in _NOTES for finding in report.findings)


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
