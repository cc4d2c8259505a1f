"""Segments 节 at a table: which deals may be played, who sits where, subtotals, partners that change."""

from collections import defaultdict
from fractions import Fraction
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from referee.models import Deal
from referee.queries import play_of, table_state, tables_now
from referee.queries.board import live_board
from referee.queries.play import tables_in_play
from referee.services.deals import undo_deal
from referee.services.tables import start_segment
from tests.referee.conftest import Hall, losing_record, open_hall
from tests.referee.test_results import play, scored
from tournament.models import EntryResult, Event
from tournament.queries.board import round_board
from tournament.services.errors import Conflict, NotAllowed, Refused
from tournament.services.results import rebuild_event_results

SIX_DEALS = {"kind": "set", "deals": 6}


def now(hall: Hall):
    return play_of(tables_in_play().get(pk=hall.table.pk))


def two_segments(change: str, kind: str = Event.Kind.PAIRS, plan=SIX_DEALS, **fields) -> Hall:
    options = {"segments": {"count": fields.pop("count", 2), "change": change}}
    return open_hall(kind, 4, plan=plan, options=options, **fields)


def test_a_segment_is_played_out_before_the_next_begins(db: None) -> None:
    hall = two_segments("keep")
    assert now(hall).open_numbers == (1, 2, 3)
    with pytest.raises(Refused) as refused:
        hall.record(number=4)
    assert refused.value.code == "deal_number"
    for number in (3, 1, 2):
        hall.record(number=number)
    assert (now(hall).segment, now(hall).open_numbers) == (2, (4, 5, 6))
    hall.record(number=5)
    assert dict(Deal.objects.values_list("number", "segment")) == {3: 1, 1: 1, 2: 1, 5: 2}
    assert dict(Deal.objects.values_list("number", "order")) == {3: 1, 1: 2, 2: 3, 5: 4}


def test_an_undone_deal_of_an_earlier_segment_is_recorded_where_it_belongs(db: None) -> None:
    hall = two_segments("turn")
    play(hall, 3, checked=False)
    hall.record(number=4)
    undo_deal(actor=hall.referee, deal=hall.deal(2), version=1, command_id=uuid4())
    assert now(hall).segment_shown == 1
    shown = table_state(hall.table)
    assert [seat.segment for seat in shown.seats] == [1, 1, 1, 1]
    hall.record(number=2, based_on=2)
    assert Deal.objects.get(number=2).segment == 1
    assert now(hall).segment_shown == 2


def test_pairs_that_exchange_directions_keep_their_points(db: None) -> None:
    hall = two_segments("turn")
    play(hall, 6)
    first = {seat.direction: seat.entry_id for seat in hall.table.seats.filter(segment=1)}
    second = {seat.direction: seat.entry_id for seat in hall.table.seats.filter(segment=2)}
    assert first["N"] == first["S"] == second["W"] == second["E"]
    wanted: dict[int, Fraction] = defaultdict(Fraction)
    for number, credited in enumerate(scored(hall), start=1):
        seats = first if number <= 3 else second
        for direction in ("N", "W"):
            wanted[seats[direction]] += credited[direction]
    stored = {one.entry_id: one.points for one in EntryResult.objects.filter(table=hall.table)}
    assert stored == wanted
    subtotals = now(hall).subtotals
    assert sorted(subtotals) == [1, 2]
    for column in now(hall).columns:
        assert sum(part[column.key] for part in subtotals.values()) == stored[min(column.entries)]
    assert rebuild_event_results(hall.event) == 0


