"""What is asked before something on record is changed at once, without a look at what that would move."""

from django.utils.translation import gettext_lazy as _

from referee.queries.gone_by import weighs, winner_weighs
from tournament.models import Match, Round
from tournament.services.errors import Conflict


def require_light(round: Round) -> None:
    """Raises Conflict where others go by the round already: a change is then a correction."""
    if weighs(round):
        raise _needed()


def require_open(match: Match) -> None:
    """Raises Conflict where others go by who has won the match: another winner is then a correction."""
    if winner_weighs(match):
        raise _needed()


def _needed() -> Conflict:
    return Conflict(
        "correction_needed",
        _("Published results or later rounds go by this round: propose a correction."),
    )
