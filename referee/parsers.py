"""Reading what tablets send: JSON of a sane size and depth, in characters that every store can keep."""

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions, parsers, status

#: Bytes. A deal with its whole trick log has a few thousand.
LARGEST_BODY = 256 * 1024


class BodyTooLarge(exceptions.APIException):
    """The request is longer than any command is."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = _("The request is too long.")
    default_code = "too_large"


class BoundedJSONParser(parsers.JSONParser):
    """JSON as DRF reads it, within limits: DRF itself reads a body of any length.

    Raises BodyTooLarge, or ParseError for what is no JSON, nests too deeply, holds a number beyond all others
    or characters that a database cannot store (NUL, halves of a surrogate pair).
    """

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        body = stream.read(LARGEST_BODY + 1)
        if len(body) > LARGEST_BODY:
            raise BodyTooLarge
        try:
            found = json.loads(body, parse_constant=_refuse_constant)
            # 1e400 is read as infinity, which is no JSON when it is told again.
            text = json.dumps(found, ensure_ascii=False, allow_nan=False)
            text.encode()
        except (ValueError, RecursionError) as fault:  # UnicodeError is a ValueError
            raise exceptions.ParseError from fault
        if "\\u0000" in text.replace("\\\\", ""):
            raise exceptions.ParseError
        return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")
