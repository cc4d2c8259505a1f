"""Every operation of the open interface, and bodies and queries that they take."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any
from urllib.parse import urlencode

from django.urls import get_resolver, reverse
from rest_framework import serializers

from tests.played import random_record
from tournament.api.operations import Operation

METHODS = ("get", "post", "put", "patch", "delete")
#: Kinds of fields with a value that each takes; the first that fits.
SAMPLES = [
    (serializers.JSONField, random_record(Random(7))),
    (serializers.DictField, {}),
    (serializers.BooleanField, True),
    (serializers.DateTimeField, "2026-05-01T08:00:00Z"),
    (serializers.DateField, "2026-05-01"),
    (serializers.SlugField, "singles"),
]


@dataclass(frozen=True)
class Walked:
    """An operation: its address's name and parts, its method, what is stated of it, and what it reads."""

    name: str
    method: str
    stated: Operation
    parts: tuple[str, ...]
    reads: str

    def __str__(self) -> str:
        return f"{self.method} {self.name}"

    def address(self, values: dict[str, Any]) -> str:
        """Parts that have no value are 1."""
        address = reverse(f"api:{self.name}", kwargs={part: values.get(part, 1) for part in self.parts})
        query = sample(self.stated.query()) if self.stated.query else {}
        return f"{address}?{urlencode(query)}" if query else address

    def body(self) -> Any:
        """A body that it takes, as far as its fields say."""
        return sample(self.stated.input()) if self.stated.input else {}


@cache
def operations() -> tuple[Walked, ...]:
    return tuple(_operations())


def _operations() -> Iterator[Walked]:
    for pattern in get_resolver("tournament.urls.api_v1").url_patterns:
        view = pattern.callback.view_class
        for method in METHODS:
            stated = getattr(getattr(view, method, None), "operation", None)
            if stated is not None and method in view.http_method_names:
                reads = view.parser_classes[0].media_type
                parts = tuple(pattern.pattern.regex.groupindex)
                yield Walked(pattern.name, method, stated, parts, reads)


def sample(field: serializers.Field) -> Any:
    """A value that such a field takes."""
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        return [sample(field.child)]
    if isinstance(field, serializers.Serializer):
        return {name: sample(one) for name, one in field.fields.items() if one.required}
    for kind, value in SAMPLES:
        if isinstance(field, kind):
            return value
    if isinstance(field, serializers.ChoiceField):
        return next(iter(field.choices))
    if isinstance(field, serializers.CharField):
        return "N" if field.max_length == 1 else "x"
    return 1
