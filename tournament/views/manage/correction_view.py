"""What the pages of corrections show: the change in words, and all that it moves with the entries' names."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.models import Correction
from referee.queries import current_version
from referee.services.change_names import deal_on_record, penalty_of
from referee.services.corrections import waits_for
from referee.services.records import score_record
from tournament.models import Entry, Event, Round
from tournament.points import show_points
from tournament.queries.criteria import CRITERIA
from tournament.queries.foresight import Json, moves_anything
from tournament.ranking.tie_breaks import Criterion
from tournament.views.manage.common import event_url

Kind = Correction.Kind


@dataclass(frozen=True)
class Unfinished:
    """A correction that counts for the desk, while what is public stays as it was; ``ready`` where only an
    organiser's word is waited for.
    """

    correction: Correction
    text: str
    ready: bool

    def step(self) -> dict[str, str]:
        """Finishing it in the words of a step: `StepView`."""
        number = {"number": self.correction.number}
        return {
            "title": _("Correction %(number)s") % number,
            "text": _(
                "Nothing is waited for any more. An organiser finishes it: the round is closed again, draws "
                "are made anew where that was chosen, and what was published is published anew."
            ),
            "button": _("Finish and publish"),
            "url": event_url("correction_finish", self.correction.event, correction=self.correction.number),
        }


def unfinished_corrections(event: Event, round: Round | None = None) -> list[Unfinished]:
    """Those of the event, or of one of its rounds, the oldest first."""
    found = event.corrections.filter(state=Correction.State.APPLIED, published_at=None).order_by("number")
    if round is not None:
        found = found.filter(round=round)
    found = found.select_related("event", "round")
    return [Unfinished(one, change_text(one), not waits_for(one)) for one in found]


def change_text(correction: Correction) -> str:
    """Where the change is made, in one line."""
    change, round = correction.change, correction.round.number
    if correction.kind == Kind.UNDO:
        return _("Correction %(number)s is taken back") % {"number": change["correction"]}
    what = str(correction.get_kind_display())
    if correction.kind in (Kind.DEAL, Kind.VOID):
        where = _("round %(round)s, table %(table)s, deal %(deal)s") % {"round": round, **change}
    elif correction.kind in (Kind.SEATS, Kind.SUBSTITUTE, Kind.STOP, Kind.RESUME):
        where = _("round %(round)s, table %(table)s") % {"round": round, "table": change["table"]}
    elif correction.kind == Kind.TABLES:
        tables = (change["first"][0], change["second"][0])
        where = _("round %(round)s, tables %(first)s and %(second)s") % {
            "round": round,
            "first": tables[0],
            "second": tables[1],
        }
    elif correction.kind in (Kind.WALKOVER, Kind.WALKOVER_UNDO, Kind.WINNER_UNDO):
        where = _("round %(round)s, match %(match)s") % {"round": round, "match": change["match"]}
    elif correction.kind == Kind.WINNER:
        where = _("round %(round)s, match %(match)s: number %(winner)s") % {"round": round, **change}
    elif correction.kind == Kind.PENALTY_CANCEL:
        penalty = penalty_of(correction.round, change)
        where = _("round %(round)s, number %(entry)s: %(rule)s") % {
            "round": round,
            "entry": penalty.entry.number,
            "rule": penalty.rule,
        }
    elif correction.kind == Kind.PENALTY:
        where = _("round %(round)s, number %(entry)s: %(rule)s, %(points)s") % {
            "round": round,
            "entry": change["entry"],
            "rule": change["rule"],
            "points": show_points(Fraction(change["points"])),
        }
    else:
        where = _("number %(entry)s") % {"entry": change["entry"]}
    return _("%(what)s: %(where)s") % {"what": what, "where": where}


def deal_figures(correction: Correction) -> list[dict[str, Any]]:
    """For a deal to be corrected: by seat what it counts now and what it would count. Else nothing."""
    if correction.kind != Kind.DEAL or correction.state != Correction.State.PROPOSED:
        return []
    deal = deal_on_record(correction.round, correction.change)
    current = deal and current_version(deal)
    if deal is None or current is None or current.answer is None:
        return []
    seats = list(deal.table.seats.filter(segment=deal.segment).select_related("player").order_by("order"))
    event = correction.event
    scored = score_record(
        seats=tuple(seat.direction for seat in seats),
        mode=event.scoring_mode,
        ruleset=event.ruleset_version.ruleset(),
        record=correction.change["record"],
    )
    return [
        {
            "seat": seat,
            "before": current.answer["credited"][seat.direction],
            "after": scored.answer["credited"][seat.direction],
        }
        for seat in seats
    ]


def moves_view(correction: Correction, moves: Json) -> dict[str, Any]:
    """The moves with names instead of numbers alone, and a summary."""
    names = dict(correction.event.entries.values_list("number", "name"))
    return {
        "anything": moves_anything(moves),
        "summary": _summary(moves),
        "standings": [
            {
                **one,
                "rows": [{**row, "name": names.get(row["entry"], "")} for row in one["rows"]],
                "reasons": [_reason(row, names) for row in one["reasons"]],
            }
            for one in moves.get("standings", ())
        ],
        "draws": [
            {
                **one,
                "broken": [_match(match, names) for match in one["broken"]],
                "instead": [_match(match, names) for match in one["instead"]],
                "rests": _rests(one["byes"], names),
            }
            for one in moves.get("draws", ())
        ],
        "advancing": [
            {**one, "out": _match(one["out"], names), "in": _match(one["in"], names)}
            for one in moves.get("advancing", ())
        ],
    }


def _summary(moves: Json) -> list[str]:
    moved = {row["entry"] for one in moves["standings"] for row in one["rows"]}
    ranks = {
        row["entry"] for one in moves["standings"] for row in one["rows"] if row["rank"][0] != row["rank"][1]
    }
    draws = moves["draws"]
    found = [
        ngettext(
            "The total of %(count)s entry changes.", "The totals of %(count)s entries change.", len(moved)
        )
        % {"count": len(moved)},
    ]
    if ranks:
        told = ngettext(
            "%(count)s entry changes its rank.", "%(count)s entries change their rank.", len(ranks)
        )
        found.append(told % {"count": len(ranks)})
    if draws:
        found.append(
            ngettext(
                "%(count)s draw already made would be another one.",
                "%(count)s draws already made would be others.",
                len(draws),
            )
            % {"count": len(draws)}
        )
    if moves["advancing"]:
        found.append(_("Others would advance to a later stage, or in another order."))
    return found


def _rests(byes: list[list[int]], names: Mapping[int, str]) -> list[Any] | None:
    """Who sits out now, and who would; None where these are the same."""
    return None if byes[0] == byes[1] else [_match(one, names) for one in byes]


def _match(numbers: list[int], names: Mapping[int, str]) -> list[dict[str, Any]]:
    return [{"number": number, "name": names.get(number, "")} for number in numbers]


def _reason(row: Json, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "name": names.get(row["entry"], ""),
        "over": names.get(row["over"], ""),
        "before": _by(row["by"][0]),
        "after": _by(row["by"][1]),
    }


def _by(code: str) -> str:
    if not code:
        return _("equal")
    return _("came further") if code == "reached" else str(CRITERIA[Criterion(code)])


def entry_title(entry: Entry) -> str:
    """An entry by number and name."""
    return f"{entry.number} · {entry.name}"
