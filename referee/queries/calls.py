"""Reading calls for a referee."""

from django.db.models import F, QuerySet

from referee.models import TableCall
from tournament.models import Table, Tournament


def calls_of(tournament: Tournament) -> QuerySet[TableCall]:
    """All calls of the tournament: open ones first, the longest waiting first; then the closed, newest
    first.
    """
    calls = TableCall.objects.filter(table__draw__round__event__tournament=tournament)
    related = ("table__draw__round__event__tournament", "taken_by", "called_by", "closed_by", "device")
    return (
        calls.select_related(*related)
        .prefetch_related("table__seats")
        .defer("table__draw__inputs", "table__draw__quality")
        .order_by(F("closed_at").desc(nulls_first=True), "called_at")
    )


def open_call(table: Table) -> TableCall | None:
    """The call of the table that is not closed yet."""
    return TableCall.objects.filter(table=table, closed_at=None).select_related("taken_by").first()
