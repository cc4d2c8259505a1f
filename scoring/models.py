"""Stored rulesets 规则 and their versions.

A version never changes once stored: editing a ruleset appends a version, and an event names the version
it is played under (docs/rules.md §7).
"""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.engine import Ruleset


class RulesetBook(models.Model):
    """A named line of ruleset versions: one shipped with the software, or an organiser's own copy."""

    key = models.SlugField(_("key"), max_length=60, unique=True)
    shipped = models.BooleanField(default=False)
    copied_from = models.ForeignKey("RulesetVersion", models.PROTECT, null=True, blank=True, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-shipped", "key"]

    def __str__(self) -> str:
        return self.key


class RulesetVersion(models.Model):
    """One immutable version of a ruleset: the fields that differ from the base."""

    book = models.ForeignKey(RulesetBook, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField(_("version"))
    data = models.JSONField(help_text="The ruleset's fields, in the form Ruleset.from_dict reads.")
    note = models.CharField(_("what changed"), max_length=300, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["book__key", "-number"]
        constraints = [models.UniqueConstraint(fields=["book", "number"], name="ruleset_version_number_once")]

    def __str__(self) -> str:
        return f"{self.book.key} v{self.number}"

    def ruleset(self) -> Ruleset:
        """The version as the scoring engine takes it; made once from the data as they are."""
        made: tuple[object, Ruleset] | None = self.__dict__.get("_ruleset")
        if made is None or made[0] is not self.data:
            made = self.__dict__["_ruleset"] = self.data, Ruleset.from_dict(self.data)
        return made[1]
