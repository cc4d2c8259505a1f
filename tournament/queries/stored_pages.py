"""Stored public pages that still hold."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from tournament.models import PublicPart, PublishedPage


class StoredBytes(NamedTuple):
    """A page as it is served: ``body`` is compressed by gzip."""

    etag: str
    content_type: str
    body: bytes


def living_pages(parts: Collection[str]) -> QuerySet[PublishedPage]:
    """Stored pages made of these parts, none of which has changed since they were rendered."""
    changed = PublicPart.objects.filter(
        event=OuterRef("event"), name__in=parts, version__gt=OuterRef("event_version")
    )
    holds = Q(holds_until=None) | Q(holds_until__gt=timezone.now())
    return PublishedPage.objects.filter(holds, ~Exists(changed))


def stored_bytes(path: str, language: str, parts: Collection[str]) -> StoredBytes | None:
    """The page at an address, made of these parts, if it is stored and still holds; by one statement.

    The same as ``living_pages``, written out: composing the statement takes Django several times as long as
    the database takes to answer it, and this is all that a request for a page does.
    """
    marks = ", ".join(["%s"] * len(parts))
    now: datetime = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT etag, content_type, body_gzip FROM tournament_publishedpage p"  # noqa: S608
            " WHERE path = %s AND language = %s AND (holds_until IS NULL OR holds_until > %s)"
            " AND NOT EXISTS (SELECT 1 FROM tournament_publicpart WHERE event_id = p.event_id"
            f" AND name IN ({marks}) AND version > p.event_version)",
            [path, language, now, *parts],
        )
        row = cursor.fetchone()
    return StoredBytes(row[0], row[1], bytes(row[2])) if row else None
