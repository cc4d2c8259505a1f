"""Whether the figures of a publication are what the records of that time give.

A publication states what was true when it was made, so each is held to what it names itself: its deals to the
versions of the records, its sums to its own deals, its standings to the results that were public then.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from referee.models import DealVersion, EntryRuling
from tournament.models import AuditRow, Event, Publication
from tournament.queries.payloads import points_json, points_of
from tournament.queries.publication_digest import publication_digest
from tournament.queries.results_sheet import results_sheet

What = Publication.What
_OF_RECORD = {"captures": {}, "exposed": [], "held": {}}
_OF_ANSWER = ("scores", "credited", "flags", "formula")


@dataclass(frozen=True)
class Difference:
    """Where something stored is not what the records give: both values, JSON-ready."""

    where: str
    field: str
    stored: Any
    found: Any

    def __str__(self) -> str:
        return f"{self.where}: {self.field}: stored {self.stored!r}, by the records {self.found!r}"


def publication_differences(
    event: Event, answers: Mapping[int, Mapping[str, Any]], every_version: bool = False
) -> Iterator[Difference]:
    """Differences in the newest publication of each matter, or in all there ever were.

    ``answers`` are the scores of the records worked out anew, by id of the deal's version. Each is held to
    the digest in the audit trail as well, so that whatever else it says is what was published.
    """
    found = list(
        Publication.objects.filter(event=event)
        .select_related("round")
        .order_by("round__number", "what", "version")
    )
    yield from _not_as_published(event, found, every_version)
    published = [one for one in found if not one.withdrawn]
    newest = {(one.what, one.round_id): one for one in published}
    records = _Records(event, answers)
    rulings = list(
        EntryRuling.objects.filter(entry__event=event, annul_from__isnull=False).select_related("entry")
    )
    for one in published:
        if not every_version and newest[one.what, one.round_id] is not one:
            continue
        try:
            differences = list(_figures(one, records, published, rulings))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as fault:
            yield Difference(_name(one), "payload", "cannot be read", repr(fault))
        else:
            yield from differences


def _not_as_published(
    event: Event, publications: list[Publication], every_version: bool
) -> Iterator[Difference]:
    """What is stored otherwise than the audit trail says it was published, or is missing or in excess.

    Results published live are carried on in place, and have no digest.
    """
    rows = AuditRow.objects.filter(event=event, action__in=("publication.publish", "publication.withdraw"))
    recorded = {
        (one["what"], one["round"], one["version"]): one for one in rows.values_list("after", flat=True)
    }
    stored = {(one.what, one.round.number, one.version): one for one in publications}
    newest = {(what, round): version for what, round, version in sorted({*stored, *recorded})}
    for key in sorted({*stored, *recorded}):
        one, row = stored.get(key), recorded.get(key)
        if not every_version and newest[key[:2]] != key[2]:
            continue
        if one is None or (row is None and not one.live):
            where = "publication of {} round {} v{}".format(*key)
            yield Difference(where, "publication", "there" if one else "missing", "there" if row else "none")
        elif row is not None and "digest" in row:
            digest = publication_digest(one.payload, one.withdrawn)
            if digest != row["digest"]:
                yield Difference(_name(one), "digest", digest, row["digest"])


def _figures(
    publication: Publication,
    records: "_Records",
    published: list[Publication],
    rulings: list[EntryRuling],
) -> Iterator[Difference]:
    if publication.what == What.RESULTS:
        yield from _results(publication, records)
        yield from _sheet(publication)
    elif publication.what == What.STANDINGS:
        yield from _standings(publication, published, rulings)


class _Records:
    """Versions of deals by round, table, deal and version; a round drawn anew may have two of a kind."""

    def __init__(self, event: Event, answers: Mapping[int, Mapping[str, Any]]) -> None:
        self._answers = answers
        self._found: defaultdict[tuple[int, int, int, int], list[DealVersion]] = defaultdict(list)
        versions = (
            DealVersion.objects.filter(deal__table__draw__round__event=event, record__isnull=False)
            .select_related("deal__table__draw")
            .defer("answer", "deal__table__draw__inputs", "deal__table__draw__quality")
        )
        for one in versions.order_by("pk"):
            table = one.deal.table
            key = (table.draw.round_id, table.number, one.deal.number, one.number)
            self._found[key].append(one)

    def lines(self, round_id: int, table: int, deal: Mapping[str, Any]) -> list[dict[str, Any]]:
        """What the publication should say of a deal, for each version it may mean."""
        versions = self._found[round_id, table, deal["number"], deal["version"]]
        return [
            {name: one.record.get(name, empty) for name, empty in _OF_RECORD.items()}
            | {name: self._answers[one.pk].get(name) for name in _OF_ANSWER}
            for one in versions
            if one.pk in self._answers
        ]


def _results(publication: Publication, records: _Records) -> Iterator[Difference]:
    for table in publication.payload["tables"]:
        where = f"{_name(publication)} table {table['number']}"
        for deal in table["deals"]:
            if deal["played"]:
                yield from _deal(f"{where} deal {deal['number']}", deal, publication.round_id, table, records)
        if not table.get("walkover"):
            yield from _sums(where, table)


def _sheet(publication: Publication) -> Iterator[Difference]:
    """What standings are made of must be what the public is shown."""
    found = results_sheet(publication.what, publication.payload)
    if publication.sheet != found:
        yield Difference(_name(publication), "sheet", publication.sheet, found)


def _deal(
    where: str, deal: Mapping[str, Any], round_id: int, table: Mapping[str, Any], records: _Records
) -> Iterator[Difference]:
    expected = records.lines(round_id, table["number"], deal)
    shown = {name: deal.get(name) for name in (*_OF_RECORD, *_OF_ANSWER)}
    if not expected:
        yield Difference(where, "version", deal["version"], None)
    elif shown not in expected:
        for name, value in expected[-1].items():
            if shown[name] != value:
                yield Difference(where, name, shown[name], value)


def _sums(where: str, table: Mapping[str, Any]) -> Iterator[Difference]:
    """Each line against the deals that the publication itself shows as counting."""
    seated: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for seat in table["seats"]:
        seated[seat["segment"]][seat["direction"]] = seat["entry"]
    counted = [deal for deal in table["deals"] if deal["played"] and deal["counts"]]
    sums: defaultdict[int, Fraction] = defaultdict(Fraction)
    for deal in counted:
        # A side of two seats has the points once.
        own = {seated[deal["segment"]][seat]: value for seat, value in deal["credited"].items()}
        for entry, value in own.items():
            sums[entry] += Fraction(value)
    for line in table["lines"]:
        if line["deals"] != len(counted):
            yield Difference(f"{where} entry {line['entry']}", "deals", line["deals"], len(counted))
        if counted and line["points"] != points_json(sums[line["entry"]]):
            yield Difference(
                f"{where} entry {line['entry']}", "points", line["points"], points_json(sums[line["entry"]])
            )


def _standings(
    publication: Publication, published: list[Publication], rulings: list[EntryRuling]
) -> Iterator[Difference]:
    numbers = publication.payload["rounds"]
    ruled = [one for one in rulings if _in_force(one, publication)]
    then = {number: _public_then(publication, published, number) for number in numbers}
    for row in publication.payload["rows"]:
        where = f"{_name(publication)} entry {row['entry']}"
        parts = [points_of(cell["value"]) or 0 for cell in row["cells"]]
        total = points_json(sum(parts, points_of(row["start"]) + points_of(row["penalties"])))
        if row["total"] != total:
            yield Difference(where, "total", row["total"], total)
        for number, cell in zip(numbers, row["cells"], strict=True):
            results = then[number]
            if results is None or cell["bye"] or not cell["complete"]:
                continue
            annulled = [one for one in ruled if one.annuls(number)]
            value = _value_of(results.payload, row["entry"])
            if cell["value"] not in (_as_ruled(results.payload, row["entry"], annulled) or {value}):
                yield Difference(f"{where} round {number}", "value", cell["value"], value)


def _public_then(standings: Publication, published: list[Publication], number: int) -> Publication | None:
    """The results of a round that were public when the standings were made. None for those published live:
    they have been carried on in place since.
    """
    found = [
        one
        for one in published
        if one.what == What.RESULTS
        and one.round.number == number
        and one.published_at <= standings.published_at
    ]
    return found[-1] if found and not found[-1].live else None


def _value_of(payload: Mapping[str, Any], entry: int) -> Any:
    values = [
        points_of(line["value"])
        for table in payload["tables"]
        for line in table["lines"]
        if line["entry"] == entry and line["value"] is not None
    ]
    return points_json(sum(values)) if values else None


def _in_force(ruling: EntryRuling, publication: Publication) -> bool:
    """Whether the ruling held when the publication was made; for one carried on in place, holds now."""
    if publication.live:
        return ruling.lifted_at is None
    made = publication.published_at
    return ruling.made_at <= made and (ruling.lifted_at is None or ruling.lifted_at > made)


def _as_ruled(payload: Mapping[str, Any], entry: int, annulled: list[EntryRuling]) -> set[Any]:
    """What an entry may have instead of its result of a round where results are annulled: nothing for its
    own, the score stated for one of somebody it met. Empty where its result stands.
    """
    if entry in {one.entry.number for one in annulled}:
        return {None}
    stated = [one for one in annulled if one.opponents == EntryRuling.Opponents.STATED]
    if not stated:
        return set()
    met: defaultdict[int, set[int]] = defaultdict(set)
    for table in payload["tables"]:
        met[table["match"]] |= {line["entry"] for line in table["lines"]}
    others = {other for entries in met.values() if entry in entries for other in entries - {entry}}
    return {points_json(one.opponents_points) for one in stated if one.entry.number in others}


def _name(publication: Publication) -> str:
    return f"publication of {publication.what} round {publication.round.number} v{publication.version}"
