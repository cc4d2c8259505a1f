"""Penalties 罚分 from a list: what giving them would do, and giving them, all or nothing.

A penalty given is never changed, so a line that says what is on record already, given or cancelled, is left
alone, and any other is a new penalty: the same list may arrive twice.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.db import transaction
from django.utils.translation import gettext as _

from referee.models import Deal, Penalty
from referee.services.penalties import give_penalty
from referee.services.penalty_reasons import penalty_reason
from tournament.models import Draw, Event, Table
from tournament.services.audit import Actor, record_audit
from tournament.services.entry_sheet import SheetFault, SheetNote
from tournament.services.errors import Problem, Refused
from tournament.services.permissions import require_director
from tournament.services.validation import text

Key = tuple[Any, ...]


@dataclass(frozen=True)
class PenaltyRow:
    """A line of the list: an entry by number, the round, and what it is for. ``cells`` names each field's
    cell.
    """

    row: int
    number: int
    round: int
    rule: str
    points: int | Fraction
    reason: str
    player: str = ""
    table: int | None = None
    deal: int | None = None
    cells: Mapping[str, str] = field(default_factory=dict)

    def key(self, reason: str) -> Key:
        """What makes two penalties the same for a list; ``reason`` is the one that would be stored."""
        return (
            self.number,
            self.player,
            self.round,
            self.table,
            self.deal,
            text(self.rule),
            Fraction(self.points),
            reason,
        )

    def cell(self, name: str) -> str:
        """The cell of a field, else of the number."""
        return self.cells.get(name) or self.cells.get("number", f"A{self.row}")


@dataclass(frozen=True)
class PenaltyList:
    """The lines that could be read, every fault, and notes; ``failed`` lines could not be read."""

    rows: tuple[PenaltyRow, ...] = ()
    faults: tuple[SheetFault, ...] = ()
    notes: tuple[SheetNote, ...] = ()
    failed: int = 0


@dataclass(frozen=True)
class PenaltyLine:
    """A line against what is on record: ``status`` is new, unchanged or wrong."""

    paper: PenaltyRow
    status: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[SheetFault, ...] = ()


@dataclass(frozen=True)
class PenaltyPreview:
    """What giving the penalties of the list would do. They can be given only without any fault."""

    lines: tuple[PenaltyLine, ...] = ()
    faults: tuple[SheetFault, ...] = ()
    notes: tuple[SheetNote, ...] = ()
    failed: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """Lines by status, for a page."""
        found = Counter(line.status for line in self.lines)
        found["wrong"] += self.failed
        return {status: found[status] for status in ("new", "unchanged", "wrong")}


def preview_penalties(*, actor: Actor, event: Event, sheet: PenaltyList) -> PenaltyPreview:
    """What giving the penalties of the list would do now. Stores nothing: each new one is tried as the
    service would store it, and taken back.

    Raises NotAllowed: neither chief referee nor organiser.
    """
    require_director(actor, event.tournament)
    on_record = Counter(
        (
            one.entry.number,
            one.player.name if one.player else "",
            one.round.number,
            one.table.number if one.table else None,
            one.deal.number if one.deal else None,
            text(one.rule),
            Fraction(one.points),
            text(one.reason),
        )
        for one in Penalty.objects.filter(event=event).select_related(
            "entry", "player", "round", "table", "deal"
        )
    )
    lookup = _Lookup(event)
    lines = []
    for row in sheet.rows:
        key = row.key(lookup.reason_of(row))
        if on_record[key] > 0:
            on_record[key] -= 1
            lines.append(PenaltyLine(row, "unchanged"))
            continue
        facts, faults = lookup.facts(row)
        faults = faults or _tried(actor, event, row, facts)
        lines.append(PenaltyLine(row, "wrong" if faults else "new", facts, tuple(faults)))
    found = tuple(fault for line in lines for fault in line.faults)
    return PenaltyPreview(tuple(lines), (*sheet.faults, *found), sheet.notes, sheet.failed)


def import_penalties(*, actor: Actor, event: Event, sheet: PenaltyList, command_id: UUID) -> PenaltyPreview:
    """Gives the penalties of the list that are not on record, in one transaction.

    Raises:
        Refused: with every fault, each naming its cell (Problem.field); then nothing at all is stored.
        NotAllowed: neither chief referee nor organiser.
    """
    with transaction.atomic():
        plan = preview_penalties(actor=actor, event=event, sheet=sheet)
        if plan.faults:
            raise Refused.for_problems(
                Problem(fault.code, str(fault), field=fault.cell) for fault in plan.faults
            )
        new = [line for line in plan.lines if line.status == "new"]
        for line in new:
            give_penalty(
                actor=actor, event=event, **line.facts, command_id=uuid5(command_id, str(line.paper.row))
            )
        if new:
            record_audit(
                actor=actor, action="penalties.import", subject=event, event=event, after=plan.counts
            )
    return plan


def _tried(actor: Actor, event: Event, row: PenaltyRow, facts: Mapping[str, Any]) -> list[SheetFault]:
    """What the service that gives penalties would refuse."""
    try:
        with transaction.atomic():
            give_penalty(actor=actor, event=event, **facts, command_id=uuid4())
            transaction.set_rollback(True)
    except Refused as refused:
        return [
            SheetFault("other", row.cell(problem.field), {"text": str(problem)})
            for problem in refused.problems
        ]
    return []


class _Lookup:
    """The event's entries, rounds, tables and deals by the numbers that people know them by."""

    def __init__(self, event: Event) -> None:
        self._entries = {one.number: one for one in event.entries.prefetch_related("players")}
        self._rounds = {one.number: one for one in event.rounds.select_related("stage", "event")}
        tables = Table.objects.filter(draw__round__event=event, draw__state=Draw.State.PUBLISHED)
        self._tables = {
            (one.draw.round.number, one.number): one for one in tables.select_related("draw__round__event")
        }
        # A long list names few breaches, and each is looked for in the catalogue in every language.
        self._reason_under = cache(lambda rule: penalty_reason(event=event, rule=rule, reason=""))

    def reason_of(self, row: PenaltyRow) -> str:
        """The reason as the service would store it: what is written, else the article named as the rule."""
        return text(row.reason) or self._reason_under(text(row.rule))

    def facts(self, row: PenaltyRow) -> tuple[dict[str, Any], list[SheetFault]]:
        """What the service takes, and the fault of every name or number that there is nothing for."""
        faults: list[SheetFault] = []

        def missing(name: str, told: str) -> None:
            faults.append(SheetFault("other", row.cell(name), {"text": told}))

        entry, round_ = self._entries.get(row.number), self._rounds.get(row.round)
        if entry is None:
            missing("number", _("There is no entry with number %(number)s.") % {"number": row.number})
        if round_ is None:
            missing("round", _("There is no round %(round)s.") % {"round": row.round})
        player = None
        if row.player and entry is not None and row.player != entry.name:
            player = next((one for one in entry.players.all() if text(one.name) == row.player), None)
            if player is None:
                told = _("Entry %(number)s has no player “%(player)s”.")
                missing("player", told % {"number": row.number, "player": row.player})
        table = self._tables.get((row.round, row.table or 0))
        if row.table and round_ is not None and table is None:
            missing("table", _("There is no table %(table)s in this round.") % {"table": row.table})
        deal = None
        if row.deal and table is not None:
            deal = Deal.objects.filter(table=table, number=row.deal).first()
            if deal is None:
                missing("deal", _("Deal %(deal)s is not recorded.") % {"deal": row.deal})
        return {
            "entry": entry,
            "round": round_,
            "player": player,
            "table": table,
            "deal": deal,
            "rule": row.rule,
            "points": row.points,
            "reason": row.reason,
        }, faults
