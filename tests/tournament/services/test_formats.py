"""Every format drawn through the services, round after round, and recomputed from what is stored."""

from collections import Counter
from fractions import Fraction

import pytest

from tests.factories import make_entry, make_event
from tests.tournament.draws import close, draw_round, give_results, give_values, met_in
from tournament.models import Bye, Draw, Entry, Event, Round, Seat
from tournament.queries.draw_formats import TWO_SIDED, formats_for
from tournament.queries.draws import same_as_stored
from tournament.services.audit import SYSTEM
from tournament.services.constraints import keep_apart, mark_absent
from tournament.services.draw import make_draw, publish_draw, withdraw_draw
from tournament.services.draw_plan import draw_whole_plan
from tournament.services.entries import return_entry, withdraw_entry
from tournament.services.errors import Refused
from tournament.services.stages import StageData, configure_stage

pytestmark = pytest.mark.django_db


def _event(kind, entries, rounds, key, **options):
    event = make_event(kind=kind, entries=entries, planned_rounds=rounds)
    configure_stage(
        actor=SYSTEM,
        stage=event.stages.get(),
        data=StageData(format=key, rounds=rounds, options=options),
    )
    return event


@pytest.mark.parametrize("kind", Event.Kind.values)
def test_every_format_of_a_kind_is_played_to_its_end_and_recomputed(kind):
    for form in formats_for(kind):
        entries = 8 if kind in TWO_SIDED else 16
        rounds = form.rounds(entries, {}) if form.rounds else 3
        event = _event(kind, entries, rounds, form.key)
        for number in range(1, rounds + 1):
            draw = draw_round(event, number, seed=number)
            assert draw.quality["violations"] == [], (form.key, number)
            assert same_as_stored(draw), (form.key, number)
            give_results(draw)
            close(draw.round)


def test_swiss_by_four_seats_equals_together_and_counts_penalties():
    event = _event(Event.Kind.INDIVIDUAL, 16, 2, "swiss")
    first = draw_round(event, 1)
    give_values(first, lambda entry: 100 * entry.number)
    # Number 16 leads by 100; a penalty takes it below all others.
    event.entries.get(number=16).penalties.create(
        event=event, round=first.round, rule="x", points=-5000, reason="y"
    )
    close(first.round)

    second = make_draw(actor=SYSTEM, round=event.rounds.get(number=2), seed=1)

    last = {seat.entry.number for seat in second.tables.order_by("-number").first().seats.all()}
    assert 16 in last
    assert second.quality["repeats"] == 0


def test_round_robin_has_everybody_meet_once_and_twice_in_a_double_one():
    for double, rounds in ((False, 5), (True, 10)):
        event = _event(Event.Kind.PAIRS, 6, rounds, "round_robin", double=double)
        for number in range(1, rounds + 1):
            publish_draw(actor=SYSTEM, draw=make_draw(actor=SYSTEM, round=event.rounds.get(number=number)))
        meetings = met_in(event)
        assert set(meetings.values()) == {2 if double else 1}
        assert len(meetings) == 15


def test_round_robin_of_an_odd_field_has_each_sit_out_once():
    event = _event(Event.Kind.PAIRS, 5, 5, "round_robin")
    draw_whole_plan(actor=SYSTEM, stage=event.stages.get(), seed=4)

    assert Counter(Bye.objects.values_list("entry__number", flat=True)) == Counter(range(1, 6))


def test_round_robin_refuses_who_came_after_the_plan_by_number():
    event = _event(Event.Kind.PAIRS, 4, 3, "round_robin")
    draw_round(event, 1)
    make_entry(event)

    with pytest.raises(Refused) as refused:
        make_draw(actor=SYSTEM, round=event.rounds.get(number=2))

    assert refused.value.code == "not_in_plan"
    assert "5" in str(refused.value)


def test_round_robin_goes_on_when_somebody_withdraws():
    event = _event(Event.Kind.PAIRS, 4, 3, "round_robin")
    draw_round(event, 1)
    gone = event.entries.get(number=2)
    withdraw_entry(actor=SYSTEM, entry=gone, reason="ill")

    draw = draw_round(event, 2)

    assert draw.matches.count() == 1
    assert draw.byes.count() == 1
    assert draw.quality["violations"] == []


def test_movement_of_sixteen_has_everybody_meet_everybody_in_five_rounds():
    event = _event(Event.Kind.INDIVIDUAL, 16, 5, "movement")

    draws = draw_whole_plan(actor=SYSTEM, stage=event.stages.get(), seed=7)

    assert [draw.state for draw in draws] == [Draw.State.PREVIEW] * 5
    assert all(draw.quality["violations"] == [] for draw in draws)
    for draw in draws:
        publish_draw(actor=SYSTEM, draw=draw)
    assert len(met_in(event)) == 16 * 15 // 2
    seats = Counter(Seat.objects.values_list("entry", "direction"))
    for entry in event.entries.all():
        counts = [seats[entry.pk, direction] for direction in "NWSE"]
        assert max(counts) - min(counts) <= 1
    assert all(same_as_stored(draw) for draw in draws)


