"""Standings of brackets, heats, groups and events of several stages, worked out by hand."""

import pytest
from django.utils import translation

from tests.factories import make_event
from tests.played import played_deal
from tests.tournament.draws import close, draw_round, give_values, seeded_event
from tournament.models import EntryResult, Event, Match
from tournament.queries.advancement import advancement_preview
from tournament.queries.bracket_names import reached_text
from tournament.queries.draw_sources import stage_groups
from tournament.queries.standings import CameFurther, event_standings, group_standings
from tournament.queries.standings_records import read_records
from tournament.queries.standings_sheets import recorded_sheet
from tournament.ranking.results import Measure
from tournament.ranking.tie_breaks import Criterion
from tournament.services.advance import confirm_advancement
from tournament.services.audit import SYSTEM
from tournament.services.decisions import decide_match
from tournament.services.publish import publish, publish_round
from tournament.services.stages import StageData, add_stage, configure_stage

pytestmark = pytest.mark.django_db


def _play(event, number, value=lambda entry: -entry.number, closed=True):
    draw = draw_round(event, number)
    give_values(draw, value)
    if closed:
        close(draw.round)
    return draw


def _ranks(standings):
    return {row.entry.number: row.rank for row in standings.rows}


def _came(standings):
    with translation.override("en"):
        return {row.entry.number: reached_text(row.reached) for row in standings.rows}


@pytest.fixture
def knockout():
    """Eight pairs, better seeds win; the final is won by number 2 with a smaller total than number 1."""
    event = seeded_event("knockout", 8, 3, third_place=True)
    _play(event, 1)
    _play(event, 2)
    _play(event, 3, lambda entry: {1: 0, 2: 1, 3: 50, 4: 7}[entry.number])
    return event


def test_knock_out_ranks_by_the_bracket_whatever_the_totals(knockout):
    found = event_standings(knockout)

    assert _ranks(found) == {2: 1, 1: 2, 3: 3, 4: 4, 5: 5, 6: 5, 7: 5, 8: 5}
    assert _came(found) == {
        2: "Final: won",
        1: "Final: lost",
        3: "Match for third place: won",
        4: "Match for third place: lost",
        **dict.fromkeys((5, 6, 7, 8), "Quarter-finals: lost"),
    }
    assert found.rows[0].ahead == CameFurther(found.rows[0].reached, found.rows[1].reached)
    assert [row.shared for row in found.rows] == [False] * 4 + [True] * 4
    # Those who share the quarter-finals stay in the order of their results, and none is ahead.
    assert [row.entry.number for row in found.rows[4:]] == [5, 6, 7, 8]
    assert [row.ahead for row in found.rows[4:]] == [None] * 4


def test_open_bracket_shows_who_is_still_in_after_any_round(knockout):
    after_one = event_standings(knockout, 1)

    assert _ranks(after_one) == {**dict.fromkeys((1, 2, 3, 4), 1), **dict.fromkeys((5, 6, 7, 8), 5)}
    assert _came(after_one)[1] == "still in"
    after_two = event_standings(knockout, 2)
    # The beaten semi-finalists can come third at best.
    assert _ranks(after_two) == {1: 1, 2: 1, 3: 3, 4: 3, **dict.fromkeys((5, 6, 7, 8), 5)}
    assert _came(after_two) == {
        **dict.fromkeys((1, 2), "still in"),
        **dict.fromkeys((3, 4), "plays for third place"),
        **dict.fromkeys((5, 6, 7, 8), "Quarter-finals: lost"),
    }


def test_winner_of_the_final_is_first_while_the_third_place_is_open():
    event = seeded_event("knockout", 4, 2, third_place=True)
    _play(event, 1)
    draw = draw_round(event, 2)
    give_values(draw, lambda entry: -entry.number)
    third = Match.objects.get(draw=draw, sides__entry__number=4)
    third.tables.get().results.update(complete=False, deals=0)

    found = event_standings(event)

    assert _ranks(found) == {1: 1, 2: 2, 3: 3, 4: 3}
    assert _came(found)[4] == "plays for third place"


