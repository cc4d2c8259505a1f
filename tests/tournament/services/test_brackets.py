"""Knock-out, double elimination, groups and heats, drawn through the services to their end."""

from collections import Counter

import pytest

from tests.tournament.draws import close, draw_round, give_results, give_values, seeded_event
from tournament.models import AuditRow, EntryResult, Event, Match
from tournament.queries.advancement import advancement_preview
from tournament.queries.brackets import stage_standing
from tournament.queries.draw_formats import FORMATS
from tournament.queries.draw_sources import stage_groups
from tournament.queries.draws import same_as_stored
from tournament.queries.standings import event_standings
from tournament.services.advance import confirm_advancement
from tournament.services.audit import SYSTEM
from tournament.services.decisions import decide_match, undo_decision
from tournament.services.draw import make_draw, swap_seats, withdraw_draw
from tournament.services.entries import return_entry, withdraw_entry
from tournament.services.errors import Refused
from tournament.services.stages import StageData, add_stage, configure_stage

pytestmark = pytest.mark.django_db


def _pairs(draw):
    return sorted(
        tuple(sorted(match.sides.values_list("entry__number", flat=True))) for match in draw.matches.all()
    )


def _better_seed_wins(draw):
    give_values(draw, lambda entry: -entry.number)
    close(draw.round)


@pytest.mark.parametrize("entries", [2, 3, 5, 8, 11])
def test_knock_out_is_played_to_its_winner_with_byes_for_the_best(entries):
    rounds = (entries - 1).bit_length()
    event = seeded_event("knockout", entries, rounds, third_place=True)

    for number in range(1, rounds + 1):
        draw = draw_round(event, number)
        assert draw.quality["violations"] == []
        assert same_as_stored(draw)
        if number == 1:
            rested = sorted(draw.byes.values_list("entry__number", flat=True))
            assert rested == list(range(1, 2**rounds - entries + 1))
        else:
            assert not draw.byes.exists()
        _better_seed_wins(draw)

    found = {row.entry.number: row.rank for row in event_standings(event).rows}
    assert found[1] == 1
    assert found[2] == 2
    if entries >= 4:
        assert (found[3], found[4]) == (3, 4)
    longer = StageData(format="knockout", rounds=rounds + 1, options={"third_place": True})
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=longer)
    with pytest.raises(Refused) as refused:
        make_draw(actor=SYSTEM, round=event.rounds.get(number=rounds + 1))
    assert refused.value.code == "finished"


def test_seeds_meet_as_late_as_the_bracket_allows():
    event = seeded_event("knockout", 8, 3)

    first = draw_round(event, 1)
    assert _pairs(first) == [(1, 8), (2, 7), (3, 6), (4, 5)]
    _better_seed_wins(first)
    second = draw_round(event, 2)
    assert _pairs(second) == [(1, 4), (2, 3)]


def test_double_elimination_ends_with_everybody_but_one_beaten_twice():
    event = seeded_event("double_elimination", 6, 7)
    losses = Counter()
    number = 1
    while not (number > 1 and stage_standing(event.stages.get()).state.finished):
        draw = draw_round(event, number)
        assert draw.quality["violations"] == []
        assert same_as_stored(draw)
        give_results(draw, seed=3)
        close(draw.round)
        for match in draw.matches.all():
            results = EntryResult.objects.filter(table__match=match).order_by("value")
            losses[results.first().entry.number] += 1
        number += 1

    standing = stage_standing(event.stages.get())
    assert standing.state.finished
    champion = event.entries.get(pk=standing.state.champion).number
    assert losses[champion] < 2
    assert {losses[number] for number in range(1, 7) if number != champion} == {2}


def test_best_of_three_goes_on_until_one_side_has_two():
    event = seeded_event("knockout", 4, 6, third_place=False, best_of=3, best_of_final=1)
    stage = event.stages.get()
    first = draw_round(event, 1)
    _better_seed_wins(first)
    second = draw_round(event, 2)
    assert _pairs(second) == [(1, 4), (2, 3)]
    # Number 3 evens the score, number 1 is through.
    give_values(second, lambda entry: {1: 9, 2: 1, 3: 2, 4: 0}[entry.number])
    close(second.round)
    third = draw_round(event, 3)
    assert _pairs(third) == [(2, 3)]
    assert not third.byes.exists()
    _better_seed_wins(third)
    assert _pairs(draw_round(event, 4)) == [(1, 2)]
    assert stage_standing(stage).state.matches["M1.2"].won in {(2, 1), (1, 2)}


