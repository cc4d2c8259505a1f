"""The OpenAPI 3.1 description of the interface, made from what the operations themselves state."""

import re
from copy import deepcopy
from functools import lru_cache
from threading import Lock
from typing import Any

from django.urls import include, path
from django.utils.translation import gettext_noop
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from tournament.api.fields import Body
from tournament.api.operations import Operation
from tournament.api.paging import PageQuery
from tournament.api.problems import KINDS, PROBLEM

#: What the whole is, a paragraph each; within a paragraph every second part between backquotes is code.
INTRODUCTION = (
    gettext_noop("Everything the pages do, for other programs."),
    gettext_noop(
        "What is published needs no token. A token has one purpose: to read what is published, to record at "
        "one table of an event, or to organise a tournament; an organiser makes it on the page “Tokens” of "
        "the tournament, and it is sent as `Authorization: Bearer hp_…`."
    ),
    gettext_noop(
        "Texts and faults come in the language of `Accept-Language` (zh-hans, zh-hant, en). A request that "
        "creates or does something carries an `Idempotency-Key` of its own: sent again with the same key it "
        "gets the same answer and changes nothing more. A change of something that has an `ETag` carries it "
        "as `If-Match`. Lists come in parts (`limit`, `offset`). Points are whole numbers, or text such as "
        '"-880/3" where a ruleset gives fractions. Every refusal is `application/problem+json` with all its '
        "faults in `errors`."
    ),
)

#: The addresses that the schema describes.
URLCONF = "tournament.urls.api_v1"
_NUMBER = {"type": "integer", "minimum": 0, "maximum": 1_000_000}
_SLUG = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$", "maxLength": 60}
#: Parts of addresses that are not numbers.
_SLUGS = ("tournament", "event", "ruleset")
_FILE = {"type": "string", "format": "binary"}
_NOTHING = gettext_noop("Nothing is answered.")


class FaultOut(serializers.Serializer):
    """One fault. ``card`` and ``seat`` are empty where neither is concerned."""

    code = serializers.CharField()
    field = serializers.CharField(allow_blank=True)
    card = serializers.CharField(allow_blank=True)
    seat = serializers.CharField(allow_blank=True)
    message = serializers.CharField()


