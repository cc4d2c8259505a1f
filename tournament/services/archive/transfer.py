"""Exporting a tournament to a file, and importing one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, connection, transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import AuditRow, Membership, Role, Tournament
from tournament.queries.archive.file import ArchiveError, content_hash, pack, unpack
from tournament.queries.archive.reading import archive_content
from tournament.queries.audit_chain import is_proven
from tournament.services.archive.rows import store_content
from tournament.services.audit import Actor, record_audit
from tournament.services.audit_seals import seal_rows
from tournament.services.errors import Conflict, Refused
from tournament.services.permissions import require_founder, require_organiser
from tournament.services.publish import touch_public_pages

_ATTEMPTS = 5


@dataclass(frozen=True)
class Imported:
    """A tournament brought in from a file: the file's hash, and how many rows each section had."""

    tournament: Tournament
    sha256: str
    rows: Mapping[str, int]


def export_tournament(*, actor: Actor, tournament: Tournament) -> bytes:
    """The file of a tournament as it is at one moment, while play may go on.

    Raises NotAllowed; Conflict if so much is being recorded that no such moment was found; Refused where the
    store itself is not in order.
    """
    require_organiser(actor, tournament)
    for _attempt in range(_ATTEMPTS):
        seal_rows(tournament=tournament)
        with transaction.atomic():
            _see_one_state()
            # A change that is in the file is sealed in it.
            waiting = AuditRow.objects.filter(tournament=tournament, place=None).select_related(
                "tournament", "event"
            )
            if any(is_proven(row) for row in waiting):
                continue
            try:
                return pack(archive_content(tournament))
            except ArchiveError as fault:
                raise Refused(fault.code, fault.message, fault.params) from fault
    raise Conflict("archive_busy", _("Too much is being recorded at this moment. Try again."))


def import_tournament(*, actor: Actor, data: bytes, slug: str = "") -> Imported:
    """Stores the tournament of a file, in one transaction; whoever imports it becomes its organiser.

    The people of the file get no rights and nobody can log in as one of them. ``slug``: another address than
    the file's, where that is taken. The import is recorded in the site's own audit trail, so that the
    tournament's stays as it was.

    Raises NotAllowed; Conflict if the tournament is here already or its address is taken; Refused for a file
    that is damaged, altered, of a newer version or contradicts itself.
    """
    require_founder(actor)
    try:
        content = unpack(data)
    except ArchiveError as fault:
        raise Refused(fault.code, fault.message, fault.params, field="file") from fault
    sha256 = content_hash(content)
    try:
        with transaction.atomic():
            content = _placed(content, slug)
            tournament = store_content(content)
            rows = {name: len(section) for name, section in content.items()}
            _settle(actor, tournament, sha256, rows)
    except (IntegrityError, DataError, OverflowError, ValidationError) as fault:
        raise Refused(
            "archive_contradicts", _("The archive contradicts itself; nothing was stored."), field="file"
        ) from fault
    return Imported(tournament, sha256, rows)


def _placed(content: dict[str, Any], slug: str) -> dict[str, Any]:
    """The content under the address wanted. Raises Conflict if it cannot be stored here."""
    try:
        (row,) = content["tournament"]
        uid, wanted = str(row["uid"]), slug or str(row["slug"])
        here = Tournament.objects.filter(uid=uid).first()
    except (KeyError, TypeError, ValueError, ValidationError) as fault:
        raise Refused("archive_value", _("The file has no tournament."), field="file") from fault
    if here is not None:
        raise Conflict(
            "archive_here",
            _(
                "This tournament is on this site already, at the address “%(slug)s”. It cannot be here "
                "twice, under another address either. For another one like it, open “Archive” on its page "
                "and use it as a template."
            ),
            {"slug": here.slug},
            field="file",
        )
    if Tournament.objects.filter(slug=wanted).exists():
        raise Conflict(
            "address_taken",
            _("Another tournament already has the address “%(slug)s”."),
            {"slug": wanted},
            field="slug",
        )
    return {**content, "tournament": [{**row, "slug": wanted}]}


def _settle(actor: Actor, tournament: Tournament, sha256: str, rows: Mapping[str, int]) -> None:
    if actor.user is not None:
        Membership.objects.create(tournament=tournament, user=actor.user, role=Role.ORGANISER)
    for event in tournament.events.all():
        touch_public_pages(event=event)
    record_audit(
        actor=actor,
        action="tournament.import",
        subject=tournament,
        after={"slug": tournament.slug, "name": tournament.name, "sha256": sha256, "rows": dict(rows)},
    )


def _see_one_state() -> None:
    """What is read from now on belongs together. SQLite sees to that itself."""
    if connection.vendor == "postgresql" and len(connection.savepoint_ids) == 0:
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
