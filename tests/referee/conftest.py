"""A table in play, with its referees."""

from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import uuid4

import pytest

from referee.models import Deal, DealVersion
from referee.services import checks, deals, signoffs
from referee.services.commands import Outcome
from scoring.engine.playout import play_out
from tests.factories import actor, make_event, make_published_draw, make_tournament, make_user
from tournament.models import Event, Role, Table, TableGrant
from tournament.services.audit import Actor

#: North takes the pig, ♥A and ♥K (−190), South the rest (−20); nothing self-captured.
CAPTURES = {
    "N": ["SQ", "HA", "HK"],
    "W": [],
    "S": ["DJ", "C10", "HQ", "HJ", "H10", "H9", "H8", "H7", "H6", "H5", "H4", "H3", "H2"],
    "E": [],
}


def simple_record(**changes: Any) -> dict[str, Any]:
    """A valid deal under the huapai ruleset: pig, ♥A and ♥K to North (−190), the rest to South (−20)."""
    record: dict[str, Any] = {
        "captures": CAPTURES,
        "exposed": [],
        "held": {"SQ": "W", "DJ": "W", "C10": "E", "HA": "E"},
    }
    return {**record, **changes}


def losing_record() -> dict[str, Any]:
    """A deal that ends a game at once: North takes the exposed pig and all hearts but one, West the rest."""
    hearts = ["HA", "HK", "HQ", "HJ", "H10", "H9", "H8", "H7", "H6", "H5", "H4", "H3"]
    return {
        "captures": {"N": ["SQ", *hearts, "C10"], "W": ["DJ", "H2"], "S": [], "E": []},
        "exposed": [
            {"card": "SQ", "seat": "W", "kind": "exposed"},
            {"card": "HA", "seat": "E", "kind": "exposed"},
            {"card": "C10", "seat": "E", "kind": "exposed"},
        ],
        "held": {"SQ": "W", "DJ": "E", "C10": "E", "HA": "E"},
    }


@dataclass
class Hall:
    """One event in play: its tables, and people with their roles."""

    event: Event
    tables: list[Table]
    referee: Actor
    other_referee: Actor
    chief: Actor
    organiser: Actor

    @property
    def table(self) -> Table:
        return self.tables[0]

    def record(self, number: int = 1, record: Any = None, **values: Any) -> Outcome:
        """Records a deal at the first table: by its referee, with North keeping the score."""
        values = {
            "actor": self.referee,
            "table": self.table,
            "entered_seat": "N",
            "command_id": uuid4(),
            **values,
        }
        return deals.record_deal(number=number, record=record or simple_record(), **values)

    def check(self, number: int = 1, **values: Any) -> Outcome:
        """Checks the deal's version in force, by the next seat unless told otherwise."""
        deal = self.deal(number)
        values = {
            "actor": self.referee,
            "version": deal.versions.count(),
            "relation": "next",
            "seat": "W",
            "command_id": uuid4(),
            **values,
        }
        return checks.check_deal(deal=deal, **values)

    def dispute(self, seat: str, reason: str, **values: Any) -> Outcome:
        """A seat disputes the first version of the first deal."""
        values = {"actor": self.referee, "version": 1, "command_id": uuid4(), **values}
        return signoffs.sign_deal(deal=self.deal(), seat=seat, verdict="dispute", reason=reason, **values)

    def deal(self, number: int = 1) -> Deal:
        return Deal.objects.get(table=self.table, number=number)

    def versions(self, number: int = 1) -> list[DealVersion]:
        return list(self.deal(number).versions.order_by("number"))

    def random_record(self, seed: int) -> dict[str, Any]:
        """A random legal deal under the event's rules."""
        rules = self.event.ruleset_version.ruleset()
        return play_out(rules, Random(seed), mode=self.event.scoring_mode).record.to_json()


def open_hall(
    kind: str = Event.Kind.INDIVIDUAL, entries: int = 8, *, answer: str | None = None, **fields: Any
) -> Hall:
    """An event with a published first round, drawn with an organiser's ``answer`` where it asks; one table
    referee has table 1, another table 2.
    """
    event = make_event(kind, entries, tournament=make_tournament(), **fields)
    make_published_draw(event, answer=answer)
    event.refresh_from_db()
    people = {
        name: make_user(role, event.tournament)
        for name, role in (
            ("referee", Role.TABLE_REFEREE),
            ("other_referee", Role.TABLE_REFEREE),
            ("chief", Role.CHIEF_REFEREE),
            ("organiser", Role.ORGANISER),
        )
    }
    TableGrant.objects.create(event=event, user=people["referee"], table_number=1)
    TableGrant.objects.create(event=event, user=people["other_referee"], table_number=2)
    tables = list(
        Table.objects.filter(draw__round__event=event)
        .select_related("draw__round__event__tournament")
        .order_by("number")
    )
    return Hall(event=event, tables=tables, **{name: actor(user) for name, user in people.items()})


@pytest.fixture
def hall(db: None) -> Hall:
    """An individual event in which a table plays one game to a line."""
    return open_hall()


@pytest.fixture
def set_hall(db: None) -> Hall:
    """A pairs event in which a table plays a set of four deals."""
    return open_hall(Event.Kind.PAIRS, 4, plan={"kind": "set", "deals": 4})
