"""The end of a round in one go: closed, its results and the standings published, as far as each may be."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from referee.models import Correction
from tournament.models import Publication, Round
from tournament.queries.round_end import RoundEnd, round_end
from tournament.services.audit import Actor
from tournament.services.errors import Refused
from tournament.services.locks import lock_round
from tournament.services.permissions import require_organiser
from tournament.services.publish import publish
from tournament.services.rounds import close_round

What = Publication.What


def end_round(*, actor: Actor, round: Round, override_reason: str = "") -> RoundEnd:
    """Does what `tournament.queries.round_end` says is left to do, together or not at all; tells what it was.

    Each step is the service that does it alone, with its own row in the audit trail. Done already, it does
    nothing. A round held back is closed and not published.

    Raises NotAllowed; Refused (`correction_unfinished`) for a round that a correction has opened again, which
    is ended by finishing that; and as ``close_round`` (naming all that is missing) and ``publish`` do.
    """
    require_organiser(actor, round.event.tournament)
    with transaction.atomic():
        lock_round(round)
        left = round_end(round)
        opened = round.corrections.filter(state=Correction.State.APPLIED, published_at=None).first()
        if opened:
            # Ended here, it would be published without the reason, and without the draws that were chosen.
            raise Refused(
                "correction_unfinished",
                _("Correction %(number)s of this round is not finished: finish it, which ends the round."),
                {"number": opened.number},
            )
        if left.close:
            close_round(actor=actor, round=round, override_reason=override_reason)
        until = None
        if left.results:
            until = publish(actor=actor, round=round, what=What.RESULTS).final_at
        if left.standings:
            publish(actor=actor, round=round, what=What.STANDINGS, final_at=until)
    return left
