"""The review queue: deals that wait for a check, a ruling or a second look, by table or by person."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Prefetch, Q

from referee.models import Deal, DealVersion, Dispute
from referee.queries.deals import deal_state
from referee.queries.signs import DealEntry, Sign, deal_signs, paper_among
from referee.queries.sources import sources_of
from tournament.models import Draw, Membership, Role, Round, Seat, Table, TableGrant, Tournament


@dataclass(frozen=True)
class ReviewLine:
    """A deal in force. ``seat`` is the one that kept the score, None where a referee or nobody did; ``mine``
    says that this user may check it now, ``own`` that they entered it themselves; ``source`` where the entry
    came from, as `referee.queries.sources` tells it.
    """

    version: DealVersion
    table: Table
    state: str
    seat: Seat | None
    disputes: tuple[Dispute, ...]
    signs: tuple[Sign, ...]
    mine: bool
    own: bool
    source: str = ""

    @property
    def waits(self) -> bool:
        """Whether somebody has to do something about it."""
        return bool(self.state in ("recorded", "void") or self.disputes or self.signs)


@dataclass(frozen=True)
class ReviewGroup:
    """Lines of one table (``table``), or of one person entering (``person``, "" for a tablet's seats)."""

    lines: tuple[ReviewLine, ...]
    table: Table | None = None
    person: str = ""

    @property
    def waiting(self) -> int:
        return sum(line.waits for line in self.lines)


def review_queue(
    user: Any, tournament: Tournament, *, by_person: bool = False, everything: bool = False
) -> list[ReviewGroup]:
    """Deals of the user's tables in the rounds being played; only those that wait unless ``everything``.

    A chief referee or organiser sees all tables, a table referee those given. A constant number of queries.
    """
    tables = {table.pk: table for table in _tables(user, tournament)}
    lines = [line for line in _lines(user, tables) if everything or line.waits]
    sources = sources_of([line.version for line in lines])
    lines = [replace(line, source=sources.get(line.version.pk, "")) for line in lines]
    groups: defaultdict[Any, list[ReviewLine]] = defaultdict(list)
    for line in lines:
        groups[_person(line) if by_person else line.table.pk].append(line)
    if by_person:
        named = [ReviewGroup(tuple(each), person=name) for name, each in groups.items()]
        return sorted(named, key=lambda group: (-group.waiting, group.person))
    return [ReviewGroup(tuple(each), table=tables[pk]) for pk, each in groups.items()]


def _tables(user: Any, tournament: Tournament) -> Sequence[Table]:
    tables = Table.objects.filter(
        draw__round__event__tournament=tournament,
        draw__state=Draw.State.PUBLISHED,
        draw__round__state=Round.State.PLAYING,
    )
    directs = Q(role__in=(Role.ORGANISER, Role.CHIEF_REFEREE))
    if not user.is_superuser and not Membership.objects.filter(directs, user=user, tournament=tournament):
        given = Q(pk__in=())
        grants = TableGrant.objects.filter(user=user, event__tournament=tournament)
        for event, number in grants.values_list("event", "table_number"):
            given |= Q(draw__round__event=event, number=number)
        tables = tables.filter(given)
    return list(
        tables.select_related("draw__round__event__tournament", "draw__round__event__ruleset_version")
        .defer("draw__inputs", "draw__quality")
        .prefetch_related(
            Prefetch("seats", Seat.objects.select_related("player").order_by("segment", "order"))
        )
        .order_by("draw__round__event", "draw__round__number", "number")
    )


def _lines(user: Any, tables: dict[int, Table]) -> list[ReviewLine]:
    first: dict[int, DealVersion] = {}
    latest: dict[int, DealVersion] = {}
    versions = DealVersion.objects.filter(deal__table__in=tables).defer("record")
    people = ("deal", "entered_by", "device", "check_row__player", "check_row__user")
    for version in versions.select_related(*people).order_by("deal__table", "deal__order", "number"):
        first.setdefault(version.deal_id, version)
        latest[version.deal_id] = version
    disputes = _disputes(latest)
    by_table: defaultdict[int, list[DealVersion]] = defaultdict(list)
    for version in latest.values():
        if version.state != DealVersion.State.WITHDRAWN:
            by_table[version.deal.table_id].append(version)
    entries = {pk: [_entry(first[one.deal_id], one) for one in by_table[pk]] for pk in tables}
    paper = paper_among(
        [(entries[pk], table.draw.published_at) for pk, table in tables.items()], tables.values()
    )
    found = []
    for pk, table in tables.items():
        signs = deal_signs(table, entries[pk], table.draw.published_at, paper)
        found += [_line(user, table, one, disputes[one.deal_id], signs) for one in by_table[pk]]
    return found


def _disputes(deals: dict[int, DealVersion]) -> defaultdict[int, list[Dispute]]:
    found: defaultdict[int, list[Dispute]] = defaultdict(list)
    rows = Dispute.objects.filter(version__deal__in=deals, closed_at=None).select_related("version")
    for dispute in rows.order_by("pk"):
        found[dispute.version.deal_id].append(dispute)
    return found


def _entry(first: DealVersion, version: DealVersion) -> DealEntry:
    return DealEntry(
        version.deal_id,
        version.deal.number,
        version.deal.order,
        deal_state(version),
        first.created_at,
        first.tablet_at,
        version.created_at,
        (version.answer or {}).get("credited"),
    )


def _line(
    user: Any, table: Table, version: DealVersion, disputes: Sequence[Dispute], signs: Sequence[Sign]
) -> ReviewLine:
    deal: Deal = version.deal
    seat = next(
        (
            one
            for one in table.seats.all()
            if one.segment == deal.segment and one.direction == version.entered_seat
        ),
        None,
    )
    own = seat is None and version.entered_by_id is not None and version.entered_by_id == user.pk
    state = deal_state(version)
    return ReviewLine(
        version=version,
        table=table,
        state=state,
        seat=seat,
        disputes=tuple(disputes),
        signs=tuple(sign for sign in signs if sign.deal == deal.number),
        mine=state == "recorded" and not own and not any(one.kind in Dispute.BLOCKING for one in disputes),
        own=own,
    )


def _person(line: ReviewLine) -> str:
    """Who entered a deal: the account, or else the tablet's name."""
    version = line.version
    if version.entered_by is not None:
        return version.entered_by.get_full_name() or version.entered_by.get_username()
    return version.device.name if version.device else ""
