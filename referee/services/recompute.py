"""Working out again what is derived from the records of an event, and what of it is stored differently."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from referee.models import DealVersion
from referee.queries.published_figures import Difference, publication_differences
from referee.services.records import answer_of
from scoring.engine import InvalidDeal, score_deal
from scoring.models import RulesetVersion
from tournament.models import EntryResult, Event
from tournament.queries.payloads import points_json
from tournament.services.audit import Actor, record_audit
from tournament.services.permissions import require_organiser
from tournament.services.publish import touch_public_pages
from tournament.services.results import rebuild_event_results

_CHUNK = 500
#: Of a draw: they would be read again with every deal of it.
_LARGE = ("inputs", "quality")
_KEYS = ("id", "table", "entry", "round")
_FIELDS = tuple(one for one in EntryResult._meta.concrete_fields if one.name not in _KEYS)


@dataclass
class Recomputed:
    """What came of it: how much was worked out again, and every difference.

    ``repairable`` are those that ``repair`` puts right; what was published stays as it was published.
    """

    versions: int = 0
    results: int = 0
    repairable: list[Difference] = field(default_factory=list)
    published: list[Difference] = field(default_factory=list)

    @property
    def differences(self) -> list[Difference]:
        return [*self.repairable, *self.published]


def recompute_event(
    *, actor: Actor, event: Event, repair: bool = False, every_version: bool = False
) -> Recomputed:
    """Scores every record of the event again, makes its results anew and holds the publications to them.

    Nothing is changed, unless ``repair`` is set: then scores and results are stored as the records give them,
    with one audit row that names the differences. Publications are never changed: they say what was public.
    ``every_version`` looks at earlier versions of publications as well. Raises NotAllowed.
    """
    require_organiser(actor, event.tournament)
    found = Recomputed()
    with transaction.atomic():
        # As everything that changes an event does: nobody withdraws a draw while its results are made anew.
        Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        answers, invalid = _rescore(event, found)
        if not invalid:
            _rebuild(event, found)
        found.published.extend(publication_differences(event, answers, every_version))
        if not repair:
            transaction.set_rollback(True)
        elif found.repairable:
            record_audit(
                actor=actor,
                action="event.recompute",
                subject=event,
                event=event,
                before={str(number): _plain(one, one.stored) for number, one in _numbered(found)},
                after={str(number): _plain(one, one.found) for number, one in _numbered(found)},
            )
            touch_public_pages(event=event)
    return found


def _rescore(event: Event, found: Recomputed) -> tuple[dict[int, Mapping[str, Any]], bool]:
    """The scores of all records anew, stored where they differ; and whether one cannot be scored at all."""
    answers: dict[int, Mapping[str, Any]] = {}
    invalid = False
    versions = (
        DealVersion.objects.filter(deal__table__draw__round__event=event)
        .select_related("deal__table__draw__round")
        .defer(*(f"deal__table__draw__{name}" for name in _LARGE))
    )
    used = RulesetVersion.objects.filter(pk__in=versions.order_by().values("ruleset_version"))
    rulesets = {one.pk: one.ruleset() for one in used}
    for version in versions.order_by("pk").iterator(chunk_size=_CHUNK):
        if version.state != DealVersion.State.RECORDED:
            continue
        found.versions += 1
        where = _where(version)
        try:
            answer = answer_of(score_deal(version.record, rulesets[version.ruleset_version_id]))
        except InvalidDeal as fault:
            invalid = True
            codes = sorted({one.code for one in fault.faults})
            found.repairable.append(Difference(where, "record", "cannot be scored", ", ".join(codes)))
            continue
        answers[version.pk] = answer
        differences = list(_answer_differences(where, version.answer, answer))
        if differences:
            found.repairable.extend(differences)
            DealVersion.objects.filter(pk=version.pk).update(answer=answer)
    return answers, invalid


def _answer_differences(where: str, stored: Any, answer: Mapping[str, Any]) -> Iterator[Difference]:
    known = stored if isinstance(stored, dict) else {}
    for name in [*answer, *(name for name in known if name not in answer)]:
        old, new = known.get(name), answer.get(name)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            for seat in [*new, *(seat for seat in old if seat not in new)]:
                if old.get(seat) != new.get(seat):
                    yield Difference(where, f"{name}.{seat}", old.get(seat), new.get(seat))
        else:
            yield Difference(where, name, old, new)


def _rebuild(event: Event, found: Recomputed) -> None:
    before = _results(event)
    rebuild_event_results(event)
    after = _results(event)
    found.results = len(after)
    for key in [*after, *(key for key in before if key not in after)]:
        if key not in after or key not in before:
            where = "there" if key in before else "missing"
            right = "there" if key in after else "none"
            found.repairable.append(Difference(key, "result", where, right))
            continue
        for name, value in after[key].items():
            if before[key][name] != value:
                found.repairable.append(Difference(key, name, before[key][name], value))


def _results(event: Event) -> dict[str, dict[str, Any]]:
    rows = EntryResult.objects.filter(round__event=event).select_related("round", "table__draw", "entry")
    rows = rows.defer(*(f"table__draw__{name}" for name in _LARGE))
    return {
        f"round {row.round.number} draw {row.table.draw.number} table {row.table.number} "
        f"entry {row.entry.number}": {one.name: _json(getattr(row, one.attname)) for one in _FIELDS}
        for row in rows.order_by("round__number", "table__draw__number", "table__number", "entry__number")
    }


def _json(value: Any) -> Any:
    return value if isinstance(value, bool) or value is None else points_json(value)


def _where(version: DealVersion) -> str:
    table = version.deal.table
    return (
        f"round {table.draw.round.number} draw {table.draw.number} table {table.number} "
        f"deal {version.deal.number} v{version.number}"
    )


def _numbered(found: Recomputed) -> Iterator[tuple[int, Difference]]:
    return iter(enumerate(found.repairable, start=1))


def _plain(one: Difference, value: Any) -> dict[str, Any]:
    return {"where": one.where, "field": one.field, "value": value}
