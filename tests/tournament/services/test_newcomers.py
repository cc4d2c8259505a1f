"""Entries that join after a plan was made: in free places, or with the rest of the plan made anew."""

from collections import Counter

import pytest

from tests.factories import make_entry, make_event
from tests.tournament.draws import close, draw_round, give_results, met_in
from tournament.models import AuditRow, Bye, Draw, Event, MatchSide, Seat
from tournament.queries.draw_check import impossible
from tournament.queries.draw_newcomers import Admission, joining
from tournament.queries.draw_sources import stage_groups
from tournament.queries.draws import living_draw, same_as_stored
from tournament.services.audit import SYSTEM
from tournament.services.draw import make_draw, publish_draw, withdraw_draw
from tournament.services.draw_plan import draw_whole_plan
from tournament.services.entries import EntryData, add_entry, return_entry, withdraw_entry
from tournament.services.errors import Refused
from tournament.services.newcomers import take_in_newcomers
from tournament.services.stages import StageData, configure_stage

pytestmark = pytest.mark.django_db

_PLACE, _REDRAW = Admission.PLACE, Admission.REDRAW


def _event(kind, entries, rounds, key, **options):
    event = make_event(kind=kind, entries=entries, planned_rounds=rounds)
    data = StageData(format=key, rounds=rounds, options=options)
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=data)
    return event


def _take_in(event, how, **more):
    return take_in_newcomers(actor=SYSTEM, stage=event.stages.get(), how=how, seed=7, **more)


def _play_rest(event):
    """Draws and publishes what is left; every draw must be sound and drawn again from what it keeps."""
    for round in event.rounds.filter(state__in=("planned", "drawn")).order_by("number"):
        draw = living_draw(round) or make_draw(actor=SYSTEM, round=round, seed=1)
        assert not impossible(draw.quality["violations"])
        publish_draw(actor=SYSTEM, draw=draw, reason="as planned" if draw.quality["violations"] else "")
        assert same_as_stored(draw)
        give_results(draw)
        close(draw.round)


def test_free_place_of_an_odd_round_robin_costs_only_the_rounds_missed():
    event = _event(Event.Kind.PAIRS, 5, 5, "round_robin")
    for number in (1, 2):
        draw_round(event, number)
    make_entry(event)

    _take_in(event, _PLACE)
    _play_rest(event)

    met = met_in(event)
    assert set(met.values()) == {1}
    # The newcomer has missed those who sat out in the rounds before.
    assert sum(6 in two for two in met) == 3
    assert len(met) == 15 - 2
    assert not Bye.objects.filter(draw__round__number__gt=2).exists()


def test_place_of_the_withdrawn_is_taken_with_what_is_left_to_play():
    event = _event(Event.Kind.PAIRS, 6, 5, "round_robin")
    draw_round(event, 1)
    withdraw_entry(actor=SYSTEM, entry=event.entries.get(number=2), reason="ill")
    make_entry(event)

    _take_in(event, _PLACE)
    _play_rest(event)

    met = met_in(event)
    assert sum(7 in two for two in met) == 4
    assert not Bye.objects.exists()
    return_entry(actor=SYSTEM, entry=event.entries.get(number=2), reason="well")
    assert joining(event.stages.get()) is None, "no round is left to join in"


def test_full_round_robin_has_no_free_place_and_says_so():
    event = _event(Event.Kind.PAIRS, 6, 5, "round_robin")
    draw_round(event, 1)
    make_entry(event)
    with pytest.raises(Refused) as refused:
        _take_in(event, _PLACE)
    assert refused.value.code == "no_free_place"
    assert AuditRow.objects.filter(action="stage.newcomers").count() == 0


@pytest.mark.parametrize(("entries", "double"), [(4, False), (6, False), (7, False), (10, False), (4, True)])
def test_redrawn_round_robin_keeps_what_was_played_and_loses_no_more_than_it_must(entries, double):
    rounds = (entries - 1 + entries % 2) * (2 if double else 1)
    event = _event(Event.Kind.PAIRS, entries, rounds, "round_robin", double=double)
    played = draw_round(event, 1)
    give_results(played)
    close(played.round)
    before = met_in(event)
    make_entry(event)

    _take_in(event, _REDRAW)
    _play_rest(event)

    met, times = met_in(event), 2 if double else 1
    assert all(met[two] >= count for two, count in before.items())
    assert max(met.values()) <= times
    # In each round as many matches are played as there can be: so nothing is lost for want of a plan.
    matches = (entries + 1) // 2
    room = entries // 2 + (rounds - 1) * matches
    wanted = (entries + 1) * entries // 2 * times
    # A match or two may find no place in the last rounds; the newcomer plays in every one of them.
    assert met.total() >= min(room, wanted) - 1
    assert (
        sum(count for two, count in met.items() if entries + 1 in two) >= min(rounds - 1, entries * times) - 1
    )


def test_redrawn_round_robin_with_rounds_enough_has_everybody_meet_everybody():
    event = _event(Event.Kind.PAIRS, 6, 5, "round_robin")
    draw_round(event, 1)
    make_entry(event)
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=StageData(format="round_robin", rounds=8))

    assert joining(event.stages.get()).outlook(_REDRAW).lost == 0
    _take_in(event, _REDRAW)
    _play_rest(event)

    met = met_in(event)
    assert (len(met), set(met.values())) == (21, {1})


