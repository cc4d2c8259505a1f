"""What a publication tells of the stage 阶段 its round belongs to: format, groups, and the plan of a bracket.

All of it is fixed when the stage's first round is drawn, and read from the inputs of the draw: publishing the
pairings of the first round shows the bracket as it stood then, and nothing that came later.
"""

from typing import Any

from tournament.models import Draw, Match
from tournament.queries.draw_inputs import StageInputs


def stage_json(draw: Draw) -> dict[str, Any]:
    """The stage of a draw, entries by number.

    ``positions`` is the order of seeding that a bracket is made from, ``groups`` the groups in the order of
    their places; both empty for other formats.
    """
    stage = draw.round.stage
    fixed = StageInputs.from_json(draw.inputs["stage"]) if draw.inputs.get("stage") else StageInputs()
    wanted = [*fixed.positions, *(entry for group in fixed.groups for entry in group)]
    entries = draw.round.event.entries.filter(pk__in=wanted) if wanted else None
    numbers = dict(entries.values_list("pk", "number")) if entries is not None else {}
    return {
        "number": stage.number,
        "name": stage.name,
        "format": stage.format,
        "options": dict(fixed.options),
        "positions": [numbers[entry] for entry in fixed.positions],
        "groups": [[numbers[entry] for entry in group] for group in fixed.groups],
    }


def bracket_place(match: Match) -> dict[str, Any] | None:
    """Which match of a bracket is played, and which game of it: section, level, number, game, best_of.

    None where the match belongs to no bracket.
    """
    remarks = match.reasons.get("remarks", ())
    found = next((one["params"] for one in remarks if one["code"] == "bracket"), None)
    return found and {name: found[name] for name in ("section", "level", "number", "game", "best_of")}
