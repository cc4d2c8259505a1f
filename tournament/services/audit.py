"""Writing the audit trail."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models

from tournament.models import AuditRow, Event, Tournament
from tournament.queries.audit_chain import proof_of
from tournament.services.audit_seals import seal_after_commit


@dataclass(frozen=True)
class Tablet:
    """A tablet that acts without anybody being logged in: bound to one table number of one event.

    ``pk`` is its row's, or None for a program with a token to record, which acts as a tablet does. ``event``
    is the event's id; ``name`` tells it apart in the audit trail.
    """

    pk: int | None
    name: str
    event: int
    table_number: int


@dataclass(frozen=True)
class Actor:
    """Who does something, and from where: passed to every service that writes.

    A person, a tablet, or (neither) the system itself. ``token`` is the name of the token with which a
    program acts for the person; the audit trail then names both. ``via`` is where they had it from, if not
    from where they act: "paper" for score sheets.
    """

    user: AbstractBaseUser | None
    address: str | None = None
    tablet: Tablet | None = None
    token: str = ""
    via: str = ""

    @property
    def name(self) -> str:
        if self.user:
            username = self.user.get_username()
            # The whole of the token's name, and as much of the person's as its column has room for.
            return f"{username[:100]} [{self.token}]" if self.token else username
        return self.tablet.name if self.tablet else ""

    @property
    def source(self) -> str:
        """Where what they enter comes from: "paper", "interface" (the open one), "tablet", "page"; "" for
        the system.
        """
        if self.via:
            return self.via
        if self.token or (self.tablet and self.tablet.pk is None):
            return "interface"
        if self.tablet:
            return "tablet"
        return "page" if self.user else ""

    @property
    def is_system(self) -> bool:
        """Whether this is a command or task of the program, which may do everything."""
        return self.user is None and self.tablet is None

    @property
    def person(self) -> AbstractBaseUser | AnonymousUser:
        """Whose roles count: a tablet has nobody's."""
        return self.user or AnonymousUser()


#: For commands and tasks of the system itself.
SYSTEM = Actor(user=None)


def record_audit(
    *,
    actor: Actor,
    action: str,
    subject: models.Model,
    event: Event | None = None,
    tournament: Tournament | None = None,
    before: Any = None,
    after: Any = None,
    reason: str = "",
) -> AuditRow:
    """Adds one row to the audit trail, within the caller's transaction; it is sealed after the commit.

    before and after are JSON-ready; a creation has no before, a removal no after.
    """
    row = AuditRow(
        tournament=tournament or (event.tournament if event else None),
        event=event,
        actor=actor.user,
        actor_name=actor.name,
        address=actor.address,
        action=action,
        subject=f"{subject._meta.model_name}:{subject.pk}",
        before=before,
        after=after,
        reason=reason,
    )
    row.proof = proof_of(row)
    row.save(force_insert=True)
    seal_after_commit(row.tournament)
    return row
