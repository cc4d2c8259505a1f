"""Throwing away what only grows and has had its time. Nothing that bears on a result is touched: records and
their versions, draws, publications, penalties, appeals and the audit trail stay for good.

What a row of KEPT names is kept so long after its use is over. Stored public pages are not here: there is one
for each address and language, and every `migrate` begins anew. Tokens that have ended stay: the audit trail
names them.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from importlib import import_module

from django.conf import settings
from django.db.models import Q

from referee.models import JoinAttempt, ReceivedCommand, TableCard
from tournament.models import ApiAnswer, WorkbookOrder

#: How long each kind of thing is kept.
KEPT: Mapping[str, timedelta] = {
    # Answers to requests of other programs, given again when a request is repeated.
    "api_answers": timedelta(days=30),
    # Ids of commands of tablets and pages: a tablet may come back with its queue long after the event.
    "commands": timedelta(days=365),
    # Codes tried: counted for minutes only.
    "attempts": timedelta(days=1),
    # Codes of tables that have expired or were renewed, and by which no tablet ever joined.
    "table_cards": timedelta(days=90),
    # Workbooks that were not made to the end; a finished one says itself when it expires.
    "workbooks": timedelta(days=1),
}


def prune(*, now: datetime) -> dict[str, int]:
    """Deletes what has had its time at this aware moment; how many of each kind were deleted.

    Each kind is a transaction of its own: whatever interrupts it, the rest is found the next time.
    """
    before = {name: now - kept for name, kept in KEPT.items()}
    over = Q(expires_at__lt=before["table_cards"]) | Q(revoked_at__lt=before["table_cards"])
    unfinished = Q(expires_at=None, sign_of_life__lt=before["workbooks"])
    found = {
        "api_answers": ApiAnswer.objects.filter(made_at__lt=before["api_answers"]),
        "commands": ReceivedCommand.objects.filter(received_at__lt=before["commands"]),
        "attempts": JoinAttempt.objects.filter(at__lt=before["attempts"]),
        "table_cards": TableCard.objects.filter(over, devices=None),
        "workbooks": WorkbookOrder.objects.filter(Q(expires_at__lte=now) | unfinished),
    }
    counts = {name: rows.delete()[0] for name, rows in found.items()}
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    return counts
