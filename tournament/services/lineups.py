"""Who plays: line-ups of teams by segment 节, and substitutions 换人 within one. Both are kept per match."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from referee.models import Deal
from scoring.engine.cards import FOUR_SEATS
from scoring.messages import seat_name
from tournament.models import Draw, Entry, Match, Player, Round, Seat, Substitution, Table
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Problem, Refused
from tournament.services.locks import lock_round
from tournament.services.permissions import require_director
from tournament.services.validation import required_reason, text, unknown_seat

#: The longest name of a player, in characters.
LONGEST_NAME = 120


def set_lineup(
    *, actor: Actor, match: Match, entry: Entry, segment: int, players: Mapping[int, int]
) -> list[Seat]:
    """Seats an entry's players in a segment of a match; ``players`` maps the id of each of its seats there to
    a player's id. Returns the new seats.

    Raises NotAllowed; Conflict if the round is not being played or a deal of the segment is on record (then
    only a substitution is possible); Refused with every seat left empty, player named twice or unknown.
    """
    event = entry.event
    require_director(actor, event.tournament)
    with transaction.atomic():
        current = _in_play(match)
        seats = list(
            Seat.objects.filter(table__match=current, entry=entry, segment=segment)
            .select_related("table", "player")
            .order_by("table__number", "order")
        )
        _require_no_deals(current, segment)
        available = {player.pk: player for player in roster(current, entry)}
        faults = list(_lineup_faults(seats, segment, players, available))
        if faults:
            raise Refused.for_problems(faults)
        before = _seat_names(seats)
        # Written anew instead of changed one by one: two who exchange seats would stand twice in between.
        Seat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()
        made = Seat.objects.bulk_create(
            Seat(
                table=seat.table,
                segment=segment,
                direction=seat.direction,
                order=seat.order,
                entry=entry,
                player=available[players[seat.pk]],
            )
            for seat in seats
        )
        after = _seat_names(made)
        if after != before:
            record_audit(
                actor=actor,
                action="lineup.set",
                subject=current,
                event=event,
                before={"entry": entry.number, "segment": segment, "seats": before},
                after={"entry": entry.number, "segment": segment, "seats": after},
            )
    return made


def substitute(
    *,
    actor: Actor,
    table: Table,
    segment: int,
    direction: str,
    player: Player | None = None,
    name: str = "",
    after_deals: int | None = None,
    reason: str,
) -> Substitution:
    """Somebody takes a seat from the next deal on, to the end of the match; deals played stay the other's.

    ``player`` is one of the entry's, or was a substitute in this match before; else ``name`` is somebody from
    outside, who belongs to this match alone. ``after_deals`` puts a change on record that was made before:
    so many deals had been dealt at the table until then. Raises NotAllowed; Conflict if the round is not
    being played; Refused without a reason or person, if they sit elsewhere in this match, are not of that
    entry, or if so many deals were not dealt since the last change at the seat.
    """
    event = table.draw.round.event
    require_director(actor, event.tournament)
    why = required_reason(reason)
    with transaction.atomic():
        match = _in_play(table.match)
        seat = (
            Seat.objects.filter(table=table, segment=segment, direction=direction)
            .select_related("entry", "player", "table")
            .first()
        )
        if seat is None:
            raise unknown_seat(direction, field="seat")
        out = seat.player
        coming = _substitute(match, seat, player, text(name))
        places = list(
            Seat.objects.filter(table__match=match, player=out, segment__gte=segment)
            .select_related("table")
            .order_by("segment")
        )
        _require_free(match, coming, {one.segment for one in places})
        _require_since(table, direction, after_deals)
        made = [
            _replace(
                actor,
                one,
                coming,
                Substitution(match=match, player_out=out, reason=why),
                after_deals if one.table == table else None,
            )
            for one in places
        ]
        record_audit(
            actor=actor,
            action="lineup.substitute",
            subject=table,
            event=event,
            before={"segment": segment, "seat": direction, "player": out.name},
            after={
                "segment": segment,
                "seat": direction,
                "player": coming.name,
                "after_dealing": made[0].after_dealing,
                "outside": coming.match_id is not None,
                "places": [_place_state(one, out, coming) for one in made],
            },
            reason=why,
        )
    return made[0]


def undo_substitution(*, actor: Actor, substitution: Substitution, reason: str) -> None:
    """The one who went out has played all along, in this and the later segments of the match.

    Raises NotAllowed; Conflict if the round is not being played, or the seat has changed hands since; Refused
    without a reason.
    """
    event = substitution.table.draw.round.event
    require_director(actor, event.tournament)
    why = required_reason(reason)
    with transaction.atomic():
        match = _in_play(substitution.match)
        made = list(
            Substitution.objects.filter(
                match=match,
                player_out=substitution.player_out_id,
                player_in=substitution.player_in_id,
                pk__gte=substitution.pk,
            ).select_related("table", "player_out", "player_in")
        )
        for one in made:
            seat = Seat.objects.get(table=one.table_id, segment=one.segment, direction=one.direction)
            if seat.player_id != one.player_in_id:
                raise Conflict(
                    "seat_changed_hands",
                    _("Another player has taken the seat since: take that back first."),
                )
            seat.player_id = one.player_out_id
            seat.save(update_fields=["player"])
        Substitution.objects.filter(pk__in=[one.pk for one in made]).delete()
        record_audit(
            actor=actor,
            action="lineup.substitute_undo",
            subject=substitution.table,
            event=event,
            before={
                "segment": substitution.segment,
                "seat": substitution.direction,
                "out": substitution.player_out.name,
                "in": substitution.player_in.name,
                "after_dealing": substitution.after_dealing,
                "places": [_place_state(one, one.player_out, one.player_in) for one in made],
            },
            reason=why,
        )


def roster(match: Match, entry: Entry) -> list[Player]:
    """Who may play for an entry in a match: its own players, then the match's substitutes for it."""
    return [*entry.players.all(), *Player.everyone.filter(match=match, entry=entry)]


