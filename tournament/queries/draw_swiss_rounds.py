"""The Swiss format: rounds by points, the first of a stage by seeding where the organiser chose so."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournament.pairing.four import draw_swiss_four
from tournament.pairing.model import Draw
from tournament.pairing.options import chosen_option
from tournament.pairing.seeded import DrawByPoints, draw_seeded
from tournament.pairing.swiss import draw_swiss
from tournament.queries.draw_inputs import DrawInputs
from tournament.queries.format_options import Choice

BY_LOT, BY_SEEDING = "lot", "seeding"

FIRST_ROUND = Choice(
    "first_round",
    _("First round"),
    ((BY_LOT, _("by lot")), (BY_SEEDING, _("by seeding"))),
    BY_LOT,
    _(
        "By seeding: at tables of four the seeded are spread evenly; of pairs and teams the upper half meets "
        "the lower half. Without seeds it is drawn by lot."
    ),
)


def swiss_four(inputs: DrawInputs, seed: int) -> Draw:
    """The round at tables of four. Raises PairingError."""
    draw = partial(
        draw_swiss_four,
        history=inputs.history,
        round=inputs.round,
        constraints=inputs.constraints,
        answer=inputs.answer,
        seed=seed,
        planned_rounds=inputs.planned_rounds,
    )
    if not _by_seeding(inputs):
        return draw(inputs.entrants)
    option = chosen_option(_players(inputs), inputs.answer)
    return _seeded(inputs, seed, draw, tables=len(option.sizes), byes=option.byes)


def swiss_sides(inputs: DrawInputs, seed: int) -> Draw:
    """The round of matches of two. Raises PairingError."""
    draw = partial(
        draw_swiss,
        history=inputs.history,
        round=inputs.round,
        constraints=inputs.constraints,
        seed=seed,
        planned_rounds=inputs.planned_rounds,
    )
    if not _by_seeding(inputs):
        return draw(inputs.entrants)
    players = _players(inputs)
    filled = any(one.house for one in inputs.present())
    return _seeded(inputs, seed, draw, tables=(players + filled) // 2, byes=0 if filled else players % 2)


def _by_seeding(inputs: DrawInputs) -> bool:
    """Whether this round goes by seeding: with no seed at all there is nothing to go by."""
    chosen = inputs.stage.options.get(FIRST_ROUND.name) == BY_SEEDING
    first = inputs.round == inputs.stage.first_round
    return chosen and first and any(one.seed is not None for one in inputs.present())


def _players(inputs: DrawInputs) -> int:
    return sum(not one.house for one in inputs.present())


def _seeded(inputs: DrawInputs, seed: int, draw: DrawByPoints, *, tables: int, byes: int) -> Draw:
    return draw_seeded(
        inputs.entrants,
        inputs.history,
        round=inputs.round,
        constraints=inputs.constraints,
        seed=seed,
        tables=max(tables, 1),
        byes=byes,
        draw_equals=draw,
    )
