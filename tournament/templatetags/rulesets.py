"""Rulesets in words, for templates."""

from typing import Any

from django import template

from scoring import labels
from scoring.engine import RuleField
from scoring.engine.cards import HEARTS
from scoring.models import RulesetVersion

register = template.Library()


@register.filter
def ruleset_title(version: RulesetVersion) -> str:
    """A version's title in the reader's language."""
    return labels.ruleset_title(version.data)


@register.filter
def rule_name(spec: RuleField) -> str:
    """What a rule is called."""
    return labels.field_name(spec.name)


@register.filter
def rule_help(spec: RuleField) -> Any:
    """What a rule does, or nothing where its name says it."""
    return labels.FIELD_HELPS.get(spec.name, "")


@register.filter
def rule_value(value: Any, spec: RuleField) -> str:
    """A rule's value in words: {{ row.value|rule_value:row.spec }}."""
    return labels.value_text(spec, value)


@register.filter
def heart_values(values: tuple[int, ...]) -> list[tuple[str, int]]:
    """The hearts from the ace down, each with its points."""
    return list(zip(HEARTS, values, strict=True))
