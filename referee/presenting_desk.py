"""What the desk's pages and the table page's call button show, ready for templates and scripts."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from referee.models import Deal, DealVersion, Dispute
from referee.queries import TableState, deal_state, seats_of
from referee.queries.calls import open_call
from referee.queries.sources import sources_of
from scoring.messages import exposure_name, joined, seat_name
from tournament.models import Draw, Round, Seat, Table, TableGrant
from tournament.queries import access


def call_json(table: Table) -> dict[str, Any] | None:
    """The table's open call as its page shows it, None where there is none."""
    found = open_call(table)
    if found is None:
        return None
    at = timezone.localtime(found.called_at, table.draw.round.event.tournament.tz).strftime("%H:%M")
    if found.taken_by is None:
        return {"taken": False, "text": _("A referee has been called at %(time)s.") % {"time": at}}
    name = found.taken_by.get_full_name() or found.taken_by.get_username()
    return {"taken": True, "text": _("%(name)s is coming to your table.") % {"name": name}}


def call_texts() -> dict[str, str]:
    """The texts of the call button."""
    return {
        "call": _("Call a referee"),
        "calling": _("Calling …"),
        "called": _("Referee called"),
        "unsent": _("Call not sent yet"),
        "withdraw": _("Take the call back"),
        "notSent": _("The call could not be sent: no network. Raise a hand; it is tried again."),
        "notTakenBack": _("The call is not taken back yet: no network. It is tried again."),
    }


def board_texts() -> dict[str, str]:
    """The texts of the board's script."""
    return {
        "now": _("Up to date"),
        "stale": _("No answer from the server since {time}"),
        "loggedOut": _("You are logged out: reload the page."),
    }


@dataclass(frozen=True)
class Notice:
    """What whoever opens a table has to know before anything is stored; ``url`` leads to the right one, or
    ``deals`` (the number and the address of each) to the pages where something can still be done."""

    text: str
    url: str = ""
    link: str = ""
    deals: tuple[tuple[int, str], ...] = ()


def table_notices(state: TableState, user: Any) -> list[Notice]:
    """Whether this is not the table in play, or not one of the reader's.

    At a table that is over, those who direct are led to its deals: nothing else does, once the round has left
    the board and the review queue.
    """
    found = []
    params: dict[str, Any] = {"round": state.round.number, "table": state.table.number}
    if not state.playing:
        text = _("Round %(round)s is closed: nothing can be recorded at this table.")
        other = _same_table_now(state)
        if other is not None:
            params |= {"now": other.draw.round.number}
            found.append(
                Notice(
                    text % params,
                    reverse("referee:table", args=[other.pk]),
                    _("To table %(table)s of round %(now)s, which is being played") % params,
                )
            )
        else:
            found.append(Notice(text % params))
    if user.is_authenticated and access.can_direct(user, state.event.tournament):
        if not state.playing and state.play.deals:
            pages = [
                (one.number, reverse("referee:deal", args=[one.version.deal_id])) for one in state.play.deals
            ]
            found.append(
                Notice(_("Corrections and appeals are made on the page of the deal:"), deals=tuple(pages))
            )
        grants = TableGrant.objects.filter(event=state.event, table_number=state.table.number)
        others = [one.user for one in grants.select_related("user").order_by("user")]
        if state.playing and others and user.pk not in {one.pk for one in others}:
            names = joined(one.get_full_name() or one.get_username() for one in others)
            text = _(
                "Table %(table)s is not one of yours: it is given to %(names)s. "
                "What you enter is stored under your name."
            )
            found.append(Notice(text % {**params, "names": names}))
    return found


def _same_table_now(state: TableState) -> Table | None:
    tables = Table.objects.filter(
        draw__round__event=state.event,
        draw__round__state=Round.State.PLAYING,
        draw__state=Draw.State.PUBLISHED,
        number=state.table.number,
    )
    return tables.select_related("draw__round").order_by("-draw__round__number").first()


@dataclass(frozen=True)
class SeatFacts:
    """What a version says of one seat; ``changed`` against the version before."""

    seat: Seat
    captures: tuple[str, ...]
    credited: Any
    changed: bool


@dataclass(frozen=True)
class BothRows:
    """A seat in two records that differ: captured cards of both, or the figures of server and tablet."""

    seat: Seat
    first: Any
    second: Any

    @property
    def differs(self) -> bool:
        return bool(self.first != self.second)


