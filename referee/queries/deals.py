"""Reading deals: the version in force, and a version as facts ready for JSON."""

from typing import Any

from django.core.exceptions import ObjectDoesNotExist

from referee.models import Deal, DealCheck, DealVersion
from tournament.models import Seat, Table

_WITH_PEOPLE = ("deal", "entered_by", "device", "check_row__player", "check_row__user")


def current_version(deal: Deal) -> DealVersion:
    """The version in force: the one with the highest number. Every deal has one."""
    return deal.versions.select_related(*_WITH_PEOPLE).order_by("-number")[0]


def current_versions(
    table: Table, *, people_too: bool = False, ruleset_too: bool = False
) -> list[DealVersion]:
    """The version in force of every deal of the table, in the order of play; one query.

    Each comes with its deal and its check; who entered and checked it only with ``people_too``.
    """
    related = _WITH_PEOPLE if people_too else ("deal", "check_row")
    latest: dict[int, DealVersion] = {}
    rows = DealVersion.objects.filter(deal__table=table).select_related(*related)
    if ruleset_too:
        # Not joined: all deals of a version share one object, which reads its data once.
        rows = rows.prefetch_related("ruleset_version")
    for version in rows.order_by("deal__order", "number"):
        latest[version.deal_id] = version
    return list(latest.values())


def seats_of(table: Table, segment: int) -> list[Seat]:
    """Who sits at the table in that segment, in the order of play; no query where seats are prefetched."""
    return sorted((one for one in table.seats.all() if one.segment == segment), key=lambda one: one.order)


def check_of(version: DealVersion) -> DealCheck | None:
    """The second person's check of the version, if there is one."""
    try:
        return version.check_row
    except ObjectDoesNotExist:
        return None


def deal_state(version: DealVersion) -> str:
    """Where the deal stands: recorded (waits for its check), checked, void or withdrawn."""
    if version.state == DealVersion.State.RECORDED and check_of(version) is not None:
        return "checked"
    return version.state


def version_facts(version: DealVersion) -> dict[str, Any]:
    """Everything about a version that its readers compare or show, ready for JSON."""
    check = check_of(version)
    return {
        "deal": version.deal_id,
        "number": version.deal.number,
        "order": version.deal.order,
        "segment": version.deal.segment,
        "version": version.number,
        "state": deal_state(version),
        "record": version.record,
        "answer": version.answer,
        "reason": version.reason,
        "entered_by": version.entered_by.get_username() if version.entered_by else "",
        "entered_on": version.device.name if version.device else "",
        "entered_seat": version.entered_seat,
        "entered_at": version.created_at.isoformat(),
        "check": check
        and {
            "relation": check.relation,
            "seat": check.seat,
            "player": check.player.name if check.player else "",
            "user": check.user.get_username() if check.user else "",
            "at": check.created_at.isoformat(),
        },
    }


def history(deal: Deal) -> list[dict[str, Any]]:
    """All versions of a deal, the first one first, ready for JSON."""
    return [version_facts(one) for one in deal.versions.select_related(*_WITH_PEOPLE).order_by("number")]


def checking_seats(seats: tuple[str, ...], entered_seat: str) -> dict[str, tuple[str, ...]]:
    """Which seats may check, by relation to the seat that entered; ``seats`` are in the order of play.

    The previous seat 上家 sits before it in that order, the next 下家 after it; only a table of four has a
    partner opposite 对家.
    """
    if not entered_seat:
        return {DealCheck.Relation.PLAYER: seats}
    place = seats.index(entered_seat)
    found = {
        DealCheck.Relation.PREVIOUS: (seats[place - 1],),
        DealCheck.Relation.NEXT: (seats[(place + 1) % len(seats)],),
    }
    if len(seats) == 4:
        found[DealCheck.Relation.PARTNER] = (seats[(place + 2) % 4],)
    return found
