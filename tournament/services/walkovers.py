"""Walkovers 弃权: a match of a published draw is not played, and the draw stands."""

from collections.abc import Collection, Mapping
from fractions import Fraction

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.models import Draw, Entry, Match, Round, Table, Walkover, WalkoverScore
from tournament.points import show_points
from tournament.queries.draw_formats import FORMATS
from tournament.queries.walkovers import entries_in
from tournament.services.audit import Actor, record_audit
from tournament.services.errors import Conflict, Problem, Refused
from tournament.services.locks import lock_round
from tournament.services.permissions import require_director
from tournament.services.publish import touch_public_pages
from tournament.services.results import update_match_results
from tournament.services.validation import required_reason

Points = int | Fraction


def record_walkover(
    *,
    actor: Actor,
    match: Match,
    absent: Collection[Entry],
    scores: Mapping[int, Points],
    met: bool,
    reason: str,
) -> Walkover:
    """The match is not played: ``absent`` did not come, and ``scores`` (by entry id, in the event's measure)
    are what each entry in it has instead of its deals. Takes the place of an earlier walkover.

    Play at its tables is ended; deals on record stay and do not count. ``met``: it counts as a meeting.

    Raises NotAllowed; Conflict unless the round is being played; Refused, with every fault, without a reason,
    if nobody is absent or somebody does not play in it, or if a score is missing or decides nothing where the
    format eliminates.
    """
    event = match.draw.round.event
    require_director(actor, event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        current = _in_play(match)
        entries = entries_in(current)
        faults = _faults(current, entries, absent, scores)
        if faults:
            raise Refused.for_problems(faults)
        before = Walkover.objects.filter(match=current).first()
        was = walkover_state(before) if before else None
        now = timezone.now()
        going = Q(stopped_at=None) if before is None else Q(stopped_at=None) | Q(stopped_at=before.made_at)
        Table.objects.filter(going, match=current).update(stopped_at=now, stop_reason=kept)
        if before:
            before.delete()
        made = Walkover.objects.create(match=current, met=met, reason=kept, made_by=actor.user, made_at=now)
        away = {entry.pk for entry in absent}
        WalkoverScore.objects.bulk_create(
            WalkoverScore(walkover=made, entry=entry, points=scores[entry.pk], absent=entry.pk in away)
            for entry in entries
        )
        _changed(current)
        _record(actor, current, "match.walkover", was=was, is_now=walkover_state(made), reason=kept)
    return made


def undo_walkover(*, actor: Actor, match: Match, reason: str) -> None:
    """The match is played after all: its deals count, and tables whose play it ended go on.

    Does nothing where there is no walkover. Raises NotAllowed; Conflict unless the round is being played;
    Refused without a reason.
    """
    require_director(actor, match.draw.round.event.tournament)
    kept = required_reason(reason)
    with transaction.atomic():
        current = _in_play(match)
        walkover = Walkover.objects.filter(match=current).first()
        if walkover is None:
            return
        was = walkover_state(walkover)
        Table.objects.filter(match=current, stopped_at=walkover.made_at).update(
            stopped_at=None, stop_reason=""
        )
        walkover.delete()
        _changed(current)
        _record(actor, current, "match.walkover_undo", was=was, is_now=None, reason=kept)


def walkover_state(walkover: Walkover) -> dict[str, object]:
    """The walkover for the audit trail, entries by number."""
    scores = list(walkover.scores.select_related("entry").order_by("entry__number"))
    return {
        "absent": [one.entry.number for one in scores if one.absent],
        "scores": {str(one.entry.number): show_points(one.points) for one in scores},
        "met": walkover.met,
    }


def _in_play(match: Match) -> Match:
    """The match, its round locked."""
    lock_round(match.draw.round)
    current = Match.objects.select_related("draw__round__event__tournament", "draw__round__stage").get(
        pk=match.pk
    )
    round = current.draw.round
    if current.draw.state != Draw.State.PUBLISHED or round.state != Round.State.PLAYING:
        raise Conflict(
            "round_not_playing",
            _("Round %(round)s is not being played: a closed round must be reopened first."),
            {"round": round.number},
        )
    return current


def _faults(
    match: Match, entries: Collection[Entry], absent: Collection[Entry], scores: Mapping[int, Points]
) -> list[Problem]:
    faults = []
    known = {entry.pk for entry in entries}
    if strangers := [entry.number for entry in absent if entry.pk not in known]:
        faults.append(
            Problem(
                "not_a_side",
                _("Number %(number)s does not play in this match."),
                {"number": ", ".join(map(str, strangers))},
                "absent",
            )
        )
    if not absent:
        faults.append(Problem("nobody_absent", _("State who did not come."), {}, "absent"))
    faults += [
        Problem(
            "walkover_score",
            _("State the score of number %(number)s."),
            {"number": entry.number},
            f"score_{entry.pk}",
        )
        for entry in entries
        if entry.pk not in scores
    ]
    if not faults and FORMATS[match.draw.round.stage.format].eliminates:
        best = max(scores[entry.pk] for entry in entries)
        away = {entry.pk for entry in absent}
        if len(entries) == len(away) or any(scores[pk] == best for pk in away):
            faults.append(
                Problem(
                    "walkover_decides_nothing",
                    _("In this format somebody must go on: whoever came needs the higher score."),
                    {},
                    "absent",
                )
            )
    return faults


def _changed(match: Match) -> None:
    update_match_results(match)
    touch_public_pages(event=match.draw.round.event, round=match.draw.round)


def _record(actor: Actor, match: Match, action: str, *, was: object, is_now: object, reason: str) -> None:
    record_audit(
        actor=actor,
        action=action,
        subject=match,
        event=match.draw.round.event,
        before=was,
        after=is_now,
        reason=reason,
    )
