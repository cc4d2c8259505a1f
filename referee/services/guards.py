"""What every command at a table asks first: may this person, is the round being played, is the version
current.
"""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from referee.models import Deal, DealVersion
from referee.queries import Play, seating_text, seats_at, seats_of, version_facts
from referee.queries.gone_by import deal_weighs
from scoring.messages import joined, seat_name
from tournament.models import Draw, Round, Seat, Table
from tournament.queries import access
from tournament.services.audit import Actor, Tablet
from tournament.services.errors import Conflict, NotAllowed, Refused, Stale


def lock_table(table: Table) -> Table:
    """The table read again, with its round, both locked until the transaction ends; the tournament and the
    ruleset version, which no command waits for, are taken over.

    The round's lock keeps it from being closed while a deal of it is being stored; on SQLite, where locks of
    rows do not exist, the whole transaction has the write lock from its start.
    """
    tables = Table.objects.select_for_update(of=("draw__round", "self"), no_key=True).select_related(
        "draw__round__event", "draw__round__stage"
    )
    locked = tables.defer("draw__inputs", "draw__quality").prefetch_related("seats").get(pk=table.pk)
    event, known = locked.draw.round.event, table.draw.round.event
    event.tournament = known.tournament
    if event.ruleset_version_id == known.ruleset_version_id:
        event.ruleset_version = known.ruleset_version
    return locked


def require_referee(actor: Actor, table: Table) -> None:
    """Raises NotAllowed unless the actor may record at this table: a referee of it, or the tablet bound to
    it. The system may.
    """
    if actor.is_system:
        return
    bound = actor.tablet is not None and is_bound(actor.tablet, table)
    if not bound and not access.can_referee_table(actor.person, table):
        raise not_your_table(table)


def not_your_table(table: Table) -> NotAllowed:
    """The refusal of whoever has nothing to do with a table."""
    return NotAllowed("not_your_table", _("Table %(table)s is not one of yours."), {"table": table.number})


def is_bound(tablet: Tablet, table: Table) -> bool:
    """Whether the tablet was bound to this table, in whatever round."""
    return (tablet.event, tablet.table_number) == (table.draw.round.event_id, table.number)


def require_person(actor: Actor) -> None:
    """Raises NotAllowed for a tablet on which nobody is logged in."""
    if actor.tablet is not None:
        raise NotAllowed("person_needed", _("Only a referee may do this: log in first."))


def require_play(table: Table) -> None:
    """Raises Refused unless the table's draw is published and its round is being played."""
    round_ = table.draw.round
    params = {"round": round_.number}
    if table.draw.state != Draw.State.PUBLISHED:
        raise Conflict("draw_not_published", _("The draw of round %(round)s is not published."), params)
    if round_.state == Round.State.CLOSED:
        raise Conflict(
            "round_closed", _("Round %(round)s is closed. The chief referee can reopen it."), params
        )
    if round_.state != Round.State.PLAYING:
        raise Conflict("round_not_playing", _("Round %(round)s is not being played."), params)


def require_current(play: Play, deal: Deal, based_on: int, offered: Any = None) -> DealVersion:
    """The version in force. Raises Stale, carrying both, unless that is the one the sender saw."""
    current = play.version(deal.number)
    assert current is not None, "every deal has a version"
    if current.number != based_on:
        raise stale(deal, current, offered)
    return current


def require_light(table: Table, deal: Deal) -> None:
    """Raises Conflict where others go by what is on record of the deal: then it is corrected or declared void
    after a look at what that moves.
    """
    if deal_weighs(deal):
        raise Conflict(
            "look_needed",
            _(
                "Others go by round %(round)s already: the entry of deal %(deal)s stays. The chief referee "
                "can correct it or declare it void, after a look at what this would move."
            ),
            {"round": table.draw.round.number, "deal": deal.number},
        )


def stale(deal: Deal, current: DealVersion, offered: Any = None) -> Stale:
    """The refusal of something that builds on a version no longer in force."""
    return Stale(
        "stale_deal",
        _("Deal %(deal)s has been changed meanwhile: version %(version)s is the current one."),
        {"deal": deal.number, "version": current.number},
        current=version_facts(current),
        offered=offered,
    )


def require_state(version: DealVersion, *states: str) -> None:
    """Raises Refused unless the version is in one of the states."""
    if version.state in states:
        return
    params = {"deal": version.deal.number}
    if version.state == DealVersion.State.RECORDED:
        raise Refused("deal_recorded", _("Deal %(deal)s is recorded already."), params)
    if version.state == DealVersion.State.VOID:
        raise Refused("deal_void", _("Deal %(deal)s is void; it is to be replayed."), params)
    raise Refused("deal_withdrawn", _("The entry of deal %(deal)s was undone."), params)


def require_next(table: Table, play: Play, number: int) -> None:
    """Raises Refused unless a deal of this number, not on record yet, can be played at the table now."""
    if table.stopped_at is not None:
        raise Conflict(
            "table_stopped", _("Play at table %(table)s was ended: no new deal."), {"table": table.number}
        )
    if play.timing is not None and play.timing.over:
        ends_at = timezone.localtime(play.timing.ends_at, table.draw.round.event.tournament.tz)
        raise Conflict(
            "time_up",
            _(
                "Time was up at %(time)s: deal %(deal)s of table %(table)s does not count. The organiser or "
                "chief referee can let it count."
            ),
            {"time": ends_at.strftime("%H:%M"), "deal": number, "table": table.number},
        )
    if play.finished:
        raise Conflict(
            "play_finished",
            _("Table %(table)s has played all its deals: deal %(deal)s is one too many."),
            {"table": table.number, "deal": number},
        )
    if number not in play.open_numbers:
        raise Refused(
            "deal_number",
            _("Deal %(deal)s cannot be recorded now; the next one is deal %(next)s."),
            {"deal": number, "next": play.next_number},
            field="number",
        )


def require_seating(table: Table, segment: int, seating: str) -> None:
    """Raises Refused if others sit at the table now than those the deal was entered for."""
    seats = seats_of(table, segment)
    letters = [seat.direction for seat in seats]
    if seating and seating != seating_text(seats):
        raise Conflict(
            "seats_changed",
            _(
                "Others sit at table %(table)s now than when this deal was entered: %(seats)s. Send it again "
                "if it was played by them; otherwise tell the desk."
            ),
            {
                "table": table.number,
                "seats": joined(f"{seat_name(seat.direction, letters)} {seat.player.name}" for seat in seats),
            },
        )


def seats_in_play(table: Table, play: Play, number: int) -> list[Seat]:
    """Who sits around a deal that is recorded or can be now, in order of play. Refuses another deal."""
    current = play.version(number)
    if current is not None:
        return seats_at(table, current.deal)
    if number not in play.open_numbers:
        raise Refused("deal_unknown", _("Deal %(deal)s is not recorded."), {"deal": number}, field="number")
    return seats_of(table, play.segment_shown)
