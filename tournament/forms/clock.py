"""Forms of a timed round's clock."""

from django.utils.translation import gettext_lazy as _

from tournament.forms.base import ReasonForm, small_number
from tournament.services.clock import FURTHEST


class MoveClockForm(ReasonForm):
    """More time for a round, or less."""

    minutes = small_number(
        label=_("Minutes more"),
        min_value=-FURTHEST,
        max_value=FURTHEST,
        initial=5,
        help_text=_("Negative takes some away, e.g. −5."),
    )
    field_order = ["minutes", "reason"]
