"""Entries 参赛者: adding, editing, withdrawing, returning, and deleting before any draw."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils.translation import gettext_lazy as _

from tournament.models import Draw, Entry, Event, Player
from tournament.services.audit import Actor, record_audit
from tournament.services.entry_sheet import HIGHEST_NUMBER, LONGEST_NAME, MOST_PLAYERS
from tournament.services.errors import Conflict, Problem, Refused, Stale
from tournament.services.locks import lock_event
from tournament.services.permissions import require_organiser
from tournament.services.validation import required_reason, text


@dataclass(frozen=True)
class EntryData:
    """What an organiser states of an entry.

    ``number`` None takes the next free one. ``name`` may stay empty for a pair: it is made of the players'
    names; a single player's name is the entry's. ``players`` in order of their places. ``start_points`` in
    points.
    """

    name: str = ""
    club: str = ""
    players: tuple[str, ...] = ()
    number: int | None = None
    seeding: int | None = None
    first_round: int = 1
    start_points: int | Fraction = 0


def clean_entry_data(event: Event, data: EntryData) -> EntryData:
    """The data as it is stored: spaces and full-width digits put right, the name of a pair or player filled
    in.
    """
    name, club = text(data.name), text(data.club)
    players = tuple(text(player) for player in data.players)
    while players and not players[-1]:
        players = players[:-1]
    if event.entry_size == 1:
        name = name or (players[0] if players else "")
        players = (name,)
    elif event.kind == Event.Kind.PAIRS and not name:
        name = " / ".join(player for player in players if player)
    return replace(data, name=name, club=club, players=players)


def entry_problems(event: Event, data: EntryData, others: Iterable[Entry] = ()) -> list[Problem]:
    """Everything wrong with cleaned data, given the event's other entries: nothing is looked up."""
    found = [*_text_problems(data), *_player_problems(event, data)]
    if data.number is not None and not 1 <= data.number <= HIGHEST_NUMBER:
        found.append(
            Problem(
                "number_range", _("The number is from 1 to %(most)s."), {"most": HIGHEST_NUMBER}, "number"
            )
        )
    if data.seeding is not None and not 1 <= data.seeding <= HIGHEST_NUMBER:
        found.append(
            Problem("seed_range", _("The seed is from 1 to %(most)s."), {"most": HIGHEST_NUMBER}, "seeding")
        )
    if not 1 <= data.first_round <= max(event.planned_rounds, 1):
        found.append(
            Problem(
                "first_round_range",
                _("The first round is from 1 to %(most)s."),
                {"most": event.planned_rounds},
                "first_round",
            )
        )
    for other in others:
        if other.number == data.number:
            found.append(_number_taken(data.number, other.name))
        if (other.name, other.club) == (data.name, data.club) and data.name:
            found.append(
                Problem(
                    "name_taken",
                    _("“%(name)s” is entered already, as number %(number)s, with the same club."),
                    {"name": data.name, "number": other.number},
                    "name",
                )
            )
    return found


def add_entry(*, actor: Actor, event: Event, data: EntryData) -> Entry:
    """Adds one entry. Raises NotAllowed, Conflict when the number was taken meanwhile, or Refused with every
    fault.
    """
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        entry = create_entry(
            event=event, data=clean_entry_data(event, data), others=list(event.entries.all())
        )
        record_audit(actor=actor, action="entry.add", subject=entry, event=event, after=entry_state(entry))
    return entry


def edit_entry(*, actor: Actor, entry: Entry, data: EntryData, based_on: str = "") -> Entry:
    """Replaces what is stated of an entry.

    The number stays once the entry has been drawn: it is on the printed lists. ``based_on`` is the
    `entry_version` that the sender saw; "" overwrites whatever is there. Raises as add_entry does, and Stale,
    with what is stored now beside each field, if somebody has changed the entry since.
    """
    event = entry.event
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        lock_event(event)
        current = Entry.objects.get(pk=entry.pk)
        wanted = clean_entry_data(event, data)
        if wanted.number is None:
            wanted = replace(wanted, number=current.number)
        if based_on and based_on != entry_version(current):
            _require_same(current, wanted)
        faults = entry_problems(event, wanted, event.entries.exclude(pk=current.pk))
        drawn = is_drawn(current)
        if drawn and wanted.number != current.number:
            faults.append(
                Problem("number_fixed", _("The entry has been drawn: its number stays."), {}, "number")
            )
        if drawn and len(wanted.players) < current.players.count():
            faults.append(
                Problem(
                    "players_fixed", _("The entry has been drawn: no player can be removed."), {}, "players"
                )
            )
        if faults:
            raise Refused.for_problems(faults)
        before = entry_state(current)
        update_entry(current, wanted)
        after = entry_state(current)
        if after != before:
            record_audit(
                actor=actor, action="entry.edit", subject=current, event=event, before=before, after=after
            )
    return current


