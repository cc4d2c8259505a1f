"""The shipped rulesets: one JSON file each, stating what differs from the base rules (docs/rules.md §7)."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from scoring.engine.faults import RulesetError, fault
from scoring.engine.ruleset import Ruleset

_ORDER = ("huapai", "classic", "computer", "platform", "platform-two-deck", "double-pig", "book-a", "book-b")


@cache
def shipped_keys() -> tuple[str, ...]:
    """Return the keys of the rulesets that ship, the official one first; files added later follow by name."""
    found = {
        entry.name.removesuffix(".json")
        for entry in files(__name__).iterdir()
        if entry.name.endswith(".json")
    }
    return (*(key for key in _ORDER if key in found), *sorted(found - set(_ORDER)))


def _read(key: str) -> dict[str, Any]:
    # Only keys of files that are there: a key never becomes part of a path otherwise.
    if key not in shipped_keys():
        raise RulesetError([fault("unknown_ruleset", ruleset=key)])
    read: dict[str, Any] = json.loads((files(__name__) / f"{key}.json").read_text(encoding="utf-8"))
    return read


@cache
def load(key: str) -> Ruleset:
    """Return a shipped ruleset. Raises RulesetError (``unknown_ruleset``) where none has that key."""
    return Ruleset.from_dict(_read(key))