def test_previews_are_made_anew_and_published_rounds_stay():
    event = _event(Event.Kind.PAIRS, 6, 5, "round_robin")
    draws = draw_whole_plan(actor=SYSTEM, stage=event.stages.get(), seed=3)
    publish_draw(actor=SYSTEM, draw=draws[0])
    make_entry(event)

    made = _take_in(event, _REDRAW)

    assert [draw.round.number for draw in made] == [2, 3, 4, 5]
    states = Draw.objects.filter(round__event=event).values_list("round__number", "state")
    assert Counter(states) == Counter(
        [(1, "published"), *((n, state) for n in range(2, 6) for state in ("preview", "withdrawn"))]
    )
    assert all(draw.quality["violations"] == [] for draw in made)
    row = AuditRow.objects.get(action="stage.newcomers")
    assert row.after == {"how": "redraw", "numbers": [7], "round": 2, "seed": 7}


def test_plan_that_nobody_has_seen_yet_is_made_anew_from_its_first_round():
    event = _event(Event.Kind.PAIRS, 4, 3, "round_robin")
    draw_whole_plan(actor=SYSTEM, stage=event.stages.get(), seed=3)
    make_entry(event)
    made = _take_in(event, _REDRAW)
    assert [draw.round.number for draw in made] == [1, 2, 3]
    assert all(draw.byes.count() == 1 for draw in made)
    assert joining(event.stages.get()) is None


def test_newcomer_to_groups_joins_the_smallest_and_the_others_go_on():
    event = _event(Event.Kind.TEAMS, 7, 3, "groups", groups=2)
    draw_round(event, 1)
    stage = event.stages.get()
    four, three = sorted(stage_groups(stage), key=len, reverse=True)
    as_planned = make_draw(actor=SYSTEM, round=event.rounds.get(number=2))
    pairs = {frozenset(m.sides.values_list("entry", flat=True)) for m in as_planned.matches.all()}
    withdraw_draw(actor=SYSTEM, draw=as_planned, reason="a newcomer")
    new = make_entry(event)

    _take_in(event, _REDRAW)

    second = living_draw(event.rounds.get(number=2))
    now = {frozenset(m.sides.values_list("entry", flat=True)) for m in second.matches.all()}
    assert {two for two in pairs if two <= set(four)} <= now
    assert sorted(stage_groups(stage), key=len) in ([four, (*three, new.pk)], [(*three, new.pk), four])
    _play_rest(event)
    assert set(met_in(event).values()) == {1}


def test_newcomer_to_groups_takes_the_place_of_who_sits_out():
    event = _event(Event.Kind.TEAMS, 7, 3, "groups", groups=2)
    draw_round(event, 1)
    make_entry(event)
    _take_in(event, _PLACE)
    _play_rest(event)
    assert not Bye.objects.filter(draw__round__number__gt=1).exists()


@pytest.mark.parametrize("answer", ["threes", "byes", "house"])
def test_redrawn_movement_seats_the_newcomer_with_strangers(answer):
    event = _event(Event.Kind.INDIVIDUAL, 20, 4, "movement")
    draw_round(event, 1)
    new = make_entry(event, "新人")

    _take_in(event, _REDRAW, answer=answer)
    _play_rest(event)

    seats = Seat.objects.filter(table__draw__state="published", segment=1)
    assert seats.filter(entry=new).count() + Bye.objects.filter(entry=new).count() == 3
    assert met_in(event).total() > 0
    assert max(met_in(event).values()) == 1
    sizes = Counter(seats.filter(table__draw__round__number__gt=1).values_list("table", flat=True))
    assert set(sizes.values()) == ({3, 4} if answer == "threes" else {4})
    assert max(Counter(Bye.objects.values_list("entry", flat=True)).values(), default=0) <= 1


def test_newcomer_to_a_movement_takes_the_house_players_place():
    event = _event(Event.Kind.INDIVIDUAL, 15, 3, "movement")
    draw_round(event, 1, answer="house")
    new = make_entry(event, "新人")

    _take_in(event, _PLACE)
    _play_rest(event)

    later = Seat.objects.filter(table__draw__round__number__gt=1, segment=1)
    assert later.filter(entry=new).count() == 2
    assert not later.filter(entry__house=True).exists()


def test_whist_is_not_changed_under_way_but_a_place_can_be_taken():
    event = _event(Event.Kind.CHANGING, 8, 7, "whist")
    draw_round(event, 1)
    make_entry(event)
    with pytest.raises(Refused) as refused:
        _take_in(event, _REDRAW)
    assert refused.value.code == "no_redraw"
    withdraw_entry(actor=SYSTEM, entry=event.entries.get(number=1), reason="ill")
    _take_in(event, _PLACE)
    _play_rest(event)
    assert not Bye.objects.exists()


def test_second_newcomer_is_taken_into_what_was_made_for_the_first():
    event = _event(Event.Kind.PAIRS, 6, 6, "round_robin")
    draw_round(event, 1)
    make_entry(event)
    _take_in(event, _REDRAW)
    publish_draw(actor=SYSTEM, draw=living_draw(event.rounds.get(number=2)))
    late = EntryData(name="迟到", players=("迟", "到"), first_round=4)
    add_entry(actor=SYSTEM, event=event, data=late)

    _take_in(event, _REDRAW)
    _play_rest(event)

    met = met_in(event)
    assert set(met.values()) == {1}
    sides = MatchSide.objects.filter(entry__number=8, match__draw__state="published")
    assert min(sides.values_list("match__draw__round__number", flat=True)) == 4


def test_nobody_is_waiting_where_all_have_a_place():
    event = _event(Event.Kind.PAIRS, 4, 3, "round_robin")
    draw_round(event, 1)
    with pytest.raises(Refused) as refused:
        _take_in(event, _REDRAW)
    assert refused.value.code == "nothing_to_do"
