"""What puts one of two equals ahead, and what counts as one encounter."""

import pytest

from tests.played import drawn_round, played_event, update_results
from tournament.models import Entry, EntryResult, Event, Match, MatchSide, Seat, Table
from tournament.queries.standings import event_standings
from tournament.ranking.results import Measure
from tournament.ranking.tie_breaks import Criterion

pytestmark = pytest.mark.django_db


def _set(event, number, complete=True, **values):
    for result in EntryResult.objects.filter(round__event=event, round__number=number):
        own = values[result.entry.name]
        other = next((v for name, v in values.items() if name != result.entry.name), 0)
        result.points, result.opponents_points = own, other
        result.value = own - other if event.measure == Event.Measure.DIFFERENCE else own
        result.deals, result.complete = 1, complete
        result.save()


def _drawn(event, number):
    draw = drawn_round(event, number, seed=number)
    for table in draw.tables.all():
        update_results(table)
    return draw


@pytest.fixture
def equals():
    """Four players at one table, two of them equal in all."""
    event = played_event(["甲", "乙", "丙", "丁"], options={"tie_breaks": ["grand_slams", "lot"]})
    _drawn(event, 1)
    _set(event, 1, 甲=100, 乙=100, 丙=0, 丁=-200)
    return event


def _ahead(event):
    return {row.entry.name: row.ahead and row.ahead.criterion for row in event_standings(event).rows}


def test_equal_on_everything_share_the_rank_until_lots_are_drawn(equals):
    rows = event_standings(equals).rows
    assert [row.rank for row in rows] == [1, 1, 3, 4]
    assert rows[0].ahead is None
    equals.options = {**equals.options, "lots": {"1": 40, "2": 7, "3": 1, "4": 2}}
    rows = event_standings(equals).rows
    assert [(row.rank, row.entry.name) for row in rows] == [(1, "乙"), (2, "甲"), (3, "丙"), (4, "丁")]
    assert rows[0].ahead.criterion is Criterion.LOT
    assert (rows[0].ahead.value, rows[0].ahead.next_value) == (-7, -40)
    assert dict(rows[0].tie_breaks)[Criterion.LOT] == -7
    # Who is not tied was not put in order by the lot.
    assert dict(rows[2].tie_breaks)[Criterion.LOT] is None


def test_any_two_neighbours_say_what_put_one_ahead(equals):
    EntryResult.objects.filter(entry__name="乙").update(grand_slams=1)
    assert _ahead(equals) == {
        "乙": Criterion.GRAND_SLAMS,
        "甲": Criterion.TOTAL,
        "丙": Criterion.TOTAL,
        "丁": None,
    }


def test_house_players_are_met_but_not_ranked(equals):
    Entry.objects.filter(event=equals, name="丁").update(house=True)
    rows = event_standings(equals).rows
    assert [row.entry.name for row in rows] == ["甲", "乙", "丙"]


def test_match_points_of_pairs_and_none_while_a_result_is_missing():
    event = played_event(
        ["红", "黑"],
        kind=Event.Kind.PAIRS,
        measure=Event.Measure.DIFFERENCE,
        options={"tie_breaks": ["match_points"]},
    )
    _drawn(event, 1)
    _set(event, 1, 红=30, 黑=10)

    def match_points():
        return {row.entry.name: dict(row.tie_breaks)[Criterion.MATCH_POINTS] for row in rows()}

    def rows():
        return event_standings(event).rows

    assert match_points() == {"红": 2, "黑": 0}
    assert [row.total for row in rows()] == [20, -20]
    _set(event, 1, 红=10, 黑=10)
    assert match_points() == {"红": 1, "黑": 1}
    _set(event, 1, complete=False, 红=30, 黑=10)
    assert match_points() == {"红": 0, "黑": 0}
    assert not event_standings(event).complete


def test_both_tables_of_a_team_match_are_one_encounter():
    event = played_event(
        ["红", "黑"],
        kind=Event.Kind.TEAMS,
        measure=Event.Measure.DIFFERENCE,
        options={"tie_breaks": ["match_points", "head_to_head"]},
    )
    first = _drawn(event, 1).tables.get()
    second = Table.objects.create(match=first.match, draw=first.draw, number=2)
    for seat in first.seats.all():
        Seat.objects.create(
            table=second, direction=seat.direction, order=seat.order, entry=seat.entry, player=seat.player
        )
    for table, (red, black) in ((first, (-10, 40)), (second, (90, 0))):
        for name, own, other in (("红", red, black), ("黑", black, red)):
            EntryResult.objects.update_or_create(
                table=table,
                entry=event.entries.get(name=name),
                defaults={
                    "round": first.draw.round,
                    "points": own,
                    "opponents_points": other,
                    "value": own - other,
                    "deals": 1,
                    "complete": True,
                },
            )
    assert Match.objects.count() == MatchSide.objects.count() / 2 == 1
    rows = event_standings(event).rows
    assert [(row.entry.name, row.total) for row in rows] == [("红", 40), ("黑", -40)]
    # Lost at one table, won at the other by more: the match is won, once.
    assert [dict(row.tie_breaks)[Criterion.MATCH_POINTS] for row in rows] == [2, 0]
    assert rows[0].ahead.criterion.value == Measure.DIFFERENCE.value
    EntryResult.objects.filter(table=second).update(complete=False)
    assert not event_standings(event).complete
