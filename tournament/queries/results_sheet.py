"""What standings need of a round's published results, kept beside the payload.

Deals are nearly all of a payload and count for standings only by their sums. A pure function of the payload,
so a stored sheet can always be held to it.
"""

from collections.abc import Mapping
from typing import Any

from tournament.models import Publication

_OF_TABLE = ("match", "decided", "walkover")
_OF_LINE = ("entry", "points", "opponents", "value", "games_won", "grand_slams", "complete")


def results_sheet(what: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """A publication's ``sheet``: the lines of each table, byes and penalties, as the payload has them.

    Empty for any other matter, and for a version that takes results off.
    """
    if what != Publication.What.RESULTS or not payload:
        return {}
    return {
        "tables": [
            {
                **{name: table.get(name) for name in _OF_TABLE},
                "lines": [{name: line[name] for name in _OF_LINE} for line in table["lines"]],
            }
            for table in payload["tables"]
        ],
        "byes": payload["byes"],
        "penalties": payload["penalties"],
    }
