"""What the tables of a match give each side, in what the round is worth (docs/rules.md §5).

Penalties are not part of it: standings add them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.queries.compare import compared_deals
from referee.queries.play import DealLine, Play, Points
from scoring.engine.game import RoundState
from scoring.engine.rounds import SIXTEEN_DEALS, VPTable, round_result
from tournament.models import Event
from tournament.queries.plans import Terms
from tournament.ranking.points import USUAL_PLACE_POINTS, place_points

#: By the key of each side, what one table gives it.
Values = dict[str, Points]


def match_values(terms: Terms, plays: Sequence[Play]) -> list[Values]:
    """What each table of a match gives each side, in the tables' order.

    Victory points are those of the whole match, kept at its first table; the others have 0, so that tables
    can be added up. Of duplicate deals only those count that both tables have played.
    """
    states = [_without_penalties(play) for play in plays]
    if terms.duplicate and len(plays) > 1:
        states = _compared(plays, states)
    if terms.measure == Event.Measure.VICTORY_POINTS:
        return _victory_points(terms, plays, states)
    if terms.measure == Event.Measure.PLACE_POINTS:
        return [_place_points(terms, play, state) for play, state in zip(plays, states, strict=True)]
    return [dict(round_result(state, terms.measure).points) for state in states]


def victory_point_table(terms: Terms) -> VPTable:
    """The organiser's table of differences, or the one for 16 deals fitted to the number of deals of the
    plan.
    """
    if terms.victory_points:
        return VPTable.from_json(terms.victory_points)
    return SIXTEEN_DEALS.scaled(terms.plan.deals) if terms.plan.kind == "set" else SIXTEEN_DEALS


def total(deals: Iterable[DealLine], keys: Iterable[str]) -> Points:
    """The sum of the deals for the sides of these keys."""
    wanted = list(keys)
    return sum((line.amounts[key] for line in deals if line.amounts for key in wanted), start=0)


def _compared(plays: Sequence[Play], states: Sequence[RoundState]) -> list[RoundState]:
    deals = compared_deals(plays)
    return [
        replace(
            state,
            totals={key: sum((deal.amounts[place][key] for deal in deals), start=0) for key in state.totals},
        )
        for place, state in enumerate(states)
    ]


def _victory_points(terms: Terms, plays: Sequence[Play], states: Sequence[RoundState]) -> list[Values]:
    if not any(play.counted for play in plays):
        return [dict.fromkeys((column.key for column in play.columns), 0) for play in plays]
    totals: Values = {}
    for state in states:
        for key, amount in state.totals.items():
            totals[key] = totals.get(key, 0) + amount
    table = victory_point_table(terms)
    # The sides stand in the order of each table's seats; points go by their keys.
    first = round_result(replace(states[0], totals=totals), terms.measure, table).points
    return [dict(first), *(dict.fromkeys(first, 0) for _ in plays[1:])]


def _place_points(terms: Terms, play: Play, state: RoundState) -> Values:
    """Place points of everybody at the table; partners have the same points and so share their places."""
    if not play.counted:
        return dict.fromkeys(state.totals, 0)
    scale = terms.place_points or USUAL_PLACE_POINTS
    entries = {entry: column.key for column in play.columns for entry in column.entries}
    awarded = place_points({entry: state.totals[key] for entry, key in entries.items()}, scale)
    return {key: awarded[entry] for entry, key in entries.items()}


def _without_penalties(play: Play) -> RoundState:
    totals = {column.key: total(play.counted, [column.key]) for column in play.columns}
    return replace(play.state, totals=totals)
