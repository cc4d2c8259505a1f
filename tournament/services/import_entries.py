"""Importing a list of entries: what it would do, and doing it, all or nothing.

Entries are matched by number; a row without one by name and club. What the list does not name is left as it
is: an entry missing from the list is not withdrawn, a column missing from it changes nothing.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from itertools import count
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.models import Draw, Entry, Event, Player
from tournament.services.audit import Actor, record_audit
from tournament.services.entries import (
    EntryData,
    clean_entry_data,
    entry_problems,
    next_number,
    update_entry,
)
from tournament.services.entry_sheet import EntryRow, EntrySheet, SheetFault, SheetNote
from tournament.services.errors import Conflict, Problem, Refused
from tournament.services.permissions import require_organiser


class RowStatus(StrEnum):
    """What importing would do with a row of the list."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    WRONG = "wrong"


@dataclass(frozen=True)
class PreviewRow:
    """One row of the list against what is stored. ``before`` is what is stored, where something is."""

    row: int
    status: RowStatus
    data: EntryData | None = None
    entry: Entry | None = None
    before: EntryData | None = None
    faults: tuple[SheetFault, ...] = ()

    @property
    def changes(self) -> dict[str, tuple[Any, Any]]:
        """Field → (stored, in the list) of a changed row."""
        if self.status != RowStatus.CHANGED or self.before is None or self.data is None:
            return {}
        pairs = {
            name: (getattr(self.before, name), getattr(self.data, name))
            for name in ("name", "club", "players", "seeding")
        }
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    @property
    def told_players(self) -> tuple[str, str] | None:
        """The players stored and in the list, each as one text; None where they stay."""
        pair = self.changes.get("players")
        comma = gettext(", ")
        return (comma.join(pair[0]), comma.join(pair[1])) if pair else None


