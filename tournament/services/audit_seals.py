"""Giving the rows of the audit trail their places in the chain, right after they are committed.

Not within the transaction that writes them: whoever takes the next place would have to wait until that
transaction ends, and fifty tablets would record one after the other. A row is therefore written with a proof
(tournament.queries.audit_chain), and sealed in a short transaction of its own that locks nothing but the end
of the chain. What a power cut left without a seal is sealed together with the next change.
"""

import logging
import threading
from functools import partial

from django.db import DatabaseError, transaction

from tournament.models import AuditChain, AuditRow, Tournament
from tournament.queries.audit_chain import chain_name, is_proven, rows_of_chain, seal_of

logger = logging.getLogger(__name__)


class _Batch:
    """The rows that one transaction adds to a chain: they are sealed together, after its commit."""

    def __init__(self) -> None:
        self.done = False


_open = threading.local()


def seal_after_commit(tournament: Tournament | None) -> None:
    """Has the rows that the current transaction adds to the chain sealed once it is committed.

    A failure leaves them to the next time and does not reach whoever made the change.
    """
    batches: dict[int | None, _Batch] = _open.__dict__.setdefault("batches", {})
    key = tournament.pk if tournament else None
    batch = batches.get(key)
    if batch is None or batch.done:
        batch = batches[key] = _Batch()
    # Each row asks for it: a savepoint that is rolled back takes along what was asked within it.
    transaction.on_commit(partial(_seal_batch, batch, tournament), robust=True)


def _seal_batch(batch: _Batch, tournament: Tournament | None) -> None:
    if batch.done:
        return
    batch.done = True
    try:
        seal_rows(tournament=tournament)
    except DatabaseError:
        logger.warning("rows of the audit trail wait for their seals", exc_info=True)


def seal_rows(*, tournament: Tournament | None) -> int:
    """Seals the rows of a chain that wait for it, in the order of their ids; returns how many.

    Rows that the program did not write stay without a seal, and verify_audit names them.
    """
    with transaction.atomic():
        head = _locked_head(tournament)
        waiting = [
            row for row in rows_of_chain(tournament).filter(place=None).order_by("pk") if is_proven(row)
        ]
        for row in waiting:
            head.length += 1
            row.place, row.seal = head.length, seal_of(row, head.length, head.seal)
            head.seal = row.seal
        if len(waiting) == 1:
            # The usual case, after every deal: without the conditions that several rows in one query need.
            AuditRow.objects.filter(pk=waiting[0].pk).update(place=waiting[0].place, seal=waiting[0].seal)
        else:
            AuditRow.objects.bulk_update(waiting, ["place", "seal"], batch_size=200)
        if waiting:
            head.save(update_fields=["length", "seal"])
    return len(waiting)


def _locked_head(tournament: Tournament | None) -> AuditChain:
    name = chain_name(tournament)
    found = AuditChain.objects.select_for_update(no_key=True).filter(name=name).first()
    if found is None:
        AuditChain.objects.get_or_create(name=name, defaults={"tournament": tournament})
        found = AuditChain.objects.select_for_update(no_key=True).get(name=name)
    return found
