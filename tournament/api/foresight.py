"""What is asked before something on record is changed at once, without a look at what that would move."""

from django.utils.translation import gettext_lazy as _

from referee.services.corrections import weighs
from tournament.models import Round
from tournament.services.errors import Conflict


def require_light(round: Round) -> None:
    """Raises Conflict where others go by the round already: a change is then a correction."""
    if weighs(round):
        raise Conflict(
            "correction_needed",
            _("Published results or later rounds go by this round: propose a correction."),
        )