def both_versions(dispute: Dispute, seats: list[Seat]) -> list[BothRows]:
    """The record in dispute and the one offered against it, seat by seat; where only a figure differs, what
    the server and the tablet worked out.
    """
    version, offered = dispute.version, dispute.offered or {}
    if dispute.kind == Dispute.Kind.FIGURE:
        scores = (version.answer or {}).get("scores", {})
        return [
            BothRows(seat, str(scores.get(seat.direction, "")), str(offered.get(seat.direction, "")))
            for seat in seats
        ]
    first, second = ((one or {}).get("captures") or {} for one in (version.record, offered))
    return [
        BothRows(seat, sorted(first.get(seat.direction, ())), sorted(second.get(seat.direction, ())))
        for seat in seats
    ]


def shown_before_play(record: Any, at: Collection[str]) -> list[tuple[str, str, str]]:
    """Card, kind and seat's name of every exposure of a record, of a table with the seats ``at``."""
    return [
        (one["card"], one.get("kind", "exposed"), seat_name(one["seat"], at))
        for one in (record or {}).get("exposed") or ()
    ]


def dealt_before_play(record: Any, at: Collection[str]) -> list[tuple[str, str]]:
    """Key card and whom a record says it was dealt to, of a table with the seats ``at``."""
    # One seat, or with two decks a list of them: a seat is one letter.
    return [
        (card, joined(seat_name(one, at) for one in holders))
        for card, holders in ((record or {}).get("held") or {}).items()
    ]


@dataclass(frozen=True)
class BesideCaptures:
    """A line about both records of a dispute beside the captures; cards with what is said of them."""

    title: str
    first: list[tuple[str, str]]
    second: list[tuple[str, str]]

    @property
    def differs(self) -> bool:
        """Whether the records say otherwise, in whatever order they list the cards."""
        return sorted(self.first) != sorted(self.second)


def beside_captures(dispute: Dispute, at: Collection[str]) -> list[BesideCaptures]:
    """What the record in dispute and the one offered say of the cards before play; nothing of figures."""
    if dispute.kind == Dispute.Kind.FIGURE:
        return []
    records = (dispute.version.record, dispute.offered)
    exposed = [
        [(card, f"{exposure_name(kind)} {seat}") for card, kind, seat in shown_before_play(record, at)]
        for record in records
    ]
    dealt = [dealt_before_play(record, at) for record in records]
    return [BesideCaptures(_("Exposed cards"), *exposed), BesideCaptures(_("Dealt to"), *dealt)]


@dataclass(frozen=True)
class VersionFacts:
    """A version of a deal as its history shows it. ``source`` is where it was entered, as
    `referee.queries.sources` tells it; ``exposed`` are (card, kind, seat's name).
    """

    version: DealVersion
    source: str
    state: str
    seat: Seat | None
    rows: tuple[SeatFacts, ...]
    exposed: tuple[tuple[str, str, str], ...]
    exposed_changed: bool
    held: tuple[tuple[str, str], ...]
    held_changed: bool
    disputes: tuple[Any, ...]
    second: Any
    signoffs: tuple[Any, ...]


def compared_history(deal: Deal) -> list[VersionFacts]:
    """All versions of a deal, the newest first, each with what it changed."""
    related = ("entered_by", "device", "check_row__player", "check_row__user", "second_entry__entered_by")
    versions = list(
        deal.versions.select_related("deal", *related)
        .prefetch_related("disputes__raised_by", "disputes__closed_by", "signoffs")
        .order_by("number")
    )
    seats = seats_of(deal.table, deal.segment)
    sources = sources_of(versions)
    found, before = [], None
    for version in versions:
        found.append(_version_facts(version, before, seats, sources.get(version.pk, "")))
        # A void or undone version says nothing of the cards: the next one is compared with the one before.
        before = version.record or before
    return found[::-1]


def _version_facts(version: DealVersion, before: Any, seats: list[Seat], source: str) -> VersionFacts:
    record, answer = version.record or {}, version.answer or {}
    letters = [seat.direction for seat in seats]

    def differs(part: str, seat: str = "") -> bool:
        if not before or not record:
            return False
        old, new = before.get(part) or {}, record.get(part) or {}
        return bool(old.get(seat) != new.get(seat) if seat else old != new)

    return VersionFacts(
        version=version,
        source=source,
        state=deal_state(version),
        seat=next((one for one in seats if one.direction == version.entered_seat), None),
        rows=tuple(
            SeatFacts(
                seat,
                tuple(record["captures"].get(seat.direction, ())),
                answer.get("credited", {}).get(seat.direction),
                differs("captures", seat.direction),
            )
            for seat in seats
            if record
        ),
        exposed=tuple(shown_before_play(record, letters)),
        exposed_changed=differs("exposed"),
        held=tuple(dealt_before_play(record, letters)),
        held_changed=differs("held"),
        disputes=tuple(version.disputes.all()),
        second=getattr(version, "second_entry", None),
        signoffs=tuple(version.signoffs.all()),
    )
