"""What a tablet needs to continue play without network: the facts that referee/static/referee/project.js
works from, beside what the page shows.
"""

from typing import Any

from referee.models import Penalty
from referee.presenting_signoff import hidden_from
from referee.queries import Column, DealLine, TableState, seating_text, seats_of
from referee.queries.signoffs import policy_of
from scoring.engine.procedure import order_of_play
from scoring.messages import seat_name
from tournament.models import Seat
from tournament.queries import access
from tournament.queries.segments import segment_numbers
from tournament.templatetags.cards import seat_letter


def offline_json(state: TableState, user: Any) -> dict[str, Any]:
    """Seats and deal numbers of every segment, amounts by side, and who is logged in ("" on a tablet)."""
    play = state.play
    policy = policy_of(state.event)
    directing = access.can_direct(user, state.event.tournament)
    segments = range(1, play.segments + 1)
    return {
        "me": (user.get_full_name() or user.get_username()) if user.is_authenticated else "",
        "policy": policy,
        "directing": directing,
        "segment": play.segment,
        "segments": play.segments,
        "seats": {segment: _seats(state, segment) for segment in segments},
        "seating": {segment: seating_text(seats_of(state.table, segment)) for segment in segments},
        "numbers": {
            segment: list(segment_numbers(play.plan.deals, play.segments, segment)) for segment in segments
        }
        if play.plan.kind == "set"
        else None,
        "columns": [
            {
                "key": column.key,
                "places": {segment: list(letters) for segment, letters in column.places.items()},
                "players": "–".join(seat.player.name for seat in column.seats),
            }
            for column in play.columns
        ],
        "deals": [
            _deal(line, hidden=hidden_from(policy, line.state, directing=directing)) for line in play.deals
        ],
        "penalties": [
            {"side": side, "points": _plain(one.points), "deal": one.deal.number}
            for one in state.penalties
            for side in _sides(play.columns, one)
            if one.deal is not None and one.cancelled_at is None
        ],
    }


def _seats(state: TableState, segment: int) -> list[dict[str, str]]:
    by_letter: dict[str, Seat] = {seat.direction: seat for seat in seats_of(state.table, segment)}
    letters = tuple(by_letter)
    return [
        {
            "seat": letter,
            "name": seat_name(letter, letters),
            "sign": seat_letter(letter, letters),
            "player": by_letter[letter].player.name,
            "entry": by_letter[letter].entry.name,
        }
        for letter in order_of_play(letters, state.ruleset.direction, letters[0])
    ]


def _deal(line: DealLine, *, hidden: bool) -> dict[str, Any]:
    """One deal. A hidden one counts as 0 for everybody: that it was played is known, what it gave is not."""
    answer = {} if hidden else line.version.answer or {}
    return {
        "number": line.number,
        "version": line.version.number,
        "state": line.state,
        "segment": line.version.deal.segment,
        "amounts": line.amounts
        and {key: 0 if hidden else _plain(value) for key, value in line.amounts.items()},
        "scores": answer.get("scores"),
        "entered": line.version.entered_seat,
    }


def _sides(columns: tuple[Column, ...], penalty: Penalty) -> list[str]:
    return [column.key for column in columns if penalty.entry_id in column.entries]


def _plain(points: Any) -> int | str:
    return points if isinstance(points, int) else str(points)
