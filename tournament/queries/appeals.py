"""Appeals 申诉: what is open, until when one can be filed, and what of them the public may know."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from referee.models import Appeal, DealVersion
from tournament.models import Draw, Entry, Event, Match, MatchSide, Publication, Seat, Tournament
from tournament.queries.published import Published

#: Where an event's minutes for appeals after a publication are kept among its options; absent: none filed.
MINUTES = "appeal_minutes"


@dataclass(frozen=True)
class UnderAppeal:
    """A deal that is under appeal, as the public may know it: neither who appeals nor what is stated."""

    round: int
    table: int
    deal: int
    entries: frozenset[int]


def open_appeals(tournament: Tournament) -> QuerySet[Appeal]:
    """All appeals of a tournament that wait for something, the oldest first."""
    found = Appeal.objects.filter(event__tournament=tournament, state__in=Appeal.OPEN)
    return found.select_related("event__tournament", "round", "entry", "version__deal__table").order_by(
        "filed_at"
    )


def appeals_of(event: Event, number: int) -> list[Appeal]:
    """The appeals of an entry with all their steps, the newest first."""
    found = Appeal.objects.filter(event=event, entry__number=number)
    found = found.select_related("round", "correction", "version__deal__table").prefetch_related("steps")
    return list(found.order_by("-number"))


def under_appeal(event: Event) -> list[UnderAppeal]:
    """The deals of an event under appeal, with the entries at their table or in their match."""
    found = Appeal.objects.filter(event=event, state__in=Appeal.OPEN)
    deals = {
        (
            one.round.number,
            one.version.deal.table.number,
            one.version.deal.number,
        ): one.version.deal.table.match
        for one in found.select_related("round", "version__deal__table__match")
    }
    return [
        UnderAppeal(round, table, deal, frozenset(one.number for one in entries_of(match)))
        for (round, table, deal), match in sorted(deals.items())
    ]


def entries_of(match: Match) -> list[Entry]:
    """Who is concerned by a deal of a match: its sides, or everybody at the table."""
    seated = Seat.objects.filter(table__match=match).values_list("entry", flat=True)
    sides = MatchSide.objects.filter(match=match).values_list("entry", flat=True)
    return list(Entry.objects.filter(pk__in={*seated, *sides}).order_by("number"))


def appeal_deadline(event: Event, publication: Publication) -> datetime | None:
    """Until when an appeal against these published results can be filed; None where none can.

    It is the time until which the version that is public is provisional: one that names a correction can be
    appealed against anew. Where nothing is said of that, it counts from the publication.
    """
    minutes = event.options.get(MINUTES)
    if not minutes:
        return None
    return publication.final_at or publication.published_at + timedelta(minutes=minutes)


def published_version(
    published: Published, round_number: int, table: int, deal: int
) -> tuple[Publication, DealVersion] | None:
    """The record of a deal that the public sees, with the publication that shows it."""
    publication = published.publication(Publication.What.RESULTS, round_number)
    shown = _shown_deals(published, round_number, table)
    line = next((one for one in shown if one["number"] == deal), None)
    if publication is None or line is None:
        return None
    versions = DealVersion.objects.select_related("deal__table__match", "deal__table__draw__round__event")
    found = versions.filter(
        deal__table__draw__round__event=published.event,
        deal__table__draw__round__number=round_number,
        deal__table__draw__state=Draw.State.PUBLISHED,
        deal__table__number=table,
        deal__number=deal,
        number=line["version"],
    ).first()
    return (publication, found) if found else None


def published_deals(published: Published, round_number: int, table: int) -> list[int]:
    """The numbers of a table's deals whose records are public, in the order of play."""
    return [one["number"] for one in _shown_deals(published, round_number, table)]


def _shown_deals(published: Published, round_number: int, table: int) -> list[dict[str, Any]]:
    payload = published.payload(Publication.What.RESULTS, round_number) or {}
    found = next((one for one in payload.get("tables", ()) if one["number"] == table), None)
    return [one for one in found["deals"] if one["played"]] if found else []
