"""Where do I sit 查座位: entries by what somebody typed, each with its seats in the newest round.

Every search is answered anew, and a whole hall searches when pairings are published: so of what is published
this reads the names and the newest round, neither standings nor the deals of earlier rounds.
"""

from typing import Any

from tournament.queries.names import find_entries
from tournament.queries.public_pages import entry_round
from tournament.queries.public_tables import members_of
from tournament.queries.published import Published

Context = dict[str, Any]


def find_page(published: Published, query: str) -> Context:
    """The entries found, best matches first; ``round`` is None for who has no seat in the newest round."""
    latest = published.latest_draw
    return {
        "query": query,
        "people": [
            {
                "entry_number": number,
                "info": published.entries[number],
                "members": members_of(published.entries[number]),
                "round": entry_round(published, latest, number) if latest is not None else None,
            }
            for number in find_entries(query, published.entries)
        ],
    }
