"""What is tried by people who are not logged in, codes and passwords: counted, and turned away once too much
of it was wrong.
"""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from django.db import connection, transaction
from django.utils import timezone

from referee.models import JoinAttempt
from tournament.services.errors import Refused

#: How long an attempt counts.
WINDOW = timedelta(minutes=10)
#: Wrong passwords from one address within WINDOW. Each costs a third of a second of a processor.
WRONG_PASSWORDS = 40

Found = TypeVar("Found")


class TooOften(Refused):
    """Too many codes were tried: the form is shut for a while."""

    status = 429


def try_code(
    *,
    address: str | None,
    key: str,
    wrong_per_address: int,
    per_key: int,
    right_count: bool = False,
    look: Callable[[], Found | None],
    refusal: TooOften,
) -> Found | None:
    """What ``look`` finds, None for a wrong code; the attempt is counted before the answer is given.

    ``key`` (64 characters) is what the attempts are counted by besides the address; ``per_key`` of them are
    allowed within WINDOW, wrong ones or, with ``right_count``, all. Attempts from one address, or for one
    key, are judged one after the other: tried at the same moment they get no more tries.

    Raises ``refusal``, uncounted, where there were too many before; ``look`` is not asked then.
    """
    since = timezone.now() - WINDOW
    JoinAttempt.objects.filter(at__lt=since).delete()
    with transaction.atomic():
        _wait_for_turn(f"address {address}", f"key {key}")
        recent = JoinAttempt.objects.filter(at__gte=since)
        wrong = recent.filter(good=False)
        shut = (recent if right_count else wrong).filter(code=key).count() >= per_key or wrong.filter(
            address=address
        ).count() >= wrong_per_address
        found = None
        if not shut:
            found = look()
            JoinAttempt.objects.create(address=address, code=key, good=found is not None)
    # Outside, for a refusal must not take back what was counted.
    if shut:
        raise refusal
    return found


def logins_shut(address: str | None) -> bool:
    """Whether too many wrong passwords came from this address of late.

    Counted by address alone: by name, anybody could keep an organiser out. Not together with codes, which a
    whole hall behind one address goes on typing.
    """
    since = timezone.now() - WINDOW
    wrong = JoinAttempt.objects.filter(at__gte=since, code=_login_key(address), good=False)
    return wrong.count() >= WRONG_PASSWORDS


def count_wrong_password(address: str | None) -> None:
    """Counts one. Apart from looking, since no password is to be worked out while others wait to write: of
    some tried at the same moment a few more than allowed may be looked at.
    """
    JoinAttempt.objects.create(address=None, code=_login_key(address), good=False)


def _login_key(address: str | None) -> str:
    return hashlib.sha256(f"login from {address}".encode()).hexdigest()


def _wait_for_turn(*names: str) -> None:
    """Waits until no other transaction has any of these names. The same order everywhere, so that no two wait
    for each other; SQLite lets one writer in at a time anyway.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for name in names:
            number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
