"""The rounds of an event as a list: state, tables, what is published."""

from collections.abc import Mapping
from typing import Any

from tournament.models import Event, Publication, Round
from tournament.queries.board import round_board
from tournament.views.manage.common import round_url


def round_lines(
    event: Event, published: Mapping[tuple[int, str], Publication], *, organiser: bool
) -> list[dict[str, Any]]:
    """One line for each round; the board is only read for the round in play. Draws are an ``organiser``'s:
    anybody else is led to the round, which says how far its draw is.
    """
    lines = []
    for round in event.rounds.select_related("event__tournament").order_by("number"):
        board = round_board(round) if round.state == Round.State.PLAYING else None
        to_draw = organiser and round.state in _BEFORE_PLAY
        lines.append(
            {
                "round": round,
                "board": board,
                "url": round_url("draw" if to_draw else "round", round),
                "published": [
                    {"what": what.label, "on": (round.pk, what) in published} for what in Publication.What
                ],
            }
        )
    return lines


_BEFORE_PLAY = (Round.State.PLANNED, Round.State.DRAWN)
