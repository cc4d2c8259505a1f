"""Storing the rows of an archive: within the caller's transaction, in the archive's own order.

The content of an archive is somebody else's word. Its shape and every value are checked here; what belongs
together is checked by the constraints of the database.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.db import connection, models
from django.utils.translation import gettext_lazy as _

from scoring.engine import Ruleset, RulesetError
from scoring.models import RulesetBook, RulesetVersion
from tournament.models import Tournament
from tournament.queries.archive.entry_ids import WITH_ENTRY_IDS, UnknownPartError
from tournament.queries.archive.sections import PEOPLE, RULESETS, SECTIONS, Section, section_of
from tournament.queries.archive.values import ValueFault, read
from tournament.queries.audit_chain import PLACEHOLDER
from tournament.services.errors import Problem, Refused

#: So many faults are told; the others are most likely of the same kind.
_MOST_FAULTS = 20
_NAME_LENGTH = 150
_KEY_LENGTH = RulesetBook._meta.get_field("key").max_length


def store_content(content: Mapping[str, Any]) -> Tournament:
    """Stores every row of a checked file; returns the tournament. Raises Refused with the faults."""
    return _Storing(content).store()


class _Storing:
    def __init__(self, content: Mapping[str, Any]) -> None:
        self.content = content
        self.faults: list[Problem] = []
        #: By section: the id in the store by the archive's number.
        self.ids: dict[str, dict[int, Any]] = {}

    def store(self) -> Tournament:
        self._check_sections()
        self._store_people()
        self._store_rulesets()
        for section in SECTIONS:
            self._store_section(section)
        return Tournament.objects.get(pk=self.ids["tournament"][1])

    def _fault(self, place: str, what: Any) -> None:
        self.faults.append(
            Problem("archive_value", _("%(place)s: %(what)s."), {"place": place, "what": what}, "file")
        )
        if len(self.faults) >= _MOST_FAULTS:
            self._stop_at_faults()

    def _stop_at_faults(self) -> None:
        if self.faults:
            raise Refused.for_problems(self.faults)

    def _check_sections(self) -> None:
        names = {PEOPLE, RULESETS, *(one.name for one in SECTIONS)}
        for name in sorted(names ^ self.content.keys()):
            self._fault(name, _("is missing") if name in names else _("is not known"))
        for name in sorted(names & self.content.keys()):
            rows = self.content[name]
            if not isinstance(rows, list) or any(
                not isinstance(row, dict) or row.get("id") != number
                for number, row in enumerate(rows, start=1)
            ):
                self._fault(name, _("is no list of rows numbered from 1"))
        self._stop_at_faults()
        if len(self.content["tournament"]) != 1:
            self._fault("tournament", _("is not exactly one"))
        self._stop_at_faults()

    def _texts(self, section: str, row: Mapping[str, Any], **kinds: type) -> bool:
        """Whether the row has exactly these values, of these types."""
        good = row.keys() == {"id", *kinds} and all(
            isinstance(row[name], kind) for name, kind in kinds.items()
        )
        if not good:
            self._fault(f"{section} {row['id']}", _("is not as rows of this section are"))
        return good

    def _store_people(self) -> None:
        """Accounts that stand for people the archive names: nobody can log in with one, none has a right."""
        users = get_user_model()
        ids = self.ids[PEOPLE] = {}
        for row in self.content[PEOPLE]:
            if not self._texts(PEOPLE, row, name=str):
                continue
            name = row["name"]
            if not 1 <= len(name) <= _NAME_LENGTH:
                self._fault(f"{PEOPLE} {row['id']}", _("has no name that an account can have"))
                continue
            made, _created = users._default_manager.get_or_create(
                username=_placeholder(name),
                defaults={"first_name": name, "is_active": False, "password": make_password(None)},
            )
            ids[row["id"]] = made.pk

    def _store_rulesets(self) -> None:
        ids = self.ids[RULESETS] = {}
        for row in self.content[RULESETS]:
            kinds: dict[str, type] = {"key": str, "version": int, "shipped": bool, "data": dict, "note": str}
            if not self._texts(RULESETS, row, **kinds):
                continue
            try:
                ids[row["id"]] = _ruleset_version(row).pk
            except RulesetError as fault:
                self._fault(f"{RULESETS} {row['id']}", str(fault))
        self._stop_at_faults()

    def _store_section(self, section: Section) -> None:
        made = [self._made(section, row) for row in self.content[section.name]]
        self._stop_at_faults()
        pks = _insert(section.model, made)
        self.ids[section.name] = dict(enumerate(pks, start=1))
        for one in section.lists:
            self._store_list(section, one)

    def _store_list(self, section: Section, field: models.ManyToManyField) -> None:
        through, target = field.remote_field.through, self.ids[section_of(field.related_model)]
        links = []
        for row in self.content[section.name]:
            for number in row[field.name]:
                if number not in target:
                    self._fault(
                        f"{section.name} {row['id']}.{field.name}", _("names a row that is not there")
                    )
                    continue
                own = self.ids[section.name][row["id"]]
                links.append(
                    through(
                        **{
                            f"{field.m2m_field_name()}_id": own,
                            f"{field.m2m_reverse_field_name()}_id": target[number],
                        }
                    )
                )
        self._stop_at_faults()
        through._base_manager.bulk_create(links, batch_size=500)

    def _made(self, section: Section, row: Mapping[str, Any]) -> models.Model:
        place = f"{section.name} {row['id']}"
        names = {"id", *(one.name for one in (*section.fields, *section.lists))}
        made = section.model()
        if row.keys() != names:
            self._fault(place, _("has not the fields that this section has"))
            return made
        for field in section.fields:
            try:
                setattr(made, field.attname, self._value(section, field, row[field.name]))
            except (ValueFault, UnknownPartError) as fault:
                self._fault(f"{place}.{field.name}", str(fault))
            except (TypeError, ValueError, AttributeError, KeyError):
                self._fault(f"{place}.{field.name}", _("is not as this field is written"))
        for one in section.lists:
            if not isinstance(row[one.name], list):
                self._fault(f"{place}.{one.name}", _("is no list"))
        for name, maker in section.left_out.items():
            if maker is not None:
                setattr(made, name, maker())
        return made

    def _value(self, section: Section, field: models.Field, value: Any) -> Any:
        if field.is_relation:
            if value is None and field.null:
                return None
            known = self.ids.get(section_of(field.related_model), {})
            if isinstance(value, bool) or not isinstance(value, int) or value not in known:
                raise ValueFault(_("names a row that is not there"))
            return known[value]
        walk = WITH_ENTRY_IDS.get((section.name, field.name))
        return read(field, walk(value, self._entry) if walk else value)

    def _entry(self, number: int) -> int:
        if isinstance(number, bool) or not isinstance(number, int):
            raise ValueFault(_("names no entry"))
        if number < 0:
            return number
        try:
            return self.ids["entries"][number]
        except KeyError as fault:
            raise ValueFault(_("names an entry that is not there")) from fault


def _placeholder(name: str) -> str:
    username = PLACEHOLDER + name
    if len(username) > _NAME_LENGTH:
        return PLACEHOLDER + hashlib.sha256(name.encode()).hexdigest()
    return username


def _ruleset_version(row: Mapping[str, Any]) -> RulesetVersion:
    """The version of this site that says the same, else one stored in a ruleset of its own.

    Another ruleset of that key is left alone: events of this site are played under it. Raises RulesetError.
    """
    Ruleset.from_dict(row["data"])
    same = RulesetVersion.objects.filter(book__key=row["key"], number=row["version"]).first()
    # Compared here: a database may keep the order of the keys, which says nothing.
    if same is not None and same.data == row["data"]:
        return same
    book = _free_book(row["key"])
    return RulesetVersion.objects.create(
        book=book, number=row["version"], data=row["data"], note=row["note"][:300]
    )


def _free_book(key: str) -> RulesetBook:
    place, name = 1, key[:_KEY_LENGTH]
    while RulesetBook.objects.filter(key=name).exists():
        place += 1
        suffix = f"-{place}"
        name = key[: _KEY_LENGTH - len(suffix)] + suffix
    book = RulesetBook(key=name)
    book.clean_fields(exclude=["copied_from", "created_by"])
    book.save()
    return book


def _insert(model: type[models.Model], rows: list[models.Model]) -> Iterable[Any]:
    """Stores rows as they are, times of creation included, which bulk_create would set anew; returns their
    ids in the same order.
    """
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    size = max(connection.ops.bulk_batch_size(fields, rows), 1)
    found: list[Any] = []
    for start in range(0, len(rows), min(size, 500)):
        found += model._base_manager.all()._insert(
            rows[start : start + min(size, 500)],
            fields=fields,
            using=connection.alias,
            returning_fields=[model._meta.pk],
            raw=True,
        )
    return [pk for (pk,) in found]
