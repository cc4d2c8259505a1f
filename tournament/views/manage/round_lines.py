"""The rounds of an event as a list: state, tables, what is published."""

from collections.abc import Mapping
from typing import Any

from tournament.models import Event, Publication, Round
from tournament.queries.board import round_boards
from tournament.views.manage.common import round_url


def round_lines(
    event: Event, published: Mapping[tuple[int, str], Publication], *, organiser: bool
) -> list[dict[str, Any]]:
    """One line for each round; boards are only read for rounds in play, all of a plan at once. Draws are an
    ``organiser``'s: anybody else is led to the round, which says how far its draw is.
    """
    rounds = event.rounds.select_related("stage", "event__tournament", "event__ruleset_version").order_by(
        "number"
    )
    boards = round_boards([one for one in rounds if one.state == Round.State.PLAYING])
    lines = []
    for round in rounds:
        to_draw = organiser and round.state in _BEFORE_PLAY
        lines.append(
            {
                "round": round,
                "board": boards.get(round.pk),
                "url": round_url("draw" if to_draw else "round", round),
                "published": [
                    {"what": what.label, "on": (round.pk, what) in published} for what in Publication.What
                ],
            }
        )
    return lines


_BEFORE_PLAY = (Round.State.PLANNED, Round.State.DRAWN)
