"""What an archive holds: a section for each kind of row, in an order in which they can be stored again."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.db import models

from referee import models as at_table
from scoring.models import RulesetBook, RulesetVersion
from tournament import models as competition

#: Sections that are no rows of the tournament: accounts by their names, and versions of rulesets.
PEOPLE, RULESETS = "people", "rulesets"


@dataclass(frozen=True)
class Section:
    """The rows of one model that belong to a tournament.

    ``path`` leads from the model to its tournament. ``left_out`` names the fields that are not archived; each
    with what makes the value of an imported row, None for the field's default.
    """

    name: str
    model: type[models.Model]
    path: str
    left_out: Mapping[str, Callable[[], Any] | None] = field(default_factory=lambda: MappingProxyType({}))

    @cached_property
    def fields(self) -> tuple[models.Field, ...]:
        """The archived columns, in the order of the model."""
        return tuple(
            one
            for one in self.model._meta.concrete_fields
            if not one.primary_key and one.name not in self.left_out
        )

    @cached_property
    def lists(self) -> tuple[models.ManyToManyField, ...]:
        """The archived lists of other rows."""
        return tuple(one for one in self.model._meta.local_many_to_many if one.name not in self.left_out)


def section_of(model: type[models.Model]) -> str:
    """The name of the section whose rows a foreign key to this model names. Raises KeyError for none."""
    if model._meta.label == settings.AUTH_USER_MODEL:
        return PEOPLE
    if model is RulesetVersion:
        return RULESETS
    return next(one.name for one in SECTIONS if one.model is model)


def _card_code() -> str:
    """A code for a card that nobody has printed yet: those of the site it came from let nobody in here."""
    return "".join(secrets.choice("23456789ABCDEFGHJKLMNPQRSTUVWXYZ") for _place in range(12))


_EVENT = "event__tournament"
_ROUND = f"round__{_EVENT}"
_DRAW = f"draw__{_ROUND}"
_TABLE = f"table__{_DRAW}"
_VERSION = f"version__deal__{_TABLE}"

SECTIONS: tuple[Section, ...] = (
    Section("tournament", competition.Tournament, "pk"),
    Section("events", competition.Event, "tournament", {"public_version": None}),
    Section("stages", competition.Stage, _EVENT),
    Section("rounds", competition.Round, _EVENT),
    Section("entries", competition.Entry, _EVENT),
    Section("stage_entries", competition.StageEntry, f"stage__{_EVENT}"),
    Section("apart_groups", competition.ApartGroup, _EVENT),
    Section("absences", competition.Absence, _ROUND),
    Section("draws", competition.Draw, _ROUND),
    Section("round_clocks", competition.RoundClock, _DRAW),
    Section("matches", competition.Match, _DRAW),
    Section("match_sides", competition.MatchSide, f"match__{_DRAW}"),
    Section("match_decisions", competition.MatchDecision, f"match__{_DRAW}"),
    Section("walkovers", competition.Walkover, f"match__{_DRAW}"),
    Section("walkover_scores", competition.WalkoverScore, f"walkover__match__{_DRAW}"),
    Section("players", competition.Player, f"entry__{_EVENT}"),
    Section("tables", competition.Table, _DRAW),
    Section("late_deals", competition.LateDeal, _TABLE),
    Section("seats", competition.Seat, _TABLE),
    Section("byes", competition.Bye, _DRAW),
    Section("substitutions", competition.Substitution, _TABLE),
    Section("table_cards", at_table.TableCard, _EVENT, {"code": _card_code}),
    Section("devices", at_table.Device, _EVENT, {"digest": lambda: secrets.token_hex(32)}),
    Section("deals", at_table.Deal, _TABLE),
    Section("deal_versions", at_table.DealVersion, f"deal__{_TABLE}"),
    Section("deal_checks", at_table.DealCheck, _VERSION),
    Section("signoffs", at_table.SeatSignoff, _VERSION),
    Section("second_entries", at_table.SecondEntry, _VERSION),
    Section("disputes", at_table.Dispute, _VERSION),
    Section("rulings", at_table.TableRuling, _TABLE),
    Section("calls", at_table.TableCall, _TABLE),
    Section("reseatings", at_table.Reseating, _TABLE),
    Section("reseated_deals", at_table.ReseatedDeal, f"reseating__{_TABLE}"),
    Section("penalty_rules", at_table.PenaltyRule, "tournament"),
    Section("penalties", at_table.Penalty, _EVENT),
    Section("entry_rulings", at_table.EntryRuling, f"entry__{_EVENT}"),
    Section("corrections", at_table.Correction, _EVENT),
    Section("appeals", at_table.Appeal, _EVENT),
    Section("appeal_steps", at_table.AppealStep, f"appeal__{_EVENT}"),
    Section("results", competition.EntryResult, _ROUND),
    Section("publications", competition.Publication, _EVENT),
    Section("announcements", competition.Announcement, "tournament"),
    Section("schedule", competition.ScheduleItem, "tournament"),
    Section("audit", competition.AuditRow, "tournament", {"proof": None}),
    Section("audit_chain", competition.AuditChain, "tournament"),
)

#: Models of the program that no section holds, each with the reason.
LEFT_OUT: Mapping[type[models.Model], str] = {
    competition.Membership: "a right on the site; an archive gives nobody rights",
    competition.TableGrant: "a right on the site; an archive gives nobody rights",
    competition.ApiToken: "a right on the site; an archive gives nobody rights",
    competition.ApiAnswer: "keeps a repeated request from taking effect twice; holds no fact of its own",
    competition.PublicPart: "says which stored pages hold; made anew with the pages",
    competition.PublishedPage: "bytes of pages, rendered from the publications when asked for",
    competition.WorkbookOrder: "a workbook made from the records; made anew when asked for",
    at_table.ReceivedCommand: "keeps a repeated request from taking effect twice; holds no fact of its own",
    at_table.EntryCode: "a secret that speaks for an entry on the site; another site makes its own",
    at_table.JoinAttempt: "counts wrong codes on the site",
    RulesetBook: "in the section of rulesets, with its versions",
    RulesetVersion: "in the section of rulesets",
}
