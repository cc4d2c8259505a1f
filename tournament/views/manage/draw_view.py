"""A draw as its page shows it: tables with seats and reasons, byes, the quality report, violations in
words.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from tournament.models import Bye, Draw, Entry, Match, Seat, Table
from tournament.pairing.checker import Severity
from tournament.pairing.gap_reasons import gap_reasons
from tournament.points import show_points
from tournament.queries.bracket_names import section_title
from tournament.queries.bye_reasons import bye_reason_text
from tournament.queries.draw_formats import FORMATS, TWO_SIDED
from tournament.queries.draw_inputs import DrawInputs

#: Why two or more sit together, or what is wrong with it. Codes of the generators and of the checker.
REMARKS: Mapping[str, Any] = {
    "repeat": gettext_lazy("%(names)s meet for the %(times)s. time (last in round %(last_round)s)"),
    "club": gettext_lazy("%(names)s: same club, %(name)s"),
    "team": gettext_lazy("%(names)s: same team, %(name)s"),
    "forbidden": gettext_lazy("%(names)s were not to meet"),
    "seeds": gettext_lazy("%(names)s are both seeded"),
    "house_players": gettext_lazy("%(names)s: two house players"),
    "odd_table_again": gettext_lazy("%(names)s: for the %(times)s. time at a table of %(size)s"),
    "bye_again": gettext_lazy("%(names)s has sat out already (%(earlier)s times), others have not"),
    "byes_not_allowed": gettext_lazy("%(names)s sit out, which this format does not allow"),
    "byes_fill_a_table": gettext_lazy("%(byes)s entries sit out: enough to fill a table"),
    "seated_twice": gettext_lazy("%(names)s is seated %(times)s times"),
    "unknown_entrant": gettext_lazy("An entry that does not exist any more is seated"),
    "absent_drawn": gettext_lazy("%(names)s is drawn but does not take part in this round"),
    "bye_twice": gettext_lazy("%(names)s sits out twice in the same round"),
    "bye_and_seated": gettext_lazy("%(names)s both plays and sits out"),
    "house_player_bye": gettext_lazy("%(names)s is a house player and sits out"),
    "left_out": gettext_lazy("%(names)s takes part but is not in the draw"),
    "table_number_twice": gettext_lazy("The table number is given twice"),
    "table_size": gettext_lazy("The table has %(size)s seats"),
    "seats": gettext_lazy("The seats are wrong: %(seats)s"),
    "seeding": gettext_lazy("Places in the seeding: %(places)s"),
}


@dataclass(frozen=True)
class Remark:
    """One sentence about a table or the draw; ``grave`` where the draw cannot be played at all."""

    text: str
    table: int | None = None
    grave: bool = False


@dataclass(frozen=True)
class TableView:
    """A table as drawn: its seats in the order of play."""

    table: Table
    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class MatchView:
    """A match: one table, or two of a team match; ``sides`` of a two-sided one. ``remarks`` say what is
    remarkable about it, ``points`` why these meet, ``place`` where it is in a bracket.
    """

    match: Match
    sides: tuple[Entry, ...]
    tables: tuple[TableView, ...]
    remarks: tuple[Remark, ...]
    points: str = ""
    place: str = ""


@dataclass(frozen=True)
class DrawView:
    """Everything the page shows."""

    two_sided: bool
    matches: tuple[MatchView, ...]
    byes: tuple[tuple[Bye, str], ...]
    figures: tuple[tuple[str, str, bool], ...]
    violations: tuple[Remark, ...]
    #: Why the largest gap of points is larger than points alone would make it; blank where it is not.
    gap: str = ""

    @property
    def tables(self) -> int:
        return sum(len(match.tables) for match in self.matches)

    @property
    def playable(self) -> bool:
        return not any(one.grave for one in self.violations)


def draw_view(draw: Draw, found: Iterable[Mapping[str, Any]]) -> DrawView:
    """The draw for people, with what the checker has found. A constant number of queries."""
    entries = {entry.pk: entry for entry in draw.round.event.entries.all()}
    two_sided = draw.round.event.kind in TWO_SIDED
    by_points = FORMATS[draw.method].by_points
    found_matches = draw.matches.prefetch_related("sides", "tables__seats__player").order_by("number")
    matches = tuple(_match(match, entries, two_sided, by_points) for match in found_matches)
    return DrawView(
        two_sided=two_sided,
        matches=matches,
        byes=tuple(
            (bye, bye_reason_text(bye.reason))
            for bye in draw.byes.select_related("entry").order_by("entry__number")
        ),
        figures=_figures(draw, two_sided),
        violations=tuple(
            Remark(_sentence(one, entries), one.get("table"), one["severity"] == Severity.IMPOSSIBLE)
            for one in found
        ),
        gap=_gap(draw, matches) if by_points and not two_sided else "",
    )


def _gap(draw: Draw, matches: Iterable[MatchView]) -> str:
    """What outranked points, in words."""
    inputs = DrawInputs.from_json(draw.inputs)
    tables = [[seat.entry_id for seat in table.seats] for match in matches for table in match.tables]
    told = gap_reasons(
        inputs.entrants,
        tables,
        inputs.history,
        round=inputs.round,
        constraints=inputs.constraints,
        planned_rounds=inputs.planned_rounds,
    )
    if not told.against:
        return ""
    why = [gap_reason_text(code, n) for code, n in told.against]
    if inputs.swaps:
        why.append(_("entries were exchanged by hand"))
    return _(
        "Tables filled by points alone would have a largest gap of %(alone)s. Before points came: %(why)s."
    ) % {
        "alone": show_points(Fraction(told.alone)),
        "why": pgettext("punctuation", "; ").join(why),
    }


def gap_reason_text(code: str, n: int) -> str:
    """One thing that outranked points; ``code`` and ``n`` as `GapReasons.against` has them."""
    texts = {
        "forbidden": ngettext(
            "%(n)s pair of such neighbours is not to meet",
            "%(n)s pairs of such neighbours are not to meet",
            n,
        ),
        "team": ngettext(
            "%(n)s pair of such neighbours is of one team",
            "%(n)s pairs of such neighbours are of one team",
            n,
        ),
        "met": ngettext(
            "%(n)s pair of such neighbours has met already",
            "%(n)s pairs of such neighbours have met already",
            n,
        ),
        "odd_table": ngettext(
            "%(n)s player would again sit at a table not of four",
            "%(n)s players would again sit at a table not of four",
            n,
        ),
        "club": ngettext(
            "%(n)s pair of such neighbours is of one club",
            "%(n)s pairs of such neighbours are of one club",
            n,
        ),
        "seeds": ngettext(
            "%(n)s pair of such neighbours is seeded", "%(n)s pairs of such neighbours are seeded", n
        ),
        "ahead": ngettext(
            "%(n)s round to come is to be playable without anybody meeting again",
            "%(n)s rounds to come are to be playable without anybody meeting again",
            n,
        ),
        "seats": _("seats are to come round"),
    }
    return texts[code] % {"n": n}


def _match(match: Match, entries: Mapping[int, Entry], two_sided: bool, by_points: bool) -> MatchView:
    # Points say why these meet only where the draw looks at points.
    points = next(
        (one["params"] for one in match.reasons.get("remarks", []) if one["code"] == "points"), None
    )
    remarks = tuple(
        Remark(_sentence(one, entries)) for one in match.reasons.get("remarks", []) if one["code"] in REMARKS
    )
    tables = []
    for table in sorted(match.tables.all(), key=lambda table: table.number):
        seats = sorted((seat for seat in table.seats.all() if seat.segment == 1), key=lambda seat: seat.order)
        for seat in seats:
            seat.entry = entries[seat.entry_id]
        tables.append(TableView(table, tuple(seats)))
    sides = sorted(match.sides.all(), key=lambda side: side.position) if two_sided else []
    return MatchView(
        match,
        tuple(entries[side.entry_id] for side in sides),
        tuple(tables),
        remarks,
        _points(points) if points and by_points else "",
        _place(match),
    )


def _place(match: Match) -> str:
    """Where in the bracket a match is, e.g. “Losers' round 2 · game 3 of 3”."""
    params = next(
        (one["params"] for one in match.reasons.get("remarks", []) if one["code"] == "bracket"), None
    )
    if params is None:
        return ""
    place = section_title(params["section"], params["level"], params["levels"])
    if params["best_of"] == 1:
        return place
    return f"{place} · " + _("game %(game)s of at most %(most)s") % {
        "game": params["game"],
        "most": params["best_of"],
    }


