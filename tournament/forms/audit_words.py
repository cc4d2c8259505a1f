"""A row of the audit trail as people read it: names of fields, and values in words, cards, seats and times.

What has no words is shown as it is stored: nothing is left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from referee.models import DealCheck, DealVersion
from scoring.engine.cards import FOUR_SEATS, LETTER_SEATS, PACK, split_copy, symbol
from scoring.messages import exposure_name, seat_name
from tournament.models import AuditRow, Entry, Player, Round, Table
from tournament.queries.audit import lettered_subjects

#: What changes are about, in words.
SUBJECTS: Mapping[str, Any] = {
    "announcement": gettext_lazy("Announcement"),
    "apitoken": gettext_lazy("Token"),
    "appeal": gettext_lazy("Appeal"),
    "correction": gettext_lazy("Correction"),
    "deal": pgettext_lazy("one of many", "Deal"),
    "device": gettext_lazy("Tablet"),
    "dispute": gettext_lazy("Dispute"),
    "draw": gettext_lazy("Draw"),
    "entry": gettext_lazy("Entry"),
    "event": gettext_lazy("Event"),
    "match": gettext_lazy("Match"),
    "penalty": gettext_lazy("Penalty"),
    "player": gettext_lazy("Player"),
    "publication": gettext_lazy("Publication"),
    "round": gettext_lazy("Round"),
    "scheduleitem": gettext_lazy("Schedule"),
    "stage": gettext_lazy("Stage"),
    "table": gettext_lazy("Table"),
    "tablecall": gettext_lazy("Call"),
    "tablecard": gettext_lazy("Table card"),
    "tournament": gettext_lazy("Tournament"),
    "user": gettext_lazy("Account"),
}
#: Fields, in words.
FIELDS: Mapping[str, Any] = {
    "absent": gettext_lazy("Absent"),
    "action": gettext_lazy("Action"),
    "after_dealing": gettext_lazy("After dealing"),
    "annul_from": gettext_lazy("Annulled from round"),
    "answer": gettext_lazy("Score"),
    "as_ranked": gettext_lazy("As ranked"),
    "at": gettext_lazy("At"),
    "at_desk": gettext_lazy("At the desk"),
    "before": gettext_lazy("Before"),
    "best_of": gettext_lazy("Best of"),
    "bye_points": gettext_lazy("Points for a bye"),
    "byes": gettext_lazy("Byes"),
    "cancel_reason": gettext_lazy("Reason for cancelling"),
    "cancelled": gettext_lazy("Cancelled"),
    "captures": gettext_lazy("Captured cards"),
    "card": gettext_lazy("Card"),
    "change": gettext_lazy("Change"),
    "changed": gettext_lazy("Changed"),
    "check": gettext_lazy("Check"),
    "club": pgettext_lazy("entry list", "Club"),
    "clubs_apart_rounds": gettext_lazy("Rounds with clubs apart"),
    "code": gettext_lazy("Code"),
    "conflict": gettext_lazy("In conflict"),
    "copied_from": gettext_lazy("Copied from"),
    "correction": gettext_lazy("Correction"),
    "data": gettext_lazy("Rules"),
    "deal": pgettext_lazy("one of many", "Deal"),
    "deals": gettext_lazy("Deals"),
    "deals_set_aside": gettext_lazy("Deals set aside"),
    "description": gettext_lazy("Description"),
    "digest": gettext_lazy("Digest"),
    "draw": gettext_lazy("Draw"),
    "draws": gettext_lazy("Draws"),
    "ends_at": gettext_lazy("Ends at"),
    "ends_on": gettext_lazy("Ends on"),
    "entered_at": gettext_lazy("Entered at"),
    "entered_by": gettext_lazy("Entered by"),
    "entered_on": gettext_lazy("Entered on"),
    "entered_seat": gettext_lazy("Seat that kept the score"),
    "entry": gettext_lazy("Entry"),
    "events": gettext_lazy("Events"),
    "expires_at": gettext_lazy("Expires at"),
    "exposed": gettext_lazy("Exposed cards"),
    "facts": gettext_lazy("Facts"),
    "final_at": gettext_lazy("Final at"),
    "first_round": pgettext_lazy("entry", "First round"),
    "format": gettext_lazy("Format"),
    "from": gettext_lazy("From"),
    "full_name": gettext_lazy("Full name"),
    "game": gettext_lazy("Game"),
    "held": gettext_lazy("Dealt to"),
    "held_back": gettext_lazy("Held back"),
    "how": gettext_lazy("How"),
    "in": gettext_lazy("Comes in"),
    "key": gettext_lazy("Short name"),
    "kind": gettext_lazy("Kind"),
    "live": gettext_lazy("Published by itself"),
    "lots": gettext_lazy("Lots"),
    "measure": gettext_lazy("What counts"),
    "met": gettext_lazy("They met"),
    "minutes": gettext_lazy("Minutes"),
    "misadded": gettext_lazy("Added up wrongly on paper"),
    "missing": gettext_lazy("Missing"),
    "mode": gettext_lazy("Sides"),
    "moved": gettext_lazy("Moved"),
    "name": gettext_lazy("Name"),
    "new": gettext_lazy("New"),
    "number": pgettext_lazy("entry list", "Number"),
    "numbers": gettext_lazy("Entries"),
    "offered": gettext_lazy("Record offered"),
    "opponents": gettext_lazy("Opponents"),
    "options": gettext_lazy("Options"),
    "order": gettext_lazy("Order of play"),
    "out": gettext_lazy("Goes out"),
    "outcome": gettext_lazy("Outcome"),
    "outside": gettext_lazy("From outside the team"),
    "penalty": gettext_lazy("Penalty"),
    "pinned": gettext_lazy("Pinned"),
    "place": gettext_lazy("Place"),
    "plan": gettext_lazy("Plan of a round"),
    "planned_rounds": gettext_lazy("Rounds planned"),
    "player": gettext_lazy("Player"),
    "players": gettext_lazy("Players"),
    "places": gettext_lazy("Seats that changed hands"),
    "points": gettext_lazy("Points"),
    "public": gettext_lazy("Public"),
    "purpose": gettext_lazy("Purpose"),
    "quality": gettext_lazy("Quality of the draw"),
    "reason": gettext_lazy("Reason"),
    "record": gettext_lazy("Record"),
    "redraw": gettext_lazy("Drawn again"),
    "relation": gettext_lazy("Checked by"),
    "role": gettext_lazy("Role"),
    "round": gettext_lazy("Round"),
    "rounds": gettext_lazy("Rounds"),
    "rows": gettext_lazy("Rows"),
    "rule": gettext_lazy("Rule"),
    "ruleset": gettext_lazy("Ruleset"),
    "ruleset_version": gettext_lazy("Ruleset"),
    "ruling": gettext_lazy("Ruling"),
    "same": gettext_lazy("The same on record"),
    "scope": gettext_lazy("Scope"),
    "scores": gettext_lazy("Scores"),
    "scoring_mode": gettext_lazy("Sides"),
    "seat": gettext_lazy("Seat"),
    "seats": gettext_lazy("Seats"),
    "seed": gettext_lazy("Seed"),
    "seeding": pgettext_lazy("entry list", "Seed"),
    "seeds_apart_rounds": gettext_lazy("Rounds with seeds apart"),
    "segment": gettext_lazy("Segment"),
    "server": gettext_lazy("Worked out here"),
    "settled": gettext_lazy("Settled"),
    "sha256": gettext_lazy("Digest of the file"),
    "sheet": gettext_lazy("Sheet"),
    "signoff": gettext_lazy("Way of checking"),
    "slug": gettext_lazy("Address"),
    "source": gettext_lazy("Where it came from"),
    "start_points": gettext_lazy("Points at entry"),
    "starts_at": gettext_lazy("Starts at"),
    "starts_on": gettext_lazy("Starts on"),
    "state": gettext_lazy("State"),
    "status": gettext_lazy("State"),
    "swap_pig_sheep": gettext_lazy("Pig and sheep change signs"),
    "swapped": gettext_lazy("Exchanged"),
    "table": gettext_lazy("Table"),
    "tables": gettext_lazy("Tables"),
    "tablet": gettext_lazy("Tablet"),
    "taken_by": gettext_lazy("Taken by"),
    "target": gettext_lazy("Counts against"),
    "terms": gettext_lazy("Way of playing"),
    "text": gettext_lazy("Text"),
    "tie_breaks": gettext_lazy("Tie-breaks"),
    "time_zone": gettext_lazy("Time zone"),
    "title": gettext_lazy("Title"),
    "unchanged": gettext_lazy("Unchanged"),
    "unranked": gettext_lazy("Not ranked"),
    "user": gettext_lazy("User"),
    "username": gettext_lazy("User name"),
    "venue": gettext_lazy("Venue"),
    "version": gettext_lazy("Version"),
    "violations": gettext_lazy("Objections"),
    "visibility": gettext_lazy("What the public sees"),
    "void_deals": gettext_lazy("Void deals"),
    "waiting": gettext_lazy("Waits for the referee"),
    "what": gettext_lazy("What"),
    "winner": gettext_lazy("Winner"),
    "withdrawn": gettext_lazy("Withdrawn"),
    "wrong": gettext_lazy("Wrong"),
}
#: Where the entry of a deal came from, as the trail has it (`tournament.services.audit.Actor.source`).
SOURCES: Mapping[str, Any] = {
    "tablet": gettext_lazy("from the table's tablet"),
    "page": gettext_lazy("from a referee's page"),
    "paper": gettext_lazy("from a score sheet"),
    "interface": gettext_lazy("through the open interface"),
}
#: Fields whose number is that of an entry (a list of them too), not its key.
_NUMBERED = frozenset(("entry", "winner", "numbers"))
#: Values of a deal's fields that stand in its versions and their checks.
_DEAL: Mapping[str, Mapping[str, Any]] = {
    "state": {**dict(DealVersion.State.choices), "checked": gettext_lazy("checked")},
    "relation": dict(DealCheck.Relation.choices),
    "source": SOURCES,
}
#: What a record of a deal says by itself.
_RECORD = ("captures", "held", "exposed")


class AuditWords:
    """Tells rows in the language of the moment, times in a tournament's zone.

    The names of an event's entries are looked up once, however many of its rows are told.
    """

    def __init__(self, tz: ZoneInfo) -> None:
        self._tz = tz
        self._entries = cache(_entries_of)
        self._lettered = cache(lettered_subjects)

    def about(self, row: AuditRow) -> str:
        """What a change was about, as people call it, where the row says it; else blank."""
        kind = row.subject.partition(":")[0]
        facts = {**_object(row.before), **_object(row.after)}
        if kind == "entry" and "name" in facts:
            return f"{facts['number']} · {facts['name']}"
        if kind == "deal" and "number" in facts:
            return _("deal %(number)s") % {"number": facts["number"]}
        if kind in ("draw", "publication") and "round" in facts:
            return _("round %(number)s") % {"number": facts["round"]}
        return str(facts.get("username", ""))

    def kind(self, row: AuditRow) -> str:
        """What sort of thing a change was about, with its number where the row says it: "Correction 2"."""
        kind = row.subject.partition(":")[0]
        number = {**_object(row.before), **_object(row.after)}.get("number", "")
        return f"{SUBJECTS.get(kind, kind)} {number}".rstrip()

    def changes(self, row: AuditRow) -> list[tuple[str, str, str]]:
        """Field, before and after, of what differs; whole values where they are no objects."""
        old = row.before if isinstance(row.before, dict) else {} if row.before is None else {"": row.before}
        new = row.after if isinstance(row.after, dict) else {} if row.after is None else {"": row.after}
        names = [*old, *(name for name in new if name not in old)]
        at = self._seats(row, row.subject)
        return [
            (
                field_name(name),
                self._told(row, name, old.get(name), at),
                self._told(row, name, new.get(name), at),
            )
            for name in names
            if old.get(name) != new.get(name)
        ]

    def _seats(self, row: AuditRow, place: str) -> Sequence[str]:
        """The letters that seats have at the table that a row, or a part of it, is about."""
        lettered = row.event_id is not None and place in self._lettered(row.event_id)
        return LETTER_SEATS if lettered else FOUR_SEATS

    def _told(self, row: AuditRow, name: str, value: Any, at: Sequence[str]) -> str:
        if value is None or value == "":
            return ""
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if isinstance(value, dict):
            return self._object(row, name, value, at)
        if isinstance(value, list):
            return pgettext("punctuation", ", ").join(self._told(row, name, one, at) for one in value)
        return self._single(row, name, value, at)

    def _object(self, row: AuditRow, name: str, value: Mapping[str, Any], at: Sequence[str]) -> str:
        if isinstance(value.get("table"), int):
            # A correction and an exchange between tables name each table by its number.
            corrected = row.subject.startswith("correction:")
            draw = f"round:{_object(row.after).get('round')}" if corrected else row.subject
            if corrected or draw.startswith("draw:"):
                at = self._seats(row, f"{draw}/{value['table']}")
        if name == "answer":
            value = value.get("scores", value)
        if name == "exposed" and value.keys() >= {"card", "seat", "kind"}:
            return f"{symbol(value['card'])} {seat_name(value['seat'], at)} {exposure_name(value['kind'])}"
        if name == "record":
            value = {key: value[key] for key in (*_RECORD, *value) if value.get(key)}
        colon = pgettext("punctuation", ": ")
        parts = [
            f"{self._key(key, at)}{colon}{self._told(row, key if key in FIELDS else name, one, at)}"
            for key, one in value.items()
            if one not in (None, "", [])
        ]
        return pgettext("punctuation", "; ").join(parts)

    @staticmethod
    def _key(key: str, at: Sequence[str]) -> str:
        if len(key) == 1:
            return seat_name(key, at)
        return symbol(key) if split_copy(key)[0] in PACK else field_name(key)

    def _single(self, row: AuditRow, name: str, value: Any, at: Sequence[str]) -> str:
        named = self._named(row, name, value)
        if named:
            return named
        if not isinstance(value, str):
            return str(value)
        if name in ("seat", "entered_seat", "held", "moved", "sat") and len(value) == 1:
            return seat_name(value, at)
        code, copy = split_copy(value)
        if code in PACK:
            return f"{symbol(code)}({seat_name(copy, at)})" if copy else symbol(code)
        return _choice(row.subject.partition(":")[0], name, value) or self._time(value)

    def _named(self, row: AuditRow, name: str, value: Any) -> str:
        """An entry, player, round or table by its name or number; blank for anything else."""
        if row.event_id is None or not isinstance(value, int):
            return ""
        names = self._entries(row.event_id)
        if row.subject.startswith("penalty:"):
            return names.get((name, value), "")
        return names.get(("number", value), "") if name in _NUMBERED else ""

    def _time(self, value: str) -> str:
        if "T" not in value[10:11]:
            return value
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return value
        return moment.astimezone(self._tz).strftime("%Y-%m-%d %H:%M:%S") if moment.tzinfo else value


def field_name(name: str) -> str:
    """A field in words; as it is stored where it has none."""
    return str(FIELDS.get(name, name))


def _entries_of(event: int) -> dict[tuple[str, int], str]:
    """Entries by number; and what penalties name by key: entries, players, rounds, tables."""
    names: dict[tuple[str, int], str] = {}
    for key, number, name in Entry.objects.filter(event=event).values_list("pk", "number", "name"):
        names["number", number] = names["entry", key] = f"{number} · {name}"
    for key, name in Player.objects.filter(entry__event=event).values_list("pk", "name"):
        names["player", key] = name
    for key, number in Round.objects.filter(event=event).values_list("pk", "number"):
        names["round", key] = str(number)
    for key, number in Table.objects.filter(draw__round__event=event).values_list("pk", "number"):
        names["table", key] = str(number)
    return names


@cache
def _choices(kind: str, name: str) -> Mapping[str, Any]:
    """The labels of a field's values, by the name of its model; empty where it has no choices."""
    if kind == "deal":
        return _DEAL.get(name, {})
    for model in _models(kind):
        try:
            return dict(model._meta.get_field(name).flatchoices)
        except (FieldDoesNotExist, AttributeError):
            continue
    return {}


def _models(kind: str) -> Iterable[Any]:
    return (
        model
        for label in ("tournament", "referee")
        for model in apps.get_app_config(label).get_models()
        if model._meta.model_name == kind
    )


def _choice(kind: str, name: str, value: str) -> str:
    return str(_choices(kind, name).get(value, ""))


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
