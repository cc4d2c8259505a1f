"""The rules of Gongzhu, as pure functions on frozen values.

No Django, clock, files, settings or hidden chance. One deal: cards · faults · ruleset · deal · tally ·
check and quick · score · formula · result · api · batch · worth, each importing only from those before it.
Many deals: game and rounds. The table: procedure, tricks and playout.
"""

from scoring.engine.api import score_deal, score_many
from scoring.engine.check import check_deal
from scoring.engine.deal import DealRecord, Exposure
from scoring.engine.faults import FAULT_MESSAGES, Fault, InvalidDeal, RulesetError
from scoring.engine.result import DealScore, SeatFlags, SideScore
from scoring.engine.ruleset import RuleField, Ruleset

__all__ = [
    "FAULT_MESSAGES",
    "DealRecord",
    "DealScore",
    "Exposure",
    "Fault",
    "InvalidDeal",
    "RuleField",
    "Ruleset",
    "RulesetError",
    "SeatFlags",
    "SideScore",
    "check_deal",
    "score_deal",
    "score_many",
]
