"""What is wrong with a penalty that is to be given, before it is on record."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from django.utils.translation import gettext_lazy as _

from referee.models import Penalty
from tournament.models import Entry
from tournament.points import UNITS, show_points, to_units
from tournament.queries.penalty_units import most_of_a_round
from tournament.queries.plans import Terms, round_terms
from tournament.services.errors import Problem
from tournament.services.validation import REASON_LENGTH

#: Longest name of a rule, as its column.
RULE_LENGTH = 120
#: Further from 0 than any disciplinary code goes; a typing mistake beyond it is refused.
MOST_POINTS = 100_000


def penalty_faults(penalty: Penalty, partners: Sequence[Entry] = (), *, sure: bool) -> list[Problem]:
    """Every fault of a penalty not stored yet: no rule, no reason, points out of range, facts that do not
    belong together. ``partners`` are the side's other entries; ``sure`` says that more points than a whole
    round is worth are meant.
    """
    return [
        *_wording(penalty.rule, penalty.points, penalty.reason),
        *_out_of_scale(round_terms(penalty.round), penalty.points, sure),
        *_strangers(penalty),
        *_misfits(penalty, partners),
    ]


def storable(points: int | Fraction) -> bool:
    """Whether the points are a whole number of the units that points are stored in."""
    try:
        to_units(points)
    except ValueError:
        return False
    return True


def _wording(rule: str, points: int | Fraction, reason: str) -> list[Problem]:
    """What is missing, too long or out of range of what was typed."""
    faults = []
    if not rule:
        faults.append(Problem("rule_missing", _("Please name the rule that was broken."), {}, "rule"))
    elif len(rule) > RULE_LENGTH:
        faults.append(
            Problem(
                "rule_too_long",
                _("The rule is longer than %(limit)s characters."),
                {"limit": RULE_LENGTH},
                "rule",
            )
        )
    if abs(points) > MOST_POINTS:
        faults.append(
            Problem(
                "points_range",
                _("The points must lie between −%(most)s and %(most)s."),
                {"most": MOST_POINTS},
                "points",
            )
        )
    elif not storable(points):
        faults.append(
            Problem(
                "points_fraction",
                _("The points must be a whole number of 1/%(units)s points."),
                {"units": UNITS},
                "points",
            )
        )
    if not reason:
        faults.append(Problem("reason_missing", _("Please state the reason."), {}, "reason"))
    elif len(reason) > REASON_LENGTH:
        faults.append(
            Problem(
                "reason_too_long",
                _("The reason is longer than %(limit)s characters."),
                {"limit": REASON_LENGTH},
                "reason",
            )
        )
    return faults


def _out_of_scale(terms: Terms, points: int | Fraction, sure: bool) -> Iterator[Problem]:
    """Points of a deal given where victory points or games count: mistaken far more often than meant."""
    most = most_of_a_round(terms)
    if most is not None and abs(points) > most and not sure:
        yield Problem(
            "out_of_scale",
            _(
                "This round counts %(measure)s, of which a round is worth %(most)s at most: confirm that "
                "%(points)s is meant."
            ),
            {"measure": terms.measure_name, "most": most, "points": show_points(points)},
            "points",
        )


def _strangers(penalty: Penalty) -> list[Problem]:
    """What of the given facts belongs to another event, round, entry or table."""
    event, round_, entry = penalty.event, penalty.round, penalty.entry
    player, table, deal = penalty.player, penalty.table, penalty.deal
    checks = (
        (round_.event_id == event.pk, "round", _("This round is of another event.")),
        (entry.event_id == event.pk, "entry", _("This entry is of another event.")),
        (player is None or player.entry_id == entry.pk, "player", _("This player is of another entry.")),
        (
            table is None or table.draw.round_id == round_.pk,
            "table",
            _("This table is of another round."),
        ),
        (
            deal is None or (table is not None and deal.table_id == table.pk),
            "deal",
            _("This deal is of another table."),
        ),
    )
    return [Problem(f"wrong_{field}", message, {}, field) for good, field, message in checks if not good]


def _misfits(penalty: Penalty, partners: Sequence[Entry]) -> Iterator[Problem]:
    """What of whom it is against, and under which article, does not belong to the event."""
    event, target, article = penalty.event, penalty.target, penalty.article
    if target not in Penalty.Target:
        yield Problem("unknown_target", _("A penalty is against a player, a side or an entry."), {}, "target")
    elif partners and (target != Penalty.Target.SIDE or penalty.table is None):
        yield Problem("not_a_side", _("Only a side at a table has several entries."), {}, "target")
    if any(one.event_id != event.pk for one in partners):
        yield Problem("wrong_entry", _("This entry is of another event."), {}, "entry")
    if article is not None and (
        article.tournament_id != event.tournament_id or article.event_id not in (None, event.pk)
    ):
        yield Problem("wrong_article", _("This article is of another catalogue."), {}, "rule")
