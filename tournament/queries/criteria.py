"""The criteria by which an event's standings are ordered: which there are, their names, which are chosen."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournament.models import Event
from tournament.queries.draw_formats import TWO_SIDED
from tournament.ranking.results import Measure
from tournament.ranking.tie_breaks import Criterion

#: What an event's rounds are worth, in the words of the rankings.
MAIN: Mapping[str, Measure] = {
    Event.Measure.POINTS: Measure.TOTAL,
    Event.Measure.DIFFERENCE: Measure.DIFFERENCE,
    Event.Measure.GAMES: Measure.GAMES_WON,
    Event.Measure.VICTORY_POINTS: Measure.VICTORY_POINTS,
    Event.Measure.PLACE_POINTS: Measure.PLACE_POINTS,
}

CRITERIA: Mapping[Criterion, Any] = {
    Criterion.MATCH_POINTS: _("match points"),
    Criterion.VICTORY_POINTS: _("victory points"),
    Criterion.PLACE_POINTS: _("place points"),
    Criterion.GAMES_WON: _("games won"),
    Criterion.DIFFERENCE: _("difference"),
    Criterion.TOTAL: _("total points"),
    Criterion.HEAD_TO_HEAD: _("result between the tied"),
    Criterion.BUCHHOLZ: _("Buchholz"),
    Criterion.MEDIAN_BUCHHOLZ: _("median Buchholz"),
    Criterion.SONNEBORN_BERGER: _("Sonneborn-Berger"),
    Criterion.FEWEST_PENALTIES: _("fewest penalties"),
    Criterion.GRAND_SLAMS: _("most grand slams"),
    Criterion.LOT: _("drawn lot"),
}

#: What each criterion means, for the organiser who chooses.
MEANINGS: Mapping[Criterion, Any] = {
    Criterion.MATCH_POINTS: _(
        "2 for a match won, 1 for an equal one, 0 for a lost one; a bye counts as won."
    ),
    Criterion.GAMES_WON: _("A game shared counts in equal parts."),
    Criterion.DIFFERENCE: _("Own points minus the other side's."),
    Criterion.TOTAL: _("All points of the deals, penalties aside unless they are the event's own measure."),
    Criterion.HEAD_TO_HEAD: _("Applied only where all the tied have met each other equally often."),
    Criterion.BUCHHOLZ: _("The opponents' results: at each table their mean."),
    Criterion.MEDIAN_BUCHHOLZ: _("The same without the best and the worst round."),
    Criterion.SONNEBORN_BERGER: _("The results of opponents beaten, and half of those drawn with."),
    Criterion.FEWEST_PENALTIES: _("The penalty points taken off."),
    Criterion.GRAND_SLAMS: _("How often all scoring cards were captured."),
    Criterion.LOT: _("Lots are drawn once and kept; the lowest number is ahead."),
}

_OF_SIDES = frozenset({Criterion.MATCH_POINTS, Criterion.DIFFERENCE})
_OF_MEASURE = frozenset({Criterion.VICTORY_POINTS, Criterion.PLACE_POINTS})


def main_criterion(event: Event) -> Criterion:
    """The first criterion: the event's own measure."""
    return Criterion(MAIN[event.measure].value)


def criteria_by(event: Event, main: Measure) -> tuple[Criterion, ...]:
    """By what entries are ranked in a stage whose rounds are worth ``main``: that, then the tie-breaks."""
    return tuple(dict.fromkeys([Criterion(main.value), *chosen_tie_breaks(event)]))


def offered_tie_breaks(event: Event) -> tuple[Criterion, ...]:
    """What can break ties in an event: not its own measure, nor what its kind does not have."""
    left_out = {main_criterion(event), *_OF_MEASURE}
    if event.kind not in TWO_SIDED:
        left_out |= _OF_SIDES
    return tuple(one for one in CRITERIA if one not in left_out)


def chosen_tie_breaks(event: Event) -> tuple[Criterion, ...]:
    """The event's tie-breaks, in the organiser's order."""
    return tuple(Criterion(name) for name in event.options.get("tie_breaks", ()))


def criteria_of(event: Event) -> tuple[Criterion, ...]:
    """By what entries are ranked: the event's measure, then its tie-breaks in the organiser's order."""
    return criteria_by(event, MAIN[event.measure])


def lots_of(event: Event) -> tuple[tuple[int, int], ...]:
    """The drawn lots on record, as (number of the entry, lot)."""
    return tuple((int(number), lot) for number, lot in event.options.get("lots", {}).items())
