"""What a correction's change names: tables, deals, entries by their numbers, other things by their time."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from referee.models import Deal, DealVersion, Dispute, Penalty
from referee.queries import check_of
from tournament.models import Draw, Entry, Match, Player, Round, Seat, Table
from tournament.services.errors import Conflict

_Named = TypeVar("_Named", bound=Model)


def deal_of(round: Round, change: Mapping[str, Any]) -> Deal:
    """The deal that a change names, by its table and number. Raises Conflict where it is not there."""
    return one_of(_deals(round, change))


def deal_on_record(round: Round, change: Mapping[str, Any]) -> Deal | None:
    """The deal that a change names; None where its draw has been withdrawn since."""
    return _deals(round, change).first()


def table_of(round: Round, number: int) -> Table:
    """A table of the round's draw, by its number."""
    tables = Table.objects.select_related("match", "draw__round__event__tournament")
    return one_of(tables, draw__round=round, draw__state=Draw.State.PUBLISHED, number=number)


def match_of(round: Round, change: Mapping[str, Any]) -> Match:
    """The match that a change names."""
    matches = Match.objects.select_related("draw__round__event__tournament", "draw__round__stage")
    return one_of(matches, draw__round=round, draw__state=Draw.State.PUBLISHED, number=change["match"])


def penalty_of(round: Round, change: Mapping[str, Any]) -> Penalty:
    """The penalty that a change names, by the time it was given."""
    penalties = Penalty.objects.select_related("entry", "event__tournament", "table__draw__round__event")
    return one_of(penalties, round=round, given_at=parse_datetime(change["given_at"]))


def dispute_of(deal: Deal, change: Mapping[str, Any]) -> Dispute:
    """The dispute about a deal whose other record a change puts in place, by the time it was raised."""
    disputes = Dispute.objects.select_related("version__deal__table__draw__round__event__tournament")
    return one_of(disputes, version__deal=deal, raised_at=parse_datetime(change["dispute"]))


def unchecked(version: DealVersion | None) -> bool:
    """Whether a version counts and waits for its check."""
    return version is not None and version.state == DealVersion.State.RECORDED and not check_of(version)


def entry_of(round: Round, number: int) -> Entry:
    """An entry of the round's event, by its number."""
    return one_of(Entry.objects.select_related("event__tournament"), event=round.event_id, number=number)


def player_of(entry: Entry, place: int | None) -> Player | None:
    """A player of an entry, by place; None where the change is about the entry as a whole."""
    return one_of(entry.players.all(), place=place) if place else None


def seat_of(round: Round, where: Any, segment: int = 1) -> Seat:
    """A seat, by the number of its table and its letter."""
    table, direction = where
    seats = Seat.objects.select_related(
        "player", "entry", "table__match", "table__draw__round__event__tournament"
    )
    return one_of(seats, table=table_of(round, table), segment=segment, direction=direction)


def one_of(found: QuerySet[_Named], **named: Any) -> _Named:
    """The one thing that a change names: a draw may have been withdrawn since the change was proposed."""
    one = found.filter(**named).first()
    if one is None:
        raise not_there()
    return one


def not_there() -> Conflict:
    """The refusal of a change of what is not there."""
    return Conflict("not_there", _("What this change names is not there, or not any more."))


def changed_since(message: Any, **params: Any) -> Conflict:
    """The refusal to take back what something else has changed meanwhile."""
    return Conflict("changed_since", message, params)


def require_as_left(done: Mapping[str, Any], now: object) -> None:
    """Raises Conflict unless that is in force which the correction has put in force: what came after it is
    taken back first.
    """
    if done.get("after") != now:
        raise changed_since(_("This has been changed again since: take that back first."))


def _deals(round: Round, change: Mapping[str, Any]) -> QuerySet[Deal]:
    return Deal.objects.select_related("table__draw__round__event__tournament").filter(
        table__draw__round=round,
        table__draw__state=Draw.State.PUBLISHED,
        table__number=change["table"],
        number=change["deal"],
    )
