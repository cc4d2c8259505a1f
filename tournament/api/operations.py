"""Operations: what each takes, answers and asks of its sender, stated once and carried out here.

``@operation(…)`` on a view's ``get``, ``post``, ``patch`` or ``delete`` makes it one. The function itself
only calls a query or a service: it is given the checked body as ``data``, the checked query as ``query``, and
for a versioned change the locked thing itself as ``found``; it returns what the output serializer shows. The
schema is made from the same statement (`tournament.api.schema`).
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.http import HttpResponse
from django.utils.http import content_disposition_header
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from tournament.api.paging import Listed, PageQuery, part_of
from tournament.api.problems import Changed, KeyMissing, VersionMissing
from tournament.services.answers import answer_once
from tournament.services.locks import lock_event
from tournament.views.manage.downloads import safe_filename

#: Whose commands the ids made from Idempotency-Keys are.
_COMMANDS = UUID("5f0f9b1a-7a0e-4b73-9d0c-2f6a4bfb1c55")
#: Names of the parts of an address that the view has turned into objects.
RESOLVED = ("tournament", "event")


@dataclass(frozen=True)
class Download:
    """A file as an answer."""

    content: bytes
    filename: str


@dataclass(frozen=True, kw_only=True)
class Operation:
    """What is stated of an operation.

    ``output`` shows what the function returns (``many``: a list of such); None: nothing is answered (204),
    or with ``media_type`` a file. ``paged``: the function returns Listed, and ``facts`` shows what is told
    beside the rows. ``once``: a change that needs an Idempotency-Key. ``versioned``: a change that needs
    If-Match; ``get`` of the same view gives the ETag. ``secret``: members that the first answer alone tells;
    they are stored nowhere, and null where the request comes again. ``refusals``: statuses beyond those that
    follow from all this.

    Within a change nobody else can write, so what takes long stands outside of it: with ``ahead`` the view's
    ``look_ahead`` is asked first, with the parts of the address, and the function is given what it returns as
    ``look``; with ``later`` the function returns the number of what it made, and once that is stored the
    view's ``shown`` tells what the answer shows.
    """

    output: type[Serializer] | None = None
    input: type[Serializer] | None = None
    query: type[Serializer] | None = None
    facts: type[Serializer] | None = None
    status: int = 200
    many: bool = False
    paged: bool = False
    once: bool = False
    versioned: bool = False
    media_type: str = ""
    reads_file: bool = False
    refusals: tuple[int, ...] = ()
    secret: tuple[str, ...] = ()
    ahead: bool = False
    later: bool = False


def operation(**stated: Any) -> Callable[[Callable[..., Any]], Callable[..., HttpResponse]]:
    """Makes a view's function an operation; see Operation for what can be stated."""
    stating = Operation(**stated)

    def decorate(function: Callable[..., Any]) -> Callable[..., HttpResponse]:
        @wraps(function)
        def carried_out(view: Any, request: Request, **parts: Any) -> HttpResponse:
            given = {name: value for name, value in parts.items() if name not in RESOLVED}
            asked = given | _asked(stating, request)
            if stating.ahead:
                asked["look"] = view.look_ahead(**given)
            if stating.once:
                return _once(stating, view, request, lambda: function(view, request, **asked))
            if stating.versioned:
                return _versioned(
                    stating, view, request, given, lambda **more: function(view, request, **asked, **more)
                )
            return _answer(stating, request, function(view, request, **asked))

        carried_out.operation = stating  # type: ignore[attr-defined]
        return carried_out

    return decorate


def etag_of(shown: Any) -> str:
    """The ETag of what is shown."""
    text = json.dumps(shown, sort_keys=True, separators=(",", ":"), default=str)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def command_id(request: Request) -> UUID:
    """The id of the command that a request's Idempotency-Key stands for."""
    return uuid5(_COMMANDS, f"{request.auth.pk}/{idempotency_key(request)}")


def idempotency_key(request: Request) -> str:
    """The request's key. Raises KeyMissing where there is none, or none of use."""
    key = request.headers.get("Idempotency-Key", "")
    if not 8 <= len(key) <= 80 or not key.isascii() or not key.isprintable():
        raise KeyMissing
    return key


