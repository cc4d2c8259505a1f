"""Rulings on entries: what becomes of the entry, of those who met it, and how they are lifted."""

import pytest

from referee.models import EntryRuling
from referee.services.entry_rulings import lift_entry_ruling, rule_on_entry
from tests.factories import actor, make_event, make_published_draw, make_user
from tests.played import given_penalty
from tests.tournament.draws import close, give_values
from tournament.models import Entry, Event
from tournament.queries.draw_history import points_on_record
from tournament.queries.draw_sources import collect_inputs
from tournament.queries.standings import event_standings
from tournament.ranking.tie_breaks import Criterion
from tournament.services.audit import SYSTEM
from tournament.services.entries import return_entry
from tournament.services.errors import Conflict, NotAllowed, Refused
from tournament.services.stages import StageData, configure_stage
from tournament.services.tie_breaks import choose_tie_breaks

pytestmark = pytest.mark.django_db

OPPONENTS = EntryRuling.Opponents


def _event(kind=Event.Kind.PAIRS, entries=4, rounds=3, played=2):
    """Number n has 10·n a round."""
    event = make_event(kind, entries, planned_rounds=rounds)
    configure_stage(
        actor=SYSTEM, stage=event.stages.get(), data=StageData(format="swiss", rounds=rounds, options={})
    )
    for number in range(1, played + 1):
        draw = make_published_draw(event, number)
        give_values(draw, lambda entry: 10 * entry.number)
        close(draw.round)
    return event


def _rule(event, number=4, **ruling):
    values = {"unranked": True, "annul_from": None, "reason": "作弊", **ruling}
    return rule_on_entry(actor=SYSTEM, entry=event.entries.get(number=number), **values)


def _rows(event, after=None):
    return {row.entry.number: row for row in event_standings(event, after).rows}


def _met(event, number, round_number):
    match = event.rounds.get(number=round_number).draws.get().matches.get(sides__entry__number=number)
    return [side.entry.number for side in match.sides.exclude(entry__number=number)]


def test_a_disqualified_entry_stands_last_without_a_rank_and_the_others_move_up():
    event = _event()
    assert [row.entry.number for row in event_standings(event).rows] == [4, 3, 2, 1]
    _rule(event)

    rows = event_standings(event).rows
    assert [(row.entry.number, row.rank) for row in rows] == [(3, 1), (2, 2), (1, 3), (4, None)]
    assert rows[-1].disqualified
    assert rows[-1].total == 80
    assert rows[-2].ahead is None
    assert event.entries.get(number=4).status == Entry.Status.WITHDRAWN


@pytest.mark.parametrize(("annul_from", "total"), [(1, 0), (2, 40), (3, 80), (None, 80)])
def test_results_are_annulled_from_the_round_stated(annul_from, total):
    event = _event()
    given_penalty(event.entries.get(number=4), -7, round_number=1)
    _rule(event, annul_from=annul_from)

    row = _rows(event)[4]
    assert row.total == total - (0 if annul_from == 1 else 7)
    assert [cell.annulled for cell in row.cells] == [
        annul_from is not None and number >= annul_from for number in (1, 2)
    ]
    assert all(cell.complete for cell in row.cells)
    points = points_on_record(event).before(3)
    assert points[row.entry.pk] == row.total


def test_opponents_keep_what_they_played_or_have_the_stated_score():
    event = _event()
    before = _rows(event)
    (opponent,) = _met(event, 4, 2)
    _rule(event, annul_from=2)
    assert _rows(event)[opponent].total == before[opponent].total

    _rule(event, annul_from=2, opponents=OPPONENTS.STATED, opponents_points=100)
    row = _rows(event)[opponent]
    assert row.cells[1].value == 100
    assert row.cells[1].walkover
    assert row.total == before[opponent].total - before[opponent].cells[1].value + 100
    points = points_on_record(event).before(3)
    for number, one in _rows(event).items():
        assert points[one.entry.pk] == one.total, number
    others = set(before) - {4, opponent}
    assert all(_rows(event)[number].total == before[number].total for number in others)


