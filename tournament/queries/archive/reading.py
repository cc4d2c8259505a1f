"""A tournament collected from the store as the content of an archive.

Rows are numbered from 1 within their section, in the order of their ids: stored again in that order they are
numbered alike at the next export, wherever that is. People are named, rulesets named by key and version.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.contrib.auth import get_user_model
from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.models import RulesetVersion
from tournament.models import Tournament
from tournament.queries.archive.entry_ids import WITH_ENTRY_IDS, UnknownPartError
from tournament.queries.archive.file import ArchiveError
from tournament.queries.archive.sections import PEOPLE, RULESETS, SECTIONS, Section, section_of
from tournament.queries.archive.values import written
from tournament.queries.audit_chain import account_name

_CHUNK = 2000


def archive_content(tournament: Tournament) -> dict[str, Any]:
    """Everything of the tournament, ready for tournament.queries.archive.file.pack.

    To be called within a transaction that sees one state of the store. Raises ArchiveError where a row refers
    to something outside the tournament.
    """
    return _Reading(tournament).content()


class _Reading:
    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        #: By section: the archive's number by the id in the store.
        self.numbers: dict[str, dict[Any, int]] = {}
        self.strangers: dict[int, int] = {}

    def content(self) -> dict[str, Any]:
        people, rulesets = self._people(), self._rulesets()
        content: dict[str, Any] = {PEOPLE: people, RULESETS: rulesets}
        for section in SECTIONS:
            rows = list(self._rows(section).iterator(chunk_size=_CHUNK))
            self.numbers[section.name] = {row.pk: number for number, row in enumerate(rows, start=1)}
            content[section.name] = [self._row(section, row) for row in rows]
        return content

    def _rows(self, section: Section) -> models.QuerySet[Any]:
        rows = section.model._base_manager.filter(**{section.path: self.tournament.pk}).order_by("pk")
        lists = [one.name for one in section.lists]
        return rows.prefetch_related(*lists) if lists else rows

    def _row(self, section: Section, row: models.Model) -> dict[str, Any]:
        found: dict[str, Any] = {"id": self.numbers[section.name][row.pk]}
        for field in section.fields:
            value = getattr(row, field.attname)
            if field.is_relation:
                found[field.name] = None if value is None else self._number(section, field, value)
            else:
                found[field.name] = self._value(section, field, value)
        for one in section.lists:
            numbers = self.numbers[section_of(one.related_model)]
            found[one.name] = sorted(numbers[other.pk] for other in getattr(row, one.name).all())
        return found

    def _number(self, section: Section, field: models.Field, pk: Any) -> int:
        target = section_of(field.related_model)
        try:
            return self.numbers[target][pk]
        except KeyError as fault:
            raise ArchiveError(
                "archive_stranger",
                _("%(place)s refers to %(target)s %(id)s, which belongs to another tournament."),
                {"place": f"{section.name}.{field.name}", "target": target, "id": pk},
            ) from fault

    def _value(self, section: Section, field: models.Field, value: Any) -> Any:
        walk = WITH_ENTRY_IDS.get((section.name, field.name))
        if walk is None:
            return written(field, value)
        try:
            return walk(value, self._entry)
        except UnknownPartError as fault:
            raise ArchiveError(
                "archive_unknown_part",
                _("%(place)s has a part that archives do not know: %(part)s."),
                {"place": f"{section.name}.{field.name}", "part": str(fault)},
            ) from fault

    def _entry(self, pk: int) -> int:
        """The archive's number of an entry; one that was deleted since has a negative one of its own."""
        number = self.numbers["entries"].get(pk)
        if number is None:
            number = pk if pk < 0 else self.strangers.setdefault(pk, -1 - len(self.strangers))
        return number

    def _referred(self, target: str) -> set[Any]:
        """Ids of what the tournament's rows refer to in a section that is not its own."""
        found: set[Any] = set()
        for section in SECTIONS:
            names = [
                field.attname
                for field in section.fields
                if field.is_relation and section_of(field.related_model) == target
            ]
            for name in names:
                found.update(self._rows(section).order_by().values_list(name, flat=True).distinct())
        return found - {None}

    def _people(self) -> list[dict[str, Any]]:
        by_name: defaultdict[str, list[int]] = defaultdict(list)
        for user in get_user_model()._default_manager.filter(pk__in=self._referred(PEOPLE)):
            by_name[account_name(user)].append(user.pk)
        self.numbers[PEOPLE] = {pk: number for number, (_name, pks) in _numbered(by_name) for pk in pks}
        return [{"id": number, "name": name} for number, (name, _pks) in _numbered(by_name)]

    def _rulesets(self) -> list[dict[str, Any]]:
        versions = RulesetVersion.objects.filter(pk__in=self._referred(RULESETS)).select_related("book")
        ordered = list(enumerate(versions.order_by("book__key", "number"), start=1))
        self.numbers[RULESETS] = {version.pk: number for number, version in ordered}
        return [
            {
                "id": number,
                "key": version.book.key,
                "version": version.number,
                "shipped": version.book.shipped,
                "data": version.data,
                "note": version.note,
            }
            for number, version in ordered
        ]


def _numbered(by_name: dict[str, list[int]]) -> Iterator[tuple[int, tuple[str, list[int]]]]:
    return enumerate(sorted(by_name.items()), start=1)
