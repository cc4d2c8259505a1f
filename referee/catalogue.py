"""The penalty catalogue as shipped: articles every referee knows, with points that organisers change."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class Article:
    """One article: its number, the breach, the default points (negative takes away), a warning first or not.

    ``pk`` is its row's where it is stored.
    """

    article: str
    name: Any
    points: int | Fraction
    warning_first: bool = False
    pk: int | None = None

    @property
    def rule(self) -> str:
        """How a penalty under it is named, in the language in force."""
        return f"{self.article} {self.name}"


SHIPPED = (
    Article("1.1", _("Late by up to 5 minutes"), 0),
    Article("1.2", _("Late by 5 to 10 minutes"), -50),
    Article("1.3", _("Late by 10 to 15 minutes"), -100),
    Article("1.4", _("Late by more than 15 minutes"), -200),
    Article("2.1", _("Hesitation"), -20, warning_first=True),
    Article("2.2", _("Slow play"), -20, warning_first=True),
    Article("2.3", _("Communication with the partner"), -100),
    Article("3.1", _("Revoke"), -100),
    Article("3.2", _("Exposed card played too early"), -50),
    Article("3.3", _("Lead out of turn"), -30, warning_first=True),
    Article("3.4", _("Card exposed by mistake"), -20, warning_first=True),
    Article("3.5", _("Wrong claim"), -50),
    Article("4.1", _("Misconduct"), -100, warning_first=True),
    Article("4.2", _("Grave misconduct"), -500),
)
