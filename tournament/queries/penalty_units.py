"""In what penalties of a round are stated: what the round counts (docs/rules.md §5)."""

from django.utils.translation import gettext as _

from scoring.engine.rounds import SIXTEEN_DEALS, VPTable
from tournament.models import Event
from tournament.queries.plans import Terms
from tournament.ranking.points import USUAL_PLACE_POINTS

#: Measures in points of deals, for which the catalogue's default points are meant.
IN_POINTS = frozenset({Event.Measure.POINTS, Event.Measure.DIFFERENCE})
#: More games than a timed round sees.
_MOST_TIMED_GAMES = 10


def counts_points(terms: Terms) -> bool:
    """Whether results are points of deals, so that the catalogue's default points fit them."""
    return terms.measure in IN_POINTS


def unit_help(terms: Terms) -> str:
    """What a penalty's number means in a round, for the forms."""
    if counts_points(terms):
        return _("Added to the result (%(measure)s): −50 takes 50 points away, 0 is a warning.") % {
            "measure": terms.measure_name
        }
    return _(
        "Added to the result, which counts %(measure)s here, not points of deals: −1 takes 1 away, 0 is a "
        "warning."
    ) % {"measure": terms.measure_name}


def most_of_a_round(terms: Terms) -> int | None:
    """The most a round is worth in its measure; None where points have no such limit.

    A penalty beyond it is nearly always meant in points of deals.
    """
    if counts_points(terms):
        return None
    if terms.measure == Event.Measure.VICTORY_POINTS:
        rows = terms.victory_points
        return (VPTable.from_json(rows) if rows else SIXTEEN_DEALS).total
    if terms.measure == Event.Measure.PLACE_POINTS:
        return max(terms.place_points or USUAL_PLACE_POINTS)
    return _MOST_TIMED_GAMES if terms.plan.kind == "time" else terms.plan.best_of
