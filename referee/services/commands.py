"""Commands of tablets and pages: each carries an id its sender made, and takes effect once.

A request may arrive twice: the answer was lost, a button was tapped twice, a tablet sends its queue again.
The second time the stored answer is given again and nothing else happens. A refused command leaves nothing
behind, not even its id, so the sender may send the very same command again once the cause is gone (a round
reopened, say).
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from referee.models import ReceivedCommand
from tournament.services.audit import Actor
from tournament.services.errors import Refused


@dataclass(frozen=True)
class Outcome:
    """What a command did, ready for JSON, and whether it had been carried out before this request."""

    body: Mapping[str, Any]
    repeated: bool = False


def run_once(
    *,
    actor: Actor,
    command_id: UUID,
    action: str,
    payload: Mapping[str, Any],
    work: Callable[[], dict[str, Any]],
) -> Outcome:
    """Carries out ``work`` in one transaction, unless this command was carried out before.

    ``payload`` is JSON-ready and says everything the command asks for; ``work`` returns the answer,
    JSON-ready. The id is stored before the work is done, so that of two simultaneous requests with one id the
    second waits for the first and then gets its answer.

    Raises:
        Refused: ``command_id_reused``, the id came before with another action or payload; or whatever
        ``work`` raises.
    """
    digest = _digest(action, payload)
    try:
        with transaction.atomic():
            row = ReceivedCommand.objects.create(
                id=command_id, user=actor.user, action=action, digest=digest, status=200, answer={}
            )
            body = work()
            row.answer = body
            row.save(update_fields=["answer"])
    except IntegrityError:
        stored = ReceivedCommand.objects.filter(pk=command_id).first()
        if stored is None:
            raise
        return _stored_answer(stored, digest)
    return Outcome(body)


def _digest(action: str, payload: Mapping[str, Any]) -> str:
    text = json.dumps([action, payload], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _stored_answer(stored: ReceivedCommand, digest: str) -> Outcome:
    if stored.digest != digest:
        raise Refused(
            "command_id_reused",
            _("This command's id was used before for something else; nothing was changed. Reload the page."),
        )
    return Outcome(stored.answer, repeated=True)
