"""A rehearsal for people, line by line, and for programs, as one JSON object."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Draw, Round
from tournament.points import show_points
from tournament.queries.draw_formats import FORMATS
from tournament.rehearsal.figures import Points, points_of
from tournament.rehearsal.play import Rehearsal, Seconds

_DIGITS = 3


def round_line(round: Round, draw: Draw, seconds: Seconds) -> str:
    """One round: how it was drawn and how long that took."""
    return _(
        "Round %(round)s: drawn in %(seconds).2f s; repeats %(repeats)s, largest points gap %(gap)s, "
        "club clashes %(clubs)s, byes %(byes)s, found by the checker %(violations)s"
    ) % {
        "round": round.number,
        "seconds": seconds.draws[-1],
        "repeats": draw.quality["repeats"],
        "gap": show_points(points_of(draw.quality["max_points_gap"])),
        "clubs": draw.quality["club_clashes"],
        "byes": draw.quality["byes"],
        "violations": len(draw.quality["violations"]),
    }


def closing_lines(found: Rehearsal, most_rows: int = 20) -> Iterator[str]:
    """The whole event: quality, seconds, and the top of the final standings."""
    figures, seconds = found.figures, found.seconds
    yield _("All rounds (%(format)s): repeats %(repeats)s, byes %(byes)s, largest points gap %(gap)s") % {
        "format": FORMATS[found.plan.format].title,
        "repeats": figures.repeats,
        "byes": figures.byes,
        "gap": show_points(figures.max_points_gap),
    }
    yield _("Seats differ by at most %(spread)s; club clashes %(clubs)s; found by the checker %(found)s") % {
        "spread": figures.seat_spread,
        "clubs": figures.club_clashes,
        "found": _violations(found),
    }
    yield _(
        "Seconds: draws %(draws).2f (longest %(longest).2f), publishing %(publish).2f, recording "
        "%(record).2f, standings %(standings).2f, workbook %(export).2f"
    ) % {
        "draws": sum(seconds.draws),
        "longest": max(seconds.draws),
        "publish": seconds.publish,
        "record": seconds.record,
        "standings": seconds.standings,
        "export": seconds.export,
    }
    deals = ngettext(
        "%(count)s deal recorded and checked", "%(count)s deals recorded and checked", found.deals
    )
    yield deals % {"count": found.deals}
    yield _("Final standings")
    for row in found.standings.rows[:most_rows]:
        yield f"{row.rank:>5}  {row.entry.number:>5}  {row.entry.name}  {show_points(row.total)}"
    left = len(found.standings.rows) - most_rows
    if left > 0:
        yield _("… and %(count)s more") % {"count": left}


def as_json(found: Rehearsal) -> dict[str, Any]:
    """The figures of a rehearsal; seconds rounded to thousandths, a fraction of a point as text."""
    figures, seconds = found.figures, found.seconds
    return {
        "kind": found.plan.kind,
        "entries": found.plan.entries,
        "rounds": found.plan.rounds,
        "format": found.plan.format,
        "seed": found.plan.seed,
        "repeats": figures.repeats,
        "byes": figures.byes,
        "max_points_gap": _points_json(figures.max_points_gap),
        "seat_spread": figures.seat_spread,
        "club_clashes": figures.club_clashes,
        "violations": figures.violations.total(),
        "violations_by_code": dict(sorted(figures.violations.items())),
        "draw_seconds": [round(one, _DIGITS) for one in seconds.draws],
        "publish_seconds": round(seconds.publish, _DIGITS),
        "record_seconds": round(seconds.record, _DIGITS),
        "standings_seconds": round(seconds.standings, _DIGITS),
        "export_seconds": round(seconds.export, _DIGITS),
        "deals": found.deals,
        "standings": [
            {"rank": row.rank, "entry": row.entry.number, "total": _points_json(row.total)}
            for row in found.standings.rows
        ],
    }


def _violations(found: Rehearsal) -> str:
    counted = found.figures.violations
    if not counted:
        return "0"
    codes = ", ".join(f"{code} {times}" for code, times in sorted(counted.items()))
    return f"{counted.total()} ({codes})"


def _points_json(value: Points) -> int | str:
    return str(value) if isinstance(value, Fraction) and value.denominator != 1 else int(value)
