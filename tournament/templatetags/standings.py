"""What put an entry ahead, on pages of standings."""

from collections.abc import Mapping
from typing import Any

from django import template

from tournament.models import Stage
from tournament.queries.bracket_names import reached_text, stage_title
from tournament.queries.criteria import CRITERIA
from tournament.ranking.tie_breaks import Criterion

register = template.Library()
register.filter("reached_text", reached_text)


@register.filter
def reached_beyond(own: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """How far one came, beside another: within a stage what it did there, else the stage itself."""
    if own["stage"] != other["stage"]:
        return stage_title(own["name"], own["stage"])
    return reached_text(own)


@register.filter
def stage_name(stage: Stage) -> str:
    """A stage by its name, or by its number."""
    return stage_title(stage.name, stage.number)


@register.filter
def criterion_name(criterion: str) -> Any:
    """A criterion as people call it."""
    return CRITERIA[Criterion(criterion)]


@register.filter
def plain_lot(value: Any, criterion: str) -> Any:
    """A value as people know it: the lowest lot is ahead, so the rankings count lots below zero."""
    return -int(value) if criterion == Criterion.LOT and value is not None else value
