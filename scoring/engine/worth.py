"""What showing a card was worth: the score as it is, less the score had the card not been shown.

Had the card stayed hidden the play would have been another; this is arithmetic on the deal as it was played.
"""

from dataclasses import replace

from scoring.engine.api import score_deal
from scoring.engine.deal import DealRecord, Exposure
from scoring.engine.result import Points
from scoring.engine.ruleset import Ruleset

#: Rules under which showing a card is somebody's choice; by the others it is prescribed or impossible.
_CHOSEN = ("optional", "forced_fourth")


def exposure_worth(record: DealRecord, rules: Ruleset) -> tuple[tuple[Exposure, Points], ...]:
    """Each exposure 明 of a deal, and how many points it brought the seat that showed the card.

    Above 0 it paid, below 0 it cost. Counted is what the seat is credited: in a partnership its side's score.
    Empty where the ruleset leaves nobody a choice. Raises InvalidDeal for a record that is not valid.

    >>> rules = Ruleset()
    >>> deal = DealRecord.from_json({
    ...     "captures": {
    ...         "N": ["SQ", "H6"], "W": ["DJ"], "S": ["C10"],
    ...         "E": ["HA", "HK", "HQ", "HJ", "H10", "H9", "H8", "H7", "H5", "H4", "H3", "H2"]},
    ...     "exposed": [{"card": "DJ", "seat": "W", "kind": "exposed"},
    ...                 {"card": "SQ", "seat": "N", "kind": "exposed"}],
    ...     "held": {"DJ": "W", "SQ": "N"}})
    >>> [(one.card, points) for one, points in exposure_worth(deal, rules)]
    [('SQ', -100), ('DJ', 100)]
    """
    if rules.exposure not in _CHOSEN or not record.exposed:
        return ()
    # Without one of four the fourth is no longer forced: whether it would have been legal is not asked.
    free = rules if rules.exposure == "optional" else replace(rules, exposure="optional")
    now = score_deal(record, free).credited
    found = []
    for one in record.canonical().exposed:
        hidden = replace(record, exposed=tuple(other for other in record.exposed if other != one))
        found.append((one, now[one.seat] - score_deal(hidden, free).credited[one.seat]))
    return tuple(found)
