"""Deals recorded on paper 纸质记分表, brought in from a workbook: what that would do, and doing it.

What is on record already is never overwritten: a deal that says the same is left alone, one that differs is
shown beside it and decided at the desk. What is new is stored by the deal services as a referee's entry, so
it needs a second person's check like any other. A deal that was void 作废 and replayed stands on two lines:
the void one is put on record as void, the other as its replay.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from referee.models import Deal, DealVersion
from referee.queries import check_of, play_after, play_of, seats_of
from referee.queries.play import Play, tables_in_play
from referee.queries.signoffs import differences
from referee.services.deals import record_deal, void_unrecorded_deal
from referee.services.guards import require_next, require_play
from referee.services.paper_sheet import PaperDeal, PaperSheet
from referee.services.records import ScoredRecord, score_record
from scoring.messages import seat_name
from tournament.models import Draw, Round, Table
from tournament.queries.plans import round_terms
from tournament.services.audit import Actor, record_audit
from tournament.services.entry_sheet import SheetFault, SheetNote
from tournament.services.errors import Problem, Refused
from tournament.services.permissions import require_director
from tournament.services.validation import text

_RECORDED, _VOID = DealVersion.State.RECORDED, DealVersion.State.VOID


class LineStatus(StrEnum):
    """What importing would do with a deal of the sheet."""

    NEW = "new"
    SAME = "same"
    CONFLICT = "conflict"
    WRONG = "wrong"


@dataclass(frozen=True)
class PaperLine:
    """A deal of the sheet against what is on record.

    ``on_record`` is the version in force, where there is one; ``differs`` says card by card what is otherwise
    there (`referee.queries.signoffs.differences`: first on record, second on paper). ``scores`` are the
    points that the paper's cards come to; ``misadded`` the seats whose written score is another: the cards
    count. ``place`` tells the void ones of a number apart, from 1. ``replay``: it is taken for the replay of
    a deal that is void on record, though the paper says nothing of that.
    """

    paper: PaperDeal
    status: LineStatus
    on_record: DealVersion | None = None
    checked: bool = False
    differs: tuple[Mapping[str, str], ...] = ()
    scores: Mapping[str, int] = field(default_factory=dict)
    misadded: tuple[str, ...] = ()
    faults: tuple[SheetFault, ...] = ()
    place: int = 0
    replay: bool = False

    @property
    def name(self) -> str:
        """Table and deal, as the audit trail and the ids of commands have them."""
        return f"{self.paper.table}/{self.paper.number}"


@dataclass(frozen=True)
class PaperPreview:
    """What importing the sheet would do, in the order of play of each table. It can be imported only without
    any fault.
    """

    lines: tuple[PaperLine, ...] = ()
    faults: tuple[SheetFault, ...] = ()
    notes: tuple[SheetNote, ...] = ()
    failed: int = 0

    @property
    def ok(self) -> bool:
        return not self.faults

    @property
    def counts(self) -> dict[str, int]:
        """Lines by status, for a page; one that could not be read is a wrong one, a new void one is counted
        apart.
        """
        found = {status.value: sum(line.status == status for line in self.lines) for status in LineStatus}
        void = sum(line.status == LineStatus.NEW and bool(line.paper.void) for line in self.lines)
        return {**found, "wrong": found["wrong"] + self.failed, "new": found["new"] - void, "void": void}


def preview_paper(*, round: Round, sheet: PaperSheet) -> PaperPreview:
    """What importing the sheet into the round would do now. Stores nothing."""
    return _Comparison(round, sheet).preview()


def import_paper(*, actor: Actor, round: Round, sheet: PaperSheet, command_id: UUID) -> PaperPreview:
    """Records the deals of the sheet that are not on record, in one transaction; the answer says which those
    were, which were there already, and which are in conflict and were left as they are.

    Raises:
        Refused: with every fault, each naming its cell (Problem.field); then nothing at all is stored.
        NotAllowed: neither chief referee nor organiser.
    """
    require_director(actor, round.event.tournament)
    with transaction.atomic():
        plan = preview_paper(round=round, sheet=sheet)
        if plan.faults:
            raise Refused.for_problems(
                Problem(fault.code, str(fault), field=fault.cell) for fault in plan.faults
            )
        tables = {table.number: table for table in _tables(round)}
        new = [line for line in plan.lines if line.status == LineStatus.NEW]
        on_paper = replace(actor, via="paper")
        for line in new:
            paper = line.paper
            if paper.void:
                void_unrecorded_deal(
                    actor=on_paper,
                    table=tables[paper.table],
                    number=paper.number,
                    reason=paper.void,
                    command_id=uuid5(command_id, f"{line.name}/void/{line.place}"),
                )
                continue
            record_deal(
                actor=on_paper,
                table=tables[paper.table],
                number=paper.number,
                record=paper.record,
                based_on=line.on_record.number if line.on_record else 0,
                command_id=uuid5(command_id, line.name),
            )
        if new:
            record_audit(
                actor=actor,
                action="deals.import",
                subject=round,
                event=round.event,
                after={
                    **plan.counts,
                    "deals": [line.name for line in new if not line.paper.void],
                    "void_deals": [line.name for line in new if line.paper.void],
                    "misadded": [f"{line.name} {seat}" for line in new for seat in line.misadded],
                },
            )
    return plan


def _tables(round: Round) -> list[Table]:
    tables = tables_in_play().filter(draw__round=round, draw__state=Draw.State.PUBLISHED)
    return list(tables.prefetch_related("seats__player").order_by("number"))


class _Comparison:
    """The sheet against what is on record. Deals of a table are looked at in the order of play, each as if
    those before it had been recorded.
    """

    def __init__(self, round: Round, sheet: PaperSheet) -> None:
        self._round = round
        self._sheet = sheet
        self._tables = {table.number: table for table in _tables(round)}
        self._plays: dict[int, Play] = {}
        self._seen: dict[tuple[int, int], PaperDeal] = {}
        #: By table and deal: how often it is void on record, and how often the lines so far say so.
        self._void_on_record: Counter[tuple[int, int]] = Counter()
        self._void_on_paper: Counter[tuple[int, int]] = Counter()
        self._made_up = 0

    def preview(self) -> PaperPreview:
        if self._sheet.faults and not self._sheet.deals:
            return PaperPreview((), self._sheet.faults, self._sheet.notes, self._sheet.failed)
        if not self._tables:
            told = _("Round %(round)s has no published draw.") % {"round": self._round.number}
            return PaperPreview(faults=(SheetFault("other", params={"text": told}),))
        try:
            require_play(next(iter(self._tables.values())))
        except Refused as refused:
            return PaperPreview(faults=(SheetFault("other", params={"text": str(refused)}),))
        self._void_on_record.update(
            DealVersion.objects.filter(deal__table__in=self._tables.values(), state=_VOID)
            .order_by()
            .values_list("deal__table__number", "deal__number")
        )
        lines = tuple(self._line(deal) for deal in self._in_order())
        found = tuple(fault for line in lines for fault in line.faults)
        return PaperPreview(lines, (*self._sheet.faults, *found), self._sheet.notes, self._sheet.failed)

    def _in_order(self) -> list[PaperDeal]:
        """The deals as they were played: as the sheet numbers the order, else by the deals' numbers in games,
        which follow each other, and as written in a set, whose deals may be played in any order.
        """
        by_number = round_terms(self._round).plan.kind != "set"
        first = {paper.table: place for place, paper in reversed(list(enumerate(self._sheet.deals)))}

        def turn(paper: PaperDeal) -> tuple[int, int]:
            said = paper.number if by_number else 0
            return first[paper.table], said if paper.turn is None else paper.turn

        return sorted(self._sheet.deals, key=turn)

    def _line(self, paper: PaperDeal) -> PaperLine:
        table = self._tables.get(paper.table)
        if table is None:
            told = _("There is no table %(table)s in this round.") % {"table": paper.table}
            return _wrong(paper, _fault(paper.cell("table"), told))
        key = paper.table, paper.number
        other = self._seen.get(key) if paper.void else self._seen.setdefault(key, paper)
        if other is not None and other is not paper:
            told = (
                _("Deal %(deal)s of table %(table)s is void here, after it was played in %(other)s.")
                if paper.void
                else _("Deal %(deal)s of table %(table)s stands in %(other)s already.")
            )
            params = {"deal": paper.number, "table": paper.table, "other": other.cell("number")}
            return _wrong(paper, _fault(paper.cell("number"), told % params))
        if paper.table not in self._plays:
            self._plays[paper.table] = play_of(table)
        play = self._plays[paper.table]
        current = play.version(paper.number)
        segment = current.deal.segment if current else play.segment
        strangers = self._strangers(table, segment, paper)
        if strangers:
            return _wrong(paper, *strangers)
        if paper.void:
            return self._void(table, play, paper, current)
        scored = self._scored(table, segment, paper)
        if isinstance(scored, tuple):
            return _wrong(paper, *scored)
        scores = scored.answer["scores"]
        facts: dict[str, Any] = {
            "on_record": current,
            "checked": current is not None and check_of(current) is not None,
            "scores": scores,
            "misadded": tuple(seat for seat, shown in paper.shown.items() if scores.get(seat) != shown),
        }
        if current is not None and current.state == _RECORDED:
            differs = tuple(differences(current.record, scored.record))
            status = LineStatus.CONFLICT if differs else LineStatus.SAME
            return PaperLine(paper, status, differs=differs, **facts)
        replay = self._void_on_record[key] > self._void_on_paper[key]
        return self._new(table, play, PaperLine(paper, LineStatus.NEW, replay=replay, **facts), scored)

    def _void(self, table: Table, play: Play, paper: PaperDeal, current: DealVersion | None) -> PaperLine:
        """A void deal of the sheet: on record as void already, played there, or new."""
        key = paper.table, paper.number
        self._void_on_paper[key] += 1
        place = self._void_on_paper[key]
        facts: dict[str, Any] = {"on_record": current, "place": place}
        if place <= self._void_on_record[key]:
            return PaperLine(paper, LineStatus.SAME, **facts)
        if current is not None and current.state == _RECORDED:
            checked = check_of(current) is not None
            return PaperLine(paper, LineStatus.CONFLICT, checked=checked, **facts)
        return self._new(table, play, PaperLine(paper, LineStatus.NEW, **facts), None)

    def _new(self, table: Table, play: Play, line: PaperLine, scored: ScoredRecord | None) -> PaperLine:
        """The line as a new one, and play as it is after it; wrong where its turn has not come."""
        try:
            if line.on_record is None:
                require_next(table, play, line.paper.number)
        except Refused as refused:
            return _wrong(line.paper, _fault(line.paper.cell("number"), str(refused)))
        stored = self._stored(play, table, line.paper, scored, line.on_record)
        self._plays[line.paper.table] = play_after(play, table, stored)
        return line

    def _scored(self, table: Table, segment: int, paper: PaperDeal) -> ScoredRecord | tuple[SheetFault, ...]:
        event = table.draw.round.event
        try:
            return score_record(
                seats=tuple(seat.direction for seat in seats_of(table, segment)),
                mode=event.scoring_mode,
                ruleset=event.ruleset_version.ruleset(),
                record=paper.record,
            )
        except Refused as refused:
            return tuple(
                _fault(
                    paper.cell(getattr(problem, "seat", ""), getattr(problem, "card", ""), "number"),
                    str(problem),
                )
                for problem in refused.problems
            )

    def _strangers(self, table: Table, segment: int, paper: PaperDeal) -> list[SheetFault]:
        """Seats for which the sheet names somebody who does not sit there: the paper of another round."""
        found = []
        seats = seats_of(table, segment)
        letters = [seat.direction for seat in seats]
        for seat in seats:
            named = text(paper.names.get(seat.direction, ""))
            if named and named != text(seat.player.name):
                told = _(
                    "Table %(table)s, %(seat)s: the sheet names “%(named)s”, there sits “%(player)s”."
                ) % {
                    "table": table.number,
                    "seat": seat_name(seat.direction, letters),
                    "named": named,
                    "player": seat.player.name,
                }
                found.append(_fault(paper.cell(f"name_{seat.direction}", seat.direction), told))
        return found

    def _stored(
        self,
        play: Play,
        table: Table,
        paper: PaperDeal,
        scored: ScoredRecord | None,
        current: DealVersion | None,
    ) -> DealVersion:
        """The version as the deal services would store it, for the deals after it: a void one without a
        record. It is not saved.
        """
        deal = current.deal if current else None
        if deal is None:
            self._made_up -= 1
            deal = Deal(
                pk=self._made_up,
                table=table,
                number=paper.number,
                order=play.last_order + 1,
                dealing=play.last_dealing + 1,
                segment=play.segment,
                created_at=timezone.now(),
            )
        return DealVersion(
            deal=deal,
            number=current.number + 1 if current else 1,
            state=_RECORDED if scored else _VOID,
            record=scored.record if scored else None,
            answer=scored.answer if scored else None,
            created_at=timezone.now(),
        )


def _fault(cell: str, told: str) -> SheetFault:
    return SheetFault("other", cell, {"text": told})


def _wrong(paper: PaperDeal, *faults: SheetFault) -> PaperLine:
    return PaperLine(paper, LineStatus.WRONG, faults=faults)
