"""Where entries came from: told by the audit trail, which names it with every version that was entered."""

from collections.abc import Collection, Iterable, Sequence

from referee.models import DealVersion
from tournament.models import AuditRow, Event

#: The actions whose rows say what was entered, and from where.
_ENTERED = ("deal.record", "deal.void", "deal.correct", "deal.undo")


def sources_of(versions: Sequence[DealVersion]) -> dict[int, str]:
    """By version, "tablet", "page", "paper" or "interface"; a version the trail says nothing of, as after an
    archive, is a tablet's where it names one, and else left out. Each has its ``deal``. One query.
    """
    rows = (
        AuditRow.objects.filter(
            subject__in={_subject(version.deal_id) for version in versions}, action__in=_ENTERED
        )
        # Rows of another site, come with an archive, have its ids: the moment of the entry tells them apart.
        .values_list("subject", "after__entered_at", "after__source")
    )
    told = {(subject, at): source for subject, at, source in rows}
    found = {}
    for version in versions:
        source = told.get((_subject(version.deal_id), version.created_at.isoformat()))
        if source := source or ("tablet" if version.device_id else ""):
            found[version.pk] = source
    return found


def from_paper(deals: Collection[int], events: Iterable[Event]) -> set[int]:
    """Which of these deals of the events were entered from a score sheet. One query, none for no deals."""
    if not deals:
        return set()
    rows = AuditRow.objects.filter(
        event__in=events,
        subject__in={_subject(deal) for deal in deals},
        action__in=_ENTERED,
        after__source="paper",
    )
    return {int(subject.partition(":")[2]) for subject in rows.values_list("subject", flat=True)}


def _subject(deal: int) -> str:
    return f"deal:{deal}"
