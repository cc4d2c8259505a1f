"""Keeping the shipped rulesets in the database, where events can name a version of them.

Written by the system itself at each migration, so nothing here asks who may. What people write (copies,
edits) is in `tournament.services.rulesets`, which can reach the audit trail.
"""

import logging
from typing import Any

from django.db import DEFAULT_DB_ALIAS, transaction

from scoring.engine import Ruleset, RulesetError
from scoring.models import RulesetBook, RulesetVersion
from scoring.rulesets import load, shipped_keys

logger = logging.getLogger(__name__)


def sync_shipped_rulesets(*, using: str = DEFAULT_DB_ALIAS) -> tuple[RulesetVersion, ...]:
    """Stores a version of every shipped ruleset whose file says something new; returns the new versions.

    A version holds every field, not only those that differ from the base: it must mean the same when a later
    release changes the base. Doing it again stores nothing. A key that an organiser's own ruleset already has
    is passed over with a warning in the log: theirs is in use, and a release must not stop a site.
    """
    made = []
    with transaction.atomic(using=using):
        books = RulesetBook.objects.using(using).in_bulk(list(shipped_keys()), field_name="key")
        for key in shipped_keys():
            book = books.get(key) or RulesetBook.objects.using(using).create(key=key, shipped=True)
            if not book.shipped:
                logger.warning(
                    "The shipped ruleset %r is not stored: this site has its own of that key.", key
                )
                continue
            version = _add_if_new(book, load(key), using)
            if version is not None:
                made.append(version)
    return tuple(made)


def says_the_same(data: Any, ruleset: Ruleset) -> bool:
    """Whether stored fields mean this ruleset; fields that a later release added count as their defaults."""
    try:
        return Ruleset.from_dict(data) == ruleset
    except RulesetError:
        return False


def _add_if_new(book: RulesetBook, ruleset: Ruleset, using: str) -> RulesetVersion | None:
    newest = RulesetVersion.objects.using(using).filter(book=book).order_by("-number").first()
    if newest is not None and says_the_same(newest.data, ruleset):
        return None
    return RulesetVersion.objects.using(using).create(
        book=book, number=newest.number + 1 if newest else 1, data=ruleset.to_full_dict()
    )