def test_movement_longer_than_the_field_allows_needs_no_reason_for_its_planned_repeats():
    event = _event(Event.Kind.INDIVIDUAL, 8, 4, "movement")

    draws = draw_whole_plan(actor=SYSTEM, stage=event.stages.get(), seed=7)

    assert sum(draw.quality["repeats"] for draw in draws) > 0
    assert all(draw.quality["violations"] == [] for draw in draws)


def test_movement_seats_those_of_a_broken_table_and_a_newcomer_anew():
    event = _event(Event.Kind.INDIVIDUAL, 16, 5, "movement")
    draw_round(event, 1)
    withdraw_entry(actor=SYSTEM, entry=event.entries.get(number=3), reason="ill")
    alone = make_draw(actor=SYSTEM, round=event.rounds.get(number=2))
    assert sorted(table.seats.count() for table in alone.tables.all()) == [3, 4, 4, 4]
    assert alone.quality["violations"] == []
    withdraw_draw(actor=SYSTEM, draw=alone, reason="a newcomer")

    make_entry(event, "新人")
    filled = make_draw(actor=SYSTEM, round=event.rounds.get(number=2))

    assert {table.seats.count() for table in filled.tables.all()} == {4}
    assert Seat.objects.filter(table__draw=filled, entry__name="新人").count() == 1
    assert same_as_stored(filled)


def test_plan_rounds_are_published_in_their_order():
    event = _event(Event.Kind.INDIVIDUAL, 16, 3, "movement")
    first, second, _third = draw_whole_plan(actor=SYSTEM, stage=event.stages.get(), seed=7)

    with pytest.raises(Refused) as refused:
        publish_draw(actor=SYSTEM, draw=second)
    assert refused.value.code == "earlier_not_published"
    with pytest.raises(Refused) as refused:
        withdraw_draw(actor=SYSTEM, draw=first, reason="wrong")
    assert refused.value.code == "later_drawn"

    publish_draw(actor=SYSTEM, draw=first)
    publish_draw(actor=SYSTEM, draw=second)
    assert event.rounds.get(number=2).state == Round.State.PLAYING


def test_house_players_fill_the_tables_and_serve_again():
    event = _event(Event.Kind.INDIVIDUAL, 14, 2, "random")

    first = draw_round(event, 1, answer="house")
    close(first.round)
    second = draw_round(event, 2, answer="house")

    house = Entry.objects.filter(event=event, house=True)
    assert house.count() == 2
    for draw in (first, second):
        assert {table.seats.count() for table in draw.tables.all()} == {4}
        assert draw.byes.count() == 0
        assert draw.quality["violations"] == []
        # Never two of them at one table while there are others to seat.
        tables = Counter(
            Seat.objects.filter(table__draw=draw, entry__in=house).values_list("table", flat=True)
        )
        assert set(tables.values()) == {1}


@pytest.mark.parametrize("key", ["knockout", "round_robin"])
def test_no_house_player_is_entered_where_the_plan_says_who_rests(key):
    event = _event(Event.Kind.PAIRS, 5, 5, key)
    event.options = {"odd": "house"}
    event.save()

    draw_round(event, 1)

    assert not Entry.objects.filter(event=event, house=True).exists()


def test_house_players_do_not_play_where_somebody_sits_out_instead():
    event = _event(Event.Kind.PAIRS, 5, 3, "swiss")
    first = draw_round(event, 1, answer="house")
    close(first.round)

    second = draw_round(event, 2, answer="byes", bye_points=Fraction(40))

    assert first.matches.count() == 3
    assert second.matches.count() == 2
    assert [bye.points for bye in second.byes.all()] == [40]


def test_kept_apart_by_name_never_meet_and_a_swap_against_it_needs_a_reason():
    event = _event(Event.Kind.PAIRS, 4, 3, "swiss")
    keep_apart(actor=SYSTEM, event=event, numbers=[1, 2], name="family")

    for number in (1, 2):
        draw = draw_round(event, number)
        give_results(draw)
        close(draw.round)
    assert frozenset((1, 2)) not in {frozenset(two) for two in met_in(event)}

    # Only now has everybody met all others: the third round cannot be drawn without it.
    third = make_draw(actor=SYSTEM, round=event.rounds.get(number=3))
    codes = {one["code"] for one in third.quality["violations"]}
    assert codes & {"forbidden", "repeat"}
    with pytest.raises(Refused) as refused:
        publish_draw(actor=SYSTEM, draw=third)
    assert refused.value.code == "violations"


def test_absent_entry_is_left_out_of_one_round_only_and_gets_no_second_sit_out():
    event = _event(Event.Kind.PAIRS, 5, 3, "swiss")
    mark_absent(actor=SYSTEM, round=event.rounds.get(number=1), numbers=[5])
    first = draw_round(event, 1)
    give_results(first)
    close(first.round)

    second = draw_round(event, 2)

    assert first.byes.count() == 0
    assert first.matches.count() == 2
    assert second.byes.get().entry.number != 5


