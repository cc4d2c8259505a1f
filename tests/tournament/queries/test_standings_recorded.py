"""Standings from everything recorded: totals, penalties, shared ranks, missing results, "after round r"."""

from fractions import Fraction

import pytest

from tests.played import drawn_round, given_penalty, played_deal, played_event, played_round, update_results
from tournament.models import Draw, Entry, EntryResult, Event
from tournament.queries.standings import event_standings

pytestmark = pytest.mark.django_db

NAMES = ("甲", "乙", "丙", "丁")


def _results(event, number, **values):
    """Sets the stored results of a round by entry name."""
    for result in EntryResult.objects.filter(round__event=event, round__number=number):
        result.value = result.points = values[result.entry.name]
        result.complete = True
        result.save()


@pytest.fixture
def event():
    made = played_event(NAMES)
    played_round(made, 1)
    _results(made, 1, 甲=100, 乙=-50, 丙=100, 丁=Fraction(-880, 3))
    return made


def _by_name(standings):
    return {row.entry.name: row for row in standings.rows}


def test_standings_order_by_total_and_share_the_rank_of_equals(event):
    rows = event_standings(event).rows
    assert [(row.rank, row.entry.name, row.total) for row in rows] == [
        (1, "甲", 100),
        (1, "丙", 100),
        (3, "乙", -50),
        (4, "丁", Fraction(-880, 3)),
    ]
    assert [row.shared for row in rows] == [True, True, False, False]


def test_standings_keep_penalties_apart_and_count_them(event):
    given_penalty(event.entries.get(name="甲"), -30)
    row = _by_name(event_standings(event))["甲"]
    assert (row.values, row.penalties, row.total, row.rank) == ((100,), -30, 70, 2)


def test_standings_leave_out_cancelled_penalties(event):
    from django.utils import timezone

    given_penalty(event.entries.get(name="甲"), -30, cancelled_at=timezone.now())
    assert _by_name(event_standings(event))["甲"].total == 100


def test_standings_after_a_round_leave_later_rounds_and_their_penalties_out(event):
    played_round(event, 2, seed=2)
    _results(event, 2, 甲=-500, 乙=700, 丙=0, 丁=0)
    given_penalty(event.entries.get(name="乙"), -1, round_number=2)
    after_one = _by_name(event_standings(event, 1))
    after_two = _by_name(event_standings(event))
    assert (after_one["乙"].values, after_one["乙"].total) == ((-50,), -50)
    assert (after_two["乙"].values, after_two["乙"].total, after_two["乙"].rank) == ((-50, 700), 649, 1)


def test_standings_show_a_seated_entry_without_result_as_missing(event):
    drawn_round(event, 2)
    standings = event_standings(event)
    assert {row.values[1] for row in standings.rows} == {None}
    assert not standings.complete
    assert _by_name(standings)["甲"].total == 100


def test_standings_count_a_bye_with_its_points():
    event = played_event([*NAMES, "戊"])
    drawn_round(event, 1, byes=1)
    row = _by_name(event_standings(event))["戊"]
    assert row.cells[0].bye
    assert (row.cells[0].complete, row.total) == (True, 50)


def test_standings_add_the_points_at_entry(event):
    Entry.objects.filter(event=event, name="乙").update(start_points=200)
    row = _by_name(event_standings(event))["乙"]
    assert (row.start_points, row.penalties, row.total, row.rank) == (200, 0, 150, 1)


def test_standings_keep_the_results_of_a_withdrawn_entry_and_drop_one_that_never_played(event):
    event.entries.filter(name="丁").update(status=Entry.Status.WITHDRAWN)
    Entry.objects.create(event=event, number=9, name="没来", status=Entry.Status.WITHDRAWN)
    names = _by_name(event_standings(event))
    assert "丁" in names
    assert "没来" not in names


def test_standings_do_not_count_a_draw_that_is_not_published(event):
    draw = drawn_round(event, 2)
    for table in draw.tables.all():
        played_deal(table, 1)
    Draw.objects.filter(pk=draw.pk).update(state=Draw.State.WITHDRAWN)
    assert event_standings(event).rounds == (1,)


def test_standings_of_a_set_rank_by_difference():
    event = played_event(("红队", "黑队"), kind=Event.Kind.PAIRS, measure=Event.Measure.DIFFERENCE)
    table = drawn_round(event, 1).tables.get()
    for deal in range(1, 4):
        played_deal(table, deal)
    update_results(table, complete=True)
    first, second = event_standings(event).rows
    assert first.total == -second.total
    assert first.total >= 0


def test_standings_use_the_same_number_of_queries_for_more_entries(event, django_assert_max_num_queries):
    with django_assert_max_num_queries(12):
        event_standings(event)
    big = played_event([f"选手{n}" for n in range(40)])
    played_round(big, 1, deals=1)
    with django_assert_max_num_queries(12):
        assert len(event_standings(big).rows) == 40
