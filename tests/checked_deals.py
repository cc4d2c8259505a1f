"""Deals recorded and checked through the services, as referees do it: for tests of what follows from them."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from referee.models import Deal
from referee.services.checks import check_deal
from referee.services.deals import record_deal
from tournament.models import Table
from tournament.services.audit import SYSTEM


def checked_deal(table: Table, number: int, record: Mapping[str, Any]) -> Deal:
    """A deal kept by North and checked by the next seat, West."""
    record_deal(actor=SYSTEM, table=table, number=number, record=record, entered_seat="N", command_id=uuid4())
    deal = table.deals.get(number=number)
    check_deal(actor=SYSTEM, deal=deal, version=1, relation="next", seat="W", command_id=uuid4())
    return deal
