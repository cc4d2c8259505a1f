"""Brackets in play: what follows from the results, for pages and for who advances."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tournament.models import Entry, Round, Stage
from tournament.pairing.model import PairingError
from tournament.queries.draw_brackets import Standing, standing
from tournament.queries.draw_formats import FORMATS
from tournament.queries.draw_groups import heat_result
from tournament.queries.draw_inputs import StageInputs
from tournament.queries.draw_sources import as_they_are, first_draw, stage_outcomes

#: Formats whose stages have a bracket.
BRACKETS = frozenset({"knockout", "double_elimination"})


def drawn_stage(stage: Stage) -> StageInputs | None:
    """What the stage's first draw has fixed, with the outcomes of its closed rounds; None before it."""
    draw = first_draw(stage)
    if draw is None or not FORMATS[stage.format].fixes_positions:
        return None
    closed = set(stage.rounds.filter(state=Round.State.CLOSED).values_list("number", flat=True))
    outcomes = tuple(one for one in stage_outcomes(stage) if one.round in closed)
    return replace(StageInputs.from_json(draw.inputs["stage"]), outcomes=outcomes)


def stage_standing(stage: Stage) -> Standing | None:
    """The bracket with the results of its closed rounds; None for other formats, or before it is drawn."""
    fixed = drawn_stage(stage) if stage.format in BRACKETS else None
    return standing(fixed) if fixed and fixed.positions else None


@dataclass(frozen=True)
class HeatView:
    """Who goes on from a round of heats: of each table, as the best of the rest, and who of them by lot."""

    round: int
    direct: tuple[Entry, ...]
    best_of_rest: tuple[Entry, ...]
    by_lot: tuple[Entry, ...]


def heats_of(stage: Stage, entries: Mapping[int, Entry]) -> list[HeatView]:
    """What the closed rounds of heats have decided; empty for other formats."""
    fixed = drawn_stage(stage) if stage.format == "heats" else None
    if fixed is None:
        return []
    everybody = as_they_are(stage)
    found = []
    for number in sorted({one.round for one in fixed.outcomes}):
        try:
            result = heat_result(everybody, fixed, number)
        except PairingError:
            break
        going = result.entries
        found.append(
            HeatView(
                number,
                tuple(entries[who] for who in result.advance.direct),
                tuple(entries[who] for who in result.advance.best_of_rest),
                tuple(entries[who] for who in result.by_lot if who in going),
            )
        )
    return found
