"""Requests of the open interface that take effect once: each writing POST carries an Idempotency-Key.

The same key with the same request: the stored answer again. The same key with another request: refused. A
refused request leaves nothing behind, not even its key.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import ApiAnswer, ApiToken
from tournament.services.errors import Refused

#: Stands before what was made, in the place of an answer that is still to be shown.
_NOT_SHOWN = "made"


@dataclass(frozen=True)
class Answered:
    """An answer ready for JSON, and whether it had been given before this request."""

    status: int
    body: Any
    repeated: bool = False


def answer_once(
    *,
    token: ApiToken,
    key: str,
    request: bytes,
    status: int,
    work: Callable[[], Any],
    show: Callable[[Any], Any] | None = None,
) -> Answered:
    """Carries out ``work`` in one transaction, unless this token's key came before.

    ``request`` says everything that is asked for; ``work`` returns the body of the answer, ready for JSON.
    The key is stored before the work is done, so that of two simultaneous requests with one key the second
    waits for the first and gets its answer.

    Raises Refused (``key_reused``) where the key came before with another request; or whatever ``work``
    raises.
    """
    digest = hashlib.sha256(request).hexdigest()
    try:
        with transaction.atomic():
            row = ApiAnswer.objects.create(token=token, key=key, digest=digest, status=status)
            made = work()
            row.body = {_NOT_SHOWN: made} if show else made
            row.save(update_fields=["body"])
    except IntegrityError:
        stored = ApiAnswer.objects.filter(token=token, key=key).first()
        if stored is None:
            raise
        if stored.digest != digest:
            raise Refused(
                "key_reused",
                _("This Idempotency-Key came before with another request; nothing was changed."),
            ) from None
        return Answered(stored.status, _body(stored, show), repeated=True)
    return Answered(status, _body(row, show))


def _body(row: ApiAnswer, show: Callable[[Any], Any] | None) -> Any:
    if show and row.body.keys() == {_NOT_SHOWN}:
        row.body = show(row.body[_NOT_SHOWN])
        row.save(update_fields=["body"])
    return row.body
