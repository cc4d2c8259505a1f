"""Tokens of the open interface: made by an organiser, shown once, used by a program, revoked.

A token is as good as the role of whoever made it: both are asked with every use.
"""

import hashlib
import secrets
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.models import ApiToken, Event, Tournament
from tournament.queries import access
from tournament.services.audit import Actor, Tablet, record_audit
from tournament.services.errors import Conflict, Problem, Refused
from tournament.services.members import LARGEST_TABLE
from tournament.services.permissions import require_organiser
from tournament.services.validation import text

#: The longest life of a token, in days.
LONGEST_LIFE = 400
#: The last use is written at most so often: reading must not make every request wait for the store.
USE_STEP = timedelta(minutes=1)
_NAME_LENGTH = ApiToken._meta.get_field("name").max_length or 0
#: Tells a leaked secret apart from other random text.
_PREFIX = "hp_"


def create_token(
    *,
    actor: Actor,
    tournament: Tournament,
    purpose: str,
    name: str,
    days: int,
    event: Event | None = None,
    table_number: int | None = None,
) -> tuple[ApiToken, str]:
    """Makes a token and its secret, which is returned to be shown once and is not stored in clear.

    ``days`` is how long it lives. ``event`` and ``table_number`` belong to the purpose *record* alone. Raises
    NotAllowed, Refused with every fault, or Conflict where the name is taken.
    """
    require_organiser(actor, tournament)
    secret = _PREFIX + secrets.token_urlsafe(32)
    token = ApiToken(
        tournament=tournament,
        purpose=purpose,
        name=text(name),
        event=event,
        table_number=table_number,
        user=actor.user,
        digest=_digest(secret),
    )
    faults = _faults(token, days)
    if actor.user is None:
        faults.append(Problem("person_needed", _("A token is made by a person.")))
    if faults:
        raise Refused.for_problems(faults)
    token.expires_at = timezone.now() + timedelta(days=days)
    with transaction.atomic():
        try:
            with transaction.atomic():
                token.save()
        except IntegrityError as fault:
            raise Conflict(
                "token_name_taken",
                _("There is or was a token of the name “%(name)s”: the changes on record name it."),
                {"name": token.name},
                field="name",
            ) from fault
        record_audit(
            actor=actor,
            action="token.create",
            subject=token,
            event=event,
            tournament=tournament,
            after=token_state(token),
        )
    return token, secret


def revoke_token(*, actor: Actor, token: ApiToken) -> ApiToken:
    """Ends a token at once. Doing so again changes nothing. Raises NotAllowed."""
    require_organiser(actor, token.tournament)
    with transaction.atomic():
        tokens = ApiToken.objects.select_for_update(of=("self",), no_key=True).select_related(
            "tournament", "event"
        )
        current = tokens.get(pk=token.pk)
        if current.revoked_at is None:
            current.revoked_at = timezone.now()
            current.save(update_fields=["revoked_at"])
            record_audit(
                actor=actor,
                action="token.revoke",
                subject=current,
                event=current.event,
                tournament=current.tournament,
                before=token_state(current),
            )
    return current


def use_token(*, secret: str, address: str | None) -> ApiToken | None:
    """The token of that secret, if it still opens anything; its last use is noted."""
    tokens = ApiToken.objects.select_related("tournament", "event", "user")
    token = tokens.filter(digest=_digest(secret)).first()
    if token is None or not token.living or not access.can_organise(token.user, token.tournament):
        return None
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at >= USE_STEP:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now, last_used_from=address)
    return token


def actor_of_token(token: ApiToken, address: str | None) -> Actor:
    """Whoever acts with this token: a tablet at its table, or the person who made it."""
    if token.purpose == ApiToken.Purpose.RECORD:
        assert token.event_id is not None
        assert token.table_number is not None
        tablet = Tablet(
            pk=None, name=f"[{token.name}]", event=token.event_id, table_number=token.table_number
        )
        return Actor(user=None, address=address, tablet=tablet)
    return Actor(user=token.user, address=address, token=token.name)


def token_state(token: ApiToken) -> dict[str, Any]:
    """The token for the audit trail."""
    return {
        "name": token.name,
        "purpose": token.purpose,
        "table": token.table_number,
        "expires_at": token.expires_at.isoformat(timespec="seconds"),
    }


def _faults(token: ApiToken, days: int) -> list[Problem]:
    faults = []
    if not token.name or len(token.name) > _NAME_LENGTH:
        faults.append(
            Problem("token_name", _("The name has 1 to %(most)s characters."), {"most": _NAME_LENGTH}, "name")
        )
    if not 1 <= days <= LONGEST_LIFE:
        faults.append(
            Problem("token_days", _("A token lives for 1 to %(most)s days."), {"most": LONGEST_LIFE}, "days")
        )
    if token.purpose not in ApiToken.Purpose:
        faults.append(Problem("token_purpose", _("There is no such purpose."), {}, "purpose"))
    if token.purpose == ApiToken.Purpose.RECORD:
        if token.event is None or token.event.tournament_id != token.tournament_id:
            faults.append(
                Problem("token_event", _("A token to record needs an event of this tournament."), {}, "event")
            )
        if token.table_number is None or not 1 <= token.table_number <= LARGEST_TABLE:
            faults.append(
                Problem("token_table", _("A token to record needs a table number."), {}, "table_number")
            )
    elif token.event is not None or token.table_number is not None:
        faults.append(
            Problem("token_bound", _("Only a token to record is bound to a table."), {}, "table_number")
        )
    return faults


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