def test_bracket_without_a_third_place_match_shares_the_third_rank():
    event = seeded_event("knockout", 4, 2, third_place=False)
    _play(event, 1)
    _play(event, 2)

    assert _ranks(event_standings(event)) == {1: 1, 2: 2, 3: 3, 4: 3}


def test_missing_result_of_a_bracket_leaves_both_sides_in():
    event = seeded_event("knockout", 4, 2, third_place=False)
    draw = draw_round(event, 1)
    give_values(draw, lambda entry: -entry.number)
    match = Match.objects.get(draw=draw, sides__entry__number=4)
    match.tables.get().results.update(complete=False, deals=0)

    found = event_standings(event)

    assert _ranks(found) == {1: 1, 4: 1, 2: 1, 3: 4}
    assert not found.complete


def test_decided_match_counts_in_the_desks_and_in_published_standings():
    event = seeded_event("knockout", 2, 1, third_place=False)
    draw = draw_round(event, 1)
    match = draw.matches.get()
    played_deal(match.tables.get(), 1)
    publish(actor=SYSTEM, round=draw.round, what="draw")
    assert _ranks(event_standings(event)) == {1: 1, 2: 1}
    leader = event_standings(event).rows[0].entry
    loser = event.entries.exclude(pk=leader.pk).get()
    decide_match(actor=SYSTEM, match=match, winner=loser, reason="lot")

    assert _ranks(event_standings(event)) == {loser.number: 1, leader.number: 2}
    results, standings = publish_round(actor=SYSTEM, round=draw.round)
    assert results.payload["tables"][0]["decided"] == {"winner": loser.number, "reason": "lot"}
    assert standings.payload["staged"]
    assert [(row["rank"], row["entry"]) for row in standings.payload["rows"]] == [
        (1, loser.number),
        (2, leader.number),
    ]
    assert standings.payload["rows"][0]["ahead"]["next_reached"]["fate"]["fate"] == "lost"


def test_double_elimination_ranks_by_the_second_defeat():
    event = seeded_event("double_elimination", 4, 4, decider=True)
    for number in (1, 2, 3, 4):
        _play(event, number)

    # 1 beats 4 and 2, 3 goes out against 2 in the last losers' round, 4 against 3 before.
    assert _ranks(event_standings(event)) == {1: 1, 2: 2, 3: 3, 4: 4}
    assert _came(event_standings(event))[4] == "Losers' round 1: lost"


def _preliminary_and_final(carry):
    """Six pairs: 6 leads the preliminary with 60, and 4, 5, 6 go to a final that 4 wins."""
    event = make_event(kind=Event.Kind.PAIRS, entries=6, planned_rounds=1)
    final = add_stage(
        actor=SYSTEM, event=event, data=StageData(format="random", rounds=1, name="决赛", carry=carry)
    )
    _play(event, 1, lambda entry: 10 * entry.number)
    confirm_advancement(actor=SYSTEM, stage=final, numbers=(6, 5, 4, 3))
    _play(event, 2, lambda entry: {3: 1, 4: 9, 5: 8, 6: 2}[entry.number])
    return event, final


def test_stage_that_starts_from_0_ranks_by_its_own_results():
    event, final = _preliminary_and_final(carry=False)

    whole = event_standings(event)
    own = event_standings(event, stage=final)

    assert _ranks(whole) == {4: 1, 5: 2, 6: 3, 3: 4, 2: 5, 1: 6}
    assert [(row.entry.number, row.total, row.score) for row in whole.rows] == [
        (4, 49, 9),
        (5, 58, 8),
        (6, 62, 2),
        (3, 31, 1),
        (2, 20, 20),
        (1, 10, 10),
    ]
    assert (whole.rows[0].ahead.value, whole.rows[0].ahead.next_value) == (9, 8)
    assert isinstance(whole.rows[3].ahead, CameFurther)
    assert [(row.entry.number, row.total) for row in own.rows] == [(4, 9), (5, 8), (6, 2), (3, 1)]
    assert own.rounds == (2,)
    assert [row.entry.number for row in event_standings(event, 1).rows] == [6, 5, 4, 3, 2, 1]


