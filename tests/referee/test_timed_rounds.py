"""Timed rounds: which deal is the last once time is up, and what may still be recorded."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from referee.presenting import table_json
from referee.presenting_time import time_text
from referee.queries import play_of, table_state
from referee.queries.board import live_board
from referee.queries.play import tables_in_play
from referee.services.deals import undo_deal, void_deal, void_unrecorded_deal
from tests.referee.conftest import Hall, open_hall
from tournament.models import AuditRow, EntryResult, Event, RoundClock
from tournament.queries.board import round_board
from tournament.services.clock import let_deal_count, move_clock, start_clock
from tournament.services.errors import Conflict, NotAllowed, Refused
from tournament.services.rounds import close_round

pytestmark = pytest.mark.django_db


def timed(finish: bool = True, **fields) -> Hall:
    plan = {"kind": "time", "minutes": 45, "finish_current_deal": finish}
    hall = open_hall(plan=plan, measure=Event.Measure.POINTS, **fields)
    start_clock(actor=hall.chief, round=hall.table.draw.round)
    return hall


def time_is_up(hall: Hall) -> None:
    """The end lies behind what was recorded so far and before whatever comes."""
    RoundClock.objects.filter(draw=hall.table.draw).update(ends_at=timezone.now())


def play(hall: Hall):
    return play_of(tables_in_play().get(pk=hall.table.pk))


def test_the_clock_ends_after_the_minutes_of_the_plan():
    hall = timed()
    clock = RoundClock.objects.get(draw=hall.table.draw)
    left = clock.ends_at - timezone.now()
    assert timedelta(minutes=44, seconds=50) < left <= timedelta(minutes=45)
    assert AuditRow.objects.filter(action="clock.start").count() == 1
    assert play(hall).timing.left is None


def test_before_the_end_deals_follow_each_other():
    hall = timed(finish=False)
    for number in (1, 2, 3):
        hall.record(number=number)
    assert play(hall).next_number == 4
    assert play(hall).timing.last is None


def test_the_deal_in_play_is_finished_and_is_the_last():
    hall = timed(finish=True)
    hall.record(number=1)
    time_is_up(hall)
    assert play(hall).timing.last == play(hall).next_number == 2
    hall.record(number=2)
    after = play(hall)
    assert (after.finished, after.next_number, after.timing.last) == (True, None, None)
    assert [line.number for line in after.counted] == [1, 2]
    with pytest.raises(Conflict) as refused:
        hall.record(number=3)
    assert refused.value.code == "time_up"


def test_the_deal_in_play_is_refused_where_it_does_not_count():
    hall = timed(finish=False)
    hall.record(number=1)
    time_is_up(hall)
    assert (play(hall).finished, play(hall).next_number) == (True, None)
    with pytest.raises(Conflict) as refused:
        hall.record(number=2)
    assert refused.value.code == "time_up"
    with pytest.raises(Conflict):
        void_unrecorded_deal(
            actor=hall.referee, table=hall.table, number=2, reason="乱牌", command_id=uuid4()
        )


def test_what_was_begun_in_time_can_be_undone_corrected_and_replayed_after_it():
    hall = timed(finish=False)
    hall.record(number=1)
    hall.record(number=2)
    time_is_up(hall)
    undo_deal(actor=hall.referee, deal=hall.deal(2), version=1, command_id=uuid4())
    assert (play(hall).finished, play(hall).next_number) == (False, 2)
    hall.record(number=2, based_on=2)
    void_deal(actor=hall.referee, deal=hall.deal(2), version=3, reason="发错", command_id=uuid4())
    assert play(hall).open_numbers == (2,)
    hall.record(number=2, based_on=4)
    assert play(hall).finished


def test_nobody_is_told_to_have_won_while_a_deal_begun_in_time_is_to_be_replayed():
    hall = timed(finish=False)
    hall.record(number=1)
    hall.record(number=2)
    time_is_up(hall)

    def told() -> bool:
        return bool(table_json(table_state(hall.table), hall.referee.user)["games"][0]["result"])

    assert told()
    void_deal(actor=hall.referee, deal=hall.deal(2), version=1, reason="发错", command_id=uuid4())
    assert not told()
    hall.record(number=2, based_on=2)
    assert told()


def test_an_undone_last_deal_can_be_entered_again_and_a_new_one_cannot_take_its_place_twice():
    hall = timed(finish=True)
    hall.record(number=1)
    time_is_up(hall)
    hall.record(number=2)
    undo_deal(actor=hall.referee, deal=hall.deal(2), version=1, command_id=uuid4())
    assert play(hall).open_numbers == (2,)
    hall.record(number=2, based_on=2)
    assert play(hall).open_numbers == ()


def test_the_desk_lets_one_more_deal_count_with_a_reason():
    hall = timed(finish=False)
    hall.record(number=1)
    with pytest.raises(Conflict) as early:
        let_deal_count(actor=hall.chief, table=hall.table, reason="x")
    assert early.value.code == "time_not_up"
    time_is_up(hall)
    with pytest.raises(NotAllowed):
        let_deal_count(actor=hall.referee, table=hall.table, reason="x")
    with pytest.raises(Refused):
        let_deal_count(actor=hall.chief, table=hall.table, reason=" ")
    let_deal_count(actor=hall.chief, table=hall.table, reason="断网，时间内已打完")
    assert play(hall).timing.last == 2
    hall.record(number=2)
    with pytest.raises(Conflict):
        hall.record(number=3)
    assert AuditRow.objects.get(action="clock.late_deal").reason == "断网，时间内已打完"


def test_a_moved_end_opens_the_tables_again_and_shuts_them():
    hall = timed(finish=False)
    hall.record(number=1)
    time_is_up(hall)
    round_ = hall.table.draw.round
    move_clock(actor=hall.chief, round=round_, minutes=10, reason="停电十分钟")
    hall.record(number=2)
    move_clock(actor=hall.chief, round=round_, minutes=-11, reason="记错了")
    assert play(hall).finished
    with pytest.raises(Conflict):
        hall.record(number=3)
    for minutes in (0, 601):
        with pytest.raises(Refused):
            move_clock(actor=hall.chief, round=round_, minutes=minutes, reason="x")


def test_a_clock_starts_once_and_only_in_timed_rounds(hall: Hall):
    with pytest.raises(Refused) as refused:
        start_clock(actor=hall.chief, round=hall.table.draw.round)
    assert refused.value.code == "not_timed"
    other = timed()
    with pytest.raises(Conflict) as twice:
        start_clock(actor=other.chief, round=other.table.draw.round)
    assert twice.value.code == "clock_started"


@pytest.mark.parametrize("finish", [True, False])
def test_the_round_closes_when_time_has_ended_every_table(finish: bool):
    hall = timed(finish, entries=4)
    hall.record(number=1)
    hall.check(1)
    assert [one.code for one in round_board(hall.table.draw.round).lines[0].missing] == ["unfinished"]
    time_is_up(hall)
    if finish:
        hall.record(number=2)
        hall.check(2)
    assert round_board(hall.table.draw.round).complete
    close_round(actor=hall.chief, round=hall.table.draw.round)
    results = EntryResult.objects.filter(table=hall.table)
    # The side ahead wins the game that time stopped; the results say so though nothing was recorded since.
    assert all(result.complete for result in results)
    assert sum(result.games_won for result in results) == 1


def test_boards_name_the_last_deal_and_the_end():
    hall = timed(finish=True)
    hall.record(number=1)
    time_is_up(hall)
    tz = hall.event.tournament.tz
    line = next(one for one in live_board(hall.event.tournament) if one.table == hall.table)
    with override("en"):
        assert "deal 2 is the last" in time_text(line.timing, tz)
        page = table_state_json(hall)
        assert (page["up"], page["left"]) == (True, 1)
        assert page["words"]["last"].replace("{deal}", "2") == time_text(line.timing, tz)
        hall.record(number=2)
        line = next(one for one in live_board(hall.event.tournament) if one.table == hall.table)
        assert "no further deal counts" in time_text(line.timing, tz)
        page = table_state_json(hall)
        assert (page["left"], page["words"]["over"]) == (0, time_text(line.timing, tz))
    assert not line.going
    assert line.state == "unsigned"


def table_state_json(hall: Hall):
    client = Client(headers={"accept-language": "en"})
    client.force_login(hall.referee.user)
    answer = client.get(reverse("referee:api_table", args=[hall.table.pk])).json()
    assert answer["table"]["next"] == table_state(hall.table).play.next_number
    return answer["table"]["time"]


def test_boards_ask_as_much_for_many_timed_tables_as_for_few():
    counts = []
    for entries in (8, 24):
        hall = timed(entries=entries)
        hall.record(number=1)
        with CaptureQueriesContext(connection) as asked:
            live_board(hall.event.tournament)
            round_board(hall.table.draw.round)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_the_organisers_page_starts_moves_and_overrides():
    plan = {"kind": "time", "minutes": 45, "finish_current_deal": False}
    hall = open_hall(plan=plan, measure=Event.Measure.POINTS)
    client = Client(headers={"accept-language": "en"})
    client.force_login(hall.organiser.user)
    where = {"tournament": hall.event.tournament.slug, "event": hall.event.slug, "round": 1}

    def post(name: str, more: dict, **fields):
        fields["command_id"] = str(uuid4())
        return client.post(reverse(f"manage:{name}", kwargs=where | more), fields, follow=True)

    page = reverse("manage:round", kwargs=where)
    assert "the clock has not been started" in client.get(page).content.decode()
    assert "time is up then" in post("clock_start", {}).content.decode()
    hall.record(number=1)
    answer = post("clock_move", {}, minutes="-60", reason="试")
    assert "time is up" in answer.content.decode()
    assert "Let one more deal count" in answer.content.decode()
    answer = post("clock_late", {"number": 1}, reason="断网")
    assert "deal 2 is the last" in answer.content.decode()
    assert post("clock_move", {}, minutes="5", reason="").status_code == 400
