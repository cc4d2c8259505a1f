"""What a public page asks of the database does not grow with the rounds that are published."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.played import played_event, played_round
from tests.tournament.public.bracket_play import bracket_event, draw_and_publish, play_round
from tournament.models import Event, Publication
from tournament.queries.public_find import find_page
from tournament.queries.published import Published
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round
from tournament.tasks.pages import PAGES, render_page

pytestmark = pytest.mark.django_db

#: An address of each page. A page without one here fails the test.
ADDRESSES = {
    "event": {},
    "round": {"number": 1},
    "table": {"number": 1, "table": 1},
    "match": {"number": 1, "match": 1},
    "entry": {"number": 1},
    "standings": {},
    "standings_after": {"after": 1},
    "cross": {},
    "cross_more": {"part": 1},
    "statistics": {},
    "statistics_by": {"order": "pigs"},
    "changes": {"number": 1, "matter": "results"},
    "seats_print": {"number": 1},
    "wall_print": {"number": 1},
    "sheets_print": {"number": 1},
    "certificates": {"after": 1},
    "screen": {},
    **{f"{name}_{ending}": {} for name in ("standings", "entries") for ending in ("json", "csv")},
    **{
        f"{name}_{ending}": {"number": 1}
        for name in ("pairings", "results", "deals")
        for ending in ("json", "csv")
    },
    **{f"standings_after_{ending}": {"after": 1} for ending in ("json", "csv")},
}


def _pairs(rounds: int) -> Event:
    """Four pairs, so many rounds of them public."""
    event = played_event(["甲", "乙", "丙", "丁"], kind=Event.Kind.PAIRS, rounds=rounds)
    for number in range(1, rounds + 1):
        played = played_round(event, number, deals=2).round
        publish(actor=SYSTEM, round=played, what=Publication.What.DRAW)
        publish_round(actor=SYSTEM, round=played)
    return event


def _bracket(rounds: int) -> Event:
    """A bracket of 16, so many rounds of it public."""
    event = bracket_event(16, rounds=4)
    for number in range(1, rounds + 1):
        play_round(draw_and_publish(event, number), deals=1)
    return event


def _statements(event: Event, name: str, address: dict[str, int]) -> int:
    fresh = Event.objects.select_related("tournament", "ruleset_version__book").get(pk=event.pk)
    with CaptureQueriesContext(connection) as asked:
        assert render_page(Published(fresh), name, address, "en") is not None, name
    return len(asked)


def test_every_page_asks_as_much_after_five_rounds_as_after_two():
    assert {*ADDRESSES, "bracket"} == {*PAGES}
    few, many = (
        {name: _statements(event, name, address) for name, address in ADDRESSES.items()}
        for event in (_pairs(2), _pairs(5))
    )
    assert many == few


def test_a_bracket_asks_as_much_after_four_rounds_as_after_two():
    few, many = (_statements(_bracket(rounds), "bracket", {"stage": 1}) for rounds in (2, 4))
    assert many == few


def test_a_search_reads_the_names_and_the_newest_round_alone(monkeypatch):
    event, read = _pairs(3), []
    whole = Published.payload
    monkeypatch.setattr(Published, "load_all", lambda _self: pytest.fail("every deal was read"))
    monkeypatch.setattr(
        Published, "payload", lambda self, what, number: read.append(number) or whole(self, what, number)
    )
    found = find_page(Published(event), "丙")
    assert [person["entry_number"] for person in found["people"]] == [3]
    assert found["people"][0]["round"]["places"]
    assert set(read) == {3}