def test_stage_that_carries_points_on_ranks_by_the_total():
    event, final = _preliminary_and_final(carry=True)

    whole = event_standings(event)

    assert [(row.entry.number, row.score) for row in whole.rows] == [
        (6, 62),
        (5, 58),
        (4, 49),
        (3, 31),
        (2, 20),
        (1, 10),
    ]
    assert event_standings(event, stage=final).rounds == (1, 2)


@pytest.mark.parametrize(("carry", "going"), [(False, (4, 5)), (True, (6, 5))])
def test_advancement_goes_by_what_counts_in_the_stage_before(carry, going):
    event, _final = _preliminary_and_final(carry)
    last = add_stage(actor=SYSTEM, event=event, data=StageData(format="random", rounds=1, carry=False))

    preview = advancement_preview(last, 2)

    assert preview.numbers == going
    assert [line.total for line in preview.lines[:2]] == ([9, 8] if not carry else [62, 58])


def test_open_place_in_a_group_leaves_the_best_of_the_rest_of_the_other_open_too():
    event = make_event(kind=Event.Kind.PAIRS, entries=6, planned_rounds=3, measure=Event.Measure.POINTS)
    first = event.stages.get()
    configure_stage(
        actor=SYSTEM, stage=first, data=StageData(format="groups", rounds=3, options={"groups": 2})
    )
    stage = add_stage(actor=SYSTEM, event=event, data=StageData(format="knockout", rounds=2))
    draws = [draw_round(event, number) for number in (1, 2, 3)]
    groups = [[event.entries.get(pk=pk) for pk in group] for group in stage_groups(first)]
    # In both groups a first and a second; those of the one are ahead of those of the other.
    (one, two, last), (_, other_second, _) = groups
    worth = dict(zip([*groups[0], *groups[1]], (9, 8, 0, 7, 6, 0), strict=True))
    for draw in draws:
        give_values(draw, worth.__getitem__)
        close(draw.round)
    assert advancement_preview(stage, 3).settled
    assert set(advancement_preview(stage, 3).numbers) == {one.number, two.number, groups[1][0].number}

    match = next(
        match
        for match in Match.objects.filter(draw__round__event=event)
        if {one.pk, last.pk} == set(match.sides.values_list("entry", flat=True))
    )
    EntryResult.objects.filter(table__match=match).update(complete=False)

    # Should the first of the one group end last, its second is the first of it, and the other's comes in.
    open_now = {line.entry.number for line in advancement_preview(stage, 3).lines if line.may_change}
    assert open_now == {one.number, two.number, last.number, other_second.number}


def test_tie_in_a_group_is_broken_by_the_result_between_these_two_alone():
    """1 and 4 of one group and 3 of the other have equal results: only group-mates have met."""
    event = seeded_event("groups", 6, 3, groups=2)
    event.options = {"tie_breaks": ["head_to_head"]}
    event.save()
    stage = event.stages.get()
    knockout = add_stage(actor=SYSTEM, event=event, data=StageData(format="knockout", rounds=1))
    results = {1: {1: 0, 4: 3}, 2: {1: 5, 5: 0}, 3: {4: 2, 5: 1}}
    for number in (1, 2, 3):
        draw = draw_round(event, number)
        groups = [{event.entries.get(pk=pk).number for pk in group} for group in stage_groups(stage)]
        assert groups == [{1, 4, 5}, {2, 3, 6}]
        playing = {
            frozenset(match.sides.values_list("entry__number", flat=True)) for match in draw.matches.all()
        }
        values = next((one for one in results.values() if frozenset(one) in playing), {})
        give_values(
            draw, lambda entry, values=values: values.get(entry.number, 1 if entry.number == 6 else 5)
        )
        draw.byes.update(points=0)
        close(draw.round)

    rows = group_standings(read_records(event), stage)[0].rows

    assert [(row.rank, row.entry.number, row.total) for row in rows] == [(1, 4, 5), (2, 1, 5), (3, 5, 1)]
    assert rows[0].ahead.criterion is Criterion.HEAD_TO_HEAD
    assert 4 in advancement_preview(knockout, 2).numbers
    assert 1 not in advancement_preview(knockout, 2).numbers


