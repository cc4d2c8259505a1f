"""Rulesets of an organiser's own: copies of a version, and further versions of a copy (docs/rules.md §7)."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from scoring.engine import Ruleset, RulesetError
from scoring.labels import TITLE_LANGUAGES, ruleset_fault_text
from scoring.models import RulesetBook, RulesetVersion
from tournament.queries.rulesets import can_copy_rulesets, can_edit_ruleset
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, NotAllowed, Problem, Refused, Stale
from tournament.services.validation import REASON_LENGTH, problems_of, text


def copy_ruleset(*, actor: Actor, version: RulesetVersion, key: str, title: str) -> RulesetBook:
    """Makes an own ruleset that begins with the fields of `version`; the title stands for all languages.

    Sent twice by the same person, it is made once. Raises NotAllowed, or Refused with every fault of the key
    and the title.
    """
    if not actor.is_system and not can_copy_rulesets(actor.person):
        raise NotAllowed("not_founder", _("Only an organiser may make a ruleset."))
    title = text(title)
    book = RulesetBook(key=key, copied_from=version, created_by=actor.user)
    titles = dict.fromkeys(TITLE_LANGUAGES, title)
    problems, data = [], {}
    try:
        book.full_clean(validate_unique=False)
    except ValidationError as fault:
        problems += problems_of(fault)
    try:
        data = _fields(version.data, key=key or "key", titles=titles)
    except Refused as fault:
        problems += fault.problems
    if problems:
        raise Refused.for_problems(problems)
    try:
        with transaction.atomic():
            book.save()
            first = RulesetVersion.objects.create(book=book, number=1, data=data, created_by=actor.user)
            record_audit(
                actor=actor,
                action="ruleset.copy",
                subject=book,
                after={"key": key, "copied_from": str(version), "version": 1, "data": first.data},
            )
    except IntegrityError as fault:
        return _made_before(actor, version, key, data, fault)
    return book


def edit_ruleset(
    *,
    actor: Actor,
    book: RulesetBook,
    data: Mapping[str, Any],
    based_on: int,
    note: str = "",
) -> RulesetVersion:
    """Adds a version with these fields if they say anything new, else returns the newest as it is.

    `data` holds the rules that differ from the base rules, or all of them; the key stays the book's.
    `based_on` is the number of the version the editor was looking at. Events keep the version they name.
    Raises NotAllowed, Stale if another version came between, or Refused with the fault of every field.
    """
    if not actor.is_system and not can_edit_ruleset(actor.person, book):
        raise NotAllowed("not_own_ruleset", _("Only the person who made this ruleset may change it."))
    note = text(note)
    if len(note) > REASON_LENGTH:
        raise Refused(
            "note_too_long",
            _("The note is longer than %(limit)s characters."),
            {"limit": REASON_LENGTH},
            field="note",
        )
    fields = _fields(data, key=book.key)
    try:
        with transaction.atomic():
            newest = RulesetVersion.objects.filter(book=book).latest("number")
            # First, so that the same request sent twice is answered twice and stored once.
            if newest.data == fields:
                return newest
            if newest.number != based_on:
                raise _stale(newest, fields)
            version = RulesetVersion.objects.create(
                book=book, number=newest.number + 1, data=fields, note=note, created_by=actor.user
            )
            record_audit(
                actor=actor,
                action="ruleset.edit",
                subject=book,
                before=_changed(newest.data, fields),
                after={"version": version.number, **_changed(fields, newest.data)},
                reason=note,
            )
    except IntegrityError as fault:
        # Another process stored a version between our look and our write.
        raise _stale(RulesetVersion.objects.filter(book=book).latest("number"), fields) from fault
    return version


def _fields(data: Mapping[str, Any], **own: Any) -> dict[str, Any]:
    """Every field, checked. Raises Refused with the fault of each."""
    try:
        return Ruleset.from_dict({**data, **own}).to_full_dict()
    except RulesetError as fault:
        raise Refused.for_problems(
            Problem(one.code, ruleset_fault_text(one), field=one.params.get("field", ""))
            for one in fault.faults
        ) from fault


def _made_before(
    actor: Actor, version: RulesetVersion, key: str, data: Mapping[str, Any], fault: IntegrityError
) -> RulesetBook:
    """The same copy if this person made it already. Raises Conflict if the key is somebody else's."""
    book = RulesetBook.objects.filter(key=key, copied_from=version, created_by=actor.user).first()
    if book is not None and book.versions.get(number=1).data == data:
        return book
    raise Conflict(
        "ruleset_key_taken", _("There is already a ruleset “%(key)s”."), {"key": key}, field="key"
    ) from fault


def _stale(newest: RulesetVersion, offered: Mapping[str, Any]) -> Stale:
    return Stale(
        "ruleset_changed",
        _("Version %(number)s was stored while you were editing. Compare it with yours and save again."),
        {"number": newest.number},
        current=newest.data,
        offered=offered,
    )


def _changed(fields: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if other.get(name) != value}