def test_who_leaves_and_returns_gets_no_second_bye_before_the_others():
    event = _event(Event.Kind.PAIRS, 5, 5, "swiss")
    first = draw_round(event, 1)
    give_results(first)
    close(first.round)
    rested = first.byes.get().entry
    withdraw_entry(actor=SYSTEM, entry=rested, reason="leaves")
    second = draw_round(event, 2)
    give_results(second)
    close(second.round)
    assert second.byes.count() == 0
    return_entry(actor=SYSTEM, entry=rested, reason="comes back")

    for number in (3, 4):
        draw = draw_round(event, number)
        give_results(draw)
        close(draw.round)
        assert draw.byes.get().entry != rested


def test_late_arrival_enters_in_its_round_with_the_stated_score():
    event = _event(Event.Kind.INDIVIDUAL, 16, 2, "swiss")
    Entry.objects.filter(event=event, number__gt=12).update(first_round=2)
    Entry.objects.filter(event=event, number=16).update(start_points=10_000)
    first = draw_round(event, 1)
    give_values(first, lambda entry: 10 * entry.number)
    close(first.round)

    second = draw_round(event, 2)

    assert first.tables.count() == 3
    assert second.tables.count() == 4
    assert second.inputs["entrants"][15]["points"] == "10000"
    assert 16 in [seat.entry.number for seat in second.tables.get(number=1).seats.all()]


def test_pairs_of_numbers_meet_at_most_once_in_a_random_stage():
    event = _event(Event.Kind.INDIVIDUAL, 16, 3, "random")
    for number in (1, 2, 3):
        draw_round(event, number)
    assert max(met_in(event).values()) == 1


def test_movement_minds_clubs_and_pairs_kept_apart_by_name_where_the_plan_leaves_a_choice():
    event = _event(Event.Kind.INDIVIDUAL, 24, 3, "movement")
    event.clubs_apart_rounds = 1
    event.save()
    keep_apart(actor=SYSTEM, event=event, numbers=[1, 9])

    first, *others = draw_whole_plan(actor=SYSTEM, stage=event.stages.get(), seed=3)

    assert first.quality["club_clashes"] == 0
    assert sum(draw.quality["forbidden_meetings"] for draw in (first, *others)) == 0


def test_movement_with_house_players_keeps_everybody_at_four():
    event = _event(Event.Kind.INDIVIDUAL, 14, 3, "movement")

    draws = draw_whole_plan(actor=SYSTEM, stage=event.stages.get(), seed=3, answer="house")

    assert event.entries.filter(house=True).count() == 2
    assert all({table.seats.count() for table in draw.tables.all()} == {4} for draw in draws)
    assert all(draw.quality["repeats"] == 0 and same_as_stored(draw) for draw in draws)

    # Drawn anew without the answer: the plan goes on with the one it began with.
    withdraw_draw(actor=SYSTEM, draw=draws[2], reason="by mistake")
    again = make_draw(actor=SYSTEM, round=event.rounds.get(number=3))
    assert {table.seats.count() for table in again.tables.all()} == {4}


@pytest.mark.parametrize("entries", [8, 9])
def test_whist_makes_everybody_partners_once_and_opponents_twice(entries):
    rounds = 7 if entries == 8 else 9
    event = _event(Event.Kind.CHANGING, entries, rounds, "whist")

    draws = draw_whole_plan(actor=SYSTEM, stage=event.stages.get(), seed=2)

    assert all(draw.quality["violations"] == [] and same_as_stored(draw) for draw in draws)
    partners, opponents = Counter(), Counter()
    for draw in draws:
        for table in draw.tables.all():
            at = {seat.direction: seat.entry.number for seat in table.seats.all()}
            partners.update(frozenset((at[a], at[b])) for a, b in ("NS", "EW"))
            opponents.update(frozenset((at[a], at[b])) for a, b in ("NE", "NW", "SE", "SW"))
    pairs = entries * (entries - 1) // 2
    assert (len(partners), set(partners.values())) == (pairs, {1})
    assert (len(opponents), set(opponents.values())) == (pairs, {2})
    assert Bye.objects.count() == (9 if entries == 9 else 0)


def test_whist_of_a_field_that_fits_no_whole_one_is_played_with_byes_or_house_players():
    event = _event(Event.Kind.CHANGING, 10, 3, "whist")
    draws = draw_whole_plan(actor=SYSTEM, stage=event.stages.get(), seed=2)
    assert all(draw.quality["violations"] == [] and same_as_stored(draw) for draw in draws)
    assert [draw.tables.count() for draw in draws] == [2, 2, 2]
    assert set(Counter(Bye.objects.values_list("entry", flat=True)).values()) == {1}

    other = _event(Event.Kind.CHANGING, 10, 3, "whist")
    draw = make_draw(actor=SYSTEM, round=other.rounds.get(number=1), answer="house")
    assert draw.tables.count() == 3
