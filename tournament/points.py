"""Points 分 as exact numbers: whole points, or the fractions that zero-sum rulesets with exact rounding give.

A table of n seats divides by n−1, a partnership by 2; kept in sixtieths of a point every table of up to
seven seats adds up exactly (docs/rules.md §4).
"""

import re
from fractions import Fraction

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

#: Stored units in one point.
UNITS = 60

_SIGNS = str.maketrans("−－–—＋．／", "----+./")
#: Twelve digits are more than any score has.
_POINTS = re.compile(r"[+-]?\d{1,12}(?:\.\d{1,12}|/\d{1,12})?")


def to_units(value: int | Fraction) -> int:
    """Points as a whole number of stored units. Raises ValueError for a fraction the store cannot hold."""
    units = Fraction(value) * UNITS
    if units.denominator != 1:
        raise ValueError(f"{value} points is not a whole number of 1/{UNITS} points")
    return int(units)


def from_units(units: int) -> int | Fraction:
    """Stored units as points: an int where whole, else a Fraction."""
    whole, rest = divmod(units, UNITS)
    return whole if not rest else Fraction(units, UNITS)


def read_points(typed: str) -> int | Fraction:
    """Points as people type them: 50, −50, -2.5, 5/2; full-width digits and any dash for a minus sign.

    Nothing else: Python's own reader of fractions also takes exponents, and 1e999999999 would be worked out
    digit by digit. Raises ValueError.

    >>> [str(read_points(text)) for text in ("−50", "＋１２", "-2.5", "5/2", "0")]
    ['-50', '12', '-5/2', '5/2', '0']
    """
    plain = "".join(typed.split()).translate(_SIGNS)
    if not _POINTS.fullmatch(plain):
        raise ValueError("not a number of points")
    try:
        value = Fraction(plain)
    except ZeroDivisionError as fault:
        raise ValueError("not a number of points") from fault
    return value.numerator if value.denominator == 1 else value


def show_points(value: int | Fraction | None) -> str:
    """Points for people: a true minus sign, thirds as mixed numbers (−293⅓), an em dash where missing."""
    if value is None:
        return "—"
    if isinstance(value, int):
        return str(value) if value >= 0 else f"−{-value}"
    fraction = Fraction(value)
    sign = "−" if fraction < 0 else ""
    whole, rest = divmod(abs(fraction.numerator), fraction.denominator)
    if not rest:
        return f"{sign}{whole}"
    glyph = {(1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾"}.get(
        (rest, fraction.denominator)
    )
    part = glyph or f" {rest}/{fraction.denominator}"
    return f"{sign}{whole or ''}{part}".replace("− ", "−")


class PointsField(models.BigIntegerField):
    """Points, int or Fraction in Python, stored exactly as sixtieths. Sum in Python, never in SQL."""

    description = _("Points")

    def from_db_value(
        self, value: int | None, expression: object, connection: object
    ) -> int | Fraction | None:
        return None if value is None else from_units(value)

    def get_prep_value(self, value: int | Fraction | str | None) -> int | None:
        return None if value is None else to_units(Fraction(value))

    def to_python(self, value: object) -> int | Fraction | None:
        if value is None or isinstance(value, int | Fraction):
            return value
        try:
            return from_units(to_units(read_points(str(value))))
        except ValueError as fault:
            raise ValidationError(
                _("“%(value)s” is not a number of points."), params={"value": value}
            ) from fault

    def value_to_string(self, obj: models.Model) -> str:
        return str(self.value_from_object(obj))
