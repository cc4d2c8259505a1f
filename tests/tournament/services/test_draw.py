"""Drawing a round and swapping in the preview; every draw can be recomputed."""

from fractions import Fraction

import pytest
from django.db import IntegrityError

from referee.models import Penalty
from tests.factories import make_entry, make_event, make_published_draw
from tournament.models import AuditRow, Bye, Draw, Event, Match, Round, Seat
from tournament.queries.draw_inputs import DrawInputs
from tournament.queries.draw_sources import collect_inputs
from tournament.queries.draws import redraw_matches, same_as_stored
from tournament.services.audit import SYSTEM
from tournament.services.draw import make_draw, publish_draw, swap_seats
from tournament.services.entries import withdraw_entry
from tournament.services.errors import Conflict, Refused

pytestmark = pytest.mark.django_db


def _round(event, number=1):
    return event.rounds.get(number=number)


def _clubs_together(draw):
    """Tables at which two of one club sit."""
    found = 0
    for table in draw.tables.all():
        clubs = [seat.entry.club for seat in table.seats.all() if seat.entry.club]
        found += len(clubs) != len(set(clubs))
    return found


def test_individual_draw_seats_everybody_once_with_clubs_apart():
    event = make_event(entries=16, clubs_apart_rounds=2)

    draw = make_draw(actor=SYSTEM, round=_round(event), seed=3)

    seats = Seat.objects.filter(table__draw=draw)
    assert sorted(seats.values_list("entry__number", flat=True)) == list(range(1, 17))
    assert {table.seats.count() for table in draw.tables.all()} == {4}
    for table in draw.tables.all():
        assert [seat.direction for seat in table.seats.order_by("order")] == ["N", "W", "S", "E"]
        assert {seat.player.entry_id for seat in table.seats.all()} == {
            seat.entry_id for seat in table.seats.all()
        }
    assert _clubs_together(draw) == 0
    assert draw.quality["violations"] == []
    assert draw.quality["club_clashes"] == 0
    assert _round(event).state == Round.State.DRAWN


def test_pairs_sit_opposite_each_other():
    event = make_event(kind=Event.Kind.PAIRS, entries=8)

    draw = make_draw(actor=SYSTEM, round=_round(event), seed=3)

    assert draw.tables.count() == 4
    for match in Match.objects.filter(draw=draw):
        first, second = match.sides.order_by("position")
        seats = {seat.direction: seat for seat in Seat.objects.filter(table__match=match)}
        assert {seats["N"].entry, seats["S"].entry} == {first.entry}
        assert {seats["E"].entry, seats["W"].entry} == {second.entry}
        assert len({seat.player_id for seat in seats.values()}) == 4


def test_team_match_has_two_tables_seated_the_other_way_round():
    event = make_event(kind=Event.Kind.TEAMS, entries=4)

    draw = make_draw(actor=SYSTEM, round=_round(event), seed=3)

    assert sorted(draw.tables.values_list("number", flat=True)) == [1, 2, 3, 4]
    for match in Match.objects.filter(draw=draw):
        first, second = (side.entry for side in match.sides.order_by("position"))
        open_room, closed_room = match.tables.order_by("number")
        assert {seat.entry for seat in open_room.seats.filter(direction__in="NS")} == {first}
        assert {seat.entry for seat in closed_room.seats.filter(direction__in="NS")} == {second}
        players = Seat.objects.filter(table__match=match).values_list("player", flat=True)
        assert len(set(players)) == 8


@pytest.mark.parametrize("kind", [Event.Kind.PIG_SHEEP, Event.Kind.CHANGING])
def test_other_kinds_of_single_players_sit_at_tables_of_four(kind):
    event = make_event(kind=kind, entries=9)

    draw = make_draw(actor=SYSTEM, round=_round(event), seed=3)

    assert {table.seats.count() for table in draw.tables.all()} == {4}
    assert draw.byes.count() == 1
    with pytest.raises(Refused) as refused:
        make_draw(actor=SYSTEM, round=make_event(kind=kind, entries=9).rounds.get(number=1), answer="threes")
    assert refused.value.code == "needs_four"