def test_heats_rank_by_the_round_reached_then_by_the_results_of_it():
    event = seeded_event("heats", 8, 2, kind=Event.Kind.INDIVIDUAL, first=2)
    _play(event, 1, lambda entry: 100 - entry.number)
    final = sorted(
        _play(event, 2, lambda entry: entry.number).tables.get().seats.values_list("entry__number", flat=True)
    )

    found = event_standings(event)

    out = sorted(set(range(1, 9)) - set(final))
    assert [row.entry.number for row in found.rows] == [*reversed(final), *out]
    assert (_came(found)[final[0]], _came(found)[out[0]]) == ("Final", "heats: round 1")
    assert found.rows[3].ahead == CameFurther(found.rows[3].reached, found.rows[4].reached)


def _groups_and_knockout():
    """Two groups of three; the winners go on to a final. Who stayed behind: 4, 3 are second, 5, 6 third."""
    event = seeded_event("groups", 6, 3, groups=2)
    knockout = add_stage(actor=SYSTEM, event=event, data=StageData(format="knockout", rounds=1, carry=False))
    # Number 6 has more points in its group than number 4, and is third of it all the same.
    worth = {1: 50, 4: 10, 5: 0, 2: 90, 3: 60, 6: 20}
    for number in (1, 2, 3):
        draw = draw_round(event, number)
        give_values(draw, lambda entry: worth[entry.number])
        draw.byes.update(points=0)
        close(draw.round)
    return event, knockout


def test_who_stayed_in_the_groups_is_ranked_by_the_place_there_before_the_result():
    event, knockout = _groups_and_knockout()
    groups = [{event.entries.get(pk=pk).number for pk in g} for g in stage_groups(event.stages.first())]
    assert groups == [{1, 4, 5}, {2, 3, 6}]
    # While nobody has gone on, all are ranked by their results.
    assert [row.entry.number for row in event_standings(event).rows] == [2, 3, 1, 6, 4, 5]

    confirm_advancement(actor=SYSTEM, stage=knockout, numbers=(2, 1))
    _play(event, 4, lambda entry: -entry.number)

    found = event_standings(event)
    assert [row.entry.number for row in found.rows] == [1, 2, 3, 4, 6, 5]
    assert [row.rank for row in found.rows] == [1, 2, 3, 4, 5, 6]
    assert _came(found) | {} == {
        1: "Final: won",
        2: "Final: lost",
        3: "place 2 in the group",
        4: "place 2 in the group",
        5: "place 3 in the group",
        6: "place 3 in the group",
    }
    rows = {row.entry.number: row for row in found.rows}
    assert (rows[3].ahead.value, rows[3].ahead.next_value) == (120, 20)
    assert rows[4].ahead == CameFurther(rows[4].reached, rows[6].reached)
    # The groups' own standings are still by results alone.
    own = event_standings(event, stage=event.stages.first())
    assert [row.entry.number for row in own.rows] == [2, 3, 1, 6, 4, 5]


def test_a_decided_match_gives_match_points_by_the_decision():
    event = seeded_event("knockout", 4, 2, third_place=False)
    event.options = {"tie_breaks": ["match_points"]}
    event.save()
    draw = draw_round(event, 1)
    give_values(draw, lambda entry: -entry.number)
    match = Match.objects.get(draw=draw, sides__entry__number=4)
    decide_match(
        actor=SYSTEM, match=match, winner=event.entries.get(number=4), reason="1 has been disqualified"
    )
    publish_round(actor=SYSTEM, round=draw.round)
    for published in (False, True):
        found = event_standings(event, published_only=published, stage=None)
        sheet = {row.entry.number: row.reached["fate"]["fate"] for row in found.rows if row.reached["fate"]}
        assert sheet[1] != sheet[4]
    points = {one.entrant: one.amount(Measure.MATCH_POINTS) for one in recorded_sheet(event, None).encounters}
    assert points == {1: 0, 4: 2, 2: 2, 3: 0}
