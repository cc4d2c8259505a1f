"""Rulesets: reading them, copying a version, adding one to an own ruleset, and scoring a deal under one."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from referee.services.records import score_record
from scoring.engine import Ruleset
from scoring.engine.cards import FOUR_SEATS
from scoring.engine.deal import MODES
from scoring.models import RulesetBook, RulesetVersion
from tournament.api.fields import Body, ObjectOut, Reason, WholeNumber
from tournament.api.operations import operation
from tournament.api.paging import Listed
from tournament.api.views import SiteView
from tournament.queries.rulesets import RulesetRow, can_edit_ruleset, ruleset_rows
from tournament.services.rulesets import copy_ruleset, edit_ruleset

TAG = "Rulesets"


class VersionBody(Body):
    """``rules`` are those that differ from the base rules, or all of them; ``based_on`` is the number of the
    version that was changed.
    """

    rules = serializers.DictField()
    based_on = WholeNumber(min_value=1)
    note = Reason(help_text="What changed.")


class CopyRulesetBody(Body):
    """Key and title of the new ruleset."""

    key = serializers.SlugField(max_length=60)
    title = serializers.CharField(max_length=200)


class TrialBody(Body):
    """A deal as docs/rules.md §9 writes it; what nobody has taken yet may be left out."""

    mode = serializers.ChoiceField(MODES)
    record = serializers.JSONField()


class RulesetOut(serializers.Serializer):
    """A ruleset; ``titles`` by language, ``newest`` the number of its newest version."""

    key = serializers.CharField(source="book.key")
    titles = ObjectOut(source="newest.data.titles")
    shipped = serializers.BooleanField(source="book.shipped")
    newest = serializers.IntegerField(source="newest.number")
    versions = serializers.SerializerMethodField()
    events = serializers.SerializerMethodField(help_text="How many events are played under it.")

    def get_versions(self, row: RulesetRow) -> int:
        return len(row.versions)

    def get_events(self, row: RulesetRow) -> int:
        return len(row.events)


class VersionOut(serializers.Serializer):
    """A version with all its rules; ``differs`` names those that are not as in the base rules."""

    key = serializers.CharField(source="book.key")
    number = serializers.IntegerField()
    shipped = serializers.BooleanField(source="book.shipped")
    copied_from = serializers.SerializerMethodField(help_text="Key and number, e.g. huapai v1.")
    note = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    rules = serializers.SerializerMethodField()
    differs = serializers.SerializerMethodField()

    def get_copied_from(self, version: RulesetVersion) -> str | None:
        origin = version.book.copied_from
        return None if origin is None else str(origin)

    def get_rules(self, version: RulesetVersion) -> dict[str, Any]:
        return version.ruleset().to_full_dict()

    def get_differs(self, version: RulesetVersion) -> list[str]:
        base = Ruleset().to_full_dict()
        return [name for name, value in version.ruleset().to_full_dict().items() if value != base[name]]


class OwnVersionOut(VersionOut):
    """``mine``: whoever made the token may add a version."""

    mine = serializers.BooleanField()


class TrialOut(serializers.Serializer):
    """Score, credit and formula by seat, as docs/rules.md §9 writes a scored deal."""

    score = ObjectOut()


class RulesetActView(SiteView):
    """What can be done with rulesets."""

    tag = TAG

    def versions(self, key: str) -> QuerySet[RulesetVersion]:
        """The versions of a ruleset, the newest first. Raises Http404."""
        book = get_object_or_404(RulesetBook, key=key)
        return book.versions.select_related("book__copied_from__book").order_by("-number")

    def version(self, key: str, number: int) -> RulesetVersion:
        """A version of a ruleset. Raises Http404."""
        return get_object_or_404(self.versions(key), number=number)


class RulesetsView(RulesetActView):
    @operation(output=RulesetOut, paged=True)
    def get(self, request: Request) -> Listed:
        """All rulesets, those that come with the program first."""
        return Listed(ruleset_rows())


class RulesetView(RulesetActView):
    @operation(output=OwnVersionOut)
    def get(self, request: Request, ruleset: str) -> RulesetVersion:
        """The newest version of a ruleset."""
        newest = get_object_or_404(self.versions(ruleset)[:1])
        newest.mine = can_edit_ruleset(self.actor.person, newest.book)
        return newest


class RulesetVersionsView(RulesetActView):
    @operation(output=VersionOut, paged=True)
    def get(self, request: Request, ruleset: str) -> Listed:
        """All versions of a ruleset, the newest first."""
        return Listed(self.versions(ruleset))

    @operation(input=VersionBody, output=VersionOut, status=201, once=True)
    def post(self, request: Request, ruleset: str, data: dict[str, Any]) -> RulesetVersion:
        """Add a version to a ruleset of one's own. Events keep the version they name."""
        book = get_object_or_404(RulesetBook, key=ruleset)
        made = edit_ruleset(
            actor=self.actor, book=book, data=data["rules"], based_on=data["based_on"], note=data["note"]
        )
        return self.version(ruleset, made.number)


class RulesetVersionView(RulesetActView):
    @operation(output=VersionOut)
    def get(self, request: Request, ruleset: str, version: int) -> RulesetVersion:
        """A version of a ruleset."""
        return self.version(ruleset, version)


class CopyRulesetView(RulesetActView):
    @operation(input=CopyRulesetBody, output=VersionOut, status=201, once=True)
    def post(self, request: Request, ruleset: str, version: int, data: dict[str, Any]) -> RulesetVersion:
        """Make a ruleset of one's own that begins as this version is."""
        made = copy_ruleset(actor=self.actor, version=self.version(ruleset, version), **data)
        return self.version(made.key, 1)


class TryRulesetView(RulesetActView):
    @operation(input=TrialBody, output=TrialOut)
    def post(self, request: Request, ruleset: str, version: int, data: dict[str, Any]) -> Mapping[str, Any]:
        """What a deal scores under a version. Nothing is stored."""
        scored = score_record(
            seats=FOUR_SEATS,
            mode=data["mode"],
            ruleset=self.version(ruleset, version).ruleset(),
            record=data["record"],
            partial=True,
        )
        return {"score": scored.answer}
