"""An event with published pairings, results, penalties and standings, and one with nothing public."""

import pytest
from django.utils import timezone

from tests.played import drawn_round, given_penalty, played_event, played_round
from tournament.models import Publication
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round


@pytest.fixture
def public_event():
    """Nine players, one sitting out; round 1 with results and standings, round 2 with pairings only."""
    event = played_event(
        ["王小明", "李雷", "韩梅梅", "赵六", "钱七", "孙八", "周九", "吴十", "郑一"], clubs=("东队", "西队")
    )
    first = played_round(event, 1, deals=2, byes=1)
    given_penalty(event.entries.get(number=2), -20)
    given_penalty(
        event.entries.get(number=3), -50, rule="藏牌", cancelled_at=timezone.now(), cancel_reason="查无实据"
    )
    publish(actor=SYSTEM, round=first.round, what=Publication.What.DRAW)
    publish_round(actor=SYSTEM, round=first.round)
    second = drawn_round(event, 2, seed=2, byes=1)
    publish(actor=SYSTEM, round=second.round, what=Publication.What.DRAW)
    return event


@pytest.fixture
def base(public_event):
    """The event's address."""
    return f"/t/{public_event.tournament.slug}/{public_event.slug}/"
