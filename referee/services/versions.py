"""The next version of a deal's record: appended, never changed."""

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from referee.models import Deal, DealCheck, DealVersion
from referee.queries import check_of, current_version, version_facts
from referee.services.guards import stale
from referee.services.records import ScoredRecord
from tournament.models import Table
from tournament.services.audit import Actor, record_audit
from tournament.services.results import update_table_results


def append_version(
    actor: Actor,
    deal: Deal,
    current: DealVersion | None,
    state: str,
    *,
    scored: ScoredRecord | None = None,
    entered_seat: str = "",
    reason: str = "",
    offered: Any = None,
    tablet_at: datetime | None = None,
) -> DealVersion:
    """The next version of the deal. Raises Stale if another came first: only one is possible."""
    event = deal.table.draw.round.event
    try:
        with transaction.atomic():
            version = DealVersion.objects.create(
                deal=deal,
                number=current.number + 1 if current else 1,
                state=state,
                record=scored.record if scored else None,
                answer=scored.answer if scored else None,
                ruleset_version=event.ruleset_version,
                entered_by=actor.user,
                device_id=actor.tablet and actor.tablet.pk,
                entered_seat=entered_seat,
                reason=reason,
                tablet_at=tablet_at,
            )
    except IntegrityError:
        raise stale(deal, current_version(deal), offered) from None
    # Nobody can have checked what was stored this moment: not worth a query.
    DealVersion.check_row.related.set_cached_value(version, None)
    return version


def restore_version(
    *, actor: Actor, table: Table, current: DealVersion, old: DealVersion, reason: str
) -> DealVersion:
    """The next version of a deal with an earlier version's record, for whoever entered that one.

    Where the earlier version was checked, so is this one, by the same person: it is the same record. The
    table is locked, who may do it has been asked. Raises Stale if another version came first.
    """
    event = table.draw.round.event
    try:
        with transaction.atomic():
            version = DealVersion.objects.create(
                deal=current.deal,
                number=current.number + 1,
                state=old.state,
                record=old.record,
                answer=old.answer,
                ruleset_version=old.ruleset_version,
                entered_by_id=old.entered_by_id,
                device_id=old.device_id,
                entered_seat=old.entered_seat,
                reason=reason,
            )
    except IntegrityError:
        raise stale(current.deal, current_version(current.deal)) from None
    check = check_of(old)
    if check is not None:
        DealCheck.objects.create(
            version=version,
            relation=check.relation,
            seat=check.seat,
            player_id=check.player_id,
            user_id=check.user_id,
        )
    record_audit(
        actor=actor,
        action="deal.restore",
        subject=current.deal,
        event=event,
        before=version_facts(current),
        after=version_facts(version),
        reason=reason,
    )
    update_table_results(table)
    return version