class ProblemOut(serializers.Serializer):
    """A refusal (RFC 9457). A stale change also has ``current`` and ``offered``."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = FaultOut(many=True)


class OperationSchema(AutoSchema):
    """Reads Operation and the view instead of guessing."""

    @property
    def _stated(self) -> Operation:
        return getattr(self.view, self.method.lower()).operation

    @property
    def _document(self) -> str:
        return (getattr(self.view, self.method.lower()).__doc__ or self.view.__doc__ or "").strip()

    def get_operation_id(self) -> str:
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(self.view).__name__.removesuffix("View"))
        return f"{name.lower()}_{self.method.lower()}"

    def get_summary(self) -> str:
        return " ".join(self._document.partition("\n\n")[0].split())

    def get_description(self) -> str:
        return re.sub(r"\n +", "\n", self._document.partition("\n\n")[2]).strip()

    def get_tags(self) -> list[str]:
        return [self.view.tag]

    def get_auth(self) -> list[dict[str, list[str]]]:
        return [{"token": []}] if self.view.purposes else [{}, {"token": []}]

    def get_override_parameters(self) -> list[Any]:
        stated = self._stated
        found: list[Any] = [
            OpenApiParameter(name, _SLUG if name in _SLUGS else _NUMBER, OpenApiParameter.PATH, required=True)
            for name in re.findall(r"{(\w+)}", self.path)
        ]
        if stated.query:
            found.append(stated.query)
        if stated.paged:
            found.append(PageQuery)
        if stated.once:
            key = {"type": "string", "minLength": 8, "maxLength": 80, "pattern": "^[A-Za-z0-9-]+$"}
            found.append(
                _header("Idempotency-Key", key, gettext_noop("An id that the sender made, e.g. a UUID."))
            )
        if stated.versioned:
            found.append(_header("If-Match", {"type": "string"}, gettext_noop("The ETag that was read.")))
        if self.method == "GET" and not stated.media_type:
            found.append(
                OpenApiParameter(
                    "ETag",
                    str,
                    OpenApiParameter.HEADER,
                    response=[200],
                    description=gettext_noop("For If-None-Match and If-Match."),
                )
            )
        found.append(
            OpenApiParameter(
                "Retry-After",
                int,
                OpenApiParameter.HEADER,
                response=[429],
                description=gettext_noop("Seconds."),
            )
        )
        return found

    def get_request_serializer(self) -> Any:
        stated = self._stated
        if stated.reads_file:
            return {self.view.parser_classes[0].media_type: _FILE}
        return stated.input

    def get_response_serializers(self) -> Any:
        stated = self._stated
        if stated.media_type:
            good: dict[Any, Any] = {
                (200, stated.media_type): OpenApiResponse(_FILE, gettext_noop("The file."))
            }
        elif stated.paged:
            good = {stated.status: self._envelope(stated)}
        else:
            shown = stated.output and stated.output(many=stated.many)
            good = {stated.status: shown} if shown else {204: OpenApiResponse(None, _NOTHING)}
        if self.method == "GET" and not stated.media_type:
            good[304] = OpenApiResponse(None, gettext_noop("Not changed since If-None-Match."))
        return good | {
            (status, PROBLEM): OpenApiResponse(ProblemOut, KINDS[status][0])
            for status in self._refusals(stated)
        }

    def _refusals(self, stated: Operation) -> list[int]:
        found = {401, 406, 429, *stated.refusals}
        if "{" in self.path:
            found.add(404)
        if self.view.purposes:
            found.add(403)
        if stated.query or stated.paged:
            found.add(422)
        if stated.input or stated.reads_file:
            found |= {400, 413, 415, 422}
        if stated.once:
            found |= {400, 409, 422}
        if stated.versioned:
            found |= {409, 412, 422, 428}
        if stated.media_type:
            found |= {409, 422}
        return sorted(found)

    def _envelope(self, stated: Operation) -> serializers.Serializer:
        assert stated.output is not None
        facts = dict(stated.facts().fields) if stated.facts else {}
        # A copy of a field belongs to no serializer yet.
        fields = {name: deepcopy(one) for name, one in facts.items()}
        name = stated.output.__name__.removesuffix("Out")
        envelope = type(
            f"{name}PageOut",
            (serializers.Serializer,),
            {
                **fields,
                "count": serializers.IntegerField(help_text="Rows of the whole list."),
                "next": serializers.CharField(allow_null=True),
                "previous": serializers.CharField(allow_null=True),
                "results": stated.output(many=True),
            },
        )
        return envelope()

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        schema = super()._map_basic_serializer(serializer, direction)
        return {**schema, "additionalProperties": False} if isinstance(serializer, Body) else schema


def _header(name: str, schema: dict[str, Any], text: str) -> OpenApiParameter:
    return OpenApiParameter(name, schema, OpenApiParameter.HEADER, required=True, description=text)


#: The generator takes notes on the views themselves: two at once get in each other's way.
_ONE_AT_A_TIME = Lock()


def whole_schema() -> dict[str, Any]:
    """The schema of all operations, as they are written. It is the same for everybody, so it is made once in
    each process; `tournament.api.wording` has it in other languages.
    """
    with _ONE_AT_A_TIME:
        return _made_schema()


@lru_cache(maxsize=1)
def _made_schema() -> dict[str, Any]:
    patterns = [path("api/v1/", include(URLCONF))]
    schema = SchemaGenerator(patterns=patterns).get_schema(request=None, public=True)
    schema["info"]["description"] = "\n\n".join(INTRODUCTION)
    schema["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return schema
