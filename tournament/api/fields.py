"""Fields of bodies and answers that several operations share."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from referee.serializers import MomentInput, PointsInput
from tournament.services.validation import REASON_LENGTH

_POINTS = {"oneOf": [{"type": "integer"}, {"type": "string", "pattern": r"^[+-]?\d{1,12}(/\d{1,12})?$"}]}
#: Further from 0 than any number asked for lies; every store can hold it.
LARGEST = 1_000_000


@extend_schema_field(_POINTS)
class PointsIn(PointsInput):
    """Points of a body."""


@extend_schema_field(_POINTS)
class PointsOut(serializers.Field):
    """Points of an answer: a whole number, else text such as "-880/3". Published ones are so already."""

    def to_representation(self, value: Any) -> int | str:
        if isinstance(value, Fraction):
            return value.numerator if value.denominator == 1 else str(value)
        return value


@extend_schema_field({"type": "object", "additionalProperties": True})
class ObjectOut(serializers.Field):
    """Whatever a query gives, as it is."""

    def to_representation(self, value: Any) -> Any:
        return value


class Body(serializers.Serializer):
    """A body: a field that is not known is a fault, not a guess."""

    default_error_messages = {"unknown": _("There is no such field.")}

    def to_internal_value(self, data: Any) -> Any:
        unknown = set(data) - set(self.fields) if isinstance(data, Mapping) else set()
        faults: dict[str, Any] = {}
        try:
            value = super().to_internal_value(data)
        except serializers.ValidationError as fault:
            faults = dict(fault.detail)
        for name in sorted(map(str, unknown)):
            faults[name[:60]] = [serializers.ErrorDetail(self.error_messages["unknown"], "unknown")]
        if faults:
            raise serializers.ValidationError(faults)
        return value


class Nothing(Body):
    """A body without fields."""


class WholeNumber(serializers.IntegerField):
    """A number that every store can hold."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": LARGEST, **kwargs})


class Moment(MomentInput):
    """A time of a body."""


class Reason(serializers.CharField):
    """Why something is done. Whether it may be empty is the service's to say."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": REASON_LENGTH, "allow_blank": True, "default": "", **kwargs})


class ReasonBody(Body):
    reason = Reason()
