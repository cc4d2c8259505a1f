"""Draws already made as they would come out now: unchanged records give the same, a change shows."""

import pytest

from tests.factories import make_event, make_published_draw
from tests.tournament.draws import close, give_results
from tournament.models import EntryResult, Event
from tournament.queries.draw_formats import FORMATS as FORMATS_BY_KEY
from tournament.queries.foresight import differences, moves_anything, read, read_again
from tournament.queries.later_draws import draws_after, inputs_now, pairing_now, read_draw_records, read_draws
from tournament.services.audit import SYSTEM
from tournament.services.entries import EntryData, add_entry, withdraw_entry
from tournament.services.errors import Refused
from tournament.services.stages import StageData, configure_stage

pytestmark = pytest.mark.django_db

FORMATS = [
    (Event.Kind.INDIVIDUAL, "swiss", 14),
    (Event.Kind.INDIVIDUAL, "random", 12),
    (Event.Kind.INDIVIDUAL, "heats", 16),
    (Event.Kind.PAIRS, "swiss", 9),
    (Event.Kind.PAIRS, "knockout", 7),
    (Event.Kind.PAIRS, "double_elimination", 6),
]


def _played(kind, key, entries):
    event = make_event(kind, entries, planned_rounds=4)
    takes = FORMATS_BY_KEY[key].rounds
    rounds = takes(entries, {}) if takes else 4
    configure_stage(
        actor=SYSTEM, stage=event.stages.get(), data=StageData(format=key, rounds=rounds, options={})
    )
    for round in event.rounds.order_by("number"):
        try:
            draw = make_published_draw(event, round.number)
        except Refused as refused:
            assert refused.code == "finished"  # noqa: PT017 - the second final, where the first decided
            break
        give_results(draw)
        close(round)
    return event


@pytest.mark.parametrize(("kind", "key", "entries"), FORMATS)
def test_nothing_changed_nothing_is_drawn_otherwise(kind, key, entries):
    event = _played(kind, key, entries)
    add_entry(
        actor=SYSTEM, event=event, data=EntryData(name="后来", players=("后来", "后到")[: event.entry_size])
    )
    withdraw_entry(actor=SYSTEM, entry=event.entries.get(number=1), reason="病")

    later = read_draws(draws_after(event, 0))
    records = read_draw_records(event, later)
    assert len(later) >= event.rounds.count() - 1
    for draw in later:
        assert inputs_now(draw, records) == draw.inputs
    seen = read(event, 1)
    assert not moves_anything(differences(seen, read_again(seen)))


def test_other_points_pair_a_later_swiss_round_otherwise_and_leave_the_first_alone():
    event = _played(Event.Kind.PAIRS, "swiss", 8)
    before = read(event, 1)
    ahead, behind = (
        EntryResult.objects.filter(round__number=1).order_by(order).first() for order in ("-value", "value")
    )
    for one, other in ((ahead, behind), (behind, ahead)):
        EntryResult.objects.filter(pk=one.pk).update(value=other.value)

    moves = differences(before, read_again(before))

    second = next(one for one in moves["draws"] if one["round"] == 2)
    first_draw, *_others = later = read_draws(draws_after(event, 0))
    stored = pairing_now(first_draw, read_draw_records(event, later))
    assert len(stored.matches) == 4
    assert second["broken"]
    assert len(second["broken"]) == len(second["instead"])
    assert {n for match in second["broken"] for n in match} == {
        n for match in second["instead"] for n in match
    }
    first = moves["standings"][0]
    moved = {row["entry"]: row for row in first["rows"]}
    assert moved[ahead.entry.number]["rank"][0] == 1
    assert moved[ahead.entry.number]["total"] == [ahead.value, behind.value]
    assert [one["after"] for one in moves["standings"]] == [1, 2, 3, 4]


def test_another_winner_puts_another_into_the_next_match_of_a_bracket():
    event = _played(Event.Kind.PAIRS, "knockout", 8)
    before = read(event, 1)
    match = event.rounds.get(number=1).draws.get().matches.get(number=1)
    one, other = EntryResult.objects.filter(table__match=match)
    values = (other.value, one.value)
    for result, value in zip((one, other), values, strict=True):
        EntryResult.objects.filter(pk=result.pk).update(value=value)
    winner, loser = sorted((one, other), key=lambda result: -result.value)

    moves = differences(before, read_again(before))

    second = next(draw for draw in moves["draws"] if draw["round"] == 2)
    assert second["bracket"]
    (broken,), (instead,) = second["broken"], second["instead"]
    assert winner.entry.number in broken
    assert loser.entry.number in instead


def test_a_kept_draw_is_set_against_who_really_meets_and_stays_when_the_change_is_taken_back():
    event = _played(Event.Kind.PAIRS, "swiss", 8)
    ahead, behind = (
        EntryResult.objects.filter(round__number=1).order_by(order).first() for order in ("-value", "value")
    )
    values = {ahead.pk: behind.value, behind.pk: ahead.value}
    for pk, value in values.items():
        EntryResult.objects.filter(pk=pk).update(value=value)

    # The later draws were kept: what is on record would pair them otherwise.
    before = read(event, 1)
    for one in (ahead, behind):
        EntryResult.objects.filter(pk=one.pk).update(value=one.value)
    assert differences(before, read_again(before))["draws"] == []

    EntryResult.objects.filter(round__number=1).update(value=ahead.value)
    for moved in differences(before, read_again(before))["draws"]:
        drawn = next(one for one in before.later if one.draw.round.number == moved["round"])
        assert {frozenset(match) for match in moved["broken"]} <= drawn.pairing.matches