def test_odd_field_is_seated_as_the_organiser_chooses():
    byes = make_draw(
        actor=SYSTEM, round=_round(make_event(entries=10)), seed=1, answer="byes", bye_points=Fraction(50)
    )
    threes = make_draw(actor=SYSTEM, round=_round(make_event(entries=10)), seed=1, answer="threes")
    fives = make_draw(actor=SYSTEM, round=_round(make_event(entries=10)), seed=1, answer="fives")

    assert [bye.points for bye in byes.byes.all()] == [50, 50]
    assert sorted(table.seats.count() for table in threes.tables.all()) == [3, 3, 4]
    assert sorted(table.seats.count() for table in fives.tables.all()) == [5, 5]
    three = next(table for table in threes.tables.all() if table.seats.count() == 3)
    assert [seat.direction for seat in three.seats.order_by("order")] == ["A", "B", "C"]
    assert byes.quality["violations"] == threes.quality["violations"] == fives.quality["violations"] == []


def test_event_states_the_usual_answer_and_score_for_a_bye():
    event = make_event(entries=9, options={"odd": "byes", "bye_points": 30})

    draw = make_draw(actor=SYSTEM, round=_round(event))

    assert [bye.points for bye in draw.byes.all()] == [30]


def test_nobody_sits_out_twice_before_everyone_has_once():
    event = make_event(entries=5, planned_rounds=5)

    out = [make_published_draw(event, number).byes.get().entry_id for number in range(1, 6)]

    assert len(set(out)) == 5


@pytest.mark.parametrize(
    ("kind", "entries"), [("individual", 18), ("pairs", 9), ("teams", 5), ("pig_sheep", 13)]
)
def test_every_draw_can_be_recomputed_from_its_row(kind, entries):
    event = make_event(kind=kind, entries=entries, clubs_apart_rounds=2)
    make_published_draw(event, 1)

    draw = make_draw(actor=SYSTEM, round=_round(event, 2), seed=99)

    assert same_as_stored(Draw.objects.get(pk=draw.pk))
    # What has become of the entries since does not matter: the row holds the inputs.
    withdraw_entry(actor=SYSTEM, entry=event.entries.first(), reason="left")
    make_entry(event, "后来的")
    assert same_as_stored(Draw.objects.get(pk=draw.pk))


def test_same_seed_gives_the_same_draw_and_another_seed_another():
    seats = []
    for seed in (5, 5, 6):
        event = make_event(entries=16)
        draw = make_draw(actor=SYSTEM, round=_round(event), seed=seed)
        seats.append(
            list(
                Seat.objects.filter(table__draw=draw)
                .order_by("table__number", "order")
                .values_list("entry__number", flat=True)
            )
        )
    assert seats[0] == seats[1] != seats[2]


def test_inputs_survive_the_way_through_json():
    event = make_event(entries=10, clubs_apart_rounds=2)
    make_published_draw(event, 1)
    inputs = collect_inputs(_round(event, 2)).with_swap(1, 2)

    assert DrawInputs.from_json(inputs.to_json()) == inputs


def test_second_draw_of_a_round_is_refused_and_leaves_the_first():
    event = make_event(entries=8)
    first = make_draw(actor=SYSTEM, round=_round(event))

    with pytest.raises(Conflict) as refused:
        make_draw(actor=SYSTEM, round=_round(event))
    assert refused.value.code == "already_drawn"
    assert list(Draw.objects.all()) == [first]


def test_two_people_drawing_at_once_one_is_told(monkeypatch):
    event = make_event(entries=8)
    # The other one's draw comes in between the look and the write.
    monkeypatch.setattr("tournament.services.draw_guards.living_draw", lambda round: None)
    first = make_draw(actor=SYSTEM, round=_round(event))

    with pytest.raises(Conflict) as refused:
        make_draw(actor=SYSTEM, round=_round(event))
    assert refused.value.code == "already_drawn"
    assert list(Draw.objects.all()) == [first]
    assert AuditRow.objects.filter(action="draw.make").count() == 1


def test_database_allows_one_living_draw_of_a_round():
    event = make_event(entries=8)
    draw = make_draw(actor=SYSTEM, round=_round(event))

    with pytest.raises(IntegrityError):
        Draw.objects.create(round=draw.round, number=2, method="random", seed=1)


def test_too_few_entries_are_refused_with_their_number():
    event = make_event(entries=2)

    with pytest.raises(Refused) as refused:
        make_draw(actor=SYSTEM, round=_round(event))
    assert refused.value.code == "too_few_entrants"
    assert "2" in str(refused.value)
    assert _round(event).state == Round.State.PLANNED


