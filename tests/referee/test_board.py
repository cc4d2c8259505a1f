"""The chief referee's board: what every table needs, in which order, and how it is kept up to date."""

from datetime import datetime, timedelta
from fractions import Fraction
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from referee.models import Deal, DealVersion, Device, Dispute, TableCall, TableCard
from referee.queries.board import BoardLine, Need, live_board
from referee.queries.outliers import (
    SAMPLE,
    Plausible,
    measure,
    paces,
    plausible_points,
    quick_deals,
)
from referee.services.calls import take_call
from referee.services.checks import check_deal
from referee.services.deals import void_deal
from referee.services.tables import stop_table
from referee.templatetags.desk import deal_numbers
from tests.factories import make_published_draw, make_ruleset_version, make_tournament
from tests.referee.conftest import Hall, losing_record, open_hall, simple_record
from tournament.models import Draw, Event, Table
from tournament.services.rounds import close_round

NOW = datetime(2026, 5, 1, 10, 0, tzinfo=timezone.get_default_timezone())


@pytest.fixture
def calm(hall: Hall) -> Hall:
    """A round that began half an hour before NOW, with nothing odd about it."""
    _began(hall, minutes=10)
    return hall


def _began(hall: Hall, minutes: int) -> None:
    Draw.objects.filter(round__event=hall.event).update(published_at=NOW - timedelta(minutes=minutes))


def _entered(hall: Hall, number: int, seconds_ago: float) -> None:
    DealVersion.objects.filter(deal__table=hall.table, deal__number=number).update(
        created_at=NOW - timedelta(seconds=seconds_ago)
    )


def _lines(hall: Hall, now: datetime = NOW) -> dict[int, BoardLine]:
    return {line.table.number: line for line in live_board(hall.event.tournament, now=now)}


def _codes(line: BoardLine) -> list[tuple[str, int | None]]:
    return [(sign.code, sign.deal) for sign in line.signs]


def _tablet(hall: Hall, number: int, seen: datetime, waiting: int = 0) -> Device:
    later = NOW + timedelta(days=1)
    card = TableCard.objects.create(
        event=hall.event, table_number=number, code=f"CODE{number}", expires_at=later
    )
    return Device.objects.create(
        event=hall.event,
        table_number=number,
        card=card,
        name=f"T{number}",
        digest=str(number),
        expires_at=later,
        seen_at=seen,
        waiting=waiting,
    )


def test_every_table_in_play_is_there_with_its_people(calm: Hall) -> None:
    lines = _lines(calm)
    assert sorted(lines) == [1, 2]
    assert lines[1].referees == (calm.referee.name,)
    assert [seat.direction for seat in lines[1].seats] == ["N", "W", "S", "E"]
    assert (lines[1].state, lines[1].need, lines[1].recorded) == ("empty", Need.NOTHING, 0)
    # The clock of a table without a deal runs from the publication of the draw.
    assert lines[1].since == NOW - timedelta(minutes=10)


def test_other_tournaments_are_not_there(calm: Hall) -> None:
    assert live_board(make_tournament()) == []


def test_a_recorded_deal_waits_for_its_check(calm: Hall) -> None:
    calm.record()
    _entered(calm, 1, 120)
    line = _lines(calm)[1]
    assert (line.unsigned, line.state, line.need) == ((1,), "unsigned", Need.CHECK)
    assert line.since == NOW - timedelta(seconds=120)
    calm.check()
    line = _lines(calm)[1]
    assert (line.unsigned, line.state, line.need) == ((), "playing", Need.NOTHING)


def test_a_void_deal_is_to_be_replayed(calm: Hall) -> None:
    calm.record()
    void_deal(actor=calm.referee, deal=calm.deal(), version=1, reason="x", command_id=uuid4())
    line = _lines(calm)[1]
    assert (line.void, line.recorded, line.need) == ((1,), 0, Need.REPLAY)


def test_a_table_that_has_played_out_is_done_and_its_clock_stands(calm: Hall) -> None:
    calm.record(record=losing_record())
    calm.check()
    line = _lines(calm)[1]
    assert (line.complete, line.going, line.need, line.tone) == (True, False, Need.DONE, "good")


def test_a_table_whose_play_was_ended_is_shown_so(calm: Hall) -> None:
    stop_table(actor=calm.referee, table=calm.table, reason="时间到", command_id=uuid4())
    assert not _lines(calm)[1].going


