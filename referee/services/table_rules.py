"""What an event asks of its tables besides the rules of play: how a deal is signed off."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from referee.queries.signoffs import POLICIES, policy_of
from referee.services.commands import Outcome, run_once
from tournament.models import Event
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Refused
from tournament.services.permissions import require_organiser


def set_signoff(*, actor: Actor, event: Event, policy: str, command_id: UUID) -> Outcome:
    """Chooses how deals of the event are signed off from now on (`referee.queries.signoffs.POLICIES`); deals
    checked before stay checked.

    Raises:
        Refused: there is no such policy.
        NotAllowed: not an organiser.
    """
    require_organiser(actor, event.tournament)
    if policy not in POLICIES:
        raise Refused("unknown_policy", _("Choose how deals are signed off."), field="policy")

    def work() -> dict[str, Any]:
        locked = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        before = policy_of(locked)
        locked.options = {**locked.options, "signoff": policy}
        locked.save(update_fields=["options"])
        record_audit(
            actor=actor,
            action="event.signoff",
            subject=locked,
            event=locked,
            before={"signoff": before},
            after={"signoff": policy},
        )
        return {"signoff": policy}

    payload = {"event": event.pk, "policy": policy}
    return run_once(actor=actor, command_id=command_id, action="event.signoff", payload=payload, work=work)