def test_round_is_drawn_after_the_one_before_it():
    event = make_event(entries=8)

    with pytest.raises(Refused) as refused:
        make_draw(actor=SYSTEM, round=_round(event, 2))
    assert refused.value.code == "earlier_not_drawn"


def test_withdrawn_and_late_entries_are_not_drawn():
    event = make_event(entries=9)
    withdraw_entry(actor=SYSTEM, entry=event.entries.get(number=9), reason="ill")
    event.entries.filter(number=8).update(first_round=2)

    draw = make_draw(actor=SYSTEM, round=_round(event), answer="threes")

    numbers = set(Seat.objects.filter(table__draw=draw).values_list("entry__number", flat=True))
    assert numbers == set(range(1, 8))


def test_swap_exchanges_two_entries_and_runs_the_checker_again():
    event = make_event(entries=16, clubs_apart_rounds=1)
    draw = make_draw(actor=SYSTEM, round=_round(event), seed=1)
    assert draw.quality["violations"] == []
    where = dict(Seat.objects.filter(table__draw=draw).values_list("entry__number", "table__number"))
    # 1 … 4 are of one club: bring 2 to the table of 1.
    partner = next(number for number in range(5, 17) if where[number] == where[1])
    mate = next(number for number in range(2, 5) if where[number] != where[1])

    swap_seats(actor=SYSTEM, draw=draw, first=mate, second=partner)

    draw.refresh_from_db()
    after = dict(Seat.objects.filter(table__draw=draw).values_list("entry__number", "table__number"))
    assert after[mate] == where[partner]
    assert after[partner] == where[mate]
    assert {one["code"] for one in draw.quality["violations"]} == {"club"}
    assert draw.quality["club_clashes"] >= 1
    assert same_as_stored(draw)
    assert AuditRow.objects.get(action="draw.swap").after["swapped"] == [mate, partner]


def test_swap_with_one_who_sits_out():
    event = make_event(entries=9)
    draw = make_draw(actor=SYSTEM, round=_round(event), answer="byes", bye_points=20)
    out = draw.byes.get().entry.number
    playing = next(number for number in range(1, 10) if number != out)

    swap_seats(actor=SYSTEM, draw=draw, first=out, second=playing)

    assert [(bye.entry.number, bye.points) for bye in draw.byes.all()] == [(playing, 20)]
    assert Seat.objects.filter(table__draw=draw, entry__number=out).count() == 1


@pytest.mark.parametrize(("first", "second", "code"), [(1, 99, "not_in_draw"), (1, 1, "same_entry")])
def test_swap_refuses_what_makes_no_sense(first, second, code):
    event = make_event(entries=8)
    draw = make_draw(actor=SYSTEM, round=_round(event))

    with pytest.raises(Refused) as refused:
        swap_seats(actor=SYSTEM, draw=draw, first=first, second=second)
    assert refused.value.code == code


def test_history_avoids_repeats_over_the_rounds():
    event = make_event(entries=32, planned_rounds=3)
    met = set()
    for number in range(1, 4):
        draw = make_published_draw(event, number, seed=number)
        for table in draw.tables.all():
            entries = sorted(table.seats.values_list("entry", flat=True))
            pairs = {(one, other) for one in entries for other in entries if one < other}
            assert not pairs & met
            met |= pairs


def test_recomputing_notices_a_changed_row():
    event = make_event(entries=8)
    draw = make_draw(actor=SYSTEM, round=_round(event), seed=4)
    first, second = Seat.objects.filter(table__draw=draw).order_by("table__number", "order")[:2]
    Seat.objects.filter(pk=first.pk).update(entry=second.entry)
    Seat.objects.filter(pk=second.pk).update(entry=first.entry)

    assert not same_as_stored(draw)
    assert redraw_matches(draw).seed == 4


def test_bye_counts_in_the_points_that_the_next_draw_knows():
    event = make_event(entries=9, planned_rounds=2)
    draw = make_draw(actor=SYSTEM, round=_round(event), bye_points=40)
    publish_draw(actor=SYSTEM, draw=draw)
    out = Bye.objects.get(draw=draw).entry
    Penalty.objects.create(event=event, round=draw.round, entry=out, rule="x", points=-15, reason="x")

    points = {entrant.id: entrant.points for entrant in collect_inputs(_round(event, 2)).entrants}

    assert points[out.pk] == 25
    assert sum(points.values()) == 25
