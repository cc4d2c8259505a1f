"""Sign-off of deals: what the event asks for, what seats have said, what is disputed (docs/rules.md §6)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.models import DealVersion, Dispute, SeatSignoff, SecondEntry
from tournament.models import Event

#: One second person checks; all seats agree; a second record, made blind, agrees card by card.
ONE, ALL, SECOND = "one", "all", "second"
POLICIES = (ONE, ALL, SECOND)


def policy_of(event: Event) -> str:
    """How a deal of this event becomes checked: one of `POLICIES`. The organiser chooses it."""
    chosen = event.options.get("signoff", ONE)
    return chosen if chosen in POLICIES else ONE


@dataclass(frozen=True)
class Signoff:
    """Where the sign-off of one version stands.

    ``verdicts`` is the last word of each seat that has spoken; ``disputes`` are all of the version, the open
    ones first.
    """

    verdicts: Mapping[str, str]
    disputes: tuple[Dispute, ...]
    second_entry: bool

    @property
    def disputed(self) -> bool:
        """Whether the desk has to rule before the version can be checked."""
        return any(one.closed_at is None and one.kind in Dispute.BLOCKING for one in self.disputes)


NOTHING_SAID = Signoff({}, (), second_entry=False)


def signoffs_of(versions: Iterable[DealVersion], policy: str) -> dict[int, Signoff]:
    """The sign-off of each of the versions, by its id; at most three queries."""
    ids = [one.pk for one in versions]
    verdicts: dict[int, dict[str, str]] = {}
    if policy == ALL:
        for version, seat, verdict in (
            SeatSignoff.objects.filter(version__in=ids)
            .order_by("id")
            .values_list("version", "seat", "verdict")
        ):
            verdicts.setdefault(version, {})[seat] = verdict
    second = set()
    if policy == SECOND:
        second = set(SecondEntry.objects.filter(version__in=ids).values_list("version", flat=True))
    disputes: dict[int, list[Dispute]] = {}
    for dispute in Dispute.objects.filter(version__in=ids).order_by("id"):
        disputes.setdefault(dispute.version_id, []).append(dispute)
    return {
        one: Signoff(
            verdicts.get(one, {}),
            tuple(sorted(disputes.get(one, ()), key=lambda each: each.closed_at is not None)),
            second_entry=one in second,
        )
        for one in ids
    }


def verdicts_of(version: DealVersion) -> dict[str, str]:
    """The last word of each seat about the version."""
    return dict(version.signoffs.order_by("id").values_list("seat", "verdict"))


def blocking_disputes(version: DealVersion) -> Any:
    """Open disputes that hold the version back."""
    return version.disputes.filter(closed_at__isnull=True, kind__in=Dispute.BLOCKING)


def differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[dict[str, str]]:
    """What differs between two records in canonical form, card by card, ready for JSON.

    Each: ``what`` (captured, exposed, dealt, swap), the ``card``, and what the ``first`` and the ``second``
    say of it; with two decks seats are joined by "+".
    """
    found = []
    for what, read in (("captured", _captured), ("exposed", _exposed), ("dealt", _dealt)):
        one, other = read(first), read(second)
        found += [
            {"what": what, "card": card, "first": one.get(card, ""), "second": other.get(card, "")}
            for card in dict.fromkeys([*one, *other])
            if one.get(card, "") != other.get(card, "")
        ]
    swaps = [bool(record.get("swap_pig_sheep")) for record in (first, second)]
    if swaps[0] != swaps[1]:
        words = ["yes" if swap else "no" for swap in swaps]
        found.append({"what": "swap", "card": "", "first": words[0], "second": words[1]})
    return found


def _captured(record: Mapping[str, Any]) -> dict[str, str]:
    seats: dict[str, list[str]] = {}
    for seat, cards in record.get("captures", {}).items():
        for card in cards:
            seats.setdefault(card, []).append(seat)
    return {card: "+".join(sorted(each)) for card, each in seats.items()}


def _exposed(record: Mapping[str, Any]) -> dict[str, str]:
    shown: dict[str, list[str]] = {}
    for one in record.get("exposed", ()):
        shown.setdefault(one["card"], []).append(f"{one['seat']} {one['kind']}")
    return {card: "+".join(sorted(each)) for card, each in shown.items()}


def _dealt(record: Mapping[str, Any]) -> dict[str, str]:
    held = record.get("held", {})
    return {card: "+".join([seats] if isinstance(seats, str) else seats) for card, seats in held.items()}
