"""How a field's value is written in an archive, and read back with every fault named."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.points import PointsField, to_units
from tournament.queries.payloads import points_json, points_of


class ValueFault(ValueError):  # noqa: N818 - a fault of a file, told to whoever sent it
    """A value that the field does not take."""


def written(field: models.Field, value: Any) -> Any:
    """A value of a column as JSON: times in UTC with microseconds, points whole or as "-880/3"."""
    if value is None:
        return None
    if isinstance(field, PointsField):
        return points_json(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    return value


def read(field: models.Field, value: Any) -> Any:
    """The value that JSON gives for a column. Raises ValueFault."""
    if value is None:
        if field.null:
            return None
        raise ValueFault(_("is missing"))
    if isinstance(field, models.JSONField):
        usual = field.get_default()
        if isinstance(usual, dict | list) and not isinstance(value, type(usual)):
            raise ValueFault(_("is not as this field is written"))
        return value
    if isinstance(value, list | dict):
        raise ValueFault(_("is no single value"))
    try:
        found = _READERS.get(type(field), _default)(field, value)
        _check_choice(field, found)
        field.run_validators(found)
    except ValidationError as fault:
        raise ValueFault(" ".join(fault.messages)) from fault
    return found


def _points(field: models.Field, value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueFault(_("is no number of points"))
    try:
        found = points_of(value)
        to_units(found or 0)
    except (ValueError, ZeroDivisionError) as fault:
        raise ValueFault(_("is no number of points")) from fault
    return found


def _time(field: models.Field, value: Any) -> Any:
    found = field.to_python(value) if isinstance(value, str) else None
    if not isinstance(found, datetime) or found.tzinfo is None:
        raise ValueFault(_("is no time with its zone"))
    return found


def _text(field: models.Field, value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueFault(_("is no text"))
    return value


def _default(field: models.Field, value: Any) -> Any:
    wants_bool = isinstance(field, models.BooleanField)
    if wants_bool != isinstance(value, bool):
        raise ValueFault(_("is neither true nor false") if wants_bool else _("is no value of this kind"))
    if isinstance(field, models.IntegerField) and not isinstance(value, int):
        raise ValueFault(_("is no whole number"))
    return field.to_python(value)


def _check_choice(field: models.Field, value: Any) -> None:
    if field.choices and value not in {choice for choice, _label in field.flatchoices}:
        if value == "" and field.blank:
            return
        raise ValueFault(_("is none of the values that there are"))


_READERS: dict[type, Callable[[models.Field, Any], Any]] = {
    PointsField: _points,
    models.DateTimeField: _time,
    models.CharField: _text,
    models.SlugField: _text,
    models.TextField: _text,
}
