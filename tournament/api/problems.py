"""Every refusal as application/problem+json (RFC 9457), in the asked language, with all its faults."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.response import Response

from referee.presenting import error_json
from tournament.services.errors import Problem, Refused, Stale

PROBLEM = "application/problem+json"

#: Status → its name (the anchor in the documentation) and title.
KINDS: Mapping[int, tuple[str, Any]] = {
    400: ("unreadable", _("The request cannot be read.")),
    401: ("token", _("A valid token is needed.")),
    403: ("not-allowed", _("This token may not do this.")),
    404: ("not-found", _("There is nothing at this address.")),
    405: ("method", _("This address does not take this method.")),
    406: ("not-acceptable", _("The answer is not available in this format.")),
    409: ("conflict", _("The state of things does not allow this now.")),
    412: ("changed", _("It has been changed since you read it.")),
    413: ("too-long", _("The request is too long.")),
    415: ("media-type", _("The body has a format that is not read here.")),
    422: ("invalid", _("What was sent has faults.")),
    428: ("version-needed", _("State which version you read: If-Match.")),
    429: ("too-many", _("Too many requests: wait a moment.")),
    500: ("failed", _("Something went wrong on the server.")),
}


class KeyMissing(exceptions.APIException):
    """A writing POST without a usable Idempotency-Key."""

    status_code = 400
    default_code = "key_missing"
    default_detail = _("A request that changes something needs an Idempotency-Key of 8 to 80 characters.")


class VersionMissing(exceptions.APIException):
    status_code = 428
    default_code = "version_needed"
    default_detail = _("Send the ETag that you read as If-Match.")


class Changed(exceptions.APIException):
    status_code = 412
    default_code = "changed"
    default_detail = _("It has been changed since you read it: read it again.")


def problem_json(status: int, problems: list[Problem], **more: Any) -> dict[str, Any]:
    """The body of a refusal; ``more`` are members beyond those of RFC 9457 and ``errors``."""
    name, title = KINDS[status]
    return {
        "type": f"/api/docs#{name}",
        "title": str(title),
        "status": status,
        "detail": " ".join(str(one) for one in problems) or str(title),
        "errors": [error_json(one) for one in problems],
        **more,
    }


def problem_response(fault: Exception) -> Response | None:
    """The answer to what a view raised; None for a defect, which is nobody's refusal."""
    if isinstance(fault, Refused):
        # What a service finds wrong with readable data is 422; 400 is kept for what cannot be read.
        status = 422 if fault.status == HTTPStatus.BAD_REQUEST else fault.status
        more = {"current": fault.current, "offered": fault.offered} if isinstance(fault, Stale) else {}
        return _response(status, list(fault.problems), **more)
    if isinstance(fault, exceptions.ValidationError):
        return _response(422, list(_field_problems(fault.detail)))
    if isinstance(fault, SuspiciousOperation):
        return _response(400, [Problem("unreadable", KINDS[400][1])])
    if isinstance(fault, Http404):
        return _response(404, [Problem("not_found", KINDS[404][1])])
    if isinstance(fault, exceptions.APIException):
        response = _response(fault.status_code, [Problem(str(fault.default_code), str(fault.detail))])
        wait = getattr(fault, "wait", None)
        if wait is not None:
            response.headers["Retry-After"] = str(max(int(wait + 0.999), 1))
        if fault.status_code == HTTPStatus.UNAUTHORIZED:
            response.headers["WWW-Authenticate"] = 'Bearer realm="api"'
        return response
    return None


def _response(status: int, problems: list[Problem], **more: Any) -> Response:
    response = Response(problem_json(status, problems, **more), status=status, content_type=PROBLEM)
    response.exception = True
    return response


def _field_problems(detail: Any, path: str = "") -> Iterator[Problem]:
    """DRF's nested faults one by one, each with the path of its field, e.g. ``players.0``."""
    if isinstance(detail, dict):
        for name, part in detail.items():
            deeper = path if name == "non_field_errors" else f"{path}.{name}".strip(".")
            yield from _field_problems(part, deeper)
    elif isinstance(detail, list):
        for part in detail:
            yield from _field_problems(part, path)
    else:
        code = getattr(detail, "code", "invalid")
        yield Problem(code, "%(text)s", {"text": f"{path}: {detail}" if path else str(detail)}, path)