# -- the parts


def _in_play(match: Match) -> Match:
    """The match read again, locked with its round. Raises Conflict unless it is being played."""
    lock_round(match.draw.round)
    current = (
        Match.objects.select_related("draw__round").defer("draw__inputs", "draw__quality").get(pk=match.pk)
    )
    if current.draw.state != Draw.State.PUBLISHED or current.draw.round.state != Round.State.PLAYING:
        raise Conflict(
            "round_not_playing",
            _("Round %(round)s is not being played."),
            {"round": current.draw.round.number},
        )
    return current


def _require_no_deals(match: Match, segment: int) -> None:
    played = Deal.objects.filter(table__match=match, segment=segment).order_by("table__number", "number")
    first = played.select_related("table").first()
    if first is not None:
        raise Conflict(
            "segment_begun",
            _(
                "Deal %(deal)s of this segment is on record at table %(table)s: "
                "the line-up stands. A player can still be replaced by a substitute."
            ),
            {"deal": first.number, "table": first.table.number},
        )


def _lineup_faults(
    seats: Sequence[Seat], segment: int, players: Mapping[int, int], available: Mapping[int, Player]
) -> list[Problem]:
    if not seats:
        return [
            Problem(
                "no_such_segment", _("This entry has no seats in segment %(segment)s."), {"segment": segment}
            )
        ]
    faults = []
    named: dict[int, Seat] = {}
    for seat in seats:
        place = {"table": seat.table.number, "seat": seat_name(seat.direction, FOUR_SEATS)}
        chosen = players.get(seat.pk)
        if chosen not in available:
            faults.append(
                Problem(
                    "seat_empty",
                    _("Table %(table)s, seat %(seat)s: choose a player of this entry."),
                    place,
                    f"seat_{seat.pk}",
                )
            )
        elif chosen in named:
            faults.append(
                Problem(
                    "player_twice_in_lineup",
                    _("Table %(table)s, seat %(seat)s: “%(player)s” has another seat already."),
                    {**place, "player": available[chosen].name},
                    f"seat_{seat.pk}",
                )
            )
        else:
            named[chosen] = seat
    return faults


