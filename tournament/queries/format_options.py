"""Options of a format: what an organiser may choose, its limits, and every fault of what was chosen."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class OptionFault:
    """A value that an option does not take; ``message`` with its ``params`` is for people."""

    option: str
    code: str
    message: Any
    params: Mapping[str, Any]


@dataclass(frozen=True)
class Flag:
    """Yes or no."""

    name: str
    label: Any
    help: Any = ""
    default: bool = False

    def faults(self, value: Any) -> Iterable[OptionFault]:
        if not isinstance(value, bool):
            yield OptionFault(self.name, "option_flag", _("This is neither yes nor no."), {})


@dataclass(frozen=True)
class Count:
    """A whole number from ``least`` to ``most``; ``odd`` numbers only, if so asked."""

    name: str
    label: Any
    least: int
    most: int
    default: int
    help: Any = ""
    odd: bool = False

    def faults(self, value: Any) -> Iterable[OptionFault]:
        if not isinstance(value, int) or isinstance(value, bool):
            yield OptionFault(self.name, "option_number", _("A whole number is needed."), {})
        elif not self.least <= value <= self.most:
            yield OptionFault(
                self.name,
                "option_range",
                _("This is from %(least)s to %(most)s."),
                {"least": self.least, "most": self.most},
            )
        elif self.odd and value % 2 == 0:
            yield OptionFault(self.name, "option_odd", _("An odd number is needed."), {})


@dataclass(frozen=True)
class Choice:
    """One of several values, each with a label."""

    name: str
    label: Any
    choices: tuple[tuple[str, Any], ...]
    default: str
    help: Any = ""

    def faults(self, value: Any) -> Iterable[OptionFault]:
        if value not in dict(self.choices):
            yield OptionFault(
                self.name, "option_choice", _("“%(value)s” is not one of the choices."), {"value": value}
            )


FormatOption = Flag | Count | Choice


def with_defaults(options: Iterable[FormatOption], given: Mapping[str, Any]) -> dict[str, Any]:
    """The chosen value of every option, the usual one where none was given."""
    return {one.name: given.get(one.name, one.default) for one in options}


def option_faults(options: Iterable[FormatOption], given: Mapping[str, Any]) -> list[OptionFault]:
    """Every fault of the given values, names that are no option included."""
    known = {one.name: one for one in options}
    found = [
        OptionFault(name, "option_unknown", _("This format has no option “%(name)s”."), {"name": name})
        for name in given
        if name not in known
    ]
    for name, one in known.items():
        if name in given:
            found += one.faults(given[name])
    return found
