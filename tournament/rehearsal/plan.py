"""What is to be rehearsed, and whether it can be."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournament.models import Event
from tournament.pairing.options import OddAnswer
from tournament.queries.draw_formats import FORMATS, answers_for, formats_for, seating_options
from tournament.services.entry_sheet import HIGHEST_NUMBER
from tournament.services.errors import Problem, Refused
from tournament.services.events import MOST_ROUNDS, least_entries

#: Same as a set may have.
MOST_DEALS = 200
USUAL_FORMAT = "swiss"


@dataclass(frozen=True)
class RehearsalPlan:
    """One event to be played: its kind, so many entries, rounds, and deals at each table in a round.

    ``format`` is a key of the formats in which rounds can be drawn. The same ``seed`` gives the same event.
    """

    kind: str
    entries: int
    rounds: int
    format: str = USUAL_FORMAT
    seed: int = 1
    deals: int = 2

    def faults(self) -> list[Problem]:
        """Everything that keeps it from being played."""
        found = []
        least = least_entries(self.kind)
        for field, value, low, high in (
            ("entries", self.entries, least, HIGHEST_NUMBER),
            ("rounds", self.rounds, 1, MOST_ROUNDS),
            ("deals", self.deals, 1, MOST_DEALS),
        ):
            if not low <= value <= high:
                found.append(
                    Problem(
                        f"{field}_range",
                        _("%(field)s: from %(low)s to %(high)s."),
                        {"field": field, "low": low, "high": high},
                        field,
                    )
                )
        possible = formats_for(self.kind)
        if self.format not in {one.key for one in possible}:
            found.append(
                Problem(
                    "format",
                    _("This kind of event can be played in these formats: %(formats)s."),
                    {"formats": ", ".join(one.key for one in possible)},
                    "format",
                )
            )
        elif not found and (most := self._most_rounds(self.options)) < self.rounds:
            found.append(
                Problem(
                    "rounds_format",
                    _("A field of %(entries)s takes %(most)s rounds in this format."),
                    {"entries": self.entries, "most": most},
                    "rounds",
                )
            )
        return found

    def check(self) -> None:
        """Raises Refused with every fault."""
        if faults := self.faults():
            raise Refused.for_problems(faults)

    @property
    def options(self) -> Mapping[str, Any]:
        """The format's options: everybody meets twice where that is what the rounds are enough for."""
        twice = "double" in FORMATS[self.format].option_names and self._most_rounds({}) < self.rounds
        return {"double": True} if twice else {}

    @property
    def answer(self) -> OddAnswer | None:
        """How a field that does not fill the tables is seated: None as usual, else the first way there is."""
        answers = answers_for(self.kind, self.format)
        usual = OddAnswer.BYES if OddAnswer.BYES in answers else answers[0]
        possible = [one.answer for one in seating_options(self.kind, self.format, self.entries)]
        return possible[0] if possible and usual not in possible else None

    def _most_rounds(self, options: Mapping[str, Any]) -> int:
        form = FORMATS[self.format]
        return form.rounds(self.entries, options) if form.rounds else self.rounds


def event_kinds() -> tuple[str, ...]:
    """The kinds of events that can be rehearsed."""
    return tuple(Event.Kind.values)
