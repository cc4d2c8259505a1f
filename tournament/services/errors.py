"""Refusals: why a service did nothing, in the user's language.

A refusal is an expected answer, not a defect: the whole transaction is rolled back, nothing is half-stored,
and the message names the field, card or seat concerned. Several faults are reported together.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Problem:
    """One fault of what was asked: a stable code, the translatable message, and the form field it belongs
    to.
    """

    code: str
    message: Any
    params: Mapping[str, Any] = field(default_factory=dict)
    field: str = ""

    def __str__(self) -> str:
        text = str(self.message)
        return text % self.params if self.params else text


class Refused(Exception):  # noqa: N818 - it is an answer, not an error
    """A request that a service does not carry out.

    ``code`` is stable, for programs and tests; ``message`` is a lazily translated text with ``%(name)s``
    places filled from ``params``. ``field`` names the form field at fault, if one is. ``problems`` holds
    every fault; there is always at least one.
    """

    #: The answer an HTTP view gives.
    status = 400

    def __init__(
        self,
        code: str,
        message: Any,
        params: Mapping[str, Any] | None = None,
        *,
        field: str = "",
        problems: Iterable[Problem] = (),
    ) -> None:
        self.code = code
        self.message = message
        self.params: Mapping[str, Any] = params or {}
        self.field = field
        self.problems = tuple(problems) or (Problem(code, message, self.params, field),)
        super().__init__(code)

    def __str__(self) -> str:
        return " ".join(str(problem) for problem in self.problems)

    @classmethod
    def for_problems(cls, problems: Iterable[Problem]) -> "Refused":
        """One refusal that reports all the problems. Raises ValueError if there are none."""
        found = tuple(problems)
        if not found:
            raise ValueError("a refusal needs at least one problem")
        first = found[0]
        return cls(first.code, first.message, first.params, field=first.field, problems=found)


class NotAllowed(Refused):
    """The user's role does not permit this."""

    status = 403


class Conflict(Refused):
    """Somebody else was there first, or the state has moved on."""

    status = 409


class Stale(Conflict):
    """What was sent builds on a version that is no longer the current one;
    carries both for a person to compare.
    """

    def __init__(
        self,
        code: str,
        message: Any,
        params: Mapping[str, Any] | None = None,
        *,
        current: Any = None,
        offered: Any = None,
        problems: Iterable[Problem] = (),
    ) -> None:
        super().__init__(code, message, params, problems=problems)
        self.current = current
        self.offered = offered
