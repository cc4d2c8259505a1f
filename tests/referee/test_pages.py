"""The referee's pages: who sees which tables, and what waits."""

import re
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from referee.models import Dispute
from referee.queries import tables_now
from scoring.engine.playout import play_out
from tests.factories import make_user
from tests.referee.conftest import Hall, losing_record, open_hall
from tournament.models import Draw, Role, Round


def numbers(person: object) -> list[int]:
    return [line.table.number for group in tables_now(person) for line in group.lines]


def test_home_shows_a_table_referee_the_tables_given_to_them(hall: Hall) -> None:
    open_hall()
    assert numbers(hall.referee.user) == [1]
    assert numbers(hall.other_referee.user) == [2]
    assert numbers(hall.chief.user) == numbers(hall.organiser.user) == [1, 2]
    assert numbers(make_user()) == []


def test_home_grant_without_the_role_gives_nothing(hall: Hall) -> None:
    hall.referee.user.memberships.filter(role=Role.TABLE_REFEREE).delete()
    assert numbers(hall.referee.user) == []


def test_home_shows_only_published_rounds_in_play(hall: Hall) -> None:
    Round.objects.update(state=Round.State.CLOSED)
    assert numbers(hall.chief.user) == []
    Round.objects.update(state=Round.State.PLAYING)
    Draw.objects.update(state=Draw.State.WITHDRAWN)
    assert numbers(hall.chief.user) == []


def test_home_tables_that_wait_come_first(hall: Hall) -> None:
    hall.record(table=hall.tables[1], actor=hall.chief)
    (group,) = tables_now(hall.chief.user)
    assert [(line.table.number, line.state, line.unchecked) for line in group.lines] == [
        (2, "waiting", (1,)),
        (1, "empty", ()),
    ]


def test_home_states_follow_play(hall: Hall) -> None:
    def state() -> str:
        return tables_now(hall.referee.user)[0].lines[0].state

    assert state() == "empty"
    hall.record()
    assert state() == "waiting"
    hall.check()
    assert state() == "playing"
    hall.record(number=2, record=losing_record())
    hall.check(number=2)
    assert state() == "done"


def test_home_queries_do_not_grow_with_tables(db: None) -> None:
    counts = []
    for entries in (8, 32):
        hall = open_hall(entries=entries)
        with CaptureQueriesContext(connection) as queries:
            tables_now(hall.chief.user)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_home_page_names_players_and_what_waits(hall: Hall) -> None:
    hall.record()
    client = Client(headers={"accept-language": "en"})
    client.force_login(hall.referee.user)
    page = client.get(reverse("referee:home")).content.decode()
    for seat in hall.table.seats.all():
        assert seat.player.name in page
    assert "1 table waits for you." in page


@pytest.mark.parametrize(
    ("person", "status"),
    [(None, 302), ("referee", 200), ("other_referee", 403), ("chief", 200), ("organiser", 200)],
)
def test_table_page_is_for_its_referees(hall: Hall, person: str | None, status: int) -> None:
    client = Client()
    if person:
        client.force_login(getattr(hall, person).user)
    response = client.get(reverse("referee:table", args=[hall.table.pk]))
    assert response.status_code == status


def test_table_page_has_no_inline_script_or_style(hall: Hall) -> None:
    client = Client()
    client.force_login(hall.referee.user)
    page = client.get(reverse("referee:table", args=[hall.table.pk])).content.decode()
    scripts = re.findall(r"<script([^>]*)>", page)
    assert sum('type="application/json"' in one for one in scripts) == 3
    assert all("src=" in one or 'type="application/json"' in one for one in scripts)
    assert " style=" not in page
    assert " onclick=" not in page


def test_table_page_player_names_cannot_become_markup(hall: Hall) -> None:
    seat = hall.table.seats.get(direction="N")
    seat.player.name = "</script><script>alert(1)</script>"
    seat.player.save()
    client = Client()
    client.force_login(hall.referee.user)
    page = client.get(reverse("referee:table", args=[hall.table.pk])).content.decode()
    assert "<script>alert" not in page


def test_the_fifth_seat_of_a_table_is_a_letter_and_no_point_of_the_compass(db: None, client: Client) -> None:
    """Tables of four have the seats N W S E, larger ones A B C D E: E is East at the former alone."""
    hall = open_hall(entries=5, options={"odd": "fives"})
    played = play_out(hall.event.ruleset_version.ruleset(), Random(1), seats=5)
    hall.record(record=played.record.to_json(), entered_seat="E", actor=hall.chief)
    hall.dispute("E", "—", actor=hall.chief)
    client.force_login(hall.chief.user)
    client.cookies["django_language"] = "zh-hans"
    for address in (
        reverse("referee:table", args=[hall.table.pk]),
        reverse("referee:api_table", args=[hall.table.pk]),
        reverse("referee:home"),
        reverse("referee:board", args=[hall.event.tournament.slug]),
        reverse("referee:seats", args=[hall.table.pk]),
        reverse("referee:deal", args=[hall.deal().pk]),
        reverse("referee:dispute", args=[Dispute.objects.get().pk]),
        reverse("referee:review", args=[hall.event.tournament.slug]),
    ):
        shown = client.get(address)
        assert shown.status_code == 200
        assert "东" not in shown.content.decode(), address