def test_at_a_table_of_four_each_of_the_others_has_the_stated_score():
    event = _event(Event.Kind.INDIVIDUAL, 8, played=1)
    draw = event.rounds.get(number=1).draws.get()
    table = draw.tables.get(seats__entry__number=4)
    others = set(table.seats.exclude(entry__number=4).values_list("entry__number", flat=True))
    _rule(event, annul_from=1, opponents=OPPONENTS.STATED, opponents_points=33)
    rows = _rows(event)
    assert {number for number, row in rows.items() if row.total == 33} == others
    points = points_on_record(event).before(2)
    assert {number for number, row in rows.items() if points[row.entry.pk] == 33} == others


def test_an_annulled_result_counts_for_no_tie_break_by_opponents():
    event = _event(played=1)
    event = choose_tie_breaks(actor=SYSTEM, event=event, tie_breaks=["buchholz"])
    (opponent,) = _met(event, 4, 1)
    other = next(number for number in (1, 2, 3) if number != opponent)
    event.entries.filter(number=other).update(start_points=10 * (opponent - other))
    tied = {opponent, other}
    before = dict(_rows(event)[opponent].tie_breaks)[Criterion.BUCHHOLZ]
    _rule(event, annul_from=1)
    rows = _rows(event)
    assert {number for number, row in rows.items() if row.total == rows[opponent].total} == tied
    assert before == 40
    assert dict(rows[opponent].tie_breaks)[Criterion.BUCHHOLZ] == rows[opponent].total


def test_a_ruling_lifted_leaves_everything_as_it_was_and_stays_on_record():
    event = _event()
    before = _rows(event)
    _rule(event, annul_from=1, opponents=OPPONENTS.STATED, opponents_points=5)
    lift_entry_ruling(actor=SYSTEM, entry=event.entries.get(number=4), reason="申诉成立")

    assert _rows(event) == before
    assert event.entries.get(number=4).status == Entry.Status.ACTIVE
    assert EntryRuling.objects.get().lift_reason == "申诉成立"
    assert {one.number for one in collect_inputs(event.rounds.get(number=3)).present()} == {1, 2, 3, 4}
    with pytest.raises(Conflict):
        lift_entry_ruling(actor=SYSTEM, entry=event.entries.get(number=4), reason="再次")


def test_a_ruling_on_an_entry_that_was_let_in_again_by_hand_is_lifted_all_the_same():
    event = _event()
    _rule(event)
    return_entry(actor=SYSTEM, entry=event.entries.get(number=4), reason="先放行")
    lift_entry_ruling(actor=SYSTEM, entry=event.entries.get(number=4), reason="申诉成立")
    assert event.entries.get(number=4).status == Entry.Status.ACTIVE
    assert _rows(event)[4].rank is not None


def test_another_ruling_takes_the_place_of_the_first_and_knows_who_had_left_before():
    event = _event()
    _rule(event)
    second = _rule(event, unranked=False, annul_from=2)
    assert second.withdrew
    assert EntryRuling.objects.filter(lifted_at=None).get() == second
    assert _rows(event)[4].rank is not None


def test_whoever_is_disqualified_is_drawn_no_more():
    event = _event()
    _rule(event, number=2)
    assert {one.number for one in collect_inputs(event.rounds.get(number=3)).present()} == {1, 3, 4}


@pytest.mark.parametrize(
    ("ruling", "code"),
    [
        ({"unranked": False}, "nothing_ruled"),
        ({"annul_from": 9}, "no_such_round"),
        ({"reason": " "}, "reason_missing"),
    ],
)
def test_a_ruling_that_says_nothing_is_refused(ruling, code):
    event = _event(played=1)
    with pytest.raises(Refused) as refused:
        _rule(event, **ruling)
    assert refused.value.code == code
    assert not EntryRuling.objects.exists()


def test_only_an_organiser_rules_on_an_entry():
    event = _event(played=1)
    chief = actor(make_user("chief_referee", event.tournament))
    entry = event.entries.get(number=1)
    with pytest.raises(NotAllowed):
        rule_on_entry(actor=chief, entry=entry, unranked=True, annul_from=None, reason="x")
    with pytest.raises(NotAllowed):
        lift_entry_ruling(actor=chief, entry=entry, reason="x")