def test_changing_partners_credits_each_player_what_their_side_of_the_segment_has(db: None) -> None:
    hall = two_segments("partners", Event.Kind.CHANGING, count=3)
    play(hall, 6)
    wanted: dict[int, Fraction] = defaultdict(Fraction)
    for number, credited in enumerate(scored(hall), start=1):
        for seat in hall.table.seats.filter(segment=(number + 1) // 2):
            wanted[seat.entry_id] += credited[seat.direction]
    results = EntryResult.objects.filter(table=hall.table)
    assert {one.entry_id: one.points for one in results} == wanted
    assert len(results) == 4
    assert all(one.complete for one in results)


def test_partners_of_one_round_are_scored_per_side_and_ranked_singly(db: None) -> None:
    hall = open_hall(Event.Kind.CHANGING, 4, plan={"kind": "set", "deals": 2})
    play(hall, 2)
    by_seat = {
        seat.direction: EntryResult.objects.get(table=hall.table, entry=seat.entry)
        for seat in hall.table.seats.all()
    }
    deals = scored(hall)
    for seat, partner in ("NS", "WE"):
        assert by_seat[seat].points == by_seat[partner].points == sum(deal[seat] for deal in deals)
    assert len({result.entry_id for result in by_seat.values()}) == 4


def test_in_games_each_game_is_a_segment(db: None) -> None:
    hall = two_segments("turn", Event.Kind.INDIVIDUAL, {"kind": "game", "best_of": 3}, count=3)
    hall.record(record=losing_record())
    assert (now(hall).segment, now(hall).next_number) == (2, 2)
    hall.record(number=2, record=losing_record())
    assert list(Deal.objects.order_by("number").values_list("segment", flat=True)) == [1, 2]
    # North lost both, but two different players sat there.
    assert sorted(EntryResult.objects.values_list("pigs", flat=True)) == [0, 0, 1, 1]


def test_a_timed_round_changes_segment_when_the_referee_says(db: None) -> None:
    hall = two_segments("turn", plan={"kind": "time", "minutes": 30})
    hall.record(number=1)
    start_segment(actor=hall.referee, table=hall.table, segment=2, command_id=uuid4())
    hall.record(number=2)
    assert list(Deal.objects.order_by("number").values_list("segment", flat=True)) == [1, 2]
    with pytest.raises(Conflict):
        start_segment(actor=hall.referee, table=hall.table, segment=2, command_id=uuid4())
    with pytest.raises(Conflict):
        start_segment(actor=hall.referee, table=hall.table, segment=3, command_id=uuid4())
    with pytest.raises(NotAllowed):
        start_segment(actor=hall.other_referee, table=hall.table, segment=2, command_id=uuid4())


def test_in_a_set_no_segment_is_begun_by_hand(db: None) -> None:
    hall = two_segments("keep")
    with pytest.raises(Refused) as refused:
        start_segment(actor=hall.referee, table=hall.table, segment=2, command_id=uuid4())
    assert refused.value.code == "segment_by_deals"


def test_the_tables_page_has_segments_and_subtotals(db: None, client: Client) -> None:
    hall = two_segments("turn", plan={"kind": "time", "minutes": 30})
    client.force_login(hall.referee.user)
    hall.record(number=1)
    body = {"segment": 2, "command_id": str(uuid4())}
    address = reverse("referee:api_segment", args=[hall.table.pk])
    before = client.get(reverse("referee:api_table", args=[hall.table.pk])).json()["table"]
    assert before["next_segment"] == 2
    answer = client.post(address, body, content_type="application/json").json()
    assert answer["table"]["next_segment"] is None
    assert answer["table"]["segment"]
    assert [one["segment"] for one in answer["table"]["subtotals"]] == [1]
    names = {seat["seat"]: seat["player"] for seat in before["seats"]}
    assert {seat["seat"]: seat["player"] for seat in answer["table"]["seats"]}["W"] == names["N"]
    # The deal played in the first segment still names who played it.
    assert {one["seat"]: one["player"] for one in answer["table"]["deals"][0]["scores"]} == names
    assert client.post(address, body, content_type="application/json").json()["repeated"]


@pytest.mark.parametrize(
    ("plan", "records"),
    [(SIX_DEALS, 3), ({"kind": "game", "best_of": 3}, 1)],
    ids=["a set: its numbers tell", "games: between two of them"],
)
def test_boards_and_the_referees_list_show_who_sits_there_in_the_segment_now_played(
    db: None, plan: dict, records: int
) -> None:
    hall = two_segments("turn", plan=plan, measure=Event.Measure.DIFFERENCE)
    round_ = hall.table.draw.round

    def shown() -> list[list[tuple[int, str]]]:
        boards = (
            round_board(round_).lines[0].seats,
            next(one for one in live_board(hall.event.tournament) if one.table == hall.table).seats,
            next(one for one in tables_now(hall.referee.user)[0].lines if one.table == hall.table).seats,
        )
        return [sorted((seat.segment, seat.player.name) for seat in seats) for seats in boards]

    before = shown()
    assert {segment for board in before for segment, _name in board} == {1}
    for number in range(1, records + 1):
        hall.record(number=number, record=losing_record() if plan["kind"] == "game" else None)
    assert {segment for board in shown() for segment, _name in board} == {2}
    undo_deal(actor=hall.referee, deal=hall.deal(records), version=1, command_id=uuid4())
    assert shown() == before
