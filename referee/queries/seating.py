"""Who sat at a table when a deal was played: seats by segment, and substitutions within a segment."""

from collections.abc import Iterable
from copy import copy

from referee.models import Deal
from referee.queries.deals import seats_of
from referee.queries.play import play_of
from tournament.models import Seat, Substitution, Table


def seats_at(table: Table, deal: Deal) -> list[Seat]:
    """The seats of the deal's segment in the order of play, with the players who played that deal.

    Where somebody has been replaced since, the seat is a copy that names the player of that time.
    """
    substitutions = list(table.substitutions.all())
    return [_as_of(seat, substitutions, deal.dealing) for seat in seats_of(table, deal.segment)]


def seating_text(seats: Iterable[Seat]) -> str:
    """Who sits where, to compare what a tablet shows with what is so: "N12 W7 S9 E3", ids of the players."""
    return " ".join(f"{seat.direction}{seat.player_id}" for seat in seats)


def segment_shown(table: Table) -> int:
    """The segment whose deal comes next; read from the deals only where the round has several."""
    several = any(seat.segment > 1 for seat in table.seats.all())
    return play_of(table).segment_shown if several else 1


def _as_of(seat: Seat, substitutions: Iterable[Substitution], dealing: int) -> Seat:
    later = [
        one
        for one in substitutions
        if one.segment == seat.segment and one.direction == seat.direction and one.after_dealing >= dealing
    ]
    if not later:
        return seat
    then = copy(seat)
    then.player = min(later, key=lambda one: one.pk).player_out
    return then