def withdraw_entry(*, actor: Actor, entry: Entry, reason: str) -> Entry:
    """The entry plays no more; its results stay. Raises Refused without a reason or if it is withdrawn
    already.
    """
    return _set_status(actor, entry, Entry.Status.WITHDRAWN, "entry.withdraw", required_reason(reason))


def return_entry(*, actor: Actor, entry: Entry, reason: str) -> Entry:
    """A withdrawn entry takes part again from the next draw on. Raises Refused as withdraw_entry does."""
    return _set_status(actor, entry, Entry.Status.ACTIVE, "entry.return", required_reason(reason))


def delete_entry(*, actor: Actor, entry: Entry) -> None:
    """Removes an entry made by mistake. Raises Refused once it has been in a draw or has a penalty:
    withdraw it then.
    """
    event = entry.event
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        lock_event(event)
        current = Entry.objects.get(pk=entry.pk)
        if is_drawn(current) or current.penalties.exists():
            raise Refused(
                "entry_in_use",
                _("Number %(number)s, %(name)s, has been drawn or has a penalty: withdraw it instead."),
                {"number": current.number, "name": current.name},
            )
        record_audit(
            actor=actor, action="entry.delete", subject=current, event=event, before=entry_state(current)
        )
        current.delete()


def create_entry(*, event: Event, data: EntryData, others: Sequence[Entry]) -> Entry:
    """Stores a new entry from cleaned data, inside the caller's transaction; no audit row.

    ``others`` are the event's entries. Raises Refused with every fault, Conflict when a number is taken
    meanwhile.
    """
    if data.number is None:
        highest = max((other.number for other in others), default=0)
        data = replace(data, number=highest + 1)
    faults = entry_problems(event, data, others)
    if faults:
        raise Refused.for_problems(faults)
    entry = Entry(event=event)
    update_entry(entry, data)
    return entry


def update_entry(entry: Entry, data: EntryData) -> None:
    """Writes cleaned, faultless data into an entry and its players, inside the caller's transaction;
    no audit row.
    """
    entry.number, entry.name, entry.club = data.number, data.name, data.club
    entry.seeding, entry.first_round, entry.start_points = data.seeding, data.first_round, data.start_points
    try:
        with transaction.atomic():
            entry.save()
    except IntegrityError as fault:
        taken = _number_taken(entry.number, "")
        raise Conflict(taken.code, taken.message, taken.params, field=taken.field) from fault
    # Places keep their rows: seats of past rounds point to them.
    players = {player.place: player for player in entry.players.all()}
    for place, name in enumerate(data.players, start=1):
        player = players.pop(place, None) or Player(entry=entry, place=place)
        if player.name != name:
            player.name = name
            player.save()
    for player in players.values():
        player.delete()


def entry_state(entry: Entry) -> dict[str, Any]:
    """The entry for the audit trail."""
    return {
        "number": entry.number,
        "name": entry.name,
        "club": entry.club,
        "players": list(entry.players.order_by("place").values_list("name", flat=True)),
        "status": entry.status,
        "seeding": entry.seeding,
        "first_round": entry.first_round,
        "start_points": str(entry.start_points),
    }


def entry_version(entry: Entry) -> str:
    """A mark of what is stated of an entry now: two that are equal have the same number, names and so on."""
    stated = {name: value for name, value in entry_state(entry).items() if name != "status"}
    return hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()[:16]


def is_drawn(entry: Entry) -> bool:
    """Whether any draw of the event, withdrawn ones too, has this entry."""
    return Draw.objects.filter(Q(matches__sides__entry=entry) | Q(byes__entry=entry)).exists()


