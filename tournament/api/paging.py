"""Long lists in parts: ``limit`` and ``offset``, within bounds, with the addresses of the parts beside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

USUAL, MOST = 100, 500
#: Further than any list is long; a larger number no store could take.
FURTHEST = 1_000_000


class PageQuery(serializers.Serializer):
    """Which part of a list."""

    limit = serializers.IntegerField(min_value=1, max_value=MOST, default=USUAL)
    offset = serializers.IntegerField(min_value=0, max_value=FURTHEST, default=0)


@dataclass(frozen=True)
class Listed:
    """Rows, and what is told of the whole list beside them."""

    rows: Sequence[Any] | QuerySet[Any]
    facts: Mapping[str, Any] = field(default_factory=dict)


def part_of(request: Request, rows: Sequence[Any] | QuerySet[Any], limit: int, offset: int) -> dict[str, Any]:
    """The envelope of a part; ``results`` are the rows themselves."""
    count = rows.count() if isinstance(rows, QuerySet) else len(rows)
    here = request.build_absolute_uri()

    def at(place: int) -> str:
        return replace_query_param(replace_query_param(here, "limit", limit), "offset", place)

    return {
        "count": count,
        "next": at(offset + limit) if offset + limit < count else None,
        "previous": at(max(offset - limit, 0)) if offset else None,
        "results": list(rows[offset : offset + limit]),
    }