def test_a_set_says_how_many_deals_it_has(set_hall: Hall) -> None:
    set_hall.record()
    assert (_lines(set_hall)[1].recorded, _lines(set_hall)[1].planned) == (1, 4)


def test_tables_are_sorted_by_what_needs_somebody(db: None) -> None:
    hall = open_hall(entries=24)
    _began(hall, minutes=10)
    call, dispute, silent, check = hall.tables[5], hall.tables[4], hall.tables[3], hall.tables[2]
    for table in (dispute, check):
        hall.record(table=table, actor=hall.chief)
    DealVersion.objects.update(created_at=NOW - timedelta(minutes=2))
    Dispute.objects.create(
        version=DealVersion.objects.get(deal__table=dispute), kind=Dispute.Kind.SEAT, seat="W"
    )
    _tablet(hall, silent.number, NOW - timedelta(minutes=5))
    made = TableCall.objects.create(table=call)
    TableCall.objects.update(called_at=NOW - timedelta(minutes=1))

    found = [(line.table.number, line.need) for line in live_board(hall.event.tournament, now=NOW)]
    assert found == [
        (6, Need.CALL),
        (5, Need.DISPUTE),
        (4, Need.SILENT),
        (3, Need.CHECK),
        (1, Need.NOTHING),
        (2, Need.NOTHING),
    ]
    take_call(actor=hall.chief, call=made)
    found = [line.table.number for line in live_board(hall.event.tournament, now=NOW)]
    assert found == [5, 4, 6, 3, 1, 2]


def test_the_call_that_waits_longest_comes_first(calm: Hall) -> None:
    for table, minutes in zip(calm.tables, (1, 4), strict=True):
        made = TableCall.objects.create(table=table)
        TableCall.objects.filter(pk=made.pk).update(called_at=NOW - timedelta(minutes=minutes))
    assert [line.table.number for line in live_board(calm.event.tournament, now=NOW)] == [2, 1]


def test_a_tablet_is_silent_after_a_minute_and_says_what_it_holds(calm: Hall) -> None:
    _tablet(calm, 1, NOW - timedelta(seconds=59), waiting=3)
    _tablet(calm, 2, NOW - timedelta(seconds=61))
    lines = _lines(calm)
    assert (lines[1].silent, lines[1].device.waiting, lines[2].silent) == (False, 3, True)
    Device.objects.update(ended_at=NOW, end="revoked")
    assert _lines(calm)[2].device is None


def test_a_figure_that_differs_is_an_alarm_but_no_dispute(calm: Hall) -> None:
    calm.record()
    _entered(calm, 1, 120)
    Dispute.objects.create(version=calm.versions()[0], kind=Dispute.Kind.FIGURE)
    line = _lines(calm)[1]
    assert (line.disputed, _codes(line), line.need) == ((), [("figure", 1)], Need.ALARM)


def test_a_deal_entered_in_seconds_is_to_be_looked_at_until_it_is_checked(calm: Hall) -> None:
    calm.record(1)
    calm.record(2)
    _entered(calm, 1, 300)
    _entered(calm, 2, 270)
    line = _lines(calm)[1]
    assert (_codes(line), line.need) == ([("quick", 2)], Need.LOOK)
    assert line.sign_groups == [("quick", (2,))]
    calm.check(2)
    assert _codes(_lines(calm)[1]) == []


def test_a_corrected_deal_keeps_the_time_of_its_first_entry(calm: Hall) -> None:
    calm.record(1)
    calm.record(2)
    _entered(calm, 1, 300)
    _entered(calm, 2, 100)
    calm.record(1, based_on=1)
    DealVersion.objects.filter(deal=calm.deal(1), number=2).update(created_at=NOW - timedelta(seconds=98))
    assert _codes(_lines(calm)[1]) == []


def test_the_first_deal_is_measured_from_the_publication_of_the_draw(calm: Hall) -> None:
    calm.record(1)
    _entered(calm, 1, 10 * 60 - 30)
    assert ("quick", 1) in _codes(_lines(calm)[1])