@dataclass(frozen=True)
class ImportPreview:
    """What importing the list would do. It can be imported only without any fault."""

    rows: tuple[PreviewRow, ...]
    faults: tuple[SheetFault, ...]
    notes: tuple[SheetNote, ...] = ()
    #: Stored entries that the list does not name; they stay as they are.
    untouched: tuple[Entry, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.faults

    @property
    def seen(self) -> str:
        """A digest of what it says of each row: another one where entries have been changed since."""
        told = [
            (
                row.row,
                row.status,
                row.entry.pk if row.entry else None,
                asdict(row.before) if row.before else None,
            )
            for row in self.rows
        ]
        return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()

    def count(self, status: str) -> int:
        """How many rows have this status."""
        return sum(row.status == status for row in self.rows)

    @property
    def counts(self) -> dict[str, int]:
        """Rows by status, for a page."""
        return {status.value: self.count(status) for status in RowStatus}


@dataclass(frozen=True)
class ImportOutcome:
    """What was done: the entries added and changed, and how many rows changed nothing."""

    added: tuple[Entry, ...] = ()
    changed: tuple[Entry, ...] = ()
    unchanged: int = 0


def preview(*, event: Event, sheet: EntrySheet) -> ImportPreview:
    """What importing the list would do now. Stores nothing; the same number of queries for any list."""
    return _Comparison(event, sheet).preview()


def import_entries(*, actor: Actor, event: Event, sheet: EntrySheet, seen: str = "") -> ImportOutcome:
    """Adds and updates the entries of a list in one transaction; a second import of it changes nothing.

    ``seen`` is that of the preview which somebody agreed to; "" for who looked at none.

    Raises NotAllowed for anybody but an organiser; Conflict where the import would do something else by now
    than was seen; and Refused with every fault, each naming its cell
    (Problem.field), for a list with any fault: then nothing at all is stored.
    """
    require_organiser(actor, event.tournament)
    with transaction.atomic():
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        plan = preview(event=event, sheet=sheet)
        if not plan.ok:
            raise Refused.for_problems(
                Problem(fault.code, str(fault), field=fault.cell) for fault in plan.faults
            )
        if seen and seen != plan.seen and plan.count(RowStatus.UNCHANGED) < len(plan.rows):
            raise Conflict(
                "list_moved_on",
                _("Entries have been changed since this was shown: look at it again. Nothing was stored."),
            )
        # Changes first: a new entry may bear a name that another has just given up.
        changed = [_change(actor, event, row) for row in plan.rows if row.status == RowStatus.CHANGED]
        added = _add_all(actor, event, _numbered(event, plan.rows))
        if added or changed:
            record_audit(
                actor=actor,
                action="entries.import",
                subject=event,
                event=event,
                after={"sheet": sheet.sheet, **plan.counts},
            )
    return ImportOutcome(tuple(added), tuple(changed), plan.count(RowStatus.UNCHANGED))


def _numbered(event: Event, rows: Iterable[PreviewRow]) -> list[EntryData]:
    """The new entries; those without a number take the next ones after all that are stored or listed."""
    new = [row.data for row in rows if row.status == RowStatus.NEW and row.data is not None]
    highest = max([next_number(event) - 1, *(data.number for data in new if data.number is not None)])
    free = count(highest + 1)
    return [data if data.number is not None else replace(data, number=next(free)) for data in new]


def _add_all(actor: Actor, event: Event, rows: Sequence[EntryData]) -> list[Entry]:
    """Stores the new entries; a few queries for all, but for the audit trail, which has a row for each.

    The preview has compared the list with the stored entries; the database still guards the numbers.
    """
    entries = [
        Entry(
            event=event,
            number=data.number,
            name=data.name,
            club=data.club,
            seeding=data.seeding,
            first_round=data.first_round,
            start_points=data.start_points,
        )
        for data in rows
    ]
    try:
        with transaction.atomic():
            Entry.objects.bulk_create(entries)
    except IntegrityError as fault:
        raise Conflict(
            "number_taken", _("Somebody else has changed the entries meanwhile. Please try again.")
        ) from fault
    Player.objects.bulk_create(
        Player(entry=entry, place=place, name=name)
        for entry, data in zip(entries, rows, strict=True)
        for place, name in enumerate(data.players, start=1)
    )
    for entry, data in zip(entries, rows, strict=True):
        after = _state(data, entry.status)
        record_audit(actor=actor, action="entry.import", subject=entry, event=event, after=after)
    return entries


def _change(actor: Actor, event: Event, row: PreviewRow) -> Entry:
    assert row.entry is not None
    assert row.before is not None
    assert row.data is not None
    update_entry(row.entry, row.data)
    record_audit(
        actor=actor,
        action="entry.import",
        subject=row.entry,
        event=event,
        before=_state(row.before, row.entry.status),
        after=_state(row.data, row.entry.status),
    )
    return row.entry


def _state(data: EntryData, status: str) -> dict[str, Any]:
    """What `entries.entry_state` would say of a stored entry, without asking the database again."""
    return {
        "number": data.number,
        "name": data.name,
        "club": data.club,
        "players": list(data.players),
        "status": str(status),
        "seeding": data.seeding,
        "first_round": data.first_round,
        "start_points": str(data.start_points),
    }


@dataclass
class _Comparison:
    """The list against the stored entries."""

    event: Event
    sheet: EntrySheet
    faults: list[SheetFault] = field(default_factory=list)

    def preview(self) -> ImportPreview:
        stored = list(self.event.entries.prefetch_related("players"))
        self._by_number = {entry.number: entry for entry in stored}
        self._by_title: dict[tuple[str, str], Entry] = {(entry.name, entry.club): entry for entry in stored}
        self._named = {row.number for row in self.sheet.rows if row.number is not None}
        self._drawn = (
            Draw.objects.filter(round__event=self.event).exclude(state=Draw.State.WITHDRAWN).exists()
        )
        matched = [(row, self._match(row)) for row in self.sheet.rows]
        rows = [self._compare(row, entry) for row, entry in matched]
        rows = self._refuse_titles_taken(rows, matched, stored)
        told = defaultdict(list)
        for fault in self.sheet.faults:
            told[fault.row].append(fault)
        wrong = [
            PreviewRow(number, RowStatus.WRONG, faults=tuple(told[number]))
            for number in self.sheet.failed_rows
        ]
        touched = {entry.pk for row, entry in matched if entry}
        return ImportPreview(
            tuple(sorted((*rows, *wrong), key=lambda row: row.row)),
            (*self.sheet.faults, *self.faults),
            self.sheet.notes,
            tuple(entry for entry in stored if entry.pk not in touched),
        )

    def _match(self, row: EntryRow) -> Entry | None:
        if row.number is not None:
            return self._by_number.get(row.number)
        data = clean_entry_data(self.event, EntryData(name=row.name, club=row.club, players=row.players))
        found = self._by_title.get((data.name, data.club))
        return found if found and found.number not in self._named else None

    def _compare(self, row: EntryRow, entry: Entry | None) -> PreviewRow:
        data = EntryData(row.name, row.club, row.players, row.number, row.seeding)
        if entry is None:
            data = clean_entry_data(self.event, data)
            if self._drawn:
                return self._wrong(row, None, None, [self._fault("too_late_to_add", row, value=data.name)])
            return self._checked(row, data, None, None)
        before = _stored(entry)
        # What the list does not say stays: columns it does not have, and the name of a pair called otherwise.
        data = replace(
            data,
            number=entry.number,
            club=row.club if "club" in row.cells else before.club,
            seeding=row.seeding if "seeding" in row.cells else before.seeding,
            name=row.name or (before.name if before.name != " / ".join(before.players) else ""),
            first_round=before.first_round,
            start_points=before.start_points,
        )
        data = clean_entry_data(self.event, data)
        if self._drawn and (data.name, data.players) != (before.name, before.players):
            return self._wrong(
                row, data, entry, [self._fault("too_late_to_change", row, number=entry.number)]
            )
        return self._checked(row, data, entry, before)

    def _checked(
        self, row: EntryRow, data: EntryData, entry: Entry | None, before: EntryData | None
    ) -> PreviewRow:
        """The reader has checked the texts; what the service would still refuse is said here, not later."""
        problems = entry_problems(self.event, data)
        if problems:
            faults = [
                SheetFault("other", row.cell(problem.field), {"text": str(problem)}) for problem in problems
            ]
            return self._wrong(row, data, entry, faults)
        if before is None:
            return PreviewRow(row.row, RowStatus.NEW, data)
        status = RowStatus.UNCHANGED if data == before else RowStatus.CHANGED
        return PreviewRow(row.row, status, data, entry, before)

    def _refuse_titles_taken(
        self,
        rows: Iterable[PreviewRow],
        matched: Sequence[tuple[EntryRow, Entry | None]],
        stored: Sequence[Entry],
    ) -> list[PreviewRow]:
        """A name and club that an entry outside the list has would be there twice after the import."""
        touched = {entry.pk for row, entry in matched if entry}
        outside = {(entry.name, entry.club): entry for entry in stored if entry.pk not in touched}
        result = []
        for (source, _found), row in zip(matched, rows, strict=True):
            taken = outside.get((row.data.name, row.data.club)) if row.data else None
            if taken is not None and row.status in {RowStatus.NEW, RowStatus.CHANGED}:
                fault = self._fault("name_taken", source, value=taken.name, number=taken.number)
                row = self._wrong(source, row.data, row.entry, [fault])
            result.append(row)
        return result

    @staticmethod
    def _fault(code: str, row: EntryRow, **params: Any) -> SheetFault:
        return SheetFault(code, row.cell("number" if code == "too_late_to_change" else "name"), params)

    def _wrong(
        self, row: EntryRow, data: EntryData | None, entry: Entry | None, faults: list[SheetFault]
    ) -> PreviewRow:
        self.faults += faults
        return PreviewRow(row.row, RowStatus.WRONG, data, entry, faults=tuple(faults))


def _stored(entry: Entry) -> EntryData:
    return EntryData(
        name=entry.name,
        club=entry.club,
        players=tuple(player.name for player in sorted(entry.players.all(), key=lambda player: player.place)),
        number=entry.number,
        seeding=entry.seeding,
        first_round=entry.first_round,
        start_points=entry.start_points,
    )