def _substitute(match: Match, seat: Seat, player: Player | None, name: str) -> Player:
    """The one who comes in. Raises Refused unless that is exactly one possible person."""
    entry = seat.entry
    if player is not None and name:
        raise Refused("two_substitutes", _("Choose a player or write a name, not both."), field="name")
    if player is not None:
        if player.pk not in {one.pk for one in roster(match, entry)}:
            raise Refused(
                "not_of_entry",
                _("“%(player)s” does not play for “%(entry)s”."),
                {"player": player.name, "entry": entry.name},
                field="player",
            )
        return player
    if not name:
        raise Refused("substitute_missing", _("Who comes in? Choose a player or write a name."), field="name")
    if len(name) > LONGEST_NAME:
        raise Refused(
            "name_too_long",
            _("The name has %(length)s characters; at most %(limit)s are possible."),
            {"length": len(name), "limit": LONGEST_NAME},
            field="name",
        )
    if name in {one.name for one in roster(match, entry)}:
        raise Refused(
            "name_in_entry",
            _("“%(player)s” plays for this entry already: choose them from the list."),
            {"player": name},
            field="name",
        )
    last = Player.everyone.filter(entry=entry).aggregate(last=Max("place"))["last"] or 0
    place = max(last + 1, Player.FIRST_SUBSTITUTE)
    return Player.everyone.create(entry=entry, place=place, name=name, match=match)


def _require_free(match: Match, player: Player, segments: set[int]) -> None:
    taken = Seat.objects.filter(table__match=match, player=player, segment__in=segments)
    first = taken.select_related("table").order_by("segment").first()
    if first is not None:
        raise Refused(
            "player_seated",
            _("“%(player)s” has seat %(seat)s at table %(table)s in segment %(segment)s already."),
            {
                "player": player.name,
                "seat": first.direction,
                "table": first.table.number,
                "segment": first.segment,
            },
            field="player",
        )


def _require_since(table: Table, direction: str, after_deals: int | None) -> None:
    """Raises Refused unless so many deals have been dealt, all since the last change at the seat."""
    if after_deals is None:
        return
    dealt = Deal.objects.filter(table=table).aggregate(last=Max("dealing"))["last"] or 0
    others = Substitution.objects.filter(table=table, direction=direction)
    least = others.aggregate(last=Max("after_dealing"))["last"] or 0
    if not least <= after_deals <= dealt:
        raise Refused(
            "deals_before_change",
            _("The number of deals played before the change is between %(least)s and %(most)s."),
            {"least": least, "most": dealt},
            field="after_deals",
        )


def _replace(
    actor: Actor, seat: Seat, coming: Player, made: Substitution, after_deals: int | None
) -> Substitution:
    """Gives the seat to the one who comes in and stores that, ``made`` being what is known of it so far."""
    dealt = Deal.objects.filter(table=seat.table).aggregate(last=Max("dealing"))["last"]
    if after_deals is not None:
        dealt = after_deals
    seat.player = made.player_in = coming
    seat.save(update_fields=["player"])
    made.table, made.segment, made.direction = seat.table, seat.segment, seat.direction
    made.after_dealing, made.made_by = dealt or 0, actor.user
    made.save()
    return made


def _place_state(one: Substitution, out: Player, coming: Player) -> dict[str, object]:
    """A seat that changed hands, for the audit trail: players by their places in the entry."""
    return {
        "table": one.table.number,
        "segment": one.segment,
        "seat": one.direction,
        "out": out.place,
        "in": coming.place,
        "after_dealing": one.after_dealing,
    }


def _seat_names(seats: Sequence[Seat]) -> list[dict[str, object]]:
    return [
        {"table": seat.table.number, "seat": seat.direction, "player": seat.player.name} for seat in seats
    ]
