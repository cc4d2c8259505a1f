"""Rulings on entries as corrections: how each is made, and how it is taken back (services.changes)."""

from fractions import Fraction
from typing import Any

from django.utils.dateparse import parse_datetime

from referee.services.change_names import entry_of, require_as_left
from referee.services.entry_rulings import (
    lift_entry_ruling,
    restore_entry_ruling,
    rule_on_entry,
    ruling_in_force,
    ruling_state,
)
from tournament.models import Entry, Round
from tournament.services.audit import Actor

Json = dict[str, Any]


def rule(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    """Rules on the entry, in place of an earlier ruling."""
    entry = entry_of(round, change["entry"])
    before = ruling_in_force(entry)
    made = rule_on_entry(
        actor=actor,
        entry=entry,
        unranked=change["unranked"],
        annul_from=change["annul_from"],
        opponents=change["opponents"],
        opponents_points=Fraction(change["opponents_points"]),
        reason=reason,
    )
    return {"before": before and before.made_at.isoformat(), "after": ruling_state(made)}


def unrule(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    """What was ruled before holds again; nothing, where nothing was."""
    entry = entry_of(round, change["entry"])
    require_as_left(done, _ruled(entry))
    lift_entry_ruling(actor=actor, entry=entry, reason=reason)
    if done.get("before"):
        _restore_ruling(actor, entry, done["before"], reason)


def lift(actor: Actor, round: Round, change: Json, reason: str) -> Json:
    """Lifts the ruling in force."""
    entry = entry_of(round, change["entry"])
    ruling = ruling_in_force(entry)
    done = {"made_at": ruling.made_at.isoformat()} if ruling else {}
    lift_entry_ruling(actor=actor, entry=entry, reason=reason)
    return {**done, "after": None}


def rule_again(actor: Actor, round: Round, change: Json, done: Json, reason: str) -> None:
    """Rules again what was lifted."""
    entry = entry_of(round, change["entry"])
    require_as_left(done, _ruled(entry))
    _restore_ruling(actor, entry, done["made_at"], reason)


def _restore_ruling(actor: Actor, entry: Entry, made_at: str, reason: str) -> None:
    restore_entry_ruling(actor=actor, entry=entry, made_at=parse_datetime(made_at), reason=reason)


def _ruled(entry: Entry) -> Json | None:
    """The ruling in force."""
    found = ruling_in_force(entry)
    return found and ruling_state(found)
