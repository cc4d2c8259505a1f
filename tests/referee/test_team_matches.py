"""Team matches: two tables, free deals or duplicate ones; place points at tables of single players."""

from fractions import Fraction
from typing import Any

import pytest

from referee.queries import compared_deals, play_of
from referee.queries.play import tables_in_play
from tests.referee.conftest import Hall, open_hall, simple_record
from tournament.models import EntryResult, Event
from tournament.queries.standings import event_standings
from tournament.services.audit import SYSTEM
from tournament.services.errors import Refused
from tournament.services.events import edit_event
from tournament.services.results import rebuild_event_results

FOUR = {"kind": "set", "deals": 4}


def teams(**fields: Any) -> Hall:
    return open_hall(Event.Kind.TEAMS, 2, plan=FOUR, **fields)


def record_at(hall: Hall, place: int, number: int, seed: int, **values: Any) -> None:
    values = {"record": hall.random_record(seed), **values}
    hall.record(number=number, table=hall.tables[place], actor=hall.chief, **values)


def plays(hall: Hall) -> list[Any]:
    return [play_of(table) for table in tables_in_play().order_by("number")]


def values(hall: Hall) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for one in EntryResult.objects.all():
        found[one.entry_id] = found.get(one.entry_id, Fraction(0)) + one.value
    return found


def test_each_team_sits_north_south_at_one_table_and_east_west_at_the_other(db: None) -> None:
    hall = teams()
    assert len(hall.tables) == 2
    first, second = (
        {seat.direction: (seat.entry_id, seat.player_id) for seat in table.seats.all()}
        for table in hall.tables
    )
    assert first["N"][0] == first["S"][0] == second["W"][0] == second["E"][0]
    assert first["W"][0] == first["E"][0] == second["N"][0] == second["S"][0]
    assert len({player for seats in (first, second) for _, player in seats.values()}) == 8


def test_free_deals_count_by_their_totals_at_both_tables(db: None) -> None:
    hall = teams()
    record_at(hall, 0, 1, seed=1)
    record_at(hall, 1, 3, seed=2)
    stored = EntryResult.objects.all()
    for entry in {one.entry_id for one in stored}:
        own = [one for one in stored if one.entry_id == entry]
        assert values(hall)[entry] == sum(one.points - one.opponents_points for one in own)


def test_duplicate_deals_count_only_once_both_tables_have_played_them(db: None) -> None:
    hall = teams(options={"duplicate": True})
    record_at(hall, 0, 1, seed=1)
    record_at(hall, 0, 2, seed=2)
    assert set(values(hall).values()) == {0}
    record_at(hall, 1, 2, seed=3)
    (deal,) = compared_deals(plays(hall))
    assert deal.number == 2
    keys = [column.key for column in plays(hall)[0].columns]
    swing = sum(one[keys[0]] - one[keys[1]] for one in deal.amounts)
    assert deal.swing(keys[0]) == swing == -deal.swing(keys[1])
    assert values(hall)[int(keys[0])] == swing
    # The same entry has the same points in the standings as in the comparison.
    totals = {row.entry.pk: row.total for row in event_standings(hall.event).rows}
    assert totals[int(keys[0])] == swing
    assert rebuild_event_results(hall.event) == 0


def test_duplicate_victory_points_come_from_the_compared_deals_of_both_tables(db: None) -> None:
    hall = teams(
        options={"duplicate": True, "victory_points": [[0, 5, 5], [1, 10, 0]]},
        measure=Event.Measure.VICTORY_POINTS,
    )
    record_at(hall, 0, 1, seed=1)
    assert set(values(hall).values()) == {5}
    record_at(hall, 1, 2, seed=2)
    assert set(values(hall).values()) == {5}
    record_at(hall, 1, 1, seed=5)
    (deal,) = compared_deals(plays(hall))
    keys = [column.key for column in plays(hall)[0].columns]
    assert deal.swing(keys[0]) != 0
    assert values(hall) == {int(key): Fraction(10 if deal.swing(key) > 0 else 0) for key in keys}


@pytest.mark.parametrize(("holder", "alike"), [("W", True), ("E", False)])
def test_duplicate_deals_dealt_differently_are_noticed(db: None, holder: str, alike: bool) -> None:
    hall = teams(options={"duplicate": True})
    held = {"SQ": "W", "DJ": "W", "C10": "E", "HA": "E"}
    record_at(hall, 0, 1, 0, record=simple_record(held=held))
    record_at(hall, 1, 1, 0, record=simple_record(held={**held, "SQ": holder}))
    (deal,) = compared_deals(plays(hall))
    assert deal.dealt_alike is alike


def test_place_points_are_shared_by_the_equal_and_follow_the_organisers_scale(db: None) -> None:
    hall = open_hall(
        Event.Kind.INDIVIDUAL,
        4,
        plan=FOUR,
        measure=Event.Measure.PLACE_POINTS,
        options={"place_points": [5, 3, 1, 0]},
    )
    hall.record(number=1)  # North −190, South −20, West and East 0
    by_seat = {
        seat.direction: EntryResult.objects.get(entry=seat.entry, table=hall.table).value
        for seat in hall.table.seats.all()
    }
    assert by_seat == {"W": 4, "E": 4, "S": 1, "N": 0}
    assert sum(row.total for row in event_standings(hall.event).rows) == 9


def test_place_points_usually_are_four_two_one_nothing(db: None) -> None:
    hall = open_hall(Event.Kind.CHANGING, 4, plan=FOUR, measure=Event.Measure.PLACE_POINTS)
    hall.record(number=1)
    assert sorted(EntryResult.objects.values_list("value", flat=True)) == [
        Fraction(1, 2),
        Fraction(1, 2),
        3,
        3,
    ]


@pytest.mark.parametrize(
    ("kind", "options", "code"),
    [
        (Event.Kind.PAIRS, {"duplicate": True}, "duplicate_kind"),
        (Event.Kind.TEAMS, {"segments": {"count": 5}}, "segments_deals"),
        (Event.Kind.TEAMS, {"segments": {"count": 0}}, "segments_range"),
        (Event.Kind.TEAMS, {"segments": {"count": 2, "change": "partners"}}, "segment_partners"),
        (Event.Kind.PAIRS, {"segments": {"count": 2, "change": "opponents"}}, "segment_opponents"),
        (Event.Kind.PAIRS, {"segments": {"count": 2, "change": "hats"}}, "segment_change"),
        (Event.Kind.TEAMS, {"victory_points": [[0, 10, 10], [50, 11, 8]]}, "vp_sum"),
        (Event.Kind.INDIVIDUAL, {"place_points": [1, 2]}, "place_points_order"),
        (Event.Kind.INDIVIDUAL, {"place_points": [1]}, "place_points_count"),
        (Event.Kind.INDIVIDUAL, {"place_points": [1, -1]}, "place_points_range"),
    ],
)
def test_structures_that_cannot_be_are_refused(db: None, kind: str, options: Any, code: str) -> None:
    with pytest.raises(Refused) as refused:
        open_hall(kind, 4, plan=FOUR, measure=Event.Measure.POINTS, options=options)
    assert code in {one.code for one in refused.value.problems}


def test_the_structure_is_frozen_with_the_round_plan(db: None) -> None:
    hall = teams()
    with pytest.raises(Refused) as refused:
        edit_event(actor=SYSTEM, event=hall.event, options={"duplicate": True})
    assert [one.field for one in refused.value.problems] == ["duplicate"]
