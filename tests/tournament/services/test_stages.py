"""Stages: formats with options, rounds that move with them, and who advances."""

import pytest

from tests.factories import make_event
from tests.tournament.draws import close, draw_round, give_values
from tournament.models import AuditRow, EntryResult, Event, Round
from tournament.queries.advancement import advancement_preview
from tournament.services.advance import confirm_advancement, withdraw_advancement
from tournament.services.audit import SYSTEM
from tournament.services.draw import make_draw
from tournament.services.entries import withdraw_entry
from tournament.services.errors import Refused
from tournament.services.stages import StageData, add_stage, configure_stage, remove_stage

pytestmark = pytest.mark.django_db


def _rounds(event):
    return [
        (number, stage)
        for number, stage in event.rounds.order_by("number").values_list("number", "stage__number")
    ]


def _codes(refused):
    return {(problem.code, problem.field) for problem in refused.value.problems}


def _two_stages(entries=8, kind=Event.Kind.PAIRS, **data):
    """A preliminary of one round, played: the higher the number, the better; and a further stage."""
    event = make_event(kind=kind, entries=entries, planned_rounds=1)
    final = add_stage(
        actor=SYSTEM, event=event, data=StageData(**{"format": "swiss", "rounds": 2, "name": "决赛", **data})
    )
    draw = draw_round(event, 1)
    give_values(draw, lambda entry: 10 * entry.number)
    return event, final, draw


def test_rounds_of_later_stages_move_when_an_earlier_one_grows_or_shrinks():
    event = make_event(entries=8, planned_rounds=2)
    first = event.stages.get()
    second = add_stage(actor=SYSTEM, event=event, data=StageData(format="swiss", rounds=2))
    assert _rounds(event) == [(1, 1), (2, 1), (3, 2), (4, 2)]

    configure_stage(actor=SYSTEM, stage=first, data=StageData(format="random", rounds=4))
    assert _rounds(event) == [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2)]
    configure_stage(actor=SYSTEM, stage=first, data=StageData(format="random", rounds=1))
    assert _rounds(event) == [(1, 1), (2, 2), (3, 2)]
    event.refresh_from_db()
    assert event.planned_rounds == 3

    remove_stage(actor=SYSTEM, stage=second)
    assert _rounds(event) == [(1, 1)]
    assert list(
        AuditRow.objects.filter(event=event, action__startswith="stage.").values_list("action", flat=True)
    ) == [
        "stage.remove",
        "stage.edit",
        "stage.edit",
        "stage.add",
    ]


def test_every_fault_of_a_stage_is_told_at_its_field():
    event = make_event(kind=Event.Kind.PAIRS, entries=4)

    with pytest.raises(Refused) as refused:
        add_stage(
            actor=SYSTEM,
            event=event,
            data=StageData(
                format="round_robin", rounds=99, name="x" * 81, options={"double": "yes", "colour": "red"}
            ),
        )

    assert _codes(refused) == {
        ("name_too_long", "name"),
        ("option_flag", "option_double"),
        ("option_unknown", "option_colour"),
        ("rounds_range", "rounds"),
    }
    assert event.stages.count() == 1


@pytest.mark.parametrize("key", ["movement", "nonsense"])
def test_format_that_does_not_fit_the_kind_is_refused(key):
    event = make_event(kind=Event.Kind.PAIRS, entries=4)

    with pytest.raises(Refused) as refused:
        configure_stage(actor=SYSTEM, stage=event.stages.get(), data=StageData(format=key, rounds=3))

    assert _codes(refused) == {("format_kind", "format")}


def test_plan_under_way_keeps_its_format_and_options_but_a_random_stage_may_turn_swiss():
    event = make_event(kind=Event.Kind.PAIRS, entries=4)
    stage = event.stages.get()
    draw_round(event, 1)
    configure_stage(actor=SYSTEM, stage=stage, data=StageData(format="swiss", rounds=3))
    with pytest.raises(Refused) as refused:
        configure_stage(actor=SYSTEM, stage=stage, data=StageData(format="round_robin", rounds=3))
    assert _codes(refused) == {("format_under_way", "format")}

    other = make_event(kind=Event.Kind.PAIRS, entries=4)
    stage = other.stages.get()
    configure_stage(actor=SYSTEM, stage=stage, data=StageData(format="round_robin", rounds=3))
    draw_round(other, 1)
    with pytest.raises(Refused) as refused:
        configure_stage(
            actor=SYSTEM,
            stage=stage,
            data=StageData(format="round_robin", rounds=3, options={"double": True}),
        )
    assert _codes(refused) == {("options_under_way", "option_double")}


