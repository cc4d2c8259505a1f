"""What was public and has been taken off: the pages say so, and neither what it was nor why."""

import pytest

from tests.played import drawn_round
from tournament.models import Draw, Publication
from tournament.services.audit import SYSTEM
from tournament.services.publish import latest_publication, publish, withdraw_publication

pytestmark = pytest.mark.django_db
What = Publication.What
ENGLISH = {"accept-language": "en"}
REASON = "SECRET-REASON"


@pytest.fixture
def html(client, base):
    def read(path):
        return client.get(base + path, headers=ENGLISH).content.decode()

    return read


def _take_off(event):
    round = event.rounds.get(number=1)
    for what in (What.STANDINGS, What.RESULTS):
        withdraw_publication(actor=SYSTEM, publication=latest_publication(round, what), reason=REASON)
    return round


def test_before_anything_is_taken_off_nothing_is_said_of_it(public_event, html):
    assert "taken off" not in html("round/1/") + html("round/2/") + html("standings/")


def test_the_pages_say_that_results_and_standings_were_taken_off_and_not_why(public_event, html):
    _take_off(public_event)
    assert "The results of this round have been taken off" in html("round/1/")
    assert "The standings have been taken off" in html("standings/")
    assert "taken off" not in html("round/2/")
    for path in ("", "round/1/", "standings/", "entry/1/"):
        assert REASON not in html(path)


def test_results_of_a_former_draw_are_no_matter_of_the_new_one(public_event, html):
    round = _take_off(public_event)
    Draw.objects.filter(round=round).update(state=Draw.State.WITHDRAWN, number=2)
    publish(actor=SYSTEM, round=drawn_round(public_event, 1, seed=5, byes=1).round, what=What.DRAW)
    assert "taken off" not in html("round/1/")
    assert "taken off" in html("standings/")  # there were some, and there are none
