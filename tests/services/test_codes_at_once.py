"""Wrong codes tried at the same moment, on PostgreSQL with real threads: no more tries than one by one."""

import threading
from collections import Counter

import pytest
from django.db import connection

from referee.services import appeals, devices
from tests.referee.conftest import open_hall
from tests.services.threads import start
from tournament.services.audit import Actor
from tournament.services.errors import Refused

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = 8
ADDRESS = "192.0.2.77"


@pytest.fixture
def hall():
    assert connection.vendor == "postgresql", "DATABASE_URL must name a PostgreSQL server for this test"
    return open_hall()


def _refusals(work):
    """What ``work``, called with a place, is refused with when it is done TIMES at the same moment."""
    gate = threading.Barrier(TIMES)
    codes = []

    def run(place):
        gate.wait()
        try:
            work(place)
        except Refused as refused:
            codes.append(refused.code)

    assert start(*(lambda place=place: run(place) for place in range(TIMES)))() == []
    return Counter(codes)


def test_table_card_codes_at_once_get_as_many_tries_as_one_by_one(hall):
    for place in range(devices.WRONG_PER_ADDRESS - 2):
        with pytest.raises(Refused):
            devices.find_card(code=f"WRONG{place}", address=ADDRESS)
    codes = _refusals(lambda place: devices.find_card(code=f"OTHER{place}", address=ADDRESS))
    assert codes == {"join_unknown": 2, "join_too_often": TIMES - 2}


def test_one_card_at_once_from_many_addresses_is_used_as_often_as_one_by_one(hall):
    card = devices.make_cards(actor=hall.chief, event=hall.event, tables=1)[0]
    for place in range(devices.USES_PER_CODE - 3):
        devices.find_card(code=card.code, address=f"192.0.2.{place}")
    codes = _refusals(lambda place: devices.find_card(code=card.code, address=f"192.0.2.{100 + place}"))
    assert codes == {"join_too_often": TIMES - 3}


def test_a_hall_of_tablets_behind_one_address_joins_at_once(hall):
    cards = devices.make_cards(actor=hall.chief, event=hall.event, tables=TIMES)
    assert not _refusals(lambda place: devices.find_card(code=cards[place].code, address=ADDRESS))


def test_appeal_codes_at_once_get_as_many_tries_as_one_by_one(hall):
    appeals.make_entry_codes(actor=hall.organiser, event=hall.event)
    actor = Actor(user=None, address=ADDRESS)
    number = hall.event.entries.first().number
    codes = _refusals(
        lambda _place: appeals.follow_appeals(actor=actor, event=hall.event, number=number, code="ABCDEFGH")
    )
    tries = appeals.WRONG_PER_ENTRY
    assert codes == {"wrong_code": tries, "appeal_too_often": TIMES - tries}
