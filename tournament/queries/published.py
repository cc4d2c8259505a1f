"""What the public may see of an event: the newest publication of each round's draw, results and standings.

Public pages read from here and from nowhere else, so what is not published cannot appear on them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from tournament.models import Event, Publication, Round, Tournament
from tournament.queries.plans import Terms, round_terms

What = Publication.What


def public_events() -> QuerySet[Event]:
    """Events the public may know of: those the organiser shows; otherwise, unless hidden, those that have
    started or of which something is published.
    """
    published = Publication.objects.filter(event=OuterRef("pk"), withdrawn=False)
    by_itself = Q(visibility=Event.Visibility.AUTO) & (~Q(state=Event.State.SETUP) | Exists(published))
    return Event.objects.filter(Q(visibility=Event.Visibility.SHOWN) | by_itself)


def public_tournaments() -> QuerySet[Tournament]:
    """Tournaments with at least one public event, the latest first."""
    events = public_events().filter(tournament=OuterRef("pk"))
    return Tournament.objects.filter(Exists(events)).order_by(F("starts_on").desc(nulls_last=True), "name")


@dataclass(frozen=True)
class Published:
    """One event's living publications. Payloads are fetched when first asked for."""

    event: Event

    @cached_property
    def _newest(self) -> Mapping[tuple[str, int], Publication]:
        """The newest version of each matter, without its payload."""
        rows = (
            Publication.objects.filter(event=self.event)
            .select_related("round")
            .defer("payload", "sheet")
            .order_by("version")
        )
        return {(row.what, row.round.number): row for row in rows}

    @cached_property
    def _index(self) -> Mapping[tuple[str, int], Publication]:
        """The newest version of each matter that is not taken off."""
        return {key: row for key, row in self._newest.items() if not row.withdrawn}

    def taken_off(self, what: str, number: int | None = None) -> bool:
        """Whether the matter of any round has been taken off the pages; of a round only since its pairings
        were published, for those of an earlier draw are no matter of this one. Why is not for the public.
        """
        if number is None:
            return any(row.withdrawn for (kind, _number), row in self._newest.items() if kind == what)
        row, draw = self._newest.get((what, number)), self.publication(What.DRAW, number)
        return bool(row and row.withdrawn and draw and row.published_at > draw.published_at)

    @cached_property
    def _payloads(self) -> dict[tuple[str, int], dict[str, Any]]:
        return {}

    def publication(self, what: str, number: int) -> Publication | None:
        """The newest publication of a round's matter, or None where there is none or it was taken off."""
        return self._index.get((what, number))

    def payload(self, what: str, number: int) -> dict[str, Any] | None:
        """Its payload, as tournament.queries.payloads describes it."""
        found = self.publication(what, number)
        if found is None:
            return None
        key = (what, number)
        if key not in self._payloads:
            self._payloads[key] = found.payload
        return self._payloads[key]

    def sheets(self) -> dict[int, dict[str, Any]]:
        """By round, what standings need of its published results (tournament.queries.results_sheet)."""
        ids = {row.pk: number for (what, number), row in self._index.items() if what == What.RESULTS}
        found = dict(Publication.objects.filter(pk__in=ids).values_list("pk", "sheet"))
        return {number: found[pk] for pk, number in sorted(ids.items(), key=lambda item: item[1])}

    def load_all(self) -> "Published":
        """Fetches every payload that is not there yet in one query: for pages that need all rounds."""
        ids = {row.pk: key for key, row in self._index.items() if key not in self._payloads}
        if ids:
            for pk, payload in Publication.objects.filter(pk__in=ids).values_list("pk", "payload"):
                self._payloads[ids[pk]] = payload
        return self

    @cached_property
    def _rounds(self) -> dict[int, Round]:
        return {one.number: one for one in self.event.rounds.select_related("stage")}

    def terms(self, number: int) -> Terms:
        """How a published round is played: fixed since it was drawn."""
        return round_terms(self._rounds[number])

    @property
    def next_final_time(self) -> datetime | None:
        """When the next of the provisional versions becomes final."""
        now = timezone.now()
        times = (row.final_at for row in self._index.values())
        return min((one for one in times if one is not None and one > now), default=None)

    def rounds(self, what: str | None = None) -> list[int]:
        """Numbers of the rounds of which the matter (or anything) is published."""
        return sorted({number for kind, number in self._index if what in (None, kind)})

    @property
    def latest_standings(self) -> int | None:
        """The last round after which standings are published."""
        return max(self.rounds(What.STANDINGS), default=None)

    @property
    def latest_draw(self) -> int | None:
        """The last round of which the pairings are published."""
        return max(self.rounds(What.DRAW), default=None)

    @cached_property
    def entries(self) -> dict[int, dict[str, Any]]:
        """Every entry named in anything published, by number; the newest round's spelling counts.

        Of payloads that are not there yet only the names are read: most of a payload is deals.
        """
        named = {key: payload["entries"] for key, payload in self._payloads.items()}
        ids = {row.pk: key for key, row in self._index.items() if key not in named}
        if ids:
            rows = Publication.objects.filter(pk__in=ids).values_list("pk", "payload__entries")
            named |= {ids[pk]: entries for pk, entries in rows}
        found: dict[int, dict[str, Any]] = {}
        for key in sorted(named, key=lambda key: (key[1], key[0])):
            for number, entry in named[key].items():
                found[int(number)] = entry
        return dict(sorted(found.items()))