def test_equal_result_is_decided_with_a_reason_and_only_until_the_next_draw():
    event = seeded_event("knockout", 4, 2)
    first = draw_round(event, 1)
    give_values(first, lambda entry: {1: 5, 4: 5, 2: 1, 3: 0}[entry.number])
    close(first.round)
    with pytest.raises(Refused) as refused:
        make_draw(actor=SYSTEM, round=event.rounds.get(number=2))
    assert refused.value.code == "undecided"

    match = Match.objects.get(draw=first, sides__entry__number=4)
    loser = event.entries.get(number=2)
    with pytest.raises(Refused) as refused:
        decide_match(actor=SYSTEM, match=match, winner=loser, reason="lot")
    assert refused.value.code == "not_a_side"
    decide_match(
        actor=SYSTEM, match=match, winner=event.entries.get(number=4), reason="lot drawn at the desk"
    )

    second = draw_round(event, 2)
    assert (2, 4) in _pairs(second)
    assert (1, 3) in _pairs(second)
    with pytest.raises(Refused) as refused:
        undo_decision(actor=SYSTEM, match=match, reason="wrong")
    assert refused.value.code == "later_drawn"
    withdraw_draw(actor=SYSTEM, draw=second, reason="wrong")
    undo_decision(actor=SYSTEM, match=match, reason="wrong")
    actions = AuditRow.objects.filter(event=event, action__startswith="match.").values_list(
        "action", flat=True
    )
    assert list(actions) == ["match.undecide", "match.decide"]


def test_who_withdraws_is_beaten_without_a_match_and_does_not_come_back_in():
    event = seeded_event("knockout", 8, 3, third_place=False)
    _better_seed_wins(draw_round(event, 1))
    withdraw_entry(actor=SYSTEM, entry=event.entries.get(number=1), reason="ill")

    second = draw_round(event, 2)

    assert _pairs(second) == [(2, 3)]
    assert [(bye.entry.number, bye.reason) for bye in second.byes.all()] == [(4, "bye_walkover")]
    assert second.quality["violations"] == []
    _better_seed_wins(second)

    return_entry(actor=SYSTEM, entry=event.entries.get(number=1), reason="well again")
    assert _pairs(draw_round(event, 3)) == [(2, 4)]


def test_match_both_of_whose_sides_have_left_waits_until_one_is_taken_back_in_name():
    event = seeded_event("knockout", 8, 3, third_place=False)
    _better_seed_wins(draw_round(event, 1))
    both = event.entries.filter(number__in=(1, 4)).order_by("number")
    for one in both:
        withdraw_entry(actor=SYSTEM, entry=one, reason="ill")
    with pytest.raises(Refused) as refused:
        draw_round(event, 2)
    assert (refused.value.code, refused.value.problems[0].params["numbers"]) == ("both_gone", "1, 4")

    return_entry(actor=SYSTEM, entry=both[1], reason="goes on in name")
    second = draw_round(event, 2)

    assert _pairs(second) == [(2, 3)]
    assert [bye.entry.number for bye in second.byes.all()] == [4]
    _better_seed_wins(second)
    withdraw_entry(actor=SYSTEM, entry=both[1], reason="ill")
    final = draw_round(event, 3)
    assert (_pairs(final), [bye.entry.number for bye in final.byes.all()]) == ([], [2])


def test_corrected_result_puts_the_other_side_into_the_next_round():
    event = seeded_event("knockout", 4, 2, third_place=False)
    first = draw_round(event, 1)
    _better_seed_wins(first)
    second = draw_round(event, 2)
    assert _pairs(second) == [(1, 2)]
    withdraw_draw(actor=SYSTEM, draw=second, reason="a deal of the semi-final was wrong")
    EntryResult.objects.filter(entry__number=3).update(value=100)

    assert _pairs(draw_round(event, 2)) == [(1, 3)]