def _asked(stating: Operation, request: Request) -> dict[str, Any]:
    """The checked query and body. Raises ValidationError with the faults of both."""
    faults: dict[str, Any] = {}
    asked: dict[str, Any] = {}
    if stating.reads_file:
        # Without a body nothing is parsed, and there is no file.
        asked["data"] = request.data if isinstance(request.data, bytes) else b""
    for name, serializer, raw in (
        ("query", stating.query, request.query_params),
        ("data", stating.input, None),
    ):
        if serializer is None:
            continue
        read = serializer(data=request.data if raw is None else raw.dict())
        if read.is_valid():
            asked[name] = read.validated_data
        else:
            faults |= read.errors
    if stating.paged:
        _page(request, faults)
    if faults:
        raise exceptions.ValidationError(faults)
    return asked


def _page(request: Request, faults: dict[str, Any] | None = None) -> Mapping[str, int]:
    read = PageQuery(
        data={
            name: request.query_params[name] for name in ("limit", "offset") if name in request.query_params
        }
    )
    if not read.is_valid() and faults is not None:
        faults |= read.errors
    return read.validated_data


def _once(stating: Operation, view: Any, request: Request, work: Callable[[], Any]) -> HttpResponse:
    body = (
        request.data if isinstance(request.data, bytes) else json.dumps(request.data, sort_keys=True).encode()
    )
    told: dict[str, Any] = {}

    def done() -> Any:
        if stating.later:
            return work()
        shown = _shown(stating, work())
        told.update({name: shown[name] for name in stating.secret})
        return {**shown, **dict.fromkeys(stating.secret)} if stating.secret else shown

    answered = answer_once(
        token=request.auth,
        key=idempotency_key(request),
        request=b"\n".join((request.method.encode(), request.get_full_path().encode(), body)),
        status=204 if stating.output is None else stating.status,
        work=done,
        show=(lambda number: _shown(stating, view.shown(number))) if stating.later else None,
    )
    response = Response({**answered.body, **told} if told else answered.body, status=answered.status)
    if answered.repeated:
        response.headers["Idempotency-Replayed"] = "true"
    return response


def _versioned(
    stating: Operation, view: Any, request: Request, given: Mapping[str, Any], work: Callable[..., Any]
) -> HttpResponse:
    sent = request.headers.get("If-Match", "").strip()
    if not sent:
        raise VersionMissing
    shows = view.get.operation.output
    with transaction.atomic():
        if hasattr(view, "event"):
            lock_event(view.event)  # before anything of it
        found = view.found(lock=True, **given)
        if sent != "*" and etag_of(shows(found).data) not in _tags(sent):
            raise Changed
        return _answer(stating, request, work(found=found))


def _tags(sent: str) -> list[str]:
    """The ETags of a header; a proxy that compresses answers marks them as weak, which changes nothing."""
    return [one.strip().removeprefix("W/") for one in sent.split(",")]


def _answer(stating: Operation, request: Request, result: Any) -> HttpResponse:
    if isinstance(result, Download):
        return _file(stating, result)
    if stating.paged:
        shown = _part(stating, request, result)
    elif stating.output is None:
        return Response(status=204)
    else:
        shown = _shown(stating, result)
    tag = etag_of(shown)
    if request.method == "GET" and tag in _tags(request.headers.get("If-None-Match", "")):
        return Response(status=304, headers={"ETag": tag})
    return Response(shown, status=stating.status, headers={"ETag": tag})


def _part(stating: Operation, request: Request, listed: Listed) -> dict[str, Any]:
    assert stating.output is not None
    part = part_of(request, listed.rows, **_page(request))
    part["results"] = _plain(stating.output(part["results"], many=True).data)
    return {**(_plain(stating.facts(listed.facts).data) if stating.facts else {}), **part}


def _shown(stating: Operation, result: Any) -> Any:
    return None if stating.output is None else _plain(stating.output(result, many=stating.many).data)


def _plain(shown: Any) -> Any:
    """What a serializer shows as plain JSON values, so that it can be stored and compared."""
    return json.loads(json.dumps(shown, default=str))


def _file(stating: Operation, file: Download) -> HttpResponse:
    response = HttpResponse(file.content, content_type=stating.media_type)
    name = content_disposition_header(True, safe_filename(file.filename))
    response.headers["Content-Disposition"] = str(name)
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
