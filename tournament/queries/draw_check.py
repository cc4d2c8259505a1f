"""The checker's view of a stored draw: what is wrong with it, ready for JSON."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from tournament.models import Bye, Draw, Event
from tournament.pairing.checker import Expected, Severity, Violation, check_draw
from tournament.pairing.model import Draw as PureDraw
from tournament.pairing.model import DrawnTable, Entrant
from tournament.queries.draw_formats import TWO_SIDED, by_design
from tournament.queries.draw_inputs import DrawInputs
from tournament.queries.draws import stored_seats


def violations(draw: Draw, inputs: DrawInputs, entrants: Iterable[Entrant]) -> list[dict[str, Any]]:
    """What the checker finds in the rows as they are stored, against these entrants.

    Left out is only what the format means to be so, e.g. the second meeting in a double round robin.
    """
    stored = PureDraw(
        round=inputs.round,
        tables=tuple(DrawnTable(number, seats) for number, seats in sorted(stored_seats(draw).items())),
        byes=tuple(Bye.objects.filter(draw=draw).order_by("entry__number").values_list("entry", flat=True)),
    )
    report = check_draw(
        stored,
        entrants,
        inputs.history,
        constraints=inputs.constraints,
        expected=expected(draw.round.event.kind),
    )
    meant = by_design(draw.method, inputs)
    return [_json(one) for one in report.violations if one.code not in meant]


def expected(kind: str) -> Expected:
    """How many sit at a table. Only individuals may sit at tables of three or five: others are two sides of
    two.
    """
    if kind in TWO_SIDED:
        return Expected(size=2)
    return Expected(size=4, other_sizes=frozenset({3, 5}) if kind == Event.Kind.INDIVIDUAL else frozenset())


def impossible(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those violations with which the round could not be played at all: no reason passes over them."""
    return [one for one in found if one["severity"] == Severity.IMPOSSIBLE]


def _json(violation: Violation) -> dict[str, Any]:
    return {
        "code": violation.code,
        "severity": violation.severity.value,
        "entrants": list(violation.entrants),
        "table": violation.table,
        "params": {
            name: str(value) if isinstance(value, Fraction) else value for name, value in violation.params
        },
    }