def _points(params: Mapping[str, Any]) -> str:
    high, low = (show_points(Fraction(params[name])) for name in ("high", "low"))
    if high == low:
        return _("all with %(high)s points") % {"high": high}
    return _("%(low)s to %(high)s points") % {"low": low, "high": high}


def _sentence(one: Mapping[str, Any], entries: Mapping[int, Entry]) -> str:
    names = _(", ").join(
        f"{entries[pk].number} {entries[pk].name}" for pk in one["entrants"] if pk in entries
    )
    template = REMARKS.get(one["code"])
    if template is None:
        return one["code"]
    return str(template) % {"names": names, **one["params"]}


def _figures(draw: Draw, two_sided: bool) -> tuple[tuple[str, str, bool], ...]:
    """The quality report: what is counted, the figure, and whether it is as good as can be.

    Only what this draw was to mind: clubs while they are kept apart, points where the format looks at them.
    """
    quality = draw.quality
    wanted: list[tuple[str, str, int | None]] = [(_("Meetings of two who met before"), "repeats", 0)]
    apart = draw.inputs["constraints"]["clubs_apart_rounds"]
    if FORMATS[draw.method].clubs_apart and draw.round.number <= apart:
        wanted.append((_("Pairs of one club together"), "club_clashes", 0))
    if draw.inputs["constraints"]["forbidden"]:
        wanted.append((_("Forbidden meetings"), "forbidden_meetings", 0))
    wanted.append((_("Spread of sides") if two_sided else _("Spread of seats"), "seat_spread", 1))
    wanted.append((_("Sitting out"), "byes", None))
    if not two_sided:
        wanted.append((_("Tables not of four"), "short_tables", None))
    figures = [
        (label, str(quality[name]), best is None or quality[name] <= best)
        for label, name, best in wanted
        if name in quality
    ]
    if FORMATS[draw.method].by_points:
        gap = Fraction(quality.get("max_points_gap", 0))
        figures.append((_("Largest points gap"), show_points(gap), True))
    return tuple(figures)
