"""Recording and checking a deal cost the same however many deals are on record."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.services.checks import check_deal
from tests.referee.conftest import Hall, open_hall
from tournament.models import EntryResult, Event

pytestmark = pytest.mark.django_db

#: With room for one more of each: the point is that the number does not grow.
MOST = 18


def _cost(work: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as found:
        work()
    return len(found)


def _costs(hall: Hall, number: int) -> tuple[int, int]:
    """Statements for recording and for checking a deal at the first table."""
    record = hall.random_record(number)
    deal = None

    def check() -> None:
        check_deal(actor=hall.referee, deal=deal, version=1, relation="next", seat="W", command_id=uuid4())

    recording = _cost(lambda: hall.record(number=number, record=record))
    deal = hall.deal(number)
    deal.table = hall.table
    return recording, _cost(check)


@pytest.mark.parametrize("kind", [Event.Kind.INDIVIDUAL, Event.Kind.PAIRS, Event.Kind.TEAMS])
def test_a_deal_costs_the_same_with_many_deals_recorded(kind: str) -> None:
    hall = open_hall(kind, 16, plan={"kind": "set", "deals": 40})
    costs = [_costs(hall, number) for number in range(1, 21)]
    # The first deal loads what the hall's table had not loaded yet.
    assert len(set(costs[1:])) == 1, costs
    assert max(costs[1]) <= MOST
    assert {row.deals for row in EntryResult.objects.filter(table=hall.table)} == {20}


def test_a_deal_costs_the_same_in_an_event_with_many_deals() -> None:
    costs = []
    for entries in (4, 40):
        hall = open_hall(Event.Kind.PAIRS, entries, plan={"kind": "set", "deals": 4})
        for table in hall.tables[1:]:
            for number in (1, 2):
                hall.record(actor=hall.chief, table=table, number=number, record=hall.random_record(number))
        hall.record(record=hall.random_record(1))
        costs.append(_costs(hall, 2))
    assert costs[0] == costs[1]
