"""Stored results of entries: right by every measure, and always the same as built anew from the records."""

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.models import DealVersion
from scoring.engine import score_deal
from tests.referee.conftest import Hall, losing_record, open_hall
from tournament.models import EntryResult, Event
from tournament.services.results import rebuild_event_results


def results(hall: Hall) -> dict[str, EntryResult]:
    """Results at the first table by the first seat of each entry."""
    found = {}
    for seat in hall.table.seats.order_by("order"):
        result = EntryResult.objects.get(table=hall.table, entry=seat.entry)
        if result not in found.values():
            found[seat.direction] = result
    return found


def play(hall: Hall, deals: int, *, checked: bool = True) -> None:
    for number in range(1, deals + 1):
        hall.record(number=number, record=hall.random_record(number))
        if checked:
            hall.check(number)


def scored(hall: Hall) -> list[dict[str, Fraction]]:
    rules = hall.event.ruleset_version.ruleset()
    records = (
        DealVersion.objects.filter(deal__table=hall.table)
        .order_by("deal__order")
        .values_list("record", flat=True)
    )
    return [
        {seat: Fraction(value) for seat, value in score_deal(record, rules).credited.items()}
        for record in records
    ]


def test_results_of_pairs_credit_the_side_once_not_per_seat(set_hall: Hall) -> None:
    play(set_hall, 4)
    north = results(set_hall)["N"]
    deals = scored(set_hall)
    own = sum(deal["N"] for deal in deals)
    others = sum(deal["E"] for deal in deals)
    assert own == sum(deal["S"] for deal in deals)
    assert (north.points, north.opponents_points, north.value) == (own, others, own - others)
    assert (north.deals, north.checked_deals, north.complete) == (4, 4, True)
    assert EntryResult.objects.filter(table=set_hall.table).count() == 2


def test_results_are_complete_only_when_the_plan_is_played_out_and_checked(set_hall: Hall) -> None:
    play(set_hall, 3)
    assert not results(set_hall)["N"].complete
    set_hall.record(number=4, record=set_hall.random_record(4))
    assert not results(set_hall)["N"].complete
    set_hall.check(4)
    assert all(result.complete for result in results(set_hall).values())


def test_results_of_zero_sum_thirds_are_exact(db: None) -> None:
    hall = open_hall(ruleset="platform", plan={"kind": "set", "deals": 4})
    version = hall.event.ruleset_version
    version.data = {**version.data, "rounding": "exact", "scale": 1}
    version.save()
    play(hall, 4)
    points = [result.points for result in results(hall).values()]
    assert sum(points) == 0
    assert any(isinstance(value, Fraction) for value in points)


def test_results_of_pig_sheep_credit_each_player_their_side(db: None) -> None:
    hall = open_hall(Event.Kind.PIG_SHEEP, 8, plan={"kind": "set", "deals": 4})
    play(hall, 4)
    deals = scored(hall)
    for seat, result in results(hall).items():
        assert result.points == result.value == sum(deal[seat] for deal in deals)
    assert {version.record["mode"] for version in DealVersion.objects.all()} == {"pig_sheep"}


def test_results_of_a_game_count_who_won_and_who_was_made_pig(hall: Hall) -> None:
    hall.record(record=losing_record())
    by_seat = results(hall)
    assert (by_seat["N"].pigs, by_seat["N"].games_won) == (1, 0)
    best = max(result.points for result in by_seat.values())
    winners = [result for result in by_seat.values() if result.points == best]
    assert {result.games_won for result in winners} == {Fraction(1, len(winners))}
    assert sum(result.games_won for result in by_seat.values()) == 1


def test_results_by_games_won_of_pairs(db: None) -> None:
    hall = open_hall(Event.Kind.PAIRS, 4, plan={"kind": "game", "best_of": 3}, measure=Event.Measure.GAMES)
    for number in range(1, 200):
        hall.record(number=number, record=hall.random_record(number))
        if results(hall)["N"].games_won + results(hall)["W"].games_won >= 3:
            break
        if max(one.games_won for one in results(hall).values()) >= 2:
            break
    by_seat = results(hall)
    assert max(result.value for result in by_seat.values()) >= Fraction(3, 2)
    assert all(result.value == result.games_won for result in by_seat.values())


def test_results_by_victory_points_share_a_constant(db: None) -> None:
    hall = open_hall(
        Event.Kind.PAIRS, 4, plan={"kind": "set", "deals": 4}, measure=Event.Measure.VICTORY_POINTS
    )
    play(hall, 4)
    north, west = results(hall)["N"], results(hall)["W"]
    assert north.value + west.value == 20
    assert (north.value > west.value) == (north.points > west.points) or north.value == 10


def test_results_by_victory_points_of_the_organisers_own_table(db: None) -> None:
    hall = open_hall(
        Event.Kind.PAIRS,
        4,
        plan={"kind": "set", "deals": 4},
        measure=Event.Measure.VICTORY_POINTS,
        options={"victory_points": [[0, 1, 1], [1, 2, 0]]},
    )
    play(hall, 4)
    assert {result.value for result in results(hall).values()} <= {0, 1, 2}


def test_results_count_all_hearts_and_grand_slams(hall: Hall) -> None:
    hearts = [f"H{rank}" for rank in ("A", "K", "Q", "J", 10, 9, 8, 7, 6, 5, 4, 3, 2)]
    held = {"SQ": "W", "DJ": "W", "C10": "E", "HA": "E"}
    hall.record(record={"captures": {"N": hearts, "S": ["SQ", "DJ", "C10"]}, "held": held})
    by_seat = results(hall)
    assert (by_seat["N"].all_hearts, by_seat["N"].grand_slams, by_seat["S"].all_hearts) == (1, 0, 0)


@pytest.mark.parametrize("kind", [Event.Kind.INDIVIDUAL, Event.Kind.PAIRS, Event.Kind.PIG_SHEEP])
def test_rebuild_finds_nothing_to_change(db: None, kind: str) -> None:
    hall = open_hall(kind, plan={"kind": "set", "deals": 4})
    play(hall, 3, checked=False)
    assert rebuild_event_results(hall.event) == 0


def test_rebuild_repairs_tampered_and_missing_results(set_hall: Hall) -> None:
    play(set_hall, 2)
    right = {row.entry_id: row.points for row in EntryResult.objects.all()}
    one, other = EntryResult.objects.all()
    EntryResult.objects.filter(pk=one.pk).update(points=12345)
    other.delete()
    assert rebuild_event_results(set_hall.event) == 2
    assert {row.entry_id: row.points for row in EntryResult.objects.all()} == right


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seeds=st.lists(st.integers(0, 10_000), min_size=1, max_size=4))
def test_results_of_individuals_are_the_sums_of_their_scores(db: None, seeds: list[int]) -> None:
    hall = open_hall(plan={"kind": "set", "deals": 16})
    for number, seed in enumerate(seeds, start=1):
        hall.record(number=number, record=hall.random_record(seed))
    deals = scored(hall)
    assert {seat: result.points for seat, result in results(hall).items()} == {
        seat: sum(deal[seat] for deal in deals) for seat in ("N", "W", "S", "E")
    }
