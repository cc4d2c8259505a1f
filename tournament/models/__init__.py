"""The competition's stored facts: people, events, structure, publications, audit trail."""

from tournament.models.audit import AuditChain, AuditRow
from tournament.models.clock import LateDeal, RoundClock
from tournament.models.event import Entry, Event, Player, Tournament
from tournament.models.lineup import Substitution
from tournament.models.notices import Announcement, ScheduleItem
from tournament.models.people import Membership, Role, TableGrant
from tournament.models.publication import Publication, PublicPart, PublishedPage
from tournament.models.result import EntryResult
from tournament.models.stages import Absence, ApartGroup, MatchDecision, StageEntry
from tournament.models.structure import Bye, Draw, Match, MatchSide, Round, Seat, Stage, Table
from tournament.models.tokens import ApiAnswer, ApiToken
from tournament.models.walkover import Walkover, WalkoverScore
from tournament.models.workbooks import WorkbookOrder

__all__ = [
    "Absence",
    "Announcement",
    "ApartGroup",
    "ApiAnswer",
    "ApiToken",
    "AuditChain",
    "AuditRow",
    "Bye",
    "Draw",
    "Entry",
    "EntryResult",
    "Event",
    "LateDeal",
    "Match",
    "MatchDecision",
    "MatchSide",
    "Membership",
    "Player",
    "PublicPart",
    "Publication",
    "PublishedPage",
    "Role",
    "Round",
    "RoundClock",
    "ScheduleItem",
    "Seat",
    "Stage",
    "StageEntry",
    "Substitution",
    "Table",
    "TableGrant",
    "Tournament",
    "Walkover",
    "WalkoverScore",
    "WorkbookOrder",
]
