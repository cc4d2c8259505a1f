"""The calls that score: one deal, or many."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scoring.engine.check import tally_deal
from scoring.engine.deal import DealRecord
from scoring.engine.quick import quick_tally
from scoring.engine.result import DealScore
from scoring.engine.ruleset import Ruleset
from scoring.engine.score import seat_scores

if TYPE_CHECKING:
    from scoring.engine.batch import ManyScores

_new = object.__new__


def score_deal(record: DealRecord | Mapping[str, Any], ruleset: Ruleset | Mapping[str, Any]) -> DealScore:
    """Score one deal.

    `record` is a `DealRecord` or a mapping in the JSON form of docs/rules.md §9; `ruleset` a `Ruleset`, or a
    mapping that states what differs from the base rules. Scores are in points.

    Raises InvalidDeal, whose `faults` name every card and seat that is wrong, and RulesetError where the
    mapping is no ruleset.

    >>> from scoring.engine import Ruleset, score_deal
    >>> huapai = Ruleset.from_dict({"self_capture": "card"})
    >>> deal = {
    ...     "captures": {
    ...         "N": ["SQ", "H6", "H8", "H10", "HJ", "C10"],
    ...         "W": ["DJ"],
    ...         "S": ["HA", "HK", "HQ", "H9", "H7", "H5", "H4", "H3", "H2"],
    ...         "E": [],
    ...     },
    ...     "exposed": [{"card": "HA", "seat": "E", "kind": "exposed"}],
    ...     "held": {"SQ": "W", "DJ": "W", "C10": "S", "HA": "E"},
    ... }
    >>> answer = score_deal(deal, huapai)
    >>> answer.scores
    {'N': -400, 'W': 200, 'S': -300, 'E': 0}
    >>> answer.formula["N"]
    '(-100 + (-20×3) + (-40)) × 2 = -400'
    """
    rules = ruleset if isinstance(ruleset, Ruleset) else Ruleset.from_dict(ruleset)
    tally = quick_tally(record, rules)
    if tally is None:
        tally = tally_deal(record, rules)
    points = seat_scores(rules, tally)
    if len(points) == 4:
        north, west, south, east = points
        scores = {"N": north, "W": west, "S": south, "E": east}
    else:
        scores = dict(zip(tally.seats, points, strict=True))
    # A frozen dataclass sets each field through a slow door; this is the same object, made in half the time.
    answer = _new(DealScore)
    fields = answer.__dict__
    fields["scores"], fields["tally"], fields["ruleset"] = scores, tally, rules
    return answer


def score_many(
    records: Sequence[DealRecord | Mapping[str, Any]], ruleset: Ruleset | Mapping[str, Any]
) -> "ManyScores":
    """Score many deals under one ruleset; see `scoring.engine.batch.score_many`."""
    # numpy takes longer to import than a deal's answer may take to come.
    from scoring.engine import batch

    return batch.score_many(records, ruleset)
