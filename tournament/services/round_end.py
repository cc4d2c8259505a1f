"""The end of a round in one go: closed, its results and the standings published, as far as each may be."""

from django.db import transaction

from tournament.models import Publication, Round
from tournament.queries.round_end import RoundEnd, round_end
from tournament.services.audit import Actor
from tournament.services.locks import lock_round
from tournament.services.permissions import require_organiser
from tournament.services.publish import publish
from tournament.services.rounds import close_round

What = Publication.What


def end_round(*, actor: Actor, round: Round, override_reason: str = "") -> RoundEnd:
    """Does what `tournament.queries.round_end` says is left to do, together or not at all; tells what it was.

    Each step is the service that does it alone, with its own row in the audit trail. Done already, it does
    nothing. A round held back is closed and not published.

    Raises NotAllowed; Refused as ``close_round`` (naming all that is missing) and ``publish`` do.
    """
    require_organiser(actor, round.event.tournament)
    with transaction.atomic():
        lock_round(round)
        left = round_end(round)
        if left.close:
            close_round(actor=actor, round=round, override_reason=override_reason)
        until = None
        if left.results:
            until = publish(actor=actor, round=round, what=What.RESULTS).final_at
        if left.standings:
            publish(actor=actor, round=round, what=What.STANDINGS, final_at=until)
    return left
