"""How points and places are written on pages."""

from fractions import Fraction

from django import template

from tournament import points

register = template.Library()


@register.filter
def show_points(value: int | Fraction | str | None) -> str:
    """Points as people write them: −293⅓, an em dash where missing. Text such as "-880/3" is read first."""
    if value is None or value == "":
        return points.show_points(None)
    return points.show_points(Fraction(value) if isinstance(value, str) else value)


@register.filter
def show_signed(value: int | Fraction | str | None) -> str:
    """As show_points, with a plus sign before what is above zero: for differences and penalties."""
    text = show_points(value)
    return f"+{text}" if value not in (None, "") and Fraction(value) > 0 else text


@register.filter
def show_formula(formula: str) -> str:
    """The engine's arithmetic in print: true minus signs, which also keep their figure on the same line."""
    return formula.replace("-", "−")
