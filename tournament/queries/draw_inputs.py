"""What a draw is made from: entrants, history, constraints, and what the stage has fixed or played so far.

A draw keeps its inputs, so that it can be recomputed years later whatever became of the entries since.
draw_sources collects them from the store.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tournament.pairing.model import (
    Constraints,
    Entrant,
    History,
    PairingError,
    PlayedTable,
    SitOut,
    SitOutKind,
)
from tournament.pairing.options import OddAnswer
from tournament.pairing.rest_of_plan import PlanRound


@dataclass(frozen=True)
class Outcome:
    """A match or table of an earlier round of the stage, for formats that go by who won.

    ``values`` gives each entry's result in the event's measure, in the order of the seats; ``winner`` is set
    where the organiser has decided the match. A single entry stands for one that sat out and went on.
    """

    round: int
    match: int
    values: tuple[tuple[int, int | Fraction], ...]
    winner: int | None = None

    @property
    def entries(self) -> tuple[int, ...]:
        return tuple(entry for entry, _ in self.values)

    @property
    def leader(self) -> int | None:
        """Who won: as decided, else who has more than any other; None where several have the most."""
        most = max(value for _, value in self.values)
        ahead = [entry for entry, value in self.values if value == most]
        return self.winner if self.winner is not None else ahead[0] if len(ahead) == 1 else None

    def to_json(self) -> list[Any]:
        return [
            self.round,
            self.match,
            [[entry, str(value)] for entry, value in self.values],
            self.winner,
        ]

    @classmethod
    def from_json(cls, data: list[Any]) -> "Outcome":
        round, match, values, winner = data
        return cls(round, match, tuple((entry, as_points(value)) for entry, value in values), winner)


@dataclass(frozen=True)
class StageInputs:
    """The part of the inputs that the stage gives.

    ``first_round`` is the stage's first round in the event, ``rounds`` how many it has. ``positions`` are the
    entry ids in the order of the plan, ``seed`` and ``answer`` those of the draw that fixed the plan: empty
    and None until the first round of the stage is drawn. ``groups`` are the stage's groups, entry ids in the
    order of their places. ``origins`` tell for a stage that follows groups from which each entry comes: entry
    id, group from 1, place in it from 1. ``outcomes`` are for formats that eliminate. ``rest`` is what was
    planned anew for those who joined later: the rounds from ``rest_from`` on; empty where the plan stands.
    """

    first_round: int = 1
    rounds: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    positions: tuple[int, ...] = ()
    seed: int | None = None
    answer: OddAnswer | None = None
    groups: tuple[tuple[int, ...], ...] = ()
    origins: tuple[tuple[int, int, int], ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    rest: tuple[PlanRound, ...] = ()
    rest_from: int = 0

    def rest_of(self, round: int) -> PlanRound | None:
        """A round of the event as it was planned anew, None where the plan as it began says who plays.

        Raises PairingError ``round_not_in_plan`` for a round after the last that was planned anew.
        """
        if not self.rest or round < self.rest_from:
            return None
        if round - self.rest_from >= len(self.rest):
            raise PairingError("round_not_in_plan", round=round, rounds=self.rounds)
        return self.rest[round - self.rest_from]

    def to_json(self) -> dict[str, Any]:
        return {
            "first_round": self.first_round,
            "rounds": self.rounds,
            "options": dict(self.options),
            "positions": list(self.positions),
            "seed": self.seed,
            "answer": self.answer.value if self.answer else None,
            "groups": [list(group) for group in self.groups],
            "origins": [list(origin) for origin in self.origins],
            "outcomes": [one.to_json() for one in self.outcomes],
            "rest": [
                [[[list(seat) for seat in seats] for seats in one.tables], list(one.byes)]
                for one in self.rest
            ],
            "rest_from": self.rest_from,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "StageInputs":
        return cls(
            first_round=data["first_round"],
            rounds=data["rounds"],
            options=data["options"],
            positions=tuple(data["positions"]),
            seed=data["seed"],
            answer=OddAnswer(data["answer"]) if data["answer"] else None,
            groups=tuple(tuple(group) for group in data["groups"]),
            origins=tuple((entry, group, place) for entry, group, place in data["origins"]),
            outcomes=tuple(Outcome.from_json(one) for one in data["outcomes"]),
            # Draws made before plans could be made anew have neither.
            rest=tuple(
                PlanRound(
                    tuple(tuple((seat, entry) for seat, entry in seats) for seats in tables), tuple(byes)
                )
                for tables, byes in data.get("rest", ())
            ),
            rest_from=data.get("rest_from", 0),
        )


@dataclass(frozen=True)
class DrawInputs:
    """The arguments of a draw: the same inputs and seed give the same draw on every machine.

    ``answer`` says what is done when the field does not fit the tables; ``swaps`` are the exchanges made by
    hand afterwards, as pairs of entry ids in their order.
    """

    round: int
    planned_rounds: int
    entrants: tuple[Entrant, ...]
    history: History
    constraints: Constraints
    stage: StageInputs = field(default_factory=StageInputs)
    answer: OddAnswer | None = None
    swaps: tuple[tuple[int, int], ...] = ()

    def with_swap(self, first: int, second: int) -> "DrawInputs":
        """These inputs with one more exchange of two entries, by their ids."""
        return replace(self, swaps=(*self.swaps, (first, second)))

    def present(self) -> tuple[Entrant, ...]:
        """Those who play or sit out in this round, house players to be had included."""
        return tuple(entrant for entrant in self.entrants if entrant.present)

    def to_json(self) -> dict[str, Any]:
        """JSON-ready form, which from_json reads back."""
        return {
            "round": self.round,
            "planned_rounds": self.planned_rounds,
            "entrants": [
                {
                    "id": one.id,
                    "number": one.number,
                    "club": one.club,
                    "points": str(one.points),
                    "seed": one.seed,
                    "present": one.present,
                    "house": one.house,
                }
                for one in self.entrants
            ],
            "tables": [[table.round, [list(seat) for seat in table.seats]] for table in self.history.tables],
            "sit_outs": [[one.round, one.entrant, one.kind.value] for one in self.history.sit_outs],
            "constraints": {
                "clubs_apart_rounds": self.constraints.clubs_apart_rounds,
                "seeds_apart_rounds": self.constraints.seeds_apart_rounds,
                "teams_apart": self.constraints.teams_apart,
                "forbidden": sorted(list(pair) for pair in self.constraints.forbidden),
            },
            "stage": self.stage.to_json(),
            "answer": self.answer.value if self.answer else None,
            "swaps": [list(swap) for swap in self.swaps],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "DrawInputs":
        """The inputs stored with a draw."""
        constraints = data["constraints"]
        return cls(
            round=data["round"],
            planned_rounds=data["planned_rounds"],
            entrants=tuple(
                Entrant(**{**one, "points": as_points(one["points"])}) for one in data["entrants"]
            ),
            history=History(
                tables=tuple(
                    PlayedTable(round, tuple((seat, entrant) for seat, entrant in seats))
                    for round, seats in data["tables"]
                ),
                sit_outs=tuple(
                    SitOut(round, entrant, SitOutKind(kind)) for round, entrant, kind in data["sit_outs"]
                ),
            ),
            constraints=Constraints.of(
                clubs_apart_rounds=constraints["clubs_apart_rounds"],
                seeds_apart_rounds=constraints["seeds_apart_rounds"],
                teams_apart=constraints["teams_apart"],
                forbidden=[(first, second) for first, second in constraints["forbidden"]],
            ),
            stage=StageInputs.from_json(data["stage"]),
            answer=OddAnswer(data["answer"]) if data["answer"] else None,
            swaps=tuple((first, second) for first, second in data["swaps"]),
        )


def as_points(text: str) -> int | Fraction:
    """Points as they are stored in JSON: a whole number where they are one."""
    value = Fraction(text)
    return int(value) if value.denominator == 1 else value