def test_a_score_beyond_the_plausible_is_to_be_looked_at(calm: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    calm.record(1)
    _entered(calm, 1, 120)
    assert _codes(_lines(calm)[1]) == []
    # The deal gives −190 and −20: a range that just misses one of them.
    monkeypatch.setattr("referee.queries.signs.plausible_points", lambda *_: Plausible(-189, 1000))
    assert _codes(_lines(calm)[1]) == [("beyond", 1)]
    monkeypatch.setattr("referee.queries.signs.plausible_points", lambda *_: Plausible(-190, 0))
    assert _codes(_lines(calm)[1]) == []


def test_a_table_at_which_nothing_happens_is_named_after_a_quarter_of_an_hour(calm: Hall) -> None:
    _began(calm, minutes=15)
    assert _codes(_lines(calm)[1]) == []
    assert _codes(_lines(calm, now=NOW + timedelta(seconds=1))[1]) == [("idle", None)]


@pytest.mark.parametrize("entries", [8, 40])
def test_the_board_takes_the_same_number_of_queries_for_many_tables(
    db: None, entries: int, django_assert_num_queries
) -> None:
    hall = open_hall(entries=entries)
    for table in hall.tables:
        hall.record(table=table, actor=hall.chief)
        TableCall.objects.create(table=table)
        _tablet(hall, table.number, NOW)
    plausible_points(hall.event.ruleset_version, hall.event.scoring_mode)
    with django_assert_num_queries(9):
        lines = live_board(hall.event.tournament)
        assert [line.seats[0].player.name for line in lines]


# -- outliers


def test_the_plausible_range_is_the_same_every_time_and_holds_its_own_deals(db: None) -> None:
    version = make_ruleset_version("huapai")
    first = plausible_points(version, "individual")
    assert first == measure(version, "individual") == plausible_points(version, "individual")
    assert first.low < -1000
    assert first.high > 1000
    assert not first.holds([first.low - 1])
    assert first.holds([first.low, 0, first.high])
    assert SAMPLE >= 1000


def test_quick_deals_are_measured_from_the_deal_before() -> None:
    at = [NOW + timedelta(seconds=seconds) for seconds in (0, 59, 119, 178)]
    entered = [(number, one, None) for number, one in zip((1, 2, 3, 4), at, strict=True)]
    assert quick_deals(entered, None) == (2, 4)
    assert quick_deals(entered, NOW - timedelta(seconds=60)) == (2, 4)
    assert quick_deals(entered, NOW - timedelta(seconds=59)) == (1, 2, 4)


def test_deals_sent_together_are_measured_by_the_tablets_clock_however_wrong() -> None:
    long_ago = NOW - timedelta(days=9000)
    made = [long_ago + timedelta(seconds=seconds) for seconds in (0, 400, 459, 900)]
    entered = [(number, NOW, one) for number, one in zip((1, 2, 3, 4), made, strict=True)]
    assert quick_deals(entered, None) == (3,)
    back = [(1, NOW, NOW), (2, NOW + timedelta(seconds=300), long_ago)]  # the clock was set meanwhile
    assert quick_deals(back, None) == ()
    assert quick_deals([(1, NOW, NOW), (2, NOW, None)], None) == (2,)


def test_deals_of_a_tablet_that_had_no_network_are_nothing_odd(calm: Hall) -> None:
    calm.record(1, tablet_at=NOW - timedelta(minutes=9))
    calm.record(2, tablet_at=NOW - timedelta(minutes=4))
    _entered(calm, 1, 60)
    _entered(calm, 2, 59)
    assert _codes(_lines(calm)[1]) == []


@pytest.mark.parametrize(
    ("counts", "found"),
    [
        ((5, 5, 5, 5), {}),
        # At least three deals, however few the others have.
        ((0, 2, 2, 2), {}),
        ((0, 3, 3, 3), {0: "behind"}),
        ((6, 3, 3, 3), {0: "ahead"}),
        # And two fifths of the median.
        ((7, 10, 10, 10), {}),
        ((6, 10, 10, 10), {0: "behind"}),
        ((0, 9, 9), {}),
    ],
)
def test_far_ahead_and_behind(counts: tuple[int, ...], found: dict[int, str]) -> None:
    tables = dict(enumerate(counts))
    assert paces(tables, tables) == found


def test_a_table_that_is_done_is_never_behind() -> None:
    assert paces({0: 1, 1: 9, 2: 9, 3: 9}, going=[1, 2, 3]) == {}


def test_a_table_far_behind_is_named_on_the_board(db: None) -> None:
    hall = open_hall(Event.Kind.PAIRS, 8, plan={"kind": "set", "deals": 16})
    _began(hall, minutes=10)
    for table in hall.tables[1:]:
        for number in (1, 2, 3):
            hall.record(number, table=table, actor=hall.chief)
            deal = Deal.objects.get(table=table, number=number)
            _check(hall, deal)
    lines = _lines(hall)
    assert _codes(lines[1]) == [("behind", None)]
    assert lines[1].need == Need.PACE


def _check(hall: Hall, deal: Deal) -> None:
    check_deal(actor=hall.chief, deal=deal, version=1, relation="next", seat="W", command_id=uuid4())


# -- the page


def _client(hall: Hall, who: str = "chief") -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(getattr(hall, who).user)
    return client


def test_the_board_answers_304_until_something_changes(hall: Hall) -> None:
    client = _client(hall)
    path = reverse("referee:board_tables", args=[hall.event.tournament.slug])
    first = client.get(path)
    etag = first.headers["ETag"]
    same = client.get(path, headers={"if-none-match": etag})
    assert (same.status_code, same.content) == (304, b"")
    hall.record()
    changed = client.get(path, headers={"if-none-match": etag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != etag
    assert "to check: deal 1<" in changed.content.decode()


def test_deals_are_named_as_deals_where_a_number_could_be_read_as_how_many_there_are(hall: Hall) -> None:
    with translation.override("en"):
        assert (deal_numbers([5]), deal_numbers([5, 7])) == ("deal 5", "deals 5, 7")
    hall.record()
    home = _client(hall, "referee").get(reverse("referee:home")).content.decode()
    assert "to check: deal 1<" in home


def test_the_board_shows_calls_with_a_button_to_take_them(hall: Hall) -> None:
    made = TableCall.objects.create(table=hall.table)
    page = _client(hall).get(reverse("referee:board", args=[hall.event.tournament.slug])).content.decode()
    assert f'formaction="{reverse("referee:call_take", args=[made.pk])}"' in page
    assert " style=" not in page


@pytest.mark.parametrize(("who", "status"), [("referee", 403), ("chief", 200), ("organiser", 200)])
def test_the_board_is_the_desk_s(hall: Hall, who: str, status: int) -> None:
    for name in ("board", "board_tables", "calls"):
        response = _client(hall, who).get(reverse(f"referee:{name}", args=[hall.event.tournament.slug]))
        assert response.status_code == status


# -- whose table, and in play?


def _table_page(hall: Hall, who: str, table: Table) -> str:
    return _client(hall, who).get(reverse("referee:table", args=[table.pk])).content.decode()


def test_who_opens_another_s_table_is_told(hall: Hall) -> None:
    assert "is not one of yours" not in _table_page(hall, "referee", hall.table)
    assert f"it is given to {hall.referee.name}" in _table_page(hall, "chief", hall.table)
    refused = _client(hall, "other_referee").get(reverse("referee:table", args=[hall.table.pk]))
    assert refused.status_code == 403
    assert "Table 1 is not one of yours." in refused.content.decode()


def test_who_opens_a_closed_round_s_table_is_led_to_the_one_in_play(hall: Hall) -> None:
    close_round(actor=hall.chief, round=hall.table.draw.round, override_reason="x")
    page = _table_page(hall, "referee", hall.table)
    assert "Round 1 is closed: nothing can be recorded at this table." in page
    make_published_draw(hall.event, 2)
    second = Table.objects.get(draw__round__number=2, draw__round__event=hall.event, number=1)
    page = _table_page(hall, "referee", hall.table)
    assert reverse("referee:table", args=[second.pk]) in page
    assert "To table 1 of round 2, which is being played" in page
    assert "is closed: nothing" not in _table_page(hall, "referee", second)


def test_credits_in_thirds_are_compared_exactly() -> None:
    assert Plausible(Fraction(-880, 3), 0).holds([Fraction(-880, 3)])
    assert not Plausible(-293, 0).holds([Fraction(-880, 3)])


def test_a_record_that_is_simple_is_one(hall: Hall) -> None:
    """The figures above rest on this deal's."""
    hall.record(record=simple_record())
    assert hall.versions()[0].answer["credited"] == {"N": -190, "W": 0, "S": -20, "E": 0}
