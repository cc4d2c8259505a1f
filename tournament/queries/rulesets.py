"""Reading stored rulesets: what there is, who uses it, how it differs from the base, who may change it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, QuerySet

from scoring.engine import RuleField, Ruleset
from scoring.models import RulesetBook, RulesetVersion
from tournament.models import Event
from tournament.queries import access

User = AbstractBaseUser | AnonymousUser


@dataclass(frozen=True)
class RulesetRow:
    """One ruleset as the list shows it: its book, its versions (newest first) and the events under any of
    them.
    """

    book: RulesetBook
    versions: tuple[RulesetVersion, ...]
    events: tuple[Event, ...]

    @property
    def newest(self) -> RulesetVersion:
        return self.versions[0]


@dataclass(frozen=True)
class RuleRow:
    """One rule of a ruleset: what it is, its value, the value it differs from (if it does)."""

    spec: RuleField
    value: Any
    base_value: Any

    @property
    def differs(self) -> bool:
        return bool(self.value != self.base_value)


def can_copy_rulesets(user: User) -> bool:
    """May make a ruleset of their own: whoever may create a tournament."""
    return access.can_create_tournaments(user)


def can_edit_ruleset(user: User, book: RulesetBook) -> bool:
    """May add a version: the one who made the copy, as long as they organise something, and superusers.

    A shipped ruleset is changed by a release only.
    """
    if book.shipped or not user.is_authenticated or not user.is_active:
        return False
    return user.is_superuser or (book.created_by_id == user.pk and can_copy_rulesets(user))


def ruleset_rows() -> list[RulesetRow]:
    """All rulesets, the shipped ones first. A constant number of queries."""
    events = Event.objects.select_related("tournament").order_by("-id")
    versions = RulesetVersion.objects.order_by("-number").prefetch_related(Prefetch("events", events))
    books = (
        RulesetBook.objects.order_by("-shipped", "id")
        .select_related("created_by")
        .prefetch_related(Prefetch("versions", versions))
    )
    return [
        RulesetRow(
            book=book,
            versions=tuple(book.versions.all()),
            events=tuple(event for version in book.versions.all() for event in version.events.all()),
        )
        for book in books
        if book.versions.all()
    ]


def choosable_versions() -> QuerySet[RulesetVersion]:
    """The newest version of every ruleset: what a new event may be played under."""
    newest = {
        version.book_id: version.pk for version in RulesetVersion.objects.order_by("number").only("book_id")
    }
    return (
        RulesetVersion.objects.filter(pk__in=newest.values())
        .select_related("book")
        .order_by("-book__shipped", "book_id")
    )


def rule_groups(ruleset: Ruleset, base: Ruleset | None = None) -> Iterator[tuple[str, list[RuleRow]]]:
    """Every rule in groups, beside the value it has in `base` (the base rules of docs/rules.md §7 if
    None).
    """
    reference = base or Ruleset()
    by_group: dict[str, list[RuleRow]] = {}
    for spec in Ruleset.fields_meta():
        row = RuleRow(spec, getattr(ruleset, spec.name), getattr(reference, spec.name))
        by_group.setdefault(spec.group, []).append(row)
    yield from by_group.items()
