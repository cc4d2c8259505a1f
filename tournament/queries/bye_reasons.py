"""Why an entry sits out a round, in words."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

#: By the code that a draw gives, which is what is stored and published.
BYE_REASONS: Mapping[str, Any] = {
    "bye_lowest": gettext_lazy("fewest points of those who sat out least often"),
    "bye_by_lot": gettext_lazy("by lot, of those who sat out least often"),
    "bye_last_seeded": gettext_lazy("last in the seeding of those who sat out least often"),
    "bye_by_plan": gettext_lazy("by the plan"),
    "bye_table_broken": gettext_lazy("the plan's table is not complete"),
    "bye_by_seed": gettext_lazy("goes on without a match"),
    "bye_walkover": gettext_lazy("the opponent has withdrawn: goes on"),
}


def bye_reason_text(code: str) -> str:
    """The reason in the reader's language; "" where the draw gave none that is known."""
    return str(BYE_REASONS.get(code, ""))
