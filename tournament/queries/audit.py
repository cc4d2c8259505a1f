"""Reading the audit trail."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.apps import apps
from django.db.models import Q, QuerySet

from scoring.messages import FIRST_LETTER
from tournament.models import AuditRow, Draw, Event, Table, Tournament


@dataclass(frozen=True)
class AuditFilter:
    """What is looked for: kind of action (its first word), person, days (in the tournament's time zone),
    event (its address), number of a table, words.
    """

    area: str = ""
    person: str = ""
    first_day: date | None = None
    last_day: date | None = None
    words: str = ""
    event: str = ""
    table: int = 0


def audit_rows(tournament: Tournament, event: Event | None, wanted: AuditFilter) -> QuerySet[AuditRow]:
    """The rows that match, newest first; those of the whole tournament where no event is given."""
    rows = (
        AuditRow.objects.filter(tournament=tournament)
        if event is None
        else AuditRow.objects.filter(event=event)
    )
    if wanted.area:
        rows = rows.filter(action__startswith=f"{wanted.area}.")
    if wanted.person:
        rows = rows.filter(actor_name=wanted.person)
    if wanted.first_day:
        rows = rows.filter(at__gte=_midnight(wanted.first_day, tournament))
    if wanted.last_day:
        rows = rows.filter(at__lt=_midnight(wanted.last_day, tournament, after=1))
    if wanted.event:
        rows = rows.filter(event__slug=wanted.event)
    if wanted.table:
        rows = rows.filter(subject__in=_at_table(tournament, wanted.table))
    for word in wanted.words.split():
        rows = rows.filter(Q(reason__icontains=word) | Q(subject__icontains=word) | Q(action__icontains=word))
    return rows.select_related("event").order_by("-id")


#: From a kind of thing to the table it belongs to, by the field that leads there.
_WAYS = {"table": "table", "deal": "deal__table", "version": "version__deal__table"}


def _at_table(tournament: Tournament, number: int) -> list[str]:
    """The subjects of all rows about tables of this number, and about what was done at them: deals,
    penalties, calls, rulings, appeals.
    """
    return _subjects_at({"number": number, "draw__round__event__tournament": tournament})


def lettered_subjects(event: int) -> frozenset[str]:
    """The subjects of an event's rows that are about a table whose seats are A B C …, or about what was done
    there: "table:5", "deal:17", "match:5". "draw:3/7" stands for table 7 of a draw, "round:2/7" for that of
    the draw that is in force for round 2.
    """
    tables = {"seats__direction": FIRST_LETTER, "draw__round__event": event}
    facts = ("match", "draw", "number", "draw__round__number", "draw__state")
    found: set[str] = set()
    for match, draw, number, round, state in Table.objects.filter(**tables).values_list(*facts):
        found |= {f"match:{match}", f"draw:{draw}/{number}"}
        if state == Draw.State.PUBLISHED:
            found.add(f"round:{round}/{number}")
    # Most events have tables of four alone: then nothing more is asked.
    return frozenset(found.union(_subjects_at(tables)) if found else ())


def _subjects_at(tables: Mapping[str, Any]) -> list[str]:
    """The subjects of rows about the tables with these facts, and about what was done at them."""
    found = [f"table:{key}" for key in Table.objects.filter(**tables).values_list("pk", flat=True)]
    for label in ("tournament", "referee"):
        for model in apps.get_app_config(label).get_models():
            fields = {field.name for field in model._meta.get_fields() if field.many_to_one}
            way = next((_WAYS[name] for name in _WAYS if name in fields), None)
            if way is not None:
                facts = {f"{way}__{name}": value for name, value in tables.items()}
                kind = model._meta.model_name
                found += [
                    f"{kind}:{key}"
                    for key in model._default_manager.filter(**facts).values_list("pk", flat=True)
                ]
    return found


def areas_and_people(tournament: Tournament, event: Event | None) -> tuple[list[str], list[str]]:
    """What can be chosen in the filter: areas and names that occur."""
    rows = audit_rows(tournament, event, AuditFilter()).order_by()
    areas = {action.partition(".")[0] for action in rows.values_list("action", flat=True).distinct()}
    people = set(rows.exclude(actor_name="").values_list("actor_name", flat=True).distinct())
    return sorted(areas), sorted(people)


#: The days that can be asked for: nothing was done on others, and at the ends of the calendar there are times
#: that cannot be told in every zone.
_FIRST, _LAST = date(1900, 1, 1), date(2999, 12, 31)


def _midnight(day: date, tournament: Tournament, after: int = 0) -> datetime:
    """The beginning, in the tournament's time zone, of the day so many days ``after``."""
    kept = min(max(day, _FIRST), _LAST) + timedelta(days=after)
    return datetime.combine(kept, time.min, tzinfo=tournament.tz)


@dataclass(frozen=True)
class DayDigest:
    """How the chain of a tournament's audit trail stood at the end of a day: rows so far, the seal of the
    last of them, and how many rows were written on that day.
    """

    day: date
    rows: int
    of_day: int
    seal: str
    last_at: datetime | None


def day_digest(tournament: Tournament, day: date) -> DayDigest:
    """The digest of a day in the tournament's time zone; of today, as it stands now."""
    end = _midnight(day, tournament, after=1)
    sealed = AuditRow.objects.filter(tournament=tournament, place__isnull=False, at__lt=end)
    last = sealed.order_by("-place").first()
    return DayDigest(
        day=day,
        rows=last.place if last else 0,
        of_day=sealed.filter(at__gte=_midnight(day, tournament)).count(),
        seal=last.seal if last else "",
        last_at=last.at if last else None,
    )
