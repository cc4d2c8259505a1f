"""Which penalty articles hold: an event's own, else its tournament's, else those shipped."""

from collections.abc import Iterable

from referee.catalogue import SHIPPED, Article
from referee.models import Penalty, PenaltyRule
from tournament.models import Event, Seat, Tournament


def stored_articles(tournament: Tournament, event: Event | None) -> tuple[Article, ...]:
    """The articles in force that were written for the event, or (None) for the tournament as a whole."""
    rows = PenaltyRule.objects.filter(tournament=tournament, event=event, retired_at__isnull=True)
    return tuple(
        Article(row.article, row.name, row.points, row.warning_first, row.pk)
        for row in rows.order_by("place", "id")
    )


def catalogue_of(tournament: Tournament, event: Event | None) -> tuple[Article, ...]:
    """The catalogue that holds; at most two queries."""
    own = stored_articles(tournament, event)
    if own:
        return own
    if event is not None:
        return catalogue_of(tournament, None)
    return SHIPPED


def punished_before(event: Event, seats: Iterable[Seat]) -> dict[str, list[str]]:
    """By seat, the breaches for which the entry was warned or punished in the event before; one query.

    A seat that plays for an entry with several players is one of them: what another one did does not count.
    """
    around = list(seats)
    given = Penalty.objects.filter(
        event=event, entry__in={seat.entry_id for seat in around}, cancelled_at__isnull=True
    ).values_list("entry", "player", "rule")
    found: dict[str, list[str]] = {seat.direction: [] for seat in around}
    for entry, player, rule in given:
        for seat in around:
            if seat.entry_id == entry and player in (None, seat.player_id):
                found[seat.direction].append(rule)
    return found