def test_rounds_in_use_cannot_be_dropped_nor_moved():
    event = make_event(entries=16, planned_rounds=2)
    first = event.stages.get()
    draw_round(event, 1)
    draw_round(event, 2)
    with pytest.raises(Refused) as refused:
        configure_stage(actor=SYSTEM, stage=first, data=StageData(format="random", rounds=1))
    assert _codes(refused) == {("round_in_use", "rounds")}

    add_stage(actor=SYSTEM, event=event, data=StageData(format="random", rounds=1))
    event.rounds.get(number=3).penalties.create(
        event=event, entry=event.entries.first(), rule="x", points=-1, reason="y"
    )

    with pytest.raises(Refused) as refused:
        configure_stage(actor=SYSTEM, stage=first, data=StageData(format="random", rounds=3))

    assert _codes(refused) == {("round_in_use", "rounds")}
    assert _rounds(event) == [(1, 1), (2, 1), (3, 2)]


def test_nobody_is_drawn_in_a_further_stage_before_it_is_confirmed_who_advances():
    event, final, draw = _two_stages()
    close(draw.round)

    with pytest.raises(Refused) as refused:
        make_draw(actor=SYSTEM, round=final.rounds.order_by("number").first())
    assert refused.value.code == "stage_empty"

    confirm_advancement(actor=SYSTEM, stage=final, numbers=[8, 7, 6, 5])
    second = draw_round(event, 2)

    assert sorted(second.matches.values_list("sides__entry__number", flat=True)) == [5, 6, 7, 8]
    assert [one["points"] for one in second.inputs["entrants"]] == ["80", "70", "60", "50"]
    assert [one["seed"] for one in second.inputs["entrants"]] == [1, 2, 3, 4]


def test_stage_may_start_from_zero():
    event, final, draw = _two_stages(carry=False)
    close(draw.round)
    confirm_advancement(actor=SYSTEM, stage=final, numbers=[8, 7, 6, 5])

    second = make_draw(actor=SYSTEM, round=event.rounds.get(number=2))

    assert {one["points"] for one in second.inputs["entrants"]} == {"0"}


def test_advancement_shows_whose_place_a_pending_result_could_change():
    _event, final, draw = _two_stages()
    assert advancement_preview(final, 4).settled
    assert advancement_preview(final, 4).numbers == (8, 7, 6, 5)

    # The match of number 1 is not finished: it may still push out the last above the line.
    one = EntryResult.objects.get(entry__number=1)
    EntryResult.objects.filter(table=one.table).update(complete=False)
    opponent = EntryResult.objects.filter(table=one.table).exclude(pk=one.pk).get().entry.number
    preview = advancement_preview(final, 4)

    assert not preview.settled
    changing = {line.entry.number for line in preview.lines if line.may_change}
    assert 1 in changing
    assert opponent in changing
    assert any(line.may_change and line.place for line in preview.lines)
    with pytest.raises(Refused) as refused:
        confirm_advancement(actor=SYSTEM, stage=final, numbers=[8, 7, 6, 5])
    assert refused.value.code == "advance_reason"
    assert final.members.count() == 0
    confirm_advancement(actor=SYSTEM, stage=final, numbers=[8, 7, 6, 5], reason="the match has no bearing")
    assert draw.round.state != Round.State.CLOSED


def test_nobody_is_sure_to_advance_while_rounds_are_still_to_be_drawn():
    event = make_event(kind=Event.Kind.PAIRS, entries=6, planned_rounds=2)
    final = add_stage(actor=SYSTEM, event=event, data=StageData(format="random", rounds=1))
    give_values(draw_round(event, 1), lambda entry: 10 * entry.number)

    preview = advancement_preview(final, 2)
    assert preview.numbers == (6, 5)
    assert not preview.settled
    assert {line.entry.number for line in preview.lines if line.may_change} == {1, 2, 3, 4, 5, 6}
    assert {line.missing for line in preview.lines} == {1}
    with pytest.raises(Refused) as refused:
        confirm_advancement(actor=SYSTEM, stage=final, numbers=[6, 5])
    assert refused.value.code == "advance_reason"

    give_values(draw_round(event, 2), lambda entry: 10 * entry.number)
    assert advancement_preview(final, 2).settled
    confirm_advancement(actor=SYSTEM, stage=final, numbers=[6, 5])


