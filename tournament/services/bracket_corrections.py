"""After a correction that turns a played match of a bracket: what was drawn since is kept, or withdrawn."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import Event, Round, Stage
from tournament.queries.stale_draws import StaleDraws, stale_draws
from tournament.services.audit import Actor
from tournament.services.bulk import clear_rounds
from tournament.services.decisions import store_decision
from tournament.services.errors import Conflict, Refused
from tournament.services.permissions import require_organiser
from tournament.services.rounds import reopen_round
from tournament.services.validation import required_reason


def keep_bracket(*, actor: Actor, stage: Stage, reason: str) -> None:
    """The bracket goes on as it was drawn: each match that turned is decided for whom it was known to be won
    by. The corrected deals stand all the same.

    Raises NotAllowed; Conflict if nothing is overtaken any more; Refused without a reason, or where
    decisions cannot bring the draws about.
    """
    event = stage.event
    require_organiser(actor, event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        found = _overtaken(stage)
        if not found.keepable:
            raise Refused(
                "not_keepable",
                _("The draws cannot be kept: no decision of the corrected matches leads to them."),
            )
        entries = event.entries.in_bulk([one.was for one in found.turned])
        for one in found.turned:
            store_decision(actor=actor, match=one.match, winner=entries[one.was], reason=kept)


def withdraw_overtaken(*, actor: Actor, stage: Stage, reason: str, with_deals: bool = False) -> Round:
    """Withdraws the draws from the first overtaken round on, closed rounds included; penalties stay, and the
    whole can be undone as a change of many things. Returns that round, to be drawn anew.

    Raises NotAllowed; Conflict if nothing is overtaken any more; Refused without a reason, or if deals would
    be lost without ``with_deals``.
    """
    event = stage.event
    require_organiser(actor, event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        first = _overtaken(stage).first_round
        closed = event.rounds.filter(number__gte=first, state=Round.State.CLOSED)
        for round in closed.select_related("event__tournament").order_by("-number"):
            reopen_round(actor=actor, round=round, reason=kept)
        clear_rounds(actor=actor, event=event, from_round=first, reason=kept, with_deals=with_deals)
        return event.rounds.select_related("event__tournament").get(number=first)


def _overtaken(stage: Stage) -> StaleDraws:
    found = stale_draws(stage)
    if found is None:
        raise Conflict("nothing_overtaken", _("Every draw of this bracket fits the results on record."))
    return found