def test_correction_after_the_next_round_shows_the_result_that_no_longer_counts():
    event = seeded_event("knockout", 4, 2, third_place=False)
    _better_seed_wins(draw_round(event, 1))
    _better_seed_wins(draw_round(event, 2))
    EntryResult.objects.filter(entry__number=3, round__number=1).update(value=100)

    standing = stage_standing(event.stages.get())

    assert len(standing.stale) == 1
    assert standing.state.champion is None


def test_groups_play_their_round_robins_and_group_mates_meet_late_in_the_knock_out():
    event = seeded_event("groups", 8, 3, groups=2)
    groups_stage = event.stages.get()
    knockout = add_stage(actor=SYSTEM, event=event, data=StageData(format="knockout", rounds=2))
    for number in (1, 2, 3):
        draw = draw_round(event, number)
        assert draw.quality["violations"] == []
        assert same_as_stored(draw)
        _better_seed_wins(draw)
    groups = [{event.entries.get(pk=pk).number for pk in group} for group in stage_groups(groups_stage)]
    assert groups == [{1, 4, 5, 8}, {2, 3, 6, 7}]

    preview = advancement_preview(knockout, 4)
    assert preview.numbers == (1, 2, 3, 4)
    assert preview.settled
    confirm_advancement(actor=SYSTEM, stage=knockout, numbers=preview.numbers)
    fourth = draw_round(event, 4)

    # Winner of one group against second of the other: 1 and 4 come from the same group.
    assert _pairs(fourth) == [(1, 3), (2, 4)]


def test_odd_groups_rest_by_plan():
    event = seeded_event("groups", 7, 3, groups=2)

    for number in (1, 2, 3):
        draw = draw_round(event, number)
        assert draw.quality["violations"] == []
        assert draw.byes.count() == 1


@pytest.mark.parametrize("entries", [16, 18])
def test_heats_end_with_four_in_the_final(entries):
    rounds = FORMATS["heats"].rounds(entries, {"first": 2})
    event = seeded_event("heats", entries, rounds, kind=Event.Kind.INDIVIDUAL)
    sizes = []
    for number in range(1, rounds + 1):
        answer = "threes" if number == 1 else None
        draw = draw_round(event, number, answer=answer)
        assert same_as_stored(draw)
        assert draw.quality["violations"] == []
        sizes.append(sum(table.seats.count() for table in draw.tables.all()))
        _better_seed_wins(draw)

    assert sizes == ([16, 8, 4] if entries == 16 else [18, 12, 8, 4])
    # The best go on from wherever they sat.
    final = event.rounds.get(number=rounds).draws.get()
    assert {1, 2} <= set(final.tables.get().seats.values_list("entry__number", flat=True))
    with pytest.raises(Refused) as refused:
        make_draw(
            actor=SYSTEM,
            round=seeded_event("heats", 9, 2, kind=Event.Kind.INDIVIDUAL).rounds.first(),
            answer="byes",
        )
    assert refused.value.code == "nobody_rests"


def test_heat_fills_up_for_who_has_left_and_decides_equals_by_lot():
    event = seeded_event("heats", 8, 2, kind=Event.Kind.INDIVIDUAL, first=2)
    first = draw_round(event, 1)
    give_values(first, lambda entry: 0)
    close(first.round)
    qualified = set(draw_round(event, 2).tables.get().seats.values_list("entry__number", flat=True))
    assert len(qualified) == 4

    withdraw_draw(actor=SYSTEM, draw=event.rounds.get(number=2).draws.get(), reason="one left")
    gone = min(qualified)
    withdraw_entry(actor=SYSTEM, entry=event.entries.get(number=gone), reason="left")
    again = set(
        make_draw(actor=SYSTEM, round=event.rounds.get(number=2))
        .tables.get()
        .seats.values_list("entry__number", flat=True)
    )
    assert len(again) == 4
    assert gone not in again
    assert qualified - {gone} <= again


def test_nobody_changes_places_by_hand_in_a_bracket():
    draw = make_draw(actor=SYSTEM, round=seeded_event("knockout", 4, 2).rounds.get(number=1))

    with pytest.raises(Refused) as refused:
        swap_seats(actor=SYSTEM, draw=draw, first=1, second=2)

    assert refused.value.code == "bracket_swap"