def test_of_heats_only_those_who_play_on_can_still_change_places():
    event = make_event(kind=Event.Kind.INDIVIDUAL, entries=16, planned_rounds=3)
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=StageData(format="heats", rounds=3))
    final = add_stage(actor=SYSTEM, event=event, data=StageData(format="random", rounds=1))
    for number in (1, 2):
        draw = draw_round(event, number)
        give_values(draw, lambda entry: 10 * entry.number)
        close(draw.round)

    preview = advancement_preview(final, 4)

    playing = {seat.entry.number for table in draw.tables.all() for seat in table.seats.all()}
    assert {line.entry.number for line in preview.lines if line.may_change} == playing
    assert len(playing) == 8


def test_whoever_is_out_of_a_bracket_cannot_come_in_through_a_match_in_play():
    event = make_event(kind=Event.Kind.PAIRS, entries=8, planned_rounds=3)
    data = StageData(format="knockout", rounds=3, options={"third_place": False})
    configure_stage(actor=SYSTEM, stage=event.stages.get(), data=data)
    final = add_stage(actor=SYSTEM, event=event, data=StageData(format="random", rounds=1))
    first = draw_round(event, 1)
    give_values(first, lambda entry: -entry.number)
    close(first.round)
    draw_round(event, 2)

    assert not any(line.may_change or line.tied for line in advancement_preview(final, 4).lines)
    half = advancement_preview(final, 2)
    assert not half.settled
    assert sum(line.may_change or line.tied for line in half.lines) == 4


def test_tie_at_the_line_is_shown_and_decided_with_a_reason():
    event = make_event(kind=Event.Kind.PAIRS, entries=4, planned_rounds=1)
    final = add_stage(actor=SYSTEM, event=event, data=StageData(format="random", rounds=1))
    give_values(draw_round(event, 1), lambda entry: 10 if entry.number < 4 else 0)

    preview = advancement_preview(final, 2)
    assert {line.entry.number for line in preview.lines if line.tied} == {1, 2, 3}
    assert not preview.settled
    with pytest.raises(Refused):
        confirm_advancement(actor=SYSTEM, stage=final, numbers=[3, 2])
    confirm_advancement(actor=SYSTEM, stage=final, numbers=[3, 2], reason="play-off")

    row = AuditRow.objects.get(event=event, action="stage.advance")
    assert row.after == {"numbers": [3, 2], "as_ranked": False, "settled": False}
    assert row.reason == "play-off"


def test_only_those_who_played_the_stage_before_advance_each_once():
    event, final, _draw = _two_stages()
    withdraw_entry(actor=SYSTEM, entry=event.entries.get(number=8), reason="ill")

    with pytest.raises(Refused) as refused:
        confirm_advancement(actor=SYSTEM, stage=final, numbers=[8, 7, 7], reason="as we like it")
    assert _codes(refused) == {("number_twice", "numbers"), ("not_eligible", "numbers")}
    with pytest.raises(Refused) as refused:
        confirm_advancement(actor=SYSTEM, stage=final, numbers=[7, 99])
    assert _codes(refused) == {("numbers_unknown", "numbers")}
    assert advancement_preview(final, 2).numbers == (7, 6)


def test_advancement_is_taken_back_until_a_round_is_drawn():
    event, final, draw = _two_stages()
    close(draw.round)
    confirm_advancement(actor=SYSTEM, stage=final, numbers=[8, 7, 6, 5])
    withdraw_advancement(actor=SYSTEM, stage=final, reason="wrong number of places")
    assert final.members.count() == 0

    confirm_advancement(actor=SYSTEM, stage=final, numbers=[8, 7])
    make_draw(actor=SYSTEM, round=event.rounds.get(number=2))
    for change in (
        lambda: confirm_advancement(actor=SYSTEM, stage=final, numbers=[8, 7, 6, 5]),
        lambda: withdraw_advancement(actor=SYSTEM, stage=final, reason="no"),
    ):
        with pytest.raises(Refused) as refused:
            change()
        assert refused.value.code == "stage_drawn"
    with pytest.raises(Refused) as refused:
        confirm_advancement(actor=SYSTEM, stage=event.stages.first(), numbers=[1, 2])
    assert refused.value.code == "first_stage"
