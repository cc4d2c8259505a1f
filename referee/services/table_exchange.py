"""Two players found at each other's tables 坐错桌: they change places in the draw, and the deals follow them.

The deals at both tables stay as they were recorded, seat by seat: what changes is who sat there. The draw
notes the exchange with its inputs, so that it can still be drawn again from its seed, and later draws count
those who really met.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from referee.models import Dispute
from referee.queries import play_of
from referee.services.commands import Outcome, run_once
from referee.services.guards import lock_table, require_play
from tournament.models import Draw, EntryResult, Event, MatchSide, Seat, Table
from tournament.queries.brackets import BRACKETS
from tournament.queries.draw_inputs import DrawInputs
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Refused
from tournament.services.permissions import require_director
from tournament.services.results import update_table_results
from tournament.services.validation import required_reason


@dataclass(frozen=True)
class ExchangeLine:
    """What an exchange does for one of the two: ``deals`` are the numbers of those where they come to;
    they get ``points`` there instead of ``before`` at the table the draw had named (None where nothing is
    recorded).
    """

    seat: Seat
    goes_to: Table
    deals: tuple[int, ...]
    before: Any
    points: Any


def preview_exchange(first: Seat, second: Seat) -> tuple[ExchangeLine, ExchangeLine]:
    """What exchanging the players of these two seats would do."""
    return _line(first, second), _line(second, first)


def exchange_tables(
    *,
    actor: Actor,
    first: Seat,
    second: Seat,
    deals: Mapping[str, list[int]],
    reason: str,
    command_id: UUID,
) -> Outcome:
    """Exchanges the players of two seats at different tables of a draw; all deals on record there are theirs
    from then on. Doing it again puts them back.

    ``deals`` are the numbers of the deals that the sender saw, by the ids of the tables.

    Raises:
        Refused: no event of single players; tables of different draws, or one table; a bracket; no reason.
        Conflict: a deal was recorded meanwhile; an open dispute; a player was replaced at one of the tables.
        NotAllowed: neither chief referee nor organiser.
    """
    event = first.table.draw.round.event
    require_director(actor, event.tournament)
    reason = required_reason(reason)
    _require_exchangeable(first, second)
    payload = {
        "seats": [first.pk, second.pk],
        "deals": {str(key): one for key, one in deals.items()},
        "reason": reason,
    }

    def work() -> dict[str, Any]:
        tables = [lock_table(one) for one in sorted((first.table, second.table), key=lambda one: one.pk)]
        for table in tables:
            require_play(table)
            _require_undisturbed(table, [int(one) for one in deals.get(str(table.pk), [])])
        ours, theirs = (
            Seat.objects.select_related("player", "entry").get(pk=one.pk) for one in (first, second)
        )
        _put(ours.table_id, ours, theirs)
        _put(theirs.table_id, theirs, ours)
        _note(first.table.draw, ours, theirs)
        EntryResult.objects.filter(table=ours.table_id, entry=ours.entry_id).delete()
        EntryResult.objects.filter(table=theirs.table_id, entry=theirs.entry_id).delete()
        for table in tables:
            update_table_results(Table.objects.get(pk=table.pk))
        numbers = {one.pk: one.number for one in tables}
        places = [(one, numbers[one.table_id]) for one in (ours, theirs)]
        record_audit(
            actor=actor,
            action="table.exchange",
            subject=first.table.draw,
            event=event,
            before={"seats": [_place(one, number) for one, number in places]},
            after={
                "seats": [_place(theirs, places[0][1], ours), _place(ours, places[1][1], theirs)],
                "deals": payload["deals"],
            },
            reason=reason,
        )
        return {"tables": sorted(numbers.values())}

    return run_once(actor=actor, command_id=command_id, action="table.exchange", payload=payload, work=work)


# -- the parts


def _line(seat: Seat, other: Seat) -> ExchangeLine:
    points = EntryResult.objects.filter(table__in=(seat.table_id, other.table_id))
    found = {(one.table_id, one.entry_id): one.points for one in points}
    return ExchangeLine(
        seat=seat,
        goes_to=other.table,
        deals=tuple(line.number for line in play_of(other.table).deals),
        before=found.get((seat.table_id, seat.entry_id)),
        points=found.get((other.table_id, other.entry_id)),
    )


def _require_exchangeable(first: Seat, second: Seat) -> None:
    draw = first.table.draw
    if draw.round.event.kind != Event.Kind.INDIVIDUAL:
        raise Refused(
            "not_single_players",
            _("Only single players are exchanged between tables: partners and teams stay together."),
        )
    if second.table.draw_id != draw.pk or first.table_id == second.table_id:
        raise Refused(
            "same_table", _("Choose two players of different tables of this round."), field="second"
        )
    if draw.method in BRACKETS:
        raise Refused("bracket_swap", _("In a bracket the seeding and the results say who meets."))


def _require_undisturbed(table: Table, seen: list[int]) -> None:
    params = {"table": table.number}
    if [line.number for line in play_of(table).deals] != seen:
        raise Conflict(
            "deals_since", _("Deals of table %(table)s have been recorded since: look at it again."), params
        )
    if table.substitutions.exists():
        raise Conflict(
            "substituted",
            _("A player of table %(table)s has been replaced: nobody can be exchanged."),
            params,
        )
    open_disputes = Dispute.objects.filter(
        version__deal__table=table, closed_at=None, kind__in=Dispute.BLOCKING
    )
    if open_disputes.exists():
        raise Conflict(
            "table_disputed", _("A deal of table %(table)s is disputed: rule on that first."), params
        )


def _put(table: int, gone: Seat, coming: Seat) -> None:
    """At the table, everything that was of one player becomes the other's, in every segment."""
    Seat.objects.filter(table=table, entry=gone.entry_id).update(
        entry=coming.entry_id, player=coming.player_id
    )
    MatchSide.objects.filter(match__tables=table, entry=gone.entry_id).update(entry=coming.entry_id)


def _note(draw: Draw, first: Seat, second: Seat) -> None:
    kept = {name: value for name, value in draw.inputs.items() if name == "bye_points"}
    inputs = DrawInputs.from_json(draw.inputs).with_swap(first.entry_id, second.entry_id)
    draw.inputs = {**inputs.to_json(), **kept}
    draw.save(update_fields=["inputs"])


def _place(who: Seat, table: int, where: Seat | None = None) -> dict[str, Any]:
    return {"player": who.player.name, "table": table, "seat": (where or who).direction}
