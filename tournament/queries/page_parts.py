"""Which parts of what is public a publication changes: other pages keep their bytes and their ETag.

A page states the parts it is made of, a publication the parts it changes (PublicPart); both by these names.
Everything here is a pure function of two payloads (tournament.queries.payloads). What a page shows must be
covered by its parts: tests render every page anew after each kind of change and compare.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from tournament.models import Publication

Payload = Mapping[str, Any]
What = Publication.What

#: What every page of the event shows: names, tabs, which matters are public at all.
FRAME = "frame"
#: Moves with every change of anything public: for pages that are made of everything.
ANY = "any"
#: The event's own page.
HOME = "home"
#: The newest standings, whichever round they follow.
NEWEST_STANDINGS = "standings"


def round_part(number: int) -> str:
    """The page of a round."""
    return f"round:{number}"


def table_part(number: int, table: int) -> str:
    """One table of a round, with the other tables of its match."""
    return f"table:{number}:{table}"


def match_part(number: int, match: int) -> str:
    """One match of a round."""
    return f"match:{number}:{match}"


def entry_part(number: int) -> str:
    """Everything of one entry: its tables, byes, penalties, places in all standings."""
    return f"entry:{number}"


def standings_part(after: int) -> str:
    """The standings after a round."""
    return f"standings:{after}"


def changed_parts(what: str, number: int, old: Payload, new: Payload) -> set[str]:
    """What differs between two payloads of one matter of round ``number``; empty where they are alike."""
    if old == new:
        return set()
    if what == What.STANDINGS:
        return {HOME, NEWEST_STANDINGS, standings_part(number), *_standings_entries(old, new)}
    return {round_part(number), *_tables(number, old, new), *_entries(number, old, new)}


def stated_parts(what: str, number: int, payload: Payload) -> set[str]:
    """Where a version's number, time, note and finality are stated: changed by every version of its own."""
    if what == What.STANDINGS:
        return {HOME, NEWEST_STANDINGS, standings_part(number)}
    return {HOME, round_part(number), *_parts_of_tables(number, payload["tables"])}


def _parts_of_tables(number: int, tables: Iterable[Payload]) -> set[str]:
    found = set()
    for table in tables:
        found |= {table_part(number, table["number"]), match_part(number, table["match"])}
    return found


def _tables(number: int, old: Payload, new: Payload) -> set[str]:
    before, after = _by_number(old), _by_number(new)
    if before.keys() != after.keys():  # each table's page leads to its neighbours
        moved = [*before.values(), *after.values()]
    else:
        changed = {key for key in before if before[key] != after[key]}
        changed |= _tables_of(_renamed(old, new) | _penalised(old, new), [before, after])
        matches = {side[key]["match"] for key in changed for side in (before, after)}
        moved = [table for side in (before, after) for table in side.values() if table["match"] in matches]
    return _parts_of_tables(number, moved) | {entry_part(one) for table in moved for one in _at(table)}


def _entries(number: int, old: Payload, new: Payload) -> set[str]:
    byes = _differing(old.get("byes", ()), new.get("byes", ()))
    return {entry_part(one) for one in byes | _renamed(old, new) | _penalised(old, new)}


def _standings_entries(old: Payload, new: Payload) -> set[str]:
    before, after = ({row["entry"]: row for row in one.get("rows", ())} for one in (old, new))
    if len(before) != len(after):  # "3 of 40" stands on each entry's page
        changed = before.keys() | after.keys()
    else:
        changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    return {entry_part(one) for one in changed | _renamed(old, new)}


def _by_number(payload: Payload) -> dict[int, Payload]:
    return {table["number"]: table for table in payload.get("tables", ())}


def _at(table: Payload) -> set[int]:
    return {*table["sides"], *(seat["entry"] for seat in table["seats"])}


def _tables_of(entries: set[int], sides: Iterable[Mapping[int, Payload]]) -> set[int]:
    return {key for side in sides for key, table in side.items() if entries & _at(table)}


def _renamed(old: Payload, new: Payload) -> set[int]:
    before, after = old.get("entries", {}), new.get("entries", {})
    return {int(key) for key in before.keys() | after.keys() if before.get(key) != after.get(key)}


def _penalised(old: Payload, new: Payload) -> set[int]:
    return _differing(old.get("penalties", ()), new.get("penalties", ()))


def _differing(old: Iterable[Payload], new: Iterable[Payload]) -> set[int]:
    """Entries of the lines that stand in one list only."""
    before, after = list(old), list(new)
    return {
        line["entry"]
        for mine, theirs in ((before, after), (after, before))
        for line in mine
        if line not in theirs
    }