def next_number(event: Event) -> int:
    """The number a new entry gets."""
    return (event.entries.aggregate(highest=Max("number"))["highest"] or 0) + 1


def _require_same(current: Entry, wanted: EntryData) -> None:
    """Raises Stale, telling for each field what is stored, unless that is what is wanted anyway."""
    stored, offered = _fields(entry_state(current)), _fields(_wanted_state(wanted))
    differing = [name for name in stored | offered if stored.get(name, "") != offered.get(name, "")]
    if not differing:
        return
    message = _("This entry has been changed meanwhile. Nothing was stored: what is there now stands below.")
    beside = _("Stored now: “%(value)s”. Save again to put yours in its place.")
    raise Stale(
        "stale_entry",
        message,
        current={**entry_state(current), "version": entry_version(current)},
        offered=_wanted_state(wanted),
        problems=[
            Problem("stale_entry", message),
            *(
                Problem("stale_field", beside, {"value": stored.get(name, "") or "—"}, name)
                for name in differing
            ),
        ],
    )


def _wanted_state(data: EntryData) -> dict[str, Any]:
    return {
        "number": data.number,
        "name": data.name,
        "club": data.club,
        "players": list(data.players),
        "seeding": data.seeding,
        "first_round": data.first_round,
        "start_points": str(data.start_points),
    }


def _fields(state: Mapping[str, Any]) -> dict[str, str]:
    """A state of an entry by form field, as text."""
    alone = state["players"] == [state["name"]]
    players = {} if alone else {f"player_{n}": name for n, name in enumerate(state["players"], start=1)}
    others = {name: value for name, value in state.items() if name not in ("players", "status")}
    return {name: "" if value is None else str(value) for name, value in (others | players).items()}


def _set_status(actor: Actor, entry: Entry, status: str, action: str, reason: str) -> Entry:
    event = entry.event
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        lock_event(event)
        current = Entry.objects.get(pk=entry.pk)
        if current.status == status:
            raise Refused(
                "status_same",
                _("Number %(number)s, %(name)s, is marked so already."),
                {"number": current.number, "name": current.name},
            )
        before = current.status
        current.status = status
        current.save(update_fields=["status"])
        record_audit(
            actor=actor,
            action=action,
            subject=current,
            event=event,
            before={"status": before},
            after={"status": status},
            reason=reason,
        )
    return current


def _text_problems(data: EntryData) -> Iterable[Problem]:
    if not data.name:
        yield Problem("name_missing", _("The name is missing."), {}, "name")
    for field, value in (("name", data.name), ("club", data.club)):
        if len(value) > LONGEST_NAME:
            yield Problem(
                f"{field}_too_long",
                _("This is longer than %(most)s characters."),
                {"most": LONGEST_NAME},
                field,
            )


def _player_problems(event: Event, data: EntryData) -> Iterable[Problem]:
    players = data.players
    if event.entry_size == 1:
        return
    most = 2 if event.kind == Event.Kind.PAIRS else MOST_PLAYERS
    missing = [place for place, name in enumerate(players, start=1) if not name]
    missing += range(len(players) + 1, event.entry_size + 1)
    for place in missing:
        yield Problem(
            "player_missing",
            _("The name of player %(place)s is missing."),
            {"place": place},
            f"player_{place}",
        )
    if len(players) > most:
        yield Problem(
            "too_many_players",
            _("There are more than %(most)s players."),
            {"most": most},
            f"player_{most + 1}",
        )
    for place, name in enumerate(players, start=1):
        if len(name) > LONGEST_NAME:
            yield Problem(
                "player_too_long",
                _("This is longer than %(most)s characters."),
                {"most": LONGEST_NAME},
                f"player_{place}",
            )
        if name and name in players[: place - 1]:
            yield Problem("player_twice", _("“%(name)s” stands twice."), {"name": name}, f"player_{place}")


def _number_taken(number: int | None, name: str) -> Problem:
    if name:
        return Problem(
            "number_taken",
            _("Number %(number)s is taken by %(name)s."),
            {"number": number, "name": name},
            "number",
        )
    return Problem("number_taken", _("Number %(number)s is taken."), {"number": number}, "number")
